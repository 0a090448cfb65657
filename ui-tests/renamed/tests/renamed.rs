//! The facade under another name.

use ndarray::Array1;
use renamed::{RunConfig, Runtime};

#[test]
fn the_facade_may_have_another_name() {
    let rt = Runtime::new(RunConfig::default()).unwrap();
    let mut y = Array1::zeros(3);
    ui_renamed::negated(&rt, &Array1::ones(3), &mut y).unwrap();
    assert_eq!(y, -Array1::<f32>::ones(3));
}
