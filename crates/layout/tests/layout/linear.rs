//! Linear axes.

use layout::LinearScale;
use proptest::prelude::*;

#[test]
fn ticks_are_round() {
    let ticks = |values: &[f64]| LinearScale::around(values.iter().copied()).ticks;
    assert_eq!(ticks(&[]), [0.0, 1.0]);
    assert_eq!(ticks(&[f64::NAN, 60.0]), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]);
    assert_eq!(ticks(&[3.0, -110.0]), [-120.0, -100.0, -80.0, -60.0, -40.0, -20.0, 0.0, 20.0]);
}

proptest! {
    #[test]
    fn axes_hold_everything(values in proptest::collection::vec(-1e15..1e15f64, 1..20)) {
        let ticks = LinearScale::around(values.iter().copied()).ticks;
        let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
        prop_assert!((2..=9).contains(&ticks.len()), "{ticks:?}");
        prop_assert!(values.iter().chain(&[0.0]).all(|&value| first <= value && value <= last));
    }
}
