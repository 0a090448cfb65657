use pl::prelude::*;

fn main() {
    scope!({
        println!("not a kernel");
    });
    scratch_scope!({});
    manual_scope!({});
}
