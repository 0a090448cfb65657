const S: usize = 4096;
const SQ: usize = 64;
const D: usize = 128;
const KV_TILE: usize = 256;

#[pl::jit::incore]
fn rms_norm(x: Tensor<f32, SQ, D>, y: Out<Tensor<f32, SQ, D>>) {
    let x = load(x);
    store(y, x * rsqrt(row_sum(x * x) / D + 1e-6));
}

#[pl::jit::incore]
fn attend(
    q: Tensor<f32, SQ, D>,
    k: Tensor<f32, _, D>,
    v: Tensor<f32, _, D>,
    scale: f32,
    o: Out<Tensor<f32, SQ, D>>,
) {
    let q = load(q);
    let m = full([SQ, 1], f32::NEG_INFINITY);
    let l = zeros([SQ, 1]);
    let acc = zeros([SQ, D]);
    for j in (0..k.dim(0)).step_by(KV_TILE) {
        scratch_scope!({
            let s = dot(q, transpose(load(k.slice(s![j..j + KV_TILE, ..])))) * scale;
            let m_new = maximum(m, row_max(s));
            let p = exp(s - m_new);
            let alpha = exp(m - m_new);
            copy_to(l, l * alpha + row_sum(p));
            copy_to(acc, acc * alpha + dot(p, load(v.slice(s![j..j + KV_TILE, ..]))));
            copy_to(m, m_new);
        });
    }
    store(o, acc / l);
}

#[pl::jit(auto_scope = false)]
fn attention(
    q: Tensor<f32, S, D>,
    k: Tensor<f32, S, D>,
    v: Tensor<f32, S, D>,
    o: Out<Tensor<f32, S, D>>,
) {
    for i in (0..S).step_by(SQ) {
        scope!({
            let normed = create_tensor::<f32>([SQ, D]);
            rms_norm(q.slice(s![i..i + SQ, ..]), normed);
            attend(normed, k, v, 0.088, o.slice(s![i..i + SQ, ..]));
        });
    }
}
