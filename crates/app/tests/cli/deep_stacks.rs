//! Stacks of 100,000 frames.

use std::path::PathBuf;

use tempfile::TempDir;

use super::parse::parse_xml;
use super::{json, rows, stdout, succeed, write};

const DEEP: usize = 100_000;

fn deep(folder: &TempDir) -> PathBuf {
    let names: Vec<String> = (0..DEEP).map(|depth| format!("f{depth}")).collect();
    write(folder, "deep.collapsed", format!("{} 7\n", names.join(";")))
}

#[test]
fn a_stack_of_100_000_frames_is_shown() {
    let folder = TempDir::new().unwrap();
    let path = deep(&folder);
    let info = json(&[&"info", &path, &"--format", &"json"]);
    assert_eq!((&info["contexts"], &info["stacks"]), (&DEEP.into(), &1.into()));
    let flat = json(&[&"show", &path, &"--format", &"json"]);
    assert_eq!(rows(&flat).len(), DEEP);
    assert_eq!(rows(&flat)[0]["function"], format!("f{}", DEEP - 1));
    assert!(rows(&flat).iter().all(|row| row["total"] == 7));
    for (view, first, last) in [
        ("top-down", "f0".to_owned(), format!("f{}", DEEP - 1)),
        ("bottom-up", format!("f{}", DEEP - 1), "f0".to_owned()),
    ] {
        let text = stdout(&[&"show", &path, &"--view", &view, &"--limit", &"0"]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2 + DEEP, "{view}");
        assert!(lines[2].ends_with(&first), "{view}: {}", lines[2]);
        assert!(lines[DEEP + 1].ends_with(&last), "{view}: {}", lines[DEEP + 1]);
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap();
        assert!(longest < 200, "{view}: a line of {longest} characters");
    }
}

#[test]
fn a_stack_of_100_000_frames_is_drawn_and_converted() {
    let folder = TempDir::new().unwrap();
    let path = deep(&folder);
    let output = folder.path().join("out.svg");
    for (view, outermost) in [("top-down", "f0"), ("bottom-up", "f99999")] {
        succeed(&[&"export", &path, &"-o", &output, &"--view", &view]);
        let texts = parse_xml(&std::fs::read_to_string(&output).unwrap());
        assert!(texts["text"].iter().any(|text| text == outermost), "{view} lacks {outermost}");
        assert!(texts["text"].iter().any(|text| text.contains("rows left out")), "{view}");
    }
    succeed(&[&"export", &path, &"-o", &output, &"--view", &"flat"]);
    parse_xml(&std::fs::read_to_string(&output).unwrap());
    let packed = folder.path().join("deep.pb.gz");
    succeed(&[&"convert", &path, &"-o", &packed]);
    let back = stdout(&[&"convert", &packed, &"--to", &"collapsed", &"-o", &"-"]);
    assert!(back == std::fs::read_to_string(&path).unwrap(), "the stack changed on its way");
}
