//! The second net: what the analysis of a kernel might miss, the borrow checker refuses in what runs.

use pl::__private::{Scope, Site, TaskSpec, Tensor as Argument};
use pl::prelude::*;

#[pl::jit::incore]
fn copy(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) {
    store(y, load(x));
}

#[pl::jit::inline]
fn helper(x: Tensor<f32, _>, y: Out<Tensor<f32, _>>) -> TaskId {
    submit!(copy(x, y))
}

fn after(root: &Scope<'_>, site: Site, x: Argument<'_>, y: Argument<'_>) -> pl::Result<()> {
    let task;
    {
        let scope = root.enter_implicit(site)?;
        task = copy::__submit(site, (&scope, x, y), TaskSpec::launch())?.1;
    }
    copy::__submit(site, (root, x, y), TaskSpec::launch().deps(&[task]))?;
    Ok(())
}

fn carried(root: &Scope<'_>, site: Site, x: Argument<'_>, y: Argument<'_>) -> pl::Result<()> {
    let mut last = pl::__private::TaskId::NONE;
    for _ in 0..4 {
        let scope = root.enter_implicit(site)?;
        copy::__submit(site, (&scope, x, y), TaskSpec::launch().deps(&[last]))?;
        last = helper::__call(site, (&scope, x, y))?;
    }
    Ok(())
}

fn main() {}
