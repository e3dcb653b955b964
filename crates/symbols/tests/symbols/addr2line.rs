//! What binutils says of addresses.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use symbols::{Binary, Files, Frame, Names};

/// A frame as `addr2line` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Printed {
    pub(crate) function: String,
    /// Empty if it is not known.
    pub(crate) file: String,
    pub(crate) line: u32,
}

/// Innermost first, for each of the addresses.
pub(crate) fn addr2line(binary: &Path, addresses: &[u64]) -> Vec<Vec<Printed>> {
    let mut child = Command::new("addr2line")
        .args(["-a", "-i", "-f", "-e"])
        .arg(binary)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("addr2line of binutils is here");
    let mut input = child.stdin.take().unwrap();
    let text: String = addresses.iter().map(|address| format!("{address:#x}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let mut all: Vec<Vec<Printed>> = vec![];
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("0x") {
            all.push(vec![]);
            continue;
        }
        let place = lines.next().unwrap();
        let place = place.split(" (discriminator").next().unwrap();
        let (file, line_number) = place.rsplit_once(':').unwrap();
        all.last_mut().unwrap().push(Printed {
            function: line.to_owned(),
            file: if file == "??" { String::new() } else { file.to_owned() },
            line: line_number.parse().unwrap_or(0),
        });
    }
    assert_eq!(all.len(), addresses.len());
    all
}

/// What we say of the same addresses, in the same form.
pub(crate) fn ours(names: &mut Names, addresses: &[u64]) -> Vec<Vec<Printed>> {
    let one = |address: &u64| {
        let mut frames = vec![];
        names.at_address(*address, &mut frames);
        if frames.is_empty() {
            frames.push(Frame::default());
        }
        frames.iter().rev().map(printed).collect()
    };
    addresses.iter().map(one).collect()
}

fn printed(frame: &Frame) -> Printed {
    Printed {
        function: frame.name.as_deref().unwrap_or("??").to_owned(),
        file: frame.file.as_deref().unwrap_or_default().to_owned(),
        line: frame.line,
    }
}

/// The addresses in the sections of code that binutils lists, every `step` bytes.
pub(crate) fn code_addresses(binary: &Path, step: usize) -> Vec<u64> {
    let output = Command::new("readelf").arg("-SW").arg(binary).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut addresses = vec![];
    for line in text.lines() {
        let line = line.replace(['[', ']'], " ");
        let fields: Vec<&str> = line.split_whitespace().collect();
        // Number, name, kind, address, offset, size, entry size, flags.
        if fields.len() > 7 && fields[2] == "PROGBITS" && fields[7].contains('X') {
            let number = |text: &str| u64::from_str_radix(text, 16).unwrap();
            let (begin, size) = (number(fields[3]), number(fields[5]));
            addresses.extend((begin..begin + size).step_by(step));
        }
    }
    assert!(!addresses.is_empty());
    addresses
}

pub(crate) fn names_of(files: impl Files + 'static, path: &str) -> Names {
    let files: Arc<dyn Files> = Arc::new(files);
    Names::open(&files, &Binary { path: path.to_owned(), build_id: None }).unwrap()
}

/// How many frames and inlined ones there are, so that no test compares nothing.
pub(crate) fn counted(all: &[Vec<Printed>]) -> (usize, usize) {
    let with_line = all.iter().filter(|frames| frames[0].line > 0).count();
    (with_line, all.iter().filter(|frames| frames.len() > 1).count())
}

/// Compares with binutils: lines and depths are the same everywhere, and so are functions and files but
/// for a few where binutils is wrong about one of the two.
#[track_caller]
pub(crate) fn check_against(oracle: &[Vec<Printed>], ours: &[Vec<Printed>]) {
    let mut differences = 0;
    for (ours, theirs) in ours.iter().zip(oracle) {
        if ours.len() == 1 && ours[0].function == "??" && theirs[0].file.is_empty() {
            continue;
        }
        assert_eq!(ours.len(), theirs.len(), "{ours:?}\n{theirs:?}");
        for (one, other) in ours.iter().zip(theirs) {
            assert_eq!(one.line, other.line, "{ours:?}\n{theirs:?}");
            let same_file = one.file == other.file || other.line == 0;
            let same_function = one.function == other.function;
            assert!(same_file || same_function, "{ours:?}\n{theirs:?}");
            differences += usize::from(!(same_file && same_function));
        }
    }
    assert!(differences * 10 < ours.len(), "{differences} of {}", ours.len());
    let (with_line, inlined) = counted(ours);
    assert!(with_line * 2 > ours.len() && inlined > 100, "{with_line}, {inlined}");
}
