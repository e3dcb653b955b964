//! Wrong usage and bad input: exit codes and what they say.

use std::io::Write as _;
use std::process::Stdio;

use tempfile::TempDir;

use super::{command, fail, sample, succeed, texts, write};

#[test]
fn wrong_usage_ends_with_two() {
    let path = sample("pprof/cpu.pb.gz");
    fail(2, &[]);
    assert!(fail(2, &[&"show"]).contains("FILE"));
    assert!(fail(2, &[&"show", &path, &"--limit", &"many"]).contains("--limit"));
    assert!(fail(2, &[&"show", &path, &"--view", &"sideways"]).contains("top-down"));
    assert!(fail(2, &[&"info", &path, &"--format", &"yaml"]).contains("json"));
    assert!(fail(2, &[&"info", &path, &"--max-size", &"big"]).contains("--max-size"));
    assert!(fail(2, &[&"info", &path, &"--nonsense"]).contains("--nonsense"));
    assert!(fail(2, &[&"convert", &path]).contains("--output"));
    assert!(fail(2, &[&"open", &path, &"--port", &"70000"]).contains("--port"));
}

#[test]
fn bad_input_ends_with_one_and_names_the_file() {
    let folder = TempDir::new().unwrap();
    let packed = std::fs::read(sample("pprof/cpu.pb.gz")).unwrap();
    let garbage: Vec<u8> =
        (0..4_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let big = folder.path().join("big.pb");
    std::fs::File::create(&big).unwrap().set_len(5 << 30).unwrap();
    let subfolder = folder.path().join("subfolder");
    std::fs::create_dir(&subfolder).unwrap();
    let mut cases = vec![
        (folder.path().join("missing.pb.gz"), "No such file"),
        (subfolder, "folder"),
        (write(&folder, "empty.pb.gz", ""), "empty"),
        (write(&folder, "garbage.pb.gz", [b"\0\xff".as_slice(), &garbage].concat()), "format"),
        (write(&folder, "cut.pb.gz", &packed[..packed.len() / 2]), "cut short"),
        (big, "--max-size"),
    ];
    #[cfg(unix)]
    {
        let dangling = folder.path().join("dangling.pb.gz");
        std::os::unix::fs::symlink(folder.path().join("nowhere"), &dangling).unwrap();
        cases.push((dangling, "No such file"));
    }
    let output = folder.path().join("out.svg");
    for (path, reason) in cases {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for err in [
            fail(1, &[&"info", &path]),
            fail(1, &[&"show", &path]),
            fail(1, &[&"convert", &path, &"--to", &"collapsed", &"-o", &output]),
            fail(1, &[&"export", &path, &"-o", &output]),
        ] {
            assert!(err.contains(&name), "{name} is not named: {err}");
            assert!(err.contains(reason), "{name}: no word of {reason}: {err}");
        }
        assert!(!output.exists(), "{name} left an output");
    }
}

#[test]
fn limits_hold_for_what_is_unpacked() {
    let path = sample("pprof/cpu.pb.gz");
    let size = std::fs::metadata(&path).unwrap().len();
    // The packed file fits, what it unpacks to does not.
    let err = fail(1, &[&"info", &path, &"--max-size", &(size + 1).to_string()]);
    assert!(err.contains("--max-size") && err.contains("cpu.pb.gz"), "{err}");
    let err = fail(1, &[&"info", &path, &"--max-memory", &"1K"]);
    assert!(err.contains("--max-memory") && err.contains("cpu.pb.gz"), "{err}");
    succeed(&[&"info", &path, &"--max-size", &"1G", &"--max-memory", &"1G"]);
}

#[test]
fn a_bad_pattern_is_named() {
    let folder = TempDir::new().unwrap();
    let path = sample("pprof/labels.pb.gz");
    let output = folder.path().join("out.svg");
    let pattern = r"(\w{1000}){1000}";
    for option in ["--focus", "--ignore", "--hide", "--show", "--show-from", "--peek"] {
        let err = fail(1, &[&"show", &path, &option, &pattern]);
        assert!(err.contains(pattern), "{option}: {err}");
    }
    for option in ["--label-focus", "--label-ignore"] {
        let err = fail(1, &[&"show", &path, &option, &format!("tenant={pattern}")]);
        assert!(err.contains(pattern), "{option}: {err}");
    }
    let err = fail(1, &[&"export", &path, &"-o", &output, &"--search", &pattern]);
    assert!(err.contains(pattern) && !output.exists(), "{err}");
}

#[test]
fn what_is_no_expression_is_looked_for_as_it_stands() {
    let path = sample("pprof/cpu.pb.gz");
    let shown = |pattern: &str| succeed(&[&"show", &path, &"--focus", &pattern]);
    // A method of Go; case counts, for there is a capital letter.
    assert_eq!(shown("(*decoderState)"), shown(r"\(\*decoderState\)"));
    assert_eq!(shown("(*decoderstate)"), shown(r"(?i)\(\*decoderstate\)"));
    for pattern in ["(*DECODERSTATE)", r"(?-i)\(\*decoderstate\)"] {
        let err = fail(1, &[&"show", &path, &"--focus", &pattern]);
        assert!(err.contains(&format!("--focus {pattern} matches nothing in cpu.pb.gz")), "{err}");
    }
}

#[test]
fn filters_and_members_that_match_nothing_are_errors() {
    let path = sample("pprof/labels.pb.gz");
    for option in
        ["focus", "ignore", "hide", "show", "show-from", "label-focus", "label-ignore", "thread"]
    {
        let err = fail(1, &[&"show", &path, &format!("--{option}"), &"nosuch=name"]);
        assert!(err.contains("matches nothing"), "{option}: {err}");
    }
    let err = fail(1, &[&"show", &path, &"--focus", &"nosuch", &"--hide", &"norsuch"]);
    assert!(err.contains("--focus nosuch and --hide norsuch match nothing"), "{err}");
    let err = fail(1, &[&"show", &path, &"--members-by", &"nosuch"]);
    assert!(err.contains("no sample has a label nosuch"), "{err}");
    let err = fail(1, &[&"show", &path, &"--peek", &"nosuch"]);
    assert!(err.contains("no function matches nosuch"), "{err}");
    // It is there, but not together with the other one.
    succeed(&[&"show", &path, &"--focus", &"mapaccess2", &"--ignore", &"mapaccess2"]);
}

#[test]
fn a_name_of_a_file_is_not_a_command() {
    // `hotframe FILE` is short for `hotframe open FILE`, which fails before it serves.
    let err = fail(1, &[&"missing.pb.gz"]);
    assert!(err.contains("missing.pb.gz"), "{err}");
    let mut child =
        command(&[&"info", &"-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"main;load 3\n").unwrap();
    let (out, _) = texts(&child.wait_with_output().unwrap());
    assert_eq!(out.lines().next(), Some("standard input"));
}
