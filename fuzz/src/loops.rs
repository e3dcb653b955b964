//! The reader of loops that Polly exported, and what is made of them.

use std::collections::HashMap;

use super::simulated;

/// Reads loops, and simulates them at small sizes and at large ones.
pub(super) fn read(bytes: &[u8]) {
    let Ok(loops) = scop::read(bytes, &scop::Limits::default()) else { return };
    assert!(scop::is_scop(bytes));
    for value in [3, 1 << 20, 1 << 62] {
        let at: HashMap<String, i128> =
            loops.parameters.iter().map(|name| (name.clone(), value)).collect();
        let Ok(nested) = loops.nest(&at, None) else { continue };
        assert_eq!(nested.origins.len(), nested.nest.references.len());
        simulated::check(&nested.program());
    }
}
