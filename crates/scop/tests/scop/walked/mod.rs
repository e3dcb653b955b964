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
    // With elements of one byte, a line of one byte is an element.
    let mut containers = nested.containers.clone();
    for container in &mut containers {
        container.element = 1;
    }
    let space = Space::new(containers, Placement::Packed, 1).unwrap();
    Walk::new(&nested.nest, &space).unwrap().run(&mut all).unwrap();
    let told = |(reference, line): (u32, u32)| {
        let origin = &nested.origins[reference as usize];
        let own = &nested.nest.references[reference as usize];
        let container = own.container as usize;
        let element = i64::from(line) - space.bases[container];
        (origin.statement, origin.access, element, own.is_write)
    };
    all.0.into_iter().map(told).collect()
}
