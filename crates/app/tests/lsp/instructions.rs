//! The code of a function, which its lens leads to, against what objdump says of it.

use std::process::Command;

use super::*;

const CODE: &str = "\
__attribute__((noinline)) unsigned long work(unsigned long n) {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < n; i++)
    sum ^= i * n + (sum >> 3);
  return sum;
}
int main(int n, char **words) { return work(n); }
";

fn output(program: &str, arguments: &[&str], folder: &Path) -> String {
    let done = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// Address and text of the instructions of `work`, as objdump tells them.
fn objdump_instructions(folder: &Path) -> Vec<(u64, String)> {
    let text = output("objdump", &["-d", "--no-show-raw-insn", "program"], folder);
    let work = text.split("<work>:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let lines = work.lines().filter_map(|line| line.split_once(":\t"));
    let instruction = |(address, text): (&str, &str)| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (u64::from_str_radix(address.trim(), 16).unwrap(), text)
    };
    lines.map(instruction).collect()
}

/// An editor with a program whose function was sampled: at every second of its instructions, from one time
/// for the first on.
fn sampled() -> (Editor, Vec<(u64, String)>) {
    let mut editor = Editor::start(&["--binaries", "."]);
    let folder = editor.path(".");
    std::fs::write(editor.path("work.c"), CODE).unwrap();
    output("cc", &["-g", "-O1", "-pie", "-fPIE", "-o", "program", "work.c"], &folder);
    touch(&editor.path("work.c"), 1_000_000_000);
    let instructions = objdump_instructions(&folder);
    let binary = folder.join("program").to_string_lossy().into_owned();
    let samples = instructions.iter().step_by(2).zip(1..).flat_map(|((address, _), times)| {
        let sample = format!("work 7 1.5: 1 cpu-clock:\n\t{address:x} [unknown] ({binary})\n\n");
        std::iter::repeat_n(sample, times)
    });
    std::fs::write(editor.path("work.perf-script"), samples.collect::<String>()).unwrap();
    editor.initialize(json!({ "profiles": ["work.perf-script"] }));
    (editor, instructions)
}

/// The instructions that the lens above `work` leads to.
fn of_lens(editor: &mut Editor) -> Value {
    let document = json!({ "textDocument": { "uri": editor.uri("work.c") } });
    let lenses = editor.result("textDocument/codeLens", document);
    let leads = |lens: &&Value| lens["command"]["command"] == "hotframe.showInstructions";
    let lens = lenses.as_array().unwrap().iter().find(leads).unwrap();
    assert_eq!(lens["range"]["start"]["line"], 0, "its head");
    let [uri, key] = &lens["command"]["arguments"].as_array().unwrap()[..] else {
        panic!("{lens}")
    };
    editor.result("hotframe/instructions", json!({ "uri": uri, "key": key }))
}

#[test]
fn a_lens_leads_to_the_whole_code_with_its_values() {
    let (mut editor, instructions) = sampled();
    let told = of_lens(&mut editor);
    let rows = told["instructions"].as_array().unwrap();
    let found: Vec<(u64, String)> = (rows.iter())
        .map(|row| {
            let address = row["address"].as_str().unwrap().strip_prefix("0x").unwrap();
            let text = row["text"].as_str().unwrap().to_owned();
            (u64::from_str_radix(address, 16).unwrap(), text)
        })
        .collect();
    assert_eq!(found, instructions);
    let sampled = rows.len().div_ceil(2);
    for (number, row) in rows.iter().enumerate() {
        let values = row["values"].as_str().unwrap();
        match number % 2 {
            0 => {
                assert!(values.contains(&format!("({} ns)", number / 2 + 1)), "{number}: {values}")
            }
            _ => assert_eq!(values, ""),
        }
        assert_eq!(row["is_hottest"], number / 2 + 1 == sampled && number % 2 == 0);
        let line = row["line"].as_u64().unwrap();
        assert!(line < 6, "{row}");
    }
    let note = told["notes"][0].as_str().unwrap();
    assert!(note.contains("does not say which build"), "{note}");
}

#[test]
fn where_the_binary_is_gone_what_was_measured_is_reported_and_why() {
    let (mut editor, instructions) = sampled();
    editor.lenses();
    std::fs::remove_file(editor.path("program")).unwrap();
    let told = of_lens(&mut editor);
    let rows = told["instructions"].as_array().unwrap();
    assert_eq!(rows.len(), instructions.len().div_ceil(2), "{told}");
    assert!(rows.iter().all(|row| row["text"] == "" && row["values"] != ""), "{told}");
    let note = told["notes"][0].as_str().unwrap();
    assert!(note.contains("program is not here"), "{note}");
}

#[test]
fn a_function_that_is_not_there_has_none() {
    let (mut editor, _) = sampled();
    for (uri, key) in [(editor.uri("work.c"), 4_000_000), (editor.uri("other.c"), 0)] {
        let told = editor.result("hotframe/instructions", json!({ "uri": uri, "key": key }));
        assert_eq!(told, Value::Null);
    }
}
