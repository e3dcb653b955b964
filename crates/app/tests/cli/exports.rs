//! `hotframe export`, whose pictures are well-formed whatever names hold.

use std::path::Path;

use tempfile::TempDir;

use super::parse::{parse_csv, parse_xml};
use super::{VIEWS, fail, hostile, sample, stdout, succeed};

#[test]
fn pictures_are_well_formed_whatever_names_hold() {
    let folder = TempDir::new().unwrap();
    let (path, names) = hostile(&folder);
    let output = folder.path().join("out.svg");
    for view in VIEWS {
        for colour in ["module", "file", "function", "self-share"] {
            succeed(&[
                &"export",
                &path,
                &"-o",
                &output,
                &"--view",
                &view,
                &"--colour",
                &colour,
                &"--search",
                &"script",
            ]);
            let svg = std::fs::read_to_string(&output).unwrap();
            assert!(svg.starts_with("<svg ") && !svg.contains("<script"), "{view}");
            let texts = parse_xml(&svg);
            let titles = &texts["title"];
            for name in names.iter().filter(|name| !name.contains('\u{1b}')) {
                assert!(
                    titles.iter().any(|title| title.lines().next() == Some(name)),
                    "{view}: no title {name}"
                );
            }
            assert!(texts["text"].iter().any(|text| text == "<script>&\""), "{view}");
        }
    }
    for name in ["pprof/cpu.pb.gz", "pprof/heap.pb.gz", "collapsed/perf.collapsed"] {
        succeed(&[&"export", &sample(name), &"-o", &output, &"--dark", &"--width", &"700"]);
        let texts = parse_xml(&std::fs::read_to_string(&output).unwrap());
        assert!(texts["text"].len() > 5, "{name} is an empty picture");
        let name = Path::new(name).file_name().unwrap().to_str().unwrap();
        assert!(texts["text"].iter().any(|text| text == name), "{name} has no heading");
    }
}

#[test]
fn exported_tables_are_those_of_show() {
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("out.csv");
    let path = sample("pprof/cpu.pb.gz");
    for view in VIEWS {
        succeed(&[&"export", &path, &"-o", &output, &"--view", &view]);
        let text = std::fs::read_to_string(&output).unwrap();
        assert!(parse_csv(&text).len() > 10);
        assert_eq!(text, stdout(&[&"show", &path, &"--view", &view, &"--format", &"csv"]));
    }
    let err = fail(1, &[&"export", &path, &"-o", &folder.path().join("out.png")]);
    assert!(err.contains("out.png") && err.contains(".svg") && err.contains(".csv"), "{err}");
}

#[test]
fn timelines_are_pictures_and_their_spans_are_tables() {
    let folder = TempDir::new().unwrap();
    let path = sample("trace-event/default.trace.json");
    let events = std::fs::read(&path).unwrap();
    let events: serde_json::Value = serde_json::from_slice(&events).unwrap();
    let spans = events["traceEvents"].as_array().unwrap().iter();
    let spans = spans.filter(|event| event["ph"] == "X").count();
    let svg = folder.path().join("out.svg");
    succeed(&[&"export", &path, &"-o", &svg, &"--view", &"timeline"]);
    let texts = parse_xml(&std::fs::read_to_string(&svg).unwrap());
    for track in ["MainThread (25514)", "bee two (25516)"] {
        assert!(texts["title"].iter().any(|title| title == track), "no track {track}");
    }
    assert!(texts["title"].iter().any(|title| title.starts_with("honeycomb\n")));
    let csv = folder.path().join("out.csv");
    succeed(&[&"export", &path, &"-o", &csv, &"--view", &"spans"]);
    let rows = parse_csv(&std::fs::read_to_string(&csv).unwrap());
    assert_eq!(rows.len(), spans + 1);
    let ended = |row: &&Vec<String>| row[2].parse::<i64>().is_ok_and(|begin| begin < 10_000_000);
    let early = rows.iter().filter(ended).count();
    succeed(&[&"export", &path, &"-o", &csv, &"--view", &"spans", &"--time", &"..10ms"]);
    assert_eq!(parse_csv(&std::fs::read_to_string(&csv).unwrap()).len(), early + 1);
    fail(1, &[&"export", &path, &"-o", &csv, &"--view", &"marks"]);
}

/// Both ways to save what changed draw the same tree.
#[test]
fn the_picture_of_a_comparison_is_a_tree() {
    let folder = TempDir::new().unwrap();
    let [base, new] = ["runs/before-1.pb.gz", "runs/after-1.pb.gz"].map(sample);
    let pictures = ["diff.svg", "export.svg", "flat.svg"].map(|name| folder.path().join(name));
    succeed(&[&"diff", &base, &new, &"-o", &pictures[0]]);
    succeed(&[&"export", &new, &"--base", &base, &"-o", &pictures[1]]);
    succeed(&[&"diff", &base, &new, &"--view", &"flat", &"-o", &pictures[2]]);
    let [diff, export, flat] = pictures.map(|path| std::fs::read_to_string(path).unwrap());
    assert_eq!(diff, export);
    assert_ne!(diff, flat);
    // A box is as wide as its function on both sides: what one side alone has is there, too.
    assert!(diff.contains(">[A] ") && diff.contains(">[D] "), "{diff}");
}
