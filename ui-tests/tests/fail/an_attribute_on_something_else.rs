#[pl::jit]
struct Kernel {
    x: f32,
}

fn main() {}
