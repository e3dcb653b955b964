//! `hotframe formats`.

use std::path::Path;

use super::stdout;

#[test]
fn the_documentation_of_formats_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let written = std::fs::read_to_string(path).unwrap();
    let fresh = stdout(&[&"formats", &"--format", &"markdown"]);
    assert!(written == fresh, "`cargo xtask codegen` refreshes docs/formats.md");
}

#[test]
fn every_text_says_how_many_there_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let count = format!("{} formats", formats::FORMATS.len());
    for file in [
        "README.md",
        "packaging/crates.md",
        "packaging/npm/README.md",
        "web/vscode/README.md",
        "web/vscode/package.json",
        "crates/formats/Cargo.toml",
        "xtask/src/dist/archive.rs",
    ] {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        assert!(text.contains(&count), "{file} does not say \"{count}\"");
    }
}

#[test]
fn formats_are_listed() {
    let text = stdout(&[&"formats"]);
    let line = |name: &str| -> Vec<&str> {
        let mut lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        lines.find(|words| words.first() == Some(&name)).unwrap_or_else(|| panic!("no {name}"))
    };
    for name in ["pprof", "collapsed"] {
        assert_eq!(line(name)[1..3], ["yes", "yes"], "{name}");
    }
    assert_eq!(line("speedscope")[2], "yes");
    assert!(text.contains("*.pb.gz") && text.contains("checked against: callgrind_annotate"));
}
