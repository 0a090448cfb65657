//! Shown: Cpp
//! Scalars of device orchestration source: types, numbers, arithmetic.

const WIDE: usize = 4096;

#[pl::jit::incore]
fn floats(a: f32, b: f64, y: Out<Tensor<f32, _>>) {
    store(y, full([4], 1.0));
}

#[pl::jit::incore]
fn small(a: u8, b: i8, c: u16, d: i16, y: Out<Tensor<f32, _>>) {
    store(y, full([4], 1.0));
}

#[pl::jit::incore]
fn wide(a: u32, b: i32, c: u64, d: i64, e: usize, f: isize, y: Out<Tensor<f32, _>>) {
    store(y, full([4], 1.0));
}

#[pl::jit::incore]
fn halves(a: f16, b: bf16, c: bool, y: Out<Tensor<f32, _>>) {
    store(y, full([4], 1.0));
}

mod c189_scalars_have_numbers_of_their_own_and_exact_types {
    #[pl::jit]
    fn f(a: u8, y: Out<Tensor<f32, 4>>, b: i8, c: u16, d: i16) {
        small(a, b, c, d, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_y = orch_args.tensor(0).ref();
    //=
    //= // Scalar params
    //= uint8_t a = from_u64<uint8_t>(orch_args.scalar(0));
    //= int8_t b = from_u64<int8_t>(orch_args.scalar(1));
    //= uint16_t c = from_u64<uint16_t>(orch_args.scalar(2));
    //= int16_t d = from_u64<int16_t>(orch_args.scalar(3));
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: small
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_output(ext_y);
    //=     params_t0.add_scalar(a);
    //=     params_t0.add_scalar(b);
    //=     params_t0.add_scalar(c);
    //=     params_t0.add_scalar(d);
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
}

mod types_that_rustc_infers_are_found_again {
    #[pl::jit]
    fn f(y: Out<Tensor<f32, 4>>) {
        let a = 1;
        let b = 2.5;
        let mut c = 0;
        c += a;
        let d = if b > 1.0 { 7 } else { a };
        let unknown = 3;
        let open = unknown < 4;
        if open {
            wide(c, d as i32, 5, -6, WIDE, 8, y);
        }
        floats(0.1, b, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_y = orch_args.tensor(0).ref();
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t a = 1;
    //=     double b = 2.5;
    //=     uint32_t c = 0;
    //=     c += a;
    //=     uint32_t d = 0;
    //=     if ((b > 1.0)) {
    //=         d = 7;
    //=     } else {
    //=         d = a;
    //=     }
    //=     int32_t unknown = 3;
    //=     bool open = (unknown < 4);
    //=     if (open) {
    //=         PTO2_SCOPE() {
    //=
    //=             // Task 0: wide
    //=             CoreTaskArgs params_t0;
    //=             params_t0.add_output(ext_y);
    //=             params_t0.add_scalar(c);
    //=             params_t0.add_scalar(static_cast<int32_t>(d));
    //=             params_t0.add_scalar((uint64_t)5);
    //=             params_t0.add_scalar(static_cast<int64_t>(-6));
    //=             params_t0.add_scalar((uint64_t)4096);
    //=             params_t0.add_scalar((uint64_t)8);
    //=             rt_submit_aiv_task(0, params_t0);
    //=         }
    //=     }
    //=
    //=     // Task 1: floats
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_inout(ext_y);
    //=     params_t1.add_scalar(to_u64(0.1f));
    //=     params_t1.add_scalar(to_u64(b));
    //=     rt_submit_aiv_task(1, params_t1);
    //= }
}

mod floats_are_the_shortest_text_that_reads_back {
    #[pl::jit]
    fn f(x: f32, y: Out<Tensor<f32, 4>>) {
        floats(1e-8, 1e-8, y);
        floats(-0.0, 1e300, y);
        floats(3.0, 0.1, y);
        floats(x % 2.0, (x as f64).min(1.5), y);
        floats(x.max(0.0).abs(), -(x as f64), y);
    }
    //= // External tensors
    //= const ChipTensor& ext_y = orch_args.tensor(0).ref();
    //=
    //= // Scalar params
    //= float x = from_u64<float>(orch_args.scalar(0));
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: floats
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_output(ext_y);
    //=     params_t0.add_scalar(to_u64(1e-8f));
    //=     params_t0.add_scalar(to_u64(1e-8));
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: floats
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_inout(ext_y);
    //=     params_t1.add_scalar(to_u64(-0.0f));
    //=     params_t1.add_scalar(to_u64(1e300));
    //=     rt_submit_aiv_task(0, params_t1);
    //=
    //=     // Task 2: floats
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_inout(ext_y);
    //=     params_t2.add_scalar(to_u64(3.0f));
    //=     params_t2.add_scalar(to_u64(0.1));
    //=     rt_submit_aiv_task(0, params_t2);
    //=
    //=     // Task 3: floats
    //=     CoreTaskArgs params_t3;
    //=     params_t3.add_inout(ext_y);
    //=     params_t3.add_scalar(to_u64(std::fmod(x, 2.0f)));
    //=     params_t3.add_scalar(to_u64(std::fmin(static_cast<double>(x), 1.5)));
    //=     rt_submit_aiv_task(0, params_t3);
    //=
    //=     // Task 4: floats
    //=     CoreTaskArgs params_t4;
    //=     params_t4.add_inout(ext_y);
    //=     params_t4.add_scalar(to_u64(std::fabs(std::fmax(x, 0.0f))));
    //=     params_t4.add_scalar(to_u64((-static_cast<double>(x))));
    //=     rt_submit_aiv_task(0, params_t4);
    //= }
}

mod narrow_types_are_cast_back {
    #[pl::jit]
    fn f(a: u8, b: i8, c: u16, d: i16, y: Out<Tensor<f32, 4>>) {
        small(a + 1, -b, c << 2, !d, y);
        small(a / 2 * a, b >> 1, c & 255 | 1, d.pow(2), y);
        let mut e = a;
        e += 1;
        small(e, b.min(3), c.div_ceil(4), d.abs(), y);
    }
    //= // External tensors
    //= const ChipTensor& ext_y = orch_args.tensor(0).ref();
    //=
    //= // Scalar params
    //= uint8_t a = from_u64<uint8_t>(orch_args.scalar(0));
    //= int8_t b = from_u64<int8_t>(orch_args.scalar(1));
    //= uint16_t c = from_u64<uint16_t>(orch_args.scalar(2));
    //= int16_t d = from_u64<int16_t>(orch_args.scalar(3));
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: small
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_output(ext_y);
    //=     params_t0.add_scalar(static_cast<uint8_t>(a + 1));
    //=     params_t0.add_scalar(static_cast<int8_t>(-b));
    //=     params_t0.add_scalar(static_cast<uint16_t>(c << 2));
    //=     params_t0.add_scalar(static_cast<int16_t>(~d));
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: small
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_inout(ext_y);
    //=     params_t1.add_scalar(static_cast<uint8_t>(static_cast<uint8_t>(a / 2) * a));
    //=     params_t1.add_scalar(static_cast<int8_t>(b >> 1));
    //=     params_t1.add_scalar(static_cast<uint16_t>(static_cast<uint16_t>(c & 255) | 1));
    //=     params_t1.add_scalar(power<int16_t>(d, 2));
    //=     rt_submit_aiv_task(0, params_t1);
    //=     uint8_t e = a;
    //=     e += 1;
    //=
    //=     // Task 2: small
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_inout(ext_y);
    //=     params_t2.add_scalar(e);
    //=     params_t2.add_scalar(std::min<int8_t>(b, 3));
    //=     params_t2.add_scalar(div_ceil<uint16_t>(c, 4));
    //=     params_t2.add_scalar(abs_of<int16_t>(d));
    //=     rt_submit_aiv_task(0, params_t2);
    //= }
}

mod integers_compute_as_in_rust {
    #[pl::jit]
    fn f(a: u32, b: i32, c: u64, d: i64, e: usize, n: isize, y: Out<Tensor<f32, 4>>) {
        wide(a % 3, b / -2, c << 40, d << 3, e.next_multiple_of(16), n >> 2, y);
        wide(a.saturating_sub(4), b.saturating_sub(1), 1 << c, d.pow(3), e.div_ceil(WIDE), n.abs(), y);
        if e.is_multiple_of(4) && (a ^ 5) > 2 {
            wide(3_000_000_000, -2_147_483_648, 18446744073709551615, -9223372036854775808, 0xff, 1 - n, y);
        }
    }
    //= // External tensors
    //= const ChipTensor& ext_y = orch_args.tensor(0).ref();
    //=
    //= // Scalar params
    //= uint32_t a = from_u64<uint32_t>(orch_args.scalar(0));
    //= int32_t b = from_u64<int32_t>(orch_args.scalar(1));
    //= uint64_t c = from_u64<uint64_t>(orch_args.scalar(2));
    //= int64_t d = from_u64<int64_t>(orch_args.scalar(3));
    //= uint64_t e = from_u64<uint64_t>(orch_args.scalar(4));
    //= int64_t n = from_u64<int64_t>(orch_args.scalar(5));
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: wide
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_output(ext_y);
    //=     params_t0.add_scalar((a % 3));
    //=     params_t0.add_scalar((b / -2));
    //=     params_t0.add_scalar((c << 40));
    //=     params_t0.add_scalar(static_cast<int64_t>(static_cast<uint64_t>(d) << 3));
    //=     params_t0.add_scalar(next_multiple_of<uint64_t>(e, 16));
    //=     params_t0.add_scalar((n >> 2));
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: wide
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_inout(ext_y);
    //=     params_t1.add_scalar(saturating_sub<uint32_t>(a, 4));
    //=     params_t1.add_scalar(saturating_sub<int32_t>(b, 1));
    //=     params_t1.add_scalar((uint64_t{1} << c));
    //=     params_t1.add_scalar(power<int64_t>(d, 3));
    //=     params_t1.add_scalar(div_ceil<uint64_t>(e, 4096));
    //=     params_t1.add_scalar(abs_of<int64_t>(n));
    //=     rt_submit_aiv_task(0, params_t1);
    //=     if ((is_multiple_of<uint64_t>(e, 4) && ((a ^ 5) > 2))) {
    //=         PTO2_SCOPE() {
    //=
    //=             // Task 2: wide
    //=             CoreTaskArgs params_t2;
    //=             params_t2.add_inout(ext_y);
    //=             params_t2.add_scalar((uint64_t)3000000000u);
    //=             params_t2.add_scalar(static_cast<int32_t>(INT32_MIN));
    //=             params_t2.add_scalar((uint64_t)18446744073709551615u);
    //=             params_t2.add_scalar(static_cast<int64_t>(INT64_MIN));
    //=             params_t2.add_scalar((uint64_t)255);
    //=             params_t2.add_scalar((1 - n));
    //=             rt_submit_aiv_task(0, params_t2);
    //=         }
    //=     }
    //= }
}

mod casts_are_those_of_rust {
    #[pl::jit]
    fn f(a: f32, b: i64, c: bool, y: Out<Tensor<f32, 4>>) {
        wide(a as u32, b as i32, b as u64, a as i64, c as usize, a as isize, y);
        small(300_i32 as u8, b as i8, a as u16, -1_i32 as i16, y);
        floats(b as f32, a as f64, y);
        floats(7 as f32, c as u8 as f64, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_y = orch_args.tensor(0).ref();
    //=
    //= // Scalar params
    //= float a = from_u64<float>(orch_args.scalar(0));
    //= int64_t b = from_u64<int64_t>(orch_args.scalar(1));
    //= bool c = from_u64<bool>(orch_args.scalar(2));
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: wide
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_output(ext_y);
    //=     params_t0.add_scalar(float_to_int<uint32_t>(a));
    //=     params_t0.add_scalar(static_cast<int32_t>(b));
    //=     params_t0.add_scalar(static_cast<uint64_t>(b));
    //=     params_t0.add_scalar(float_to_int<int64_t>(a));
    //=     params_t0.add_scalar(static_cast<uint64_t>(c));
    //=     params_t0.add_scalar(float_to_int<int64_t>(a));
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: small
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_inout(ext_y);
    //=     params_t1.add_scalar(static_cast<uint8_t>(300));
    //=     params_t1.add_scalar(static_cast<int8_t>(b));
    //=     params_t1.add_scalar(float_to_int<uint16_t>(a));
    //=     params_t1.add_scalar(static_cast<int16_t>(-1));
    //=     rt_submit_aiv_task(1, params_t1);
    //=
    //=     // Task 2: floats
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_inout(ext_y);
    //=     params_t2.add_scalar(to_u64(static_cast<float>(b)));
    //=     params_t2.add_scalar(to_u64(static_cast<double>(a)));
    //=     rt_submit_aiv_task(2, params_t2);
    //=
    //=     // Task 3: floats
    //=     CoreTaskArgs params_t3;
    //=     params_t3.add_inout(ext_y);
    //=     params_t3.add_scalar(to_u64(static_cast<float>(7)));
    //=     params_t3.add_scalar(to_u64(static_cast<double>(static_cast<uint8_t>(c))));
    //=     rt_submit_aiv_task(2, params_t3);
    //= }
}

mod truth_values {
    #[pl::jit]
    fn f(a: bool, b: bool, n: usize, h: f16, g: bf16, y: Out<Tensor<f32, 4>>) {
        halves(h, g, a & b | !a ^ b, y);
        halves(h, g, a == b || n < 2, y);
        halves(h, g, n >= 0 && n == n, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_y = orch_args.tensor(0).ref();
    //=
    //= // Scalar params
    //= bool a = from_u64<bool>(orch_args.scalar(0));
    //= bool b = from_u64<bool>(orch_args.scalar(1));
    //= uint64_t n = from_u64<uint64_t>(orch_args.scalar(2));
    //= uint16_t h = from_u64<uint16_t>(orch_args.scalar(3));
    //= uint16_t g = from_u64<uint16_t>(orch_args.scalar(4));
    //=
    //= PTO2_SCOPE() {
    //=
    //=     // Task 0: halves
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_output(ext_y);
    //=     params_t0.add_scalar(h);
    //=     params_t0.add_scalar(g);
    //=     params_t0.add_scalar(static_cast<bool>(static_cast<bool>(a & b) | static_cast<bool>((!a) ^ b)));
    //=     rt_submit_aiv_task(0, params_t0);
    //=
    //=     // Task 1: halves
    //=     CoreTaskArgs params_t1;
    //=     params_t1.add_inout(ext_y);
    //=     params_t1.add_scalar(h);
    //=     params_t1.add_scalar(g);
    //=     params_t1.add_scalar(((a == b) || (n < 2)));
    //=     rt_submit_aiv_task(0, params_t1);
    //=
    //=     // Task 2: halves
    //=     CoreTaskArgs params_t2;
    //=     params_t2.add_inout(ext_y);
    //=     params_t2.add_scalar(h);
    //=     params_t2.add_scalar(g);
    //=     params_t2.add_scalar(((n >= 0) && (n == n)));
    //=     rt_submit_aiv_task(0, params_t2);
    //= }
}

mod halves_are_their_bits_and_compute_as_floats {
    #[pl::jit]
    fn f(a: f16, b: bf16, t: InOut<Tensor<f16, 4>>, y: Out<Tensor<f32, 4>>) {
        let c = a * a + t.get([0]);
        t.set([1], -c);
        halves(c.max(a), b - b, a < c, y);
    }
    //= // External tensors
    //= const ChipTensor& ext_t = orch_args.tensor(0).ref();
    //= const ChipTensor& ext_y = orch_args.tensor(1).ref();
    //=
    //= // Scalar params
    //= uint16_t a = from_u64<uint16_t>(orch_args.scalar(0));
    //= uint16_t b = from_u64<uint16_t>(orch_args.scalar(1));
    //=
    //= PTO2_SCOPE() {
    //=     uint32_t t_element_indices[1] = {0};
    //=     uint16_t t_element = get_tensor_data<uint16_t>(ext_t, 1, t_element_indices);
    //=     uint16_t c = f16_bits((f16_value(f16_bits((f16_value(a) * f16_value(a)))) + f16_value(t_element)));
    //=     {
    //=         uint32_t ext_t_indices[1] = {1};
    //=         set_tensor_data<uint16_t>(ext_t, 1, ext_t_indices, static_cast<uint16_t>(c ^ 0x8000));
    //=     }
    //=
    //=     // Task 0: halves
    //=     CoreTaskArgs params_t0;
    //=     params_t0.add_output(ext_y);
    //=     params_t0.add_scalar(f16_bits(std::fmax(f16_value(c), f16_value(a))));
    //=     params_t0.add_scalar(bf16_bits((bf16_value(b) - bf16_value(b))));
    //=     params_t0.add_scalar((f16_value(a) < f16_value(c)));
    //=     rt_submit_aiv_task(0, params_t0);
    //= }
}
