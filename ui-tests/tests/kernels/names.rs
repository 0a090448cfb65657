//! Names of users are theirs, whatever generated code calls its own.

mod hostile_names {
    use crate::{Array1, numbers, runtime};
    use pl::prelude::*;

    #[pl::jit::incore]
    fn add(rt: Tensor<f32, _>, scope: f32, tile: Tensor<f32, _>, kernel: Out<Tensor<f32, _>>) {
        let self_ = load(rt);
        let site = load(tile);
        let args = self_ + site;
        let scratch0 = args * scope;
        store(kernel, scratch0);
    }

    #[pl::jit(dims(SIG))]
    fn names(
        rt: Tensor<f32, SIG>,
        scope: Tensor<f32, SIG>,
        kernel: f32,
        alloc_0: usize,
        tile: Out<Tensor<f32, SIG>>,
    ) {
        let self_ = alloc_0 + 1;
        let scope0 = rt;
        let scope1 = scope;
        let alloc0 = create_tensor::<f32>([SIG]);
        let dim0 = kernel;
        for launch in 0..self_ {
            let site = launch;
            if site == alloc_0 {
                add(scope0, dim0, scope1, alloc0);
            }
        }
        add(alloc0, 1.0, alloc0, tile);
    }

    #[test]
    fn names_of_generated_code_are_free_for_users() {
        let x = numbers(8);
        let mut y = Array1::zeros(8);
        names(&runtime(), &x, &x, 3.0, 2, &mut y).unwrap();
        assert_eq!(y, x * 12.0);
    }
}

mod names_of_the_standard_prelude {
    use pl::prelude::*;

    #[allow(dead_code)]
    enum Status {
        Ok,
        Err,
    }
    #[allow(unused_imports)]
    use Status::{Err, Ok};

    #[pl::jit::incore]
    fn filled(y: Out<Tensor<f32, _>>) {
        let t = create_tensor::<f32>([4]).init(2.0);
        store(y, t);
    }

    #[test]
    fn a_users_ok_is_not_ours() {
        let mut y = ndarray::Array1::zeros(4);
        filled::launch(&crate::runtime(), &mut y).unwrap();
        assert_eq!(y, ndarray::Array1::from_elem(4, 2.0));
    }
}
