//! Instructions of binaries, from the disassembler of this machine.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::ops::Range;
use std::os::unix::process::CommandExt as _;
use std::path::{self, Path};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal};
use session::{Instruction, NoInstructions, visible};

/// Longest that it may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// Bytes of what it prints; a megabyte of code makes about twenty.
const MOST_BYTES: u64 = 64 << 20;
/// Programs that print instructions alike; the variable `OBJDUMP` names another one.
const PROGRAMS: [&str; 2] = ["objdump", "llvm-objdump"];

/// The instructions of a file from an address to before another one.
pub(crate) fn instructions(
    file: &Path,
    code: Range<u64>,
) -> Result<Vec<Instruction>, NoInstructions> {
    let chosen = std::env::var_os("OBJDUMP").filter(|program| !program.is_empty());
    let programs: Vec<OsString> = match chosen {
        Some(program) => vec![program],
        None => PROGRAMS.map(OsString::from).to_vec(),
    };
    for program in &programs {
        match printed(program, file, &code, PATIENCE) {
            Err(Failed::Missing) => {}
            Err(Failed::Told(why)) => return Err(NoInstructions { why, is_final: false }),
            Err(Failed::Late(why)) => return Err(NoInstructions { why, is_final: true }),
            Ok(text) => return Ok(text.lines().filter_map(instruction).collect()),
        }
    }
    let names: Vec<_> = programs.iter().map(|name| name.to_string_lossy()).collect();
    let names = visible(&names.join(" or ")).into_owned();
    let why = format!("there is no {names} here: install binutils, or name one by OBJDUMP");
    Err(NoInstructions { why, is_final: true })
}

enum Failed {
    /// There is no such program.
    Missing,
    /// It took too long.
    Late(String),
    Told(String),
}

fn printed(
    program: &OsString,
    file: &Path,
    code: &Range<u64>,
    patience: Duration,
) -> Result<String, Failed> {
    let name = visible(&program.to_string_lossy()).into_owned();
    let failed = |error: io::Error| Failed::Told(format!("{name} failed: {error}"));
    // A name that begins like an option is none.
    let file = path::absolute(file).map_err(failed)?;
    let mut process = Command::new(program)
        .args(["--disassemble", "--demangle", "--no-show-raw-insn", "--wide"])
        .arg(format!("--start-address={:#x}", code.start))
        .arg(format!("--stop-address={:#x}", code.end))
        .arg(file)
        .process_group(0)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Failed::Missing,
            _ => failed(error),
        })?;
    let out = process.stdout.take().expect("it is a pipe");
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = vec![];
        let result = out.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        // Nobody listens any more where it took too long.
        let _ = sender.send(result.map(|_| bytes));
    });
    let bytes = match receiver.recv_timeout(patience) {
        Ok(Ok(bytes)) if bytes.len() as u64 <= MOST_BYTES => Ok(bytes),
        Ok(Ok(_)) => {
            Err(Failed::Told(format!("{name} printed more than {} MiB", MOST_BYTES >> 20)))
        }
        Ok(Err(error)) => Err(failed(error)),
        Err(_) => Err(Failed::Late(format!("{name} took more than {} s", patience.as_secs_f64()))),
    };
    if bytes.is_err() {
        // With what it has started; it may have ended meanwhile.
        let group = Pid::from_child(&process);
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
        let _ = process.kill();
    }
    let ended = process.wait().map_err(failed)?;
    let bytes = bytes?;
    if !ended.success() {
        return Err(Failed::Told(format!("{name} cannot read the binary ({ended})")));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A line such as `401126: push %rbp` with a tab behind the colon; labels and the rest are not instructions.
fn instruction(line: &str) -> Option<Instruction> {
    let (address, text) = line.trim_start().split_once(':')?;
    if !text.contains('\t') || text.contains("file format") {
        return None;
    }
    let address = u64::from_str_radix(address, 16).ok()?;
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| Instruction { address, text: words.join(" ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told of a program that is written like this.
    fn warnings_for(script: &str) -> String {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("objdump");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let patience = Duration::from_millis(500);
        match printed(&program.into(), Path::new("a.out"), &(1..2), patience) {
            Ok(text) => text,
            Err(Failed::Told(why) | Failed::Late(why)) => {
                why.split_once("objdump ").unwrap().1.to_owned()
            }
            Err(Failed::Missing) => "missing".to_owned(),
        }
    }

    #[test]
    fn reports_programs_that_hang_fail_or_are_missing() {
        assert_eq!(warnings_for("exec sleep 600"), "took more than 0.5 s");
        assert_eq!(warnings_for("exit 1"), "cannot read the binary (exit status: 1)");
        assert_eq!(warnings_for("echo $5").trim(), "--start-address=0x1");
        let nowhere = printed(&"/nowhere/objdump".into(), Path::new("a"), &(1..2), PATIENCE);
        assert!(matches!(nowhere, Err(Failed::Missing)));
    }

    #[test]
    fn lines_of_instructions_are_distinguished_from_others() {
        let read = |line| instruction(line).map(|one| (one.address, one.text));
        assert_eq!(read("  401126:\tpush   %rbp"), Some((0x40_1126, "push %rbp".to_owned())));
        let of_kernel = read("ffffffff81000000:\tnop");
        assert_eq!(of_kernel, Some((0xffff_ffff_8100_0000, "nop".to_owned())));
        assert_eq!(read("    1139:      \tretq"), Some((0x1139, "retq".to_owned())));
        for other in ["0000000000401126 <main>:", "add:     file format elf64-x86-64", "", "\t..."]
        {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
