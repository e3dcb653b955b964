//! Values that are asked for.

use std::process::Command;

use crate::{folder, functions, interpreters, python, run, texts, warnings};

/// Arguments, results, exceptions and chosen variables are marks; what cannot be told says so; nothing else changes.
#[test]
fn reports_values_where_they_are_requested() {
    const PROGRAM: &str = r#"
class Totals:
    def add(self, values, *more, scale=1, **named):
        counts = sum(values) * scale
        return counts
def numbers(n):
    for k in range(n):
        yield k
def fails(x):
    raise ValueError("no " + x)
class Bad:
    def __repr__(self):
        return self.helper()
    def helper(self):
        raise RuntimeError("never")
def other(x):
    return x
t = Totals()
t.add([1, 2], 7, scale=5, z="caf\u00e9")
t.add([1], Bad(), "long" * 1000)
list(numbers(2))
other("nobody asks for this")
try:
    fails("way")
except ValueError:
    pass
"#;
    for interpreter in interpreters::all() {
        let folder = folder(&format!("logged-{}", interpreter.minor));
        let own = if interpreter.minor < 11 { "add" } else { "Totals.add" };
        let asked = format!("{own}:counts,missing");
        let names = [&*asked, "numbers", "fails", "nothing"];
        let mut record = vec!["-m", "hotframe", "record", "-o", "trace.calls"];
        names.iter().for_each(|name| record.extend(["--log", name]));
        run(interpreter, &folder, &record, PROGRAM);
        let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
        let hotframe = hotframe.args(["convert", "trace.calls", "--to", "firefox", "-o", "-"]);
        let (out, err) = texts(&hotframe.current_dir(&folder).output().unwrap());
        let shown = |text: &str| {
            let quoted = serde_json::to_string(text).unwrap();
            out.contains(quoted.trim_matches('"'))
        };
        for text in [
            &*format!("{own} is called"),
            &*format!("{own} ends"),
            "[1, 2]",
            "(7,)",
            "{'z': 'caf\u{e9}'}",
            "15",
            "(not set)",
            "numbers is called",
            if interpreter.minor < 12 { "(an exception" } else { "ValueError('no way')" },
            "(Bad, of which",
        ] {
            // What is in a tuple has a part of its own.
            let is_there = shown(text) || text.starts_with("(Bad") && shown("Bad instance");
            assert!(is_there, "{}: {text}: {err}{out}", interpreter.version);
        }
        assert!(!shown("nobody asks for this") && out.len() < 200_000, "{}", interpreter.version);
        let warned = warnings(&folder);
        assert!(warned.contains("no function nothing") && !warned.contains("no function Totals"));
        let helpers =
            functions(&folder, "calls").into_iter().filter(|(name, ..)| name.ends_with("helper"));
        assert_eq!(helpers.count(), 0, "{}: repr is not the program's", interpreter.version);
    }
}

/// What cannot be asked for is refused before anything runs.
#[test]
fn what_is_no_name_is_refused() {
    let folder = folder("logged-refused");
    for asked in ["f:1x", ":x", "f:a b"] {
        let interpreter = interpreters::all().last().unwrap();
        let mut own = python(interpreter, &folder);
        let own = own.args(["-m", "hotframe", "record", "--log", asked, "program.py"]).output();
        let mut hotframe = Command::new(env!("CARGO_BIN_EXE_hotframe"));
        let path = interpreter.path.to_str().unwrap();
        let record = ["record", "python", "--trace", "--log", asked, "--", path, "program.py"];
        let recorded = hotframe.args(record).current_dir(&folder).output();
        for output in [own, recorded] {
            let output = output.unwrap();
            let (_, err) = texts(&output);
            assert!(!output.status.success() && err.contains("NAME:VARIABLE"), "{asked}: {err}");
        }
    }
}
