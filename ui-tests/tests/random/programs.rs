// Written by generator.rs; `PL_BLESS=1 cargo test -p ui-tests --test random` writes it anew.
#![cfg_attr(rustfmt, rustfmt_skip)]
#![allow(unused, clippy::all, clippy::pedantic)]
use super::{bump, made, mix};
use pl::prelude::*;

#[pl::jit(auto_scope = false)]
pub(crate) fn p0(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let t1 = made(y);
}

#[pl::jit]
pub(crate) fn p1(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    mix(x, x, y);
    if flag || (7 - n) % 2 == 0 {
        bump(4.25, y);
    } else {
        let k1 = (n).max((7 - n)).min(6);
        let k2 = (1).max(k1).min(6);
        if flag {
            if flag {
                bump(3.25, y);
            } else {
                let (mut a3, mut b4) = (y, y);
                for i5 in 0..n {
                    mix(a3, x, b4);
                    if i5 % 3 != 1 { (a3, b4) = (b4, a3); }
                }
                bump(0.125, a3);
            }
            mix(y, y, y);
        } else {
            for i6 in 0..n {
                mix(y.slice(s![0..(7 - k2), 4..12]), y.slice(s![0..(7 - k2), 4..12]), y.slice(s![0..(7 - k2), 4..12]));
                manual_scope!({
                    let mut last7 = TaskId::NONE;
                    let k8 = (k1).max(n).min(6);
                    last7 = submit!(mix(y.slice(s![2..6, 0..8]), x.slice(s![2..6, 0..8]), y.slice(s![2..6, 0..8])), deps = [last7]);
                    let k9 = ((7 - k1)).max((7 - k1)).min(6);
                    let k10 = ((7 - k2)).max(n).min(6);
                    let last7 = barrier([last7]);
                    submit!(bump(1.5, y), deps = [last7]);
                });
                let mut left11 = i6;
                while left11 > 0 {
                    left11 -= 1;
                    if left11 == 6 { continue; }
                    mix(x.slice(s![(7 - n)..(7 - n) + 1, ..]), x.slice(s![(7 - n)..(7 - n) + 1, ..]), y.slice(s![(7 - n)..(7 - n) + 1, ..]));
                    if left11 == 3 { break; }
                }
            }
            let (mut a12, mut b13) = (y, y);
            for i14 in 0..n {
                mix(a12, x, b13);
                if i14 % 3 != 1 { (a12, b13) = (b13, a12); }
            }
            bump(0.125, a12);
        }
        let v15 = y.get([k1, 3]);
        y.set([(7 - k1), 5], v15 * 0.5 + 1.0);
    }
    let (mut a16, mut b17) = (y, y);
    for i18 in 0..n {
        mix(a16, x, b17);
        if i18 % 3 != 1 { (a16, b17) = (b17, a16); }
    }
    bump(0.125, a16);
    let t19 = create_tensor::<f32>([8, 16]);
    mix(y, y, t19);
}

#[pl::jit]
pub(crate) fn p2(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let (mut a1, mut b2) = (y, y);
    for i3 in 0..n {
        mix(a1, x, b2);
        if i3 % 3 != 1 { (a1, b2) = (b2, a1); }
    }
    bump(0.125, a1);
    let mut left4 = 2;
    while left4 > 0 {
        left4 -= 1;
        if left4 == 2 { continue; }
        let t5 = create_tensor::<f32>([8, 16]);
        mix(x, y, t5);
        if left4 == 6 { break; }
    }
    mix(y, x, y);
}

#[pl::jit(auto_scope = false)]
pub(crate) fn p3(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let (mut a1, mut b2) = (y, y);
    for i3 in 0..n {
        mix(a1, x, b2);
        if i3 % 3 != 1 { (a1, b2) = (b2, a1); }
    }
    bump(0.125, a1);
    let t4 = made(x);
    let v5 = t4.get([(n * 3 + 1) % 8, 3]);
    t4.set([(n * 3 + 1) % 8, 5], v5 * 0.5 + 1.0);
    let k6 = (2).max((n * 3 + 1) % 8).min(6);
}

#[pl::jit]
pub(crate) fn p4(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    bump(0.25, y.slice(s![0..(7 - n), 4..12]));
}

#[pl::jit]
pub(crate) fn p5(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let k1 = (n).max(6).min(6);
    let v2 = y.get([1, 3]);
    y.set([4, 5], v2 * 0.5 + 1.0);
}

#[pl::jit(auto_scope = false)]
pub(crate) fn p6(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let k1 = (6).max(6).min(6);
    let v2 = x.get([3, 3]);
    y.set([2, 5], v2 * 0.5 + 1.0);
    let (mut a3, mut b4) = (y, y);
    for i5 in 0..n {
        mix(a3, x, b4);
        if i5 % 3 != 1 { (a3, b4) = (b4, a3); }
    }
    bump(0.125, a3);
}

#[pl::jit]
pub(crate) fn p7(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let t1 = create_tensor::<f32>([8, 16]).init(0.75);
    bump(4.25, y.slice(s![0..2, 4..12]));
    manual_scope!({
        let mut last2 = TaskId::NONE;
        let k3 = ((7 - n)).max((7 - n)).min(6);
        let k4 = ((n * 3 + 1) % 8).max(k3).min(6);
        let last2 = barrier([last2]);
        submit!(bump(1.5, y), deps = [last2]);
    });
}

#[pl::jit]
pub(crate) fn p8(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    bump(7.25, y.slice(s![2..6, 0..8]));
}

#[pl::jit(auto_scope = false)]
pub(crate) fn p9(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let v1 = y.get([(7 - n), 3]);
    y.set([(n * 3 + 1) % 8, 5], v1 * 0.5 + 1.0);
    if flag {
        let t2 = made(y);
        bump(6.25, y.slice(s![2..6, 0..8]));
        let k3 = ((7 - n)).max((7 - n)).min(6);
    } else {
        if !flag && (7 - n) != (7 - n) {
            if n > (n * 3 + 1) % 8 {
                if n > (n * 3 + 1) % 8 {
                    let t4 = made(y);
                    mix(t4.slice(s![2..6, 0..8]), t4.slice(s![2..6, 0..8]), y.slice(s![2..6, 0..8]));
                } else {
                    bump(0.25, y);
                    bump(0.25, y);
                }
                if !flag && (n * 3 + 1) % 8 != 0 {
                    let t5 = create_tensor::<f32>([8, 16]).init(0.75);
                    let t6 = made(x);
                } else {
                    let t7 = made(y);
                    mix(y.slice(s![2..6, 0..8]), y.slice(s![2..6, 0..8]), t7.slice(s![2..6, 0..8]));
                }
                if flag {
                    let t8 = create_tensor::<f32>([8, 16]).init(0.75);
                    bump(3.25, t8.slice(s![0..(n * 3 + 1) % 8, 4..12]));
                    bump(6.25, t8);
                    let t9 = create_tensor::<f32>([8, 16]);
                    mix(x, x, t9);
                } else {
                    let t10 = create_tensor::<f32>([8, 16]).init(0.75);
                    let t11 = made(t10);
                    let t12 = create_tensor::<f32>([8, 16]);
                    mix(y, x, t12);
                }
                bump(6.25, y.slice(s![0..(7 - n), 4..12]));
            } else {
                if !flag && (n * 3 + 1) % 8 != (7 - n) {
                    let t13 = made(y);
                    let t14 = create_tensor::<f32>([8, 16]).init(0.75);
                    bump(2.25, t13.slice(s![(n * 3 + 1) % 8..(n * 3 + 1) % 8 + 1, ..]));
                } else {
                    let t15 = create_tensor::<f32>([8, 16]);
                    mix(y, y, t15);
                    let t16 = made(x);
                    bump(4.25, y.slice(s![n..n + 1, ..]));
                    mix(t16, t16, t16);
                }
                let (mut a17, mut b18) = (y, y);
                for i19 in 0..n {
                    mix(a17, x, b18);
                    if i19 % 3 != 1 { (a17, b18) = (b18, a17); }
                }
                bump(0.125, a17);
                for i20 in (1..8).step_by(1 + 1) {
                    let t21 = made(x);
                    bump(1.25, t21.slice(s![2..6, 0..8]));
                    let t22 = made(t21);
                    bump(0.25, t21.slice(s![0..i20, 4..12]));
                }
            }
            let k23 = ((n * 3 + 1) % 8).max((7 - n)).min(6);
            let v24 = y.get([n, 3]);
            y.set([(k23 * 3 + 1) % 8, 5], v24 * 0.5 + 1.0);
        } else {
            let (mut a25, mut b26) = (y, y);
            for i27 in 0..n {
                mix(a25, x, b26);
                if i27 % 3 != 1 { (a25, b26) = (b26, a25); }
            }
            bump(0.125, a25);
            for i28 in (0..0).step_by(3) {
                for i29 in 0..0 {
                    bump(7.25, y.slice(s![0..(i29 * 3 + 1) % 8, 4..12]));
                    let t30 = create_tensor::<f32>([8, 16]).init(0.75);
                    bump(3.25, t30.slice(s![n..n + 1, ..]));
                }
            }
            let mut left31 = 0;
            while left31 > 0 {
                left31 -= 1;
                if left31 == 3 { continue; }
                let (mut a32, mut b33) = (y, y);
                for i34 in 0..n {
                    mix(a32, x, b33);
                    if i34 % 3 != 1 { (a32, b33) = (b33, a32); }
                }
                bump(0.125, a32);
                if flag || (7 - n) % 2 == 0 {
                    bump(1.25, y);
                    let t35 = made(y);
                    bump(3.25, y.slice(s![0..3, 4..12]));
                } else {
                    let t36 = create_tensor::<f32>([8, 16]).init(0.75);
                    let t37 = made(x);
                }
                let t38 = made(y);
                manual_scope!({
                    let mut last39 = TaskId::NONE;
                    let k40 = (left31).max((7 - left31)).min(6);
                    let k41 = (4).max((k40 * 3 + 1) % 8).min(6);
                    let last39 = barrier([last39]);
                    submit!(bump(1.5, y), deps = [last39]);
                });
                if left31 == 1 { break; }
            }
        }
        if flag {
            if !flag && 7 != (n * 3 + 1) % 8 {
                let (mut a42, mut b43) = (y, y);
                for i44 in 0..n {
                    mix(a42, x, b43);
                    if i44 % 3 != 1 { (a42, b43) = (b43, a42); }
                }
                bump(0.125, a42);
            } else {
                let v45 = x.get([5, 3]);
                y.set([3, 5], v45 * 0.5 + 1.0);
            }
            scope!({
                let (mut a46, mut b47) = (y, y);
                for i48 in 0..n {
                    mix(a46, x, b47);
                    if i48 % 3 != 1 { (a46, b47) = (b47, a46); }
                }
                bump(0.125, a46);
                let t49 = made(x);
                scope!({
                    let t50 = create_tensor::<f32>([8, 16]).init(0.75);
                    let t51 = create_tensor::<f32>([8, 16]).init(0.75);
                    mix(y.slice(s![(n * 3 + 1) % 8..(n * 3 + 1) % 8 + 1, ..]), y.slice(s![(n * 3 + 1) % 8..(n * 3 + 1) % 8 + 1, ..]), t51.slice(s![(n * 3 + 1) % 8..(n * 3 + 1) % 8 + 1, ..]));
                });
            });
            mix(y, y, y);
        } else {
            let t52 = create_tensor::<f32>([8, 16]);
            mix(y, x, t52);
            for i53 in (0..1).step_by(3) {
                let (mut a54, mut b55) = (y, t52);
                for i56 in 0..n {
                    mix(a54, x, b55);
                    if i56 % 3 != 1 { (a54, b55) = (b55, a54); }
                }
                bump(0.125, a54);
                mix(x.slice(s![(7 - i53)..(7 - i53) + 1, ..]), x.slice(s![(7 - i53)..(7 - i53) + 1, ..]), t52.slice(s![(7 - i53)..(7 - i53) + 1, ..]));
                let k57 = (n).max((7 - n)).min(6);
                mix(t52.slice(s![0..(i53 * 3 + 1) % 8, 4..12]), y.slice(s![0..(i53 * 3 + 1) % 8, 4..12]), t52.slice(s![0..(i53 * 3 + 1) % 8, 4..12]));
            }
            if flag || 2 % 2 == 0 {
                let (mut a58, mut b59) = (t52, y);
                for i60 in 0..n {
                    mix(a58, x, b59);
                    if i60 % 3 != 1 { (a58, b59) = (b59, a58); }
                }
                bump(0.125, a58);
            } else {
                let k61 = (5).max(n).min(6);
                manual_scope!({
                    let mut last62 = TaskId::NONE;
                    last62 = submit!(bump(7.25, y.slice(s![(k61 * 3 + 1) % 8..(k61 * 3 + 1) % 8 + 1, ..])), deps = [last62]);
                    let k63 = (k61).max(n).min(6);
                    last62 = submit!(bump(7.25, t52.slice(s![0..(7 - k61), 4..12])), deps = [last62]);
                    let last62 = barrier([last62]);
                    submit!(bump(1.5, t52), deps = [last62]);
                });
                let k64 = ((7 - n)).max((k61 * 3 + 1) % 8).min(6);
            }
        }
    }
    scope!({
        scope!({
            let t65 = made(x);
            let t66 = made(y);
            scope!({
                mix(y, t65, y);
                let k67 = ((n * 3 + 1) % 8).max((n * 3 + 1) % 8).min(6);
            });
        });
        bump(0.25, y);
        manual_scope!({
            let mut last68 = TaskId::NONE;
            let k69 = ((n * 3 + 1) % 8).max((7 - n)).min(6);
            let last68 = barrier([last68]);
            submit!(bump(1.5, y), deps = [last68]);
        });
        for i70 in (0..8).rev() {
            for i71 in (1..8).step_by(1 + 1) {
                let mut left72 = (n * 3 + 1) % 8;
                while left72 > 0 {
                    left72 -= 1;
                    if left72 == 0 { continue; }
                    let t73 = create_tensor::<f32>([8, 16]);
                    mix(x, y, t73);
                    if left72 == 3 { break; }
                }
            }
            let (mut a74, mut b75) = (y, y);
            for i76 in 0..n {
                mix(a74, x, b75);
                if i76 % 3 != 1 { (a74, b75) = (b75, a74); }
            }
            bump(0.125, a74);
            manual_scope!({
                let mut last77 = TaskId::NONE;
                let k78 = ((n * 3 + 1) % 8).max(i70).min(6);
                let last77 = barrier([last77]);
                submit!(bump(1.5, y), deps = [last77]);
            });
            if flag || n % 2 == 0 {
                bump(2.25, y);
                let t79 = made(y);
            } else {
                for i80 in (0..3).step_by(3) {
                    bump(6.25, y);
                    let t81 = made(x);
                    let t82 = create_tensor::<f32>([8, 16]).init(0.75);
                }
                bump(6.25, y);
                scope!({
                    let t83 = made(y);
                    let t84 = create_tensor::<f32>([8, 16]);
                    mix(y, t83, t84);
                });
                let k85 = (1).max((i70 * 3 + 1) % 8).min(6);
            }
        }
    });
}

#[pl::jit]
pub(crate) fn p10(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    if !flag && (7 - n) != 1 {
        let t1 = create_tensor::<f32>([8, 16]);
        mix(y, y, t1);
        let t2 = create_tensor::<f32>([8, 16]);
        mix(x, t1, t2);
        mix(x.slice(s![(n * 3 + 1) % 8..(n * 3 + 1) % 8 + 1, ..]), t1.slice(s![(n * 3 + 1) % 8..(n * 3 + 1) % 8 + 1, ..]), t2.slice(s![(n * 3 + 1) % 8..(n * 3 + 1) % 8 + 1, ..]));
        if (n * 3 + 1) % 8 > (7 - n) {
            for i3 in (0..8).rev() {
                manual_scope!({
                    let mut last4 = TaskId::NONE;
                    last4 = submit!(bump(7.25, t2.slice(s![(7 - i3)..(7 - i3) + 1, ..])), deps = [last4]);
                    let k5 = (n).max(i3).min(6);
                    let k6 = (n).max((7 - k5)).min(6);
                    let last4 = barrier([last4]);
                    submit!(bump(1.5, y), deps = [last4]);
                });
            }
            manual_scope!({
                let mut last7 = TaskId::NONE;
                let mut left8 = 6;
                while left8 > 0 {
                    left8 -= 1;
                    if left8 == 3 { continue; }
                    let k9 = (0).max((n * 3 + 1) % 8).min(6);
                    if left8 == 3 { break; }
                }
                let last7 = barrier([last7]);
                submit!(bump(1.5, y), deps = [last7]);
            });
            let v10 = t2.get([(7 - n), 3]);
            t2.set([6, 5], v10 * 0.5 + 1.0);
            let k11 = ((n * 3 + 1) % 8).max((7 - n)).min(6);
        } else {
            manual_scope!({
                let mut last12 = TaskId::NONE;
                last12 = submit!(mix(x.slice(s![1..1 + 1, ..]), y.slice(s![1..1 + 1, ..]), y.slice(s![1..1 + 1, ..])), deps = [last12]);
                let k13 = ((7 - n)).max(n).min(6);
                let k14 = (k13).max(2).min(6);
                last12 = submit!(bump(7.25, y), deps = [last12]);
                let last12 = barrier([last12]);
                submit!(bump(1.5, y), deps = [last12]);
            });
            let v15 = t2.get([(7 - n), 3]);
            y.set([(n * 3 + 1) % 8, 5], v15 * 0.5 + 1.0);
            let k16 = (6).max((7 - n)).min(6);
            bump(2.25, t2);
        }
    } else {
        let t17 = made(y);
    }
    let v18 = x.get([(7 - n), 3]);
    y.set([(n * 3 + 1) % 8, 5], v18 * 0.5 + 1.0);
    let t19 = create_tensor::<f32>([8, 16]).init(0.75);
}

#[pl::jit]
pub(crate) fn p11(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let t1 = create_tensor::<f32>([8, 16]);
    mix(y, x, t1);
}

#[pl::jit(auto_scope = false)]
pub(crate) fn p12(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    for i1 in (0..1).step_by(3) {
        mix(x.slice(s![(i1 * 3 + 1) % 8..(i1 * 3 + 1) % 8 + 1, ..]), x.slice(s![(i1 * 3 + 1) % 8..(i1 * 3 + 1) % 8 + 1, ..]), y.slice(s![(i1 * 3 + 1) % 8..(i1 * 3 + 1) % 8 + 1, ..]));
        let mut left2 = i1;
        while left2 > 0 {
            left2 -= 1;
            if left2 == 0 { continue; }
            scope!({
                mix(x.slice(s![4..4 + 1, ..]), y.slice(s![4..4 + 1, ..]), y.slice(s![4..4 + 1, ..]));
                bump(5.25, y.slice(s![0..3, 4..12]));
                let t3 = create_tensor::<f32>([8, 16]);
                mix(x, x, t3);
            });
            if left2 == 6 { break; }
        }
        let t4 = made(y);
        let t5 = create_tensor::<f32>([8, 16]);
        mix(t4, y, t5);
    }
    scope!({
        bump(0.25, y.slice(s![2..6, 0..8]));
        let (mut a6, mut b7) = (y, y);
        for i8 in 0..n {
            mix(a6, x, b7);
            if i8 % 3 != 1 { (a6, b7) = (b7, a6); }
        }
        bump(0.125, a6);
        let t9 = made(y);
        let v10 = x.get([7, 3]);
        y.set([0, 5], v10 * 0.5 + 1.0);
    });
}

#[pl::jit]
pub(crate) fn p13(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let t1 = create_tensor::<f32>([8, 16]).init(0.75);
    for i2 in (0..n).step_by(3) {
        let v3 = t1.get([(n * 3 + 1) % 8, 3]);
        t1.set([i2, 5], v3 * 0.5 + 1.0);
        let t4 = made(x);
        let t5 = create_tensor::<f32>([8, 16]);
        mix(t1, y, t5);
        let t6 = create_tensor::<f32>([8, 16]).init(0.75);
    }
}

#[pl::jit]
pub(crate) fn p14(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    if flag {
        bump(0.25, y);
        let (mut a1, mut b2) = (y, y);
        for i3 in 0..n {
            mix(a1, x, b2);
            if i3 % 3 != 1 { (a1, b2) = (b2, a1); }
        }
        bump(0.125, a1);
        let k4 = (n).max(5).min(6);
    } else {
        for i5 in (0..1).rev() {
            let t6 = made(y);
        }
    }
    let t7 = made(x);
}

#[pl::jit(auto_scope = false)]
pub(crate) fn p15(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    mix(y.slice(s![2..6, 0..8]), x.slice(s![2..6, 0..8]), y.slice(s![2..6, 0..8]));
}

#[pl::jit]
pub(crate) fn p16(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let mut left1 = 7;
    while left1 > 0 {
        left1 -= 1;
        if left1 == 1 { continue; }
        let v2 = y.get([left1, 3]);
        y.set([(n * 3 + 1) % 8, 5], v2 * 0.5 + 1.0);
        if left1 == 4 { break; }
    }
}

#[pl::jit]
pub(crate) fn p17(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let k1 = (7).max(7).min(6);
    let v2 = y.get([5, 3]);
    y.set([5, 5], v2 * 0.5 + 1.0);
    let k3 = ((k1 * 3 + 1) % 8).max((7 - n)).min(6);
}

#[pl::jit(auto_scope = false)]
pub(crate) fn p18(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let t1 = create_tensor::<f32>([8, 16]);
    mix(y, y, t1);
}

#[pl::jit]
pub(crate) fn p19(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    bump(7.25, y.slice(s![0..(n * 3 + 1) % 8, 4..12]));
    manual_scope!({
        let mut last1 = TaskId::NONE;
        let k2 = ((7 - n)).max((7 - n)).min(6);
        let k3 = (0).max((n * 3 + 1) % 8).min(6);
        let mut left4 = (7 - k3);
        while left4 > 0 {
            left4 -= 1;
            if left4 == 4 { continue; }
            let k5 = ((left4 * 3 + 1) % 8).max((7 - k2)).min(6);
            last1 = submit!(bump(7.25, y.slice(s![k3..k3 + 1, ..])), deps = [last1]);
            last1 = submit!(bump(1.25, y.slice(s![2..2 + 1, ..])), deps = [last1]);
            last1 = submit!(mix(x, x, y), deps = [last1]);
            if left4 == 2 { break; }
        }
        let last1 = barrier([last1]);
        submit!(bump(1.5, y), deps = [last1]);
    });
    let v6 = x.get([1, 3]);
    y.set([5, 5], v6 * 0.5 + 1.0);
}

#[pl::jit]
pub(crate) fn p20(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let t1 = create_tensor::<f32>([8, 16]).init(0.75);
    let v2 = t1.get([(7 - n), 3]);
    y.set([6, 5], v2 * 0.5 + 1.0);
}

#[pl::jit(auto_scope = false)]
pub(crate) fn p21(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    let t1 = made(x);
    let t2 = made(y);
    let v3 = t2.get([n, 3]);
    t1.set([(7 - n), 5], v3 * 0.5 + 1.0);
}

#[pl::jit]
pub(crate) fn p22(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    for i1 in (0..1).rev() {
        let (mut a2, mut b3) = (y, y);
        for i4 in 0..n {
            mix(a2, x, b3);
            if i4 % 3 != 1 { (a2, b3) = (b3, a2); }
        }
        bump(0.125, a2);
        let v5 = y.get([5, 3]);
        y.set([1, 5], v5 * 0.5 + 1.0);
        let (mut a6, mut b7) = (y, y);
        for i8 in 0..n {
            mix(a6, x, b7);
            if i8 % 3 != 1 { (a6, b7) = (b7, a6); }
        }
        bump(0.125, a6);
        if (n * 3 + 1) % 8 > n {
            bump(2.25, y);
            bump(1.25, y.slice(s![0..i1, 4..12]));
            mix(x.slice(s![2..6, 0..8]), x.slice(s![2..6, 0..8]), y.slice(s![2..6, 0..8]));
            if flag {
                manual_scope!({
                    let mut last9 = TaskId::NONE;
                    last9 = submit!(mix(y.slice(s![(n * 3 + 1) % 8..(n * 3 + 1) % 8 + 1, ..]), y.slice(s![(n * 3 + 1) % 8..(n * 3 + 1) % 8 + 1, ..]), y.slice(s![(n * 3 + 1) % 8..(n * 3 + 1) % 8 + 1, ..])), deps = [last9]);
                    let last9 = barrier([last9]);
                    submit!(bump(1.5, y), deps = [last9]);
                });
                let t10 = made(y);
                let k11 = ((7 - n)).max(1).min(6);
            } else {
                if flag || (7 - i1) % 2 == 0 {
                    bump(2.25, y);
                    mix(y.slice(s![2..6, 0..8]), y.slice(s![2..6, 0..8]), y.slice(s![2..6, 0..8]));
                } else {
                    bump(6.25, y.slice(s![0..(i1 * 3 + 1) % 8, 4..12]));
                    bump(3.25, y.slice(s![2..6, 0..8]));
                }
                bump(0.25, y.slice(s![0..(7 - n), 4..12]));
            }
        } else {
            mix(y.slice(s![2..6, 0..8]), x.slice(s![2..6, 0..8]), y.slice(s![2..6, 0..8]));
            let t12 = made(x);
        }
    }
}

#[pl::jit]
pub(crate) fn p23(x: Tensor<f32, 8, 16>, n: usize, flag: bool, y: InOut<Tensor<f32, 8, 16>>) {
    bump(0.5, y);
    manual_scope!({
        let mut last1 = TaskId::NONE;
        last1 = submit!(mix(x.slice(s![0..(n * 3 + 1) % 8, 4..12]), x.slice(s![0..(n * 3 + 1) % 8, 4..12]), y.slice(s![0..(n * 3 + 1) % 8, 4..12])), deps = [last1]);
        if n > 4 {
            let k2 = ((7 - n)).max((n * 3 + 1) % 8).min(6);
            last1 = submit!(bump(7.25, y), deps = [last1]);
            if !flag && (7 - n) != 5 {
                let k3 = ((7 - n)).max((7 - n)).min(6);
                let k4 = ((k3 * 3 + 1) % 8).max((7 - k3)).min(6);
                last1 = submit!(mix(x, x, y), deps = [last1]);
                last1 = submit!(bump(6.25, y), deps = [last1]);
            } else {
                last1 = submit!(mix(y, x, y), deps = [last1]);
                if flag || k2 % 2 == 0 {
                    last1 = submit!(mix(y, x, y), deps = [last1]);
                } else {
                    let k5 = ((k2 * 3 + 1) % 8).max(7).min(6);
                    let k6 = (6).max(k5).min(6);
                }
            }
        } else {
            let k7 = ((7 - n)).max((7 - n)).min(6);
            let k8 = ((7 - k7)).max((7 - n)).min(6);
            let k9 = ((k7 * 3 + 1) % 8).max(k7).min(6);
        }
        last1 = submit!(mix(x.slice(s![n..n + 1, ..]), x.slice(s![n..n + 1, ..]), y.slice(s![n..n + 1, ..])), deps = [last1]);
        let last1 = barrier([last1]);
        submit!(bump(1.5, y), deps = [last1]);
    });
    if flag {
        let k10 = ((7 - n)).max(n).min(6);
        let t11 = create_tensor::<f32>([8, 16]);
        mix(x, y, t11);
        mix(t11.slice(s![2..6, 0..8]), t11.slice(s![2..6, 0..8]), t11.slice(s![2..6, 0..8]));
    } else {
        let mut left12 = n;
        while left12 > 0 {
            left12 -= 1;
            if left12 == 1 { continue; }
            for i13 in (1..8).step_by(0 + 1) {
                let t14 = made(x);
            }
            for i15 in (0..n).rev() {
                mix(y, y, y);
                let t16 = create_tensor::<f32>([8, 16]).init(0.75);
                bump(6.25, t16.slice(s![2..6, 0..8]));
                let v17 = x.get([(7 - n), 3]);
                t16.set([(n * 3 + 1) % 8, 5], v17 * 0.5 + 1.0);
            }
            let t18 = create_tensor::<f32>([8, 16]);
            mix(y, y, t18);
            let (mut a19, mut b20) = (t18, t18);
            for i21 in 0..n {
                mix(a19, x, b20);
                if i21 % 3 != 1 { (a19, b20) = (b20, a19); }
            }
            bump(0.125, a19);
            if left12 == 4 { break; }
        }
        if (n * 3 + 1) % 8 > 7 {
            manual_scope!({
                let mut last22 = TaskId::NONE;
                let k23 = (3).max(n).min(6);
                let last22 = barrier([last22]);
                submit!(bump(1.5, y), deps = [last22]);
            });
        } else {
            let k24 = (2).max((7 - n)).min(6);
            let k25 = ((7 - k24)).max((7 - k24)).min(6);
        }
    }
    for i26 in (0..3).step_by(3) {
        let k27 = ((i26 * 3 + 1) % 8).max((i26 * 3 + 1) % 8).min(6);
        if (7 - i26) > (n * 3 + 1) % 8 {
            let v28 = y.get([(n * 3 + 1) % 8, 3]);
            y.set([(7 - n), 5], v28 * 0.5 + 1.0);
            if flag || (7 - n) % 2 == 0 {
                manual_scope!({
                    let mut last29 = TaskId::NONE;
                    last29 = submit!(mix(y.slice(s![(7 - k27)..(7 - k27) + 1, ..]), x.slice(s![(7 - k27)..(7 - k27) + 1, ..]), y.slice(s![(7 - k27)..(7 - k27) + 1, ..])), deps = [last29]);
                    let last29 = barrier([last29]);
                    submit!(bump(1.5, y), deps = [last29]);
                });
            } else {
                let t30 = made(x);
            }
            let t31 = create_tensor::<f32>([8, 16]).init(0.75);
        } else {
            let k32 = (k27).max((n * 3 + 1) % 8).min(6);
            let k33 = (4).max(4).min(6);
        }
    }
    let t34 = made(x);
}

pub(crate) const ALL: [Program; 24] = [|rt, x, n, flag, y| p0(rt, x, n, flag, y), |rt, x, n, flag, y| p1(rt, x, n, flag, y), |rt, x, n, flag, y| p2(rt, x, n, flag, y), |rt, x, n, flag, y| p3(rt, x, n, flag, y), |rt, x, n, flag, y| p4(rt, x, n, flag, y), |rt, x, n, flag, y| p5(rt, x, n, flag, y), |rt, x, n, flag, y| p6(rt, x, n, flag, y), |rt, x, n, flag, y| p7(rt, x, n, flag, y), |rt, x, n, flag, y| p8(rt, x, n, flag, y), |rt, x, n, flag, y| p9(rt, x, n, flag, y), |rt, x, n, flag, y| p10(rt, x, n, flag, y), |rt, x, n, flag, y| p11(rt, x, n, flag, y), |rt, x, n, flag, y| p12(rt, x, n, flag, y), |rt, x, n, flag, y| p13(rt, x, n, flag, y), |rt, x, n, flag, y| p14(rt, x, n, flag, y), |rt, x, n, flag, y| p15(rt, x, n, flag, y), |rt, x, n, flag, y| p16(rt, x, n, flag, y), |rt, x, n, flag, y| p17(rt, x, n, flag, y), |rt, x, n, flag, y| p18(rt, x, n, flag, y), |rt, x, n, flag, y| p19(rt, x, n, flag, y), |rt, x, n, flag, y| p20(rt, x, n, flag, y), |rt, x, n, flag, y| p21(rt, x, n, flag, y), |rt, x, n, flag, y| p22(rt, x, n, flag, y), |rt, x, n, flag, y| p23(rt, x, n, flag, y)];
type Program = fn(&Runtime, &Array2<f32>, usize, bool, &mut Array2<f32>) -> pl::Result<RunReport>;
use ndarray::Array2;
