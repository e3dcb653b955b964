//! Accesses as locality walks them.

use locality::{Placement, Sink, Space, Touch, Walk};
use scop::Nested;

/// Statement, access, element, whether it writes.
pub(crate) type Accessed = (u32, u32, i64, bool);

/// All accesses of a nest.
pub(crate) fn walked(nested: &Nested) -> Vec<Accessed> {
    struct All(Vec<(u32, u32)>);
    impl Sink for All {
        fn touch(&mut self, touches: &[Touch], times: u64) -> Result<(), locality::Error> {
            for _ in 0..times {
                self.0.extend(touches.iter().map(|touch| (touch.reference, touch.line)));
            }
            Ok(())
        }
    }
    let mut all = All(vec![]);
    let space = Space::new(nested.containers.clone(), Placement::Packed, 1).unwrap();
    Walk::new(&nested.nest, &space).unwrap().run(&mut all).unwrap();
    let told = |(reference, line): (u32, u32)| {
        let origin = &nested.origins[reference as usize];
        let own = &nested.nest.references[reference as usize];
        let container = own.container as usize;
        let bytes = i64::from(line) - space.bases[container];
        let element = bytes / space.containers[container].element as i64;
        (origin.statement, origin.access, element, own.is_write)
    };
    all.0.into_iter().map(told).collect()
}
