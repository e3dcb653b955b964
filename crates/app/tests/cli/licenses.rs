//! `hotframe licenses`.

use std::path::Path;

use super::{fail, stdout};

#[test]
fn the_licences_of_what_is_inside_are_printed() {
    let notices = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/ui/dist-parts/notices.txt.gz");
    if !Path::new(notices).exists() {
        assert!(fail(1, &[&"licenses"]).contains("`cargo xtask demo`"));
        return;
    }
    let text = stdout(&[&"licenses"]);
    // Linked, linked on this machine alone, in the page, in its editor, in its Python.
    for package in ["serde", "py-spy", "preact", "@codemirror/view", "CPython"] {
        assert!(text.lines().any(|line| line.starts_with(&format!("{package} "))), "{package}");
    }
    assert!(text.contains("Permission is hereby granted") && text.contains("Apache License"));
    // Tests alone use these.
    assert!(!text.contains("\nproptest ") && !text.contains("\nplaywright-core "));
}
