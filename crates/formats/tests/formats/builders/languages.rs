//! How programs in each language are built and run with its builder, as it is vendored: its
//! files beside theirs, without a package manager.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A language that has a builder, by its folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Language {
    pub(super) name: &'static str,
    /// The ending of its sources.
    pub(super) ending: &'static str,
}

const fn with_ending(name: &'static str, ending: &'static str) -> Language {
    Language { name, ending }
}

pub(super) const LANGUAGES: [Language; 6] = [
    with_ending("c", "c"),
    with_ending("cpp", "cpp"),
    with_ending("python", "py"),
    with_ending("go", "go"),
    with_ending("rust", "rs"),
    with_ending("javascript", "mjs"),
];

/// What programs import of the builder for Go.
const GO_MODULE: &str = "github.com/hotframe/hotframe/builders/go";

/// The language with this name.
pub(super) fn language(name: &str) -> Language {
    LANGUAGES.into_iter().find(|language| language.name == name).unwrap()
}

/// The folder of all builders.
pub(super) fn builders() -> PathBuf {
    samples::testdata("../builders").canonicalize().unwrap()
}

/// Runs a command to its end, with `input`, and gives what it prints.
pub(super) fn run(command: &mut Command, input: &str) -> String {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| {
        panic!("{command:?} does not start ({error}): `cargo xtask setup` installs what it needs")
    });
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    drop(writer.join());
    let [text, errors] = [output.stdout, output.stderr].map(|b| String::from_utf8(b).unwrap());
    assert!(output.status.success(), "{command:?} failed: {errors}{text}");
    text
}

impl Language {
    pub(super) fn folder(self) -> PathBuf {
        builders().join(if self.name == "python" { "../python" } else { self.name })
    }

    /// Puts a program and its builder into `folder`, compiles it, and gives the command that
    /// runs it there.
    pub(super) fn program(self, source: &str, folder: &Path) -> Command {
        let program = folder.join(format!("program.{}", self.ending));
        let binary = folder.join("program");
        let copy = |from: &str, to: &str| {
            std::fs::create_dir_all(folder.join(to).parent().unwrap()).unwrap();
            std::fs::copy(builders().join(from), folder.join(to)).unwrap();
        };
        std::fs::write(&program, source).unwrap();
        let mut command = match self.name {
            "c" | "cpp" => {
                copy("c/hotframe.h", "hotframe.h");
                copy("c/hotframe.c", "hotframe.c");
                copy("cpp/hotframe.hpp", "hotframe.hpp");
                compile("cc", &["-std=c99", "-Wpedantic", "-c", "hotframe.c"], folder);
                let (compiler, standard) =
                    if self.name == "c" { ("cc", "-std=c99") } else { ("c++", "-std=c++17") };
                let source = format!("program.{}", self.ending);
                compile(compiler, &[standard, "-o", "program", &source, "hotframe.o"], folder);
                Command::new(binary)
            }
            "rust" => {
                copy("rust/src/lib.rs", "hotframe_builder/lib.rs");
                copy("rust/src/wire.rs", "hotframe_builder/wire.rs");
                let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
                let rustc = |arguments: &[&str]| {
                    let edition = ["--edition", "2021", "-D", "warnings", "-O"];
                    run(Command::new(&rustc).args(edition).args(arguments).current_dir(folder), "");
                };
                let library = ["--crate-type", "lib", "hotframe_builder/lib.rs", "-o"];
                rustc(&[&library[..], &["libhotframe_builder.rlib"]].concat());
                let with = ["--extern", "hotframe_builder=libhotframe_builder.rlib"];
                rustc(&[&with[..], &["program.rs", "-o", "program"]].concat());
                Command::new(binary)
            }
            "go" => {
                copy("go/hotframe.go", "builder/hotframe.go");
                copy("go/go.mod", "builder/go.mod");
                let module = format!(
                    "module program\n\ngo 1.19\n\nrequire {GO_MODULE} v0.0.0\n\n\
                     replace {GO_MODULE} => ./builder\n"
                );
                std::fs::write(folder.join("go.mod"), module).unwrap();
                run(go().args(["build", "-o", "program", "program.go"]).current_dir(folder), "");
                Command::new(binary)
            }
            "python" => {
                let [from, to] = ["../python/src/hotframe", "hotframe"];
                let files = std::fs::read_dir(builders().join(from)).unwrap();
                for file in files.map(|file| file.unwrap().path()).filter(|file| file.is_file()) {
                    let name = file.file_name().unwrap().to_str().unwrap();
                    copy(&format!("{from}/{name}"), &format!("{to}/{name}"));
                }
                let mut python = Command::new("python3");
                python.env("PYTHONDONTWRITEBYTECODE", "1").arg(program);
                python
            }
            _ => {
                copy("javascript/hotframe.mjs", "hotframe.mjs");
                copy("javascript/hotframe.d.mts", "hotframe.d.mts");
                let mut node = Command::new("node");
                node.arg(program);
                node
            }
        };
        command.current_dir(folder);
        command
    }

    /// The command of a file of the repository.
    pub(super) fn program_of(self, file: &str, folder: &Path) -> Command {
        let text = std::fs::read_to_string(builders().join(file)).unwrap();
        // In the repository the builder for JavaScript stands in another folder.
        let text = text.replace("\"../javascript/hotframe.mjs\"", "\"./hotframe.mjs\"");
        self.program(&text, folder)
    }
}

fn compile(compiler: &str, arguments: &[&str], folder: &Path) {
    let strict = ["-Wall", "-Wextra", "-Werror", "-O1"];
    run(Command::new(compiler).args(strict).args(arguments).current_dir(folder), "");
}

fn go() -> Command {
    let root = std::env::var_os("HOTFRAME_GOROOT").map(PathBuf::from);
    let mut go = Command::new(root.as_ref().map_or("go".into(), |root| root.join("bin/go")));
    if let Some(root) = root {
        go.env("GOROOT", root);
    }
    go.env("GOTOOLCHAIN", "local").env("GOPROXY", "off").env("GOFLAGS", "-mod=mod");
    if std::env::var_os("GOCACHE").is_none() {
        go.env("GOCACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-cache"));
    }
    go
}

/// Runs a tool that `cargo xtask setup` installs and names in `variable`.
pub(super) fn tool(variable: &str, name: &str) -> Command {
    Command::new(std::env::var_os(variable).unwrap_or_else(|| OsStr::new(name).to_owned()))
}
