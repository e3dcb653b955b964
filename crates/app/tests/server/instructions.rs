//! Values and texts of instructions, against what objdump says of the whole program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use profile::{Location, Metric, ModuleId, Profile, ProfileBuilder};
use protocol::*;
use tempfile::TempDir;

use super::Server;
use super::page::{Numbers, Page, flame, view};

const SOURCE: &str = "
#include <stdlib.h>
__attribute__((noinline)) unsigned long sieve(int n) {
  char *composite = calloc(n + 1, 1);
  unsigned long sum = 0;
  for (int i = 2; i <= n; i++) {
    if (composite[i]) continue;
    sum += i;
    for (long j = (long)i * i; j <= n; j += i) composite[j] = 1;
  }
  free(composite);
  return sum;
}
int main(int count, char **arguments) { return sieve(count * 1000) & 1; }
";

/// An instruction as objdump tells it.
struct Known {
    address: u64,
    text: String,
    line: u32,
}

/// A program of C, and its function as objdump tells it with lines.
struct Program {
    folder: TempDir,
    binary: PathBuf,
    sieve: Vec<Known>,
    build_id: String,
}

fn output(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

impl Program {
    fn new() -> Program {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join("sieve.c"), SOURCE).unwrap();
        output("cc", &["-g", "-O1", "-Wl,--build-id", "-o", "sieve", "sieve.c"], path);
        let text = output("objdump", &["-dl", "--no-show-raw-insn", "sieve"], path);
        let of_sieve = text.split("<sieve>:\n").nth(1).unwrap().split("\n\n").next().unwrap();
        let (mut line, mut sieve) = (0, vec![]);
        for told in of_sieve.lines() {
            if let Some((_, number)) = told.split_once("sieve.c:") {
                line = number.split(' ').next().unwrap().parse().unwrap();
            } else if let Some((address, text)) = told.split_once(":\t") {
                let address = u64::from_str_radix(address.trim(), 16).unwrap();
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                sieve.push(Known { address, text, line });
            }
        }
        let notes = output("readelf", &["-n", "sieve"], path);
        let build_id = notes.split("Build ID: ").nth(1).unwrap().lines().next().unwrap().to_owned();
        Program { binary: path.join("sieve"), folder, sieve, build_id }
    }

    /// Samples of instruction `at`: what stands at each, and 1,000 in `calloc` below the call.
    fn value(at: usize) -> i64 {
        1 + at as i64 % 7
    }

    fn call(&self) -> usize {
        self.sieve.iter().position(|one| one.text.starts_with("call")).unwrap()
    }

    /// The function at each of its instructions, in a process that has it far up.
    fn profile(&self, build_id: &str, name: &str) -> PathBuf {
        const START: u64 = 0x5555_0000_0000;
        let mut builder = ProfileBuilder::new(vec![Metric::new("samples", "count")]);
        let path = self.binary.to_str().unwrap();
        let module = builder.module(path).unwrap();
        let build_id = builder.strings.intern(build_id);
        let mapped = &mut builder.modules[module.0 as usize];
        (mapped.build_id, mapped.memory_start) = (build_id, START);
        mapped.memory_limit = START + (1 << 20);
        let sieve = builder.function("sieve", "sieve.c", 3);
        let calloc = builder.function("calloc", "", 0);
        let labels = builder.labels.add(&[]);
        let at = |builder: &mut ProfileBuilder, address: u64| {
            let location = Location {
                module: Some(ModuleId(module.0)),
                address: START + address,
                ..Location::default()
            };
            builder.push_location(location, &[(Some(sieve), 3, 0)])
        };
        for (number, one) in self.sieve.iter().enumerate() {
            let location = at(&mut builder, one.address);
            let context = builder.stack([location]);
            builder.points.push(context, labels, &[Self::value(number)]);
        }
        // Recorders put callers into their calls.
        let caller = at(&mut builder, self.sieve[self.call()].address + 4);
        let leaf = builder.push_location(Location::default(), &[(Some(calloc), 0, 0)]);
        let context = builder.stack([caller, leaf]);
        builder.points.push(context, labels, &[1000]);
        let profile: Profile = builder.finish();
        assert_eq!(profile.check(), []);
        let path = self.folder.path().join(name);
        let format = formats::format_named("hotframe").unwrap();
        format.write(&profile, &mut fs::File::create(&path).unwrap()).unwrap();
        path
    }
}

/// What is told of `sieve`.
fn ask_instructions(page: &mut Page) -> (InstructionsResult, Numbers) {
    let (drawn, numbers) = page.call::<FlameResult>(ProfileRequest::Flame(flame(view(0))));
    let nodes = numbers.u32("node").to_vec();
    let params = |node| NodeParams { view: view(0), instance: Some(drawn.instance), node };
    let is_sieve = |node: &&u32| {
        let details = ProfileRequest::Details(params(**node));
        page.call::<DetailsResult>(details).0.name == "sieve"
    };
    let node = *nodes.iter().find(is_sieve).unwrap();
    page.call(ProfileRequest::Instructions(params(node)))
}

#[test]
fn instructions_are_those_of_objdump_each_with_its_samples() {
    let program = Program::new();
    let server = Server::start(&[program.profile(&program.build_id, "a.hotframe")]);
    let (told, numbers) = ask_instructions(&mut server.page());
    let section = &told.sections[..];
    assert_eq!((section.len(), &*section[0].symbol, &*section[0].problem), (1, "sieve", ""));
    assert!(!section[0].unchecked);
    let texts: Vec<&str> = told.instructions.iter().map(|one| &*one.text).collect();
    let known: Vec<&str> = program.sieve.iter().map(|one| &*one.text).collect();
    assert_eq!(texts, known);
    for (number, (one, known)) in told.instructions.iter().zip(&program.sieve).enumerate() {
        assert_eq!((&one.address, one.line), (&format!("{:x}", known.address), known.line));
        assert!(told.files[one.file.unwrap() as usize].ends_with("sieve.c"));
        let own = Program::value(number);
        let total = if number == program.call() { own + 1000 } else { own };
        assert_eq!(
            (numbers.i64("self_value")[number], numbers.i64("total_value")[number]),
            (own, total)
        );
    }
    let sum: i64 = numbers.i64("self_value").iter().sum();
    assert_eq!(numbers.i64("function"), [sum, sum + 1000]);
    assert_eq!(numbers.i64("unplaced"), [0]);
    // Blocks begin behind jumps and where jumps lead.
    for (pair, texts) in told.instructions.windows(2).zip(texts.windows(2)) {
        let is_jump = texts[0].starts_with('j');
        let leads_there = texts[1..].iter().any(|_| {
            let to = format!(" {} <", pair[1].address);
            known.iter().any(|text| text.starts_with('j') && text.contains(&to))
        });
        assert_eq!(pair[0].block != pair[1].block, is_jump || leads_there, "{texts:?}");
    }
}

#[test]
fn binaries_of_another_build_are_refused() {
    let program = Program::new();
    let other = "00112233445566778899aabbccddeeff00112233";
    let server = Server::start(&[program.profile(other, "b.hotframe")]);
    let (told, numbers) = ask_instructions(&mut server.page());
    assert!(told.sections[0].problem.contains("another build"), "{}", told.sections[0].problem);
    assert!(told.instructions.iter().all(|one| one.text.is_empty()));
    // What was measured is there all the same, by its address.
    let sum: i64 = numbers.i64("self_value").iter().sum();
    assert_eq!(numbers.i64("function"), [sum, sum + 1000]);
    assert_eq!(told.instructions.len(), program.sieve.len() + 1);
    assert_eq!(told.instructions[0].line, 3);
}

#[test]
fn builds_that_are_not_known_are_reported_and_comparisons_refused() {
    let program = Program::new();
    let [one, other] = ["", "none"].map(|id| program.profile(id, &format!("{id}c.hotframe")));
    let server = Server::start(&[one, other]);
    let mut page = server.page();
    let (told, _) = ask_instructions(&mut page);
    assert!(told.sections[0].unchecked && told.sections[0].problem.is_empty());
    let params = CompareParams {
        base: vec![0],
        new: vec![1],
        filters: None,
        by_age: false,
        normalise: Normalise::Absolute {},
        noise: 0.0,
    };
    let compared = page.call::<OpenedResult>(ProfileRequest::Compare(params)).0.document;
    let node = NodeParams { view: view(compared), instance: None, node: 0 };
    let ask_instructions = ProfileRequest::Instructions(node);
    let error =
        page.try_call::<InstructionsResult>(ask_instructions, vec![]).map(|_| ()).unwrap_err();
    assert!(error.hint.contains("one side"), "{error:?}");
}
