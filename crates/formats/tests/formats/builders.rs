//! The data builders: the same example in every language writes the same profile, and what their
//! READMEs show works.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::measured::{folded, profile};
use formats::format_named;

fn builders() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../builders").canonicalize().unwrap()
}

/// A folder of its own below Cargo's folder for tests, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| {
        panic!("{command:?} does not start ({error}): `cargo xtask setup` installs what it needs")
    });
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {text}");
}

fn c_object(folder: &Path) -> PathBuf {
    let object = folder.join("hotframe.o");
    let source = builders().join("c/hotframe.c");
    let flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", "-o"];
    run(Command::new("cc").args(flags).arg(&object).arg(source));
    object
}

/// Compiles a programme in C or C++ with the builder and runs it in `folder`.
fn run_native(source: &Path, folder: &Path, arguments: &[&Path]) {
    let object = c_object(folder);
    let is_c = source.extension().unwrap() == "c";
    let (compiler, standard) = if is_c { ("cc", "-std=c99") } else { ("c++", "-std=c++17") };
    let programme = folder.join("programme");
    let mut compile = Command::new(compiler);
    compile.args([standard, "-Wall", "-Wextra", "-Werror", "-I"]).arg(builders().join("c"));
    compile.arg("-I").arg(builders().join("cpp")).arg("-o").arg(&programme).arg(source).arg(object);
    run(&mut compile);
    run(Command::new(programme).args(arguments).current_dir(folder));
}

fn python(script: &Path) -> Command {
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", builders().join("python/src")).env("PYTHONDONTWRITEBYTECODE", "1");
    python.arg(script);
    python
}

fn go(folder: &Path) -> Command {
    let root = std::env::var_os("HOTFRAME_GOROOT").map(PathBuf::from);
    let mut go = Command::new(root.as_ref().map_or("go".into(), |root| root.join("bin/go")));
    if let Some(root) = root {
        go.env("GOROOT", root);
    }
    go.env("GOTOOLCHAIN", "local").env("GOPROXY", "off").env("GOFLAGS", "-mod=mod");
    go.env("GOCACHE", folder.join("cache"));
    go
}

/// The first fenced block of a README.
fn readme(language: &str) -> String {
    let text = std::fs::read_to_string(builders().join(language).join("README.md")).unwrap();
    let (_, block) = text.split_once("```").unwrap();
    let (code, _) = block.split_once("```").unwrap();
    let code = code.split_once('\n').unwrap().1;
    assert!(code.lines().count() < 26, "the example of {language} is long");
    code.to_owned()
}

fn check_readme(folder: &Path) {
    let found = profile(std::fs::read(folder.join("example.hotframe")).unwrap());
    let stacks = folded(&found, 0);
    assert!(stacks.len() == 1 && stacks[0].starts_with("main;load "), "{stacks:?}");
    assert_eq!(found.points.len(), 3);
}

/// The bytes of a builder's file, and those of the same profile as we would write it.
fn written(path: &Path) -> (Vec<u8>, Vec<u8>) {
    let bytes = std::fs::read(path).unwrap();
    let mut canonical = vec![];
    format_named("hotframe").unwrap().write(&profile(&bytes), &mut canonical).unwrap();
    (bytes, canonical)
}

#[test]
fn the_examples_of_all_languages_write_the_same() {
    let folder = folder("builders");
    let path = |name: &str| folder.join(format!("{name}.hotframe"));
    run_native(&builders().join("c/example.c"), &folder, &[&path("c")]);
    run_native(&builders().join("cpp/example.cpp"), &folder, &[&path("cpp")]);
    run(python(&builders().join("python/example.py")).arg(path("python")));
    let example = ["run", "./example"];
    run(go(&folder).args(example).arg(path("go")).current_dir(builders().join("go")));
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let mut rust = Command::new(cargo);
    rust.args(["run", "--quiet", "--example", "builder", "--manifest-path"]).arg(manifest);
    run(rust.arg("--").arg(path("rust")));

    let (c, canonical) = written(&path("c"));
    for name in ["cpp", "python", "go"] {
        assert!(written(&path(name)).0 == c, "{name} writes other bytes than C");
    }
    // Our own writer orders blocks by table; in that order all are the same.
    assert!(written(&path("rust")).1 == canonical, "Rust writes another profile than C");
    let found = profile(&c);
    assert_eq!((found.metric_total(0).0, found.metric_total(1).0), (41_005, 9));
    assert_eq!((found.threads.len(), found.points.links(0).len()), (2, 3));
}

#[test]
fn the_readme_of_c_works() {
    let folder = folder("builders-c");
    std::fs::write(folder.join("example.c"), readme("c")).unwrap();
    run_native(&folder.join("example.c"), &folder, &[]);
    check_readme(&folder);
}

#[test]
fn the_readme_of_cpp_works() {
    let folder = folder("builders-cpp");
    std::fs::write(folder.join("example.cpp"), readme("cpp")).unwrap();
    run_native(&folder.join("example.cpp"), &folder, &[]);
    check_readme(&folder);
}

#[test]
fn the_readme_of_python_works() {
    let folder = folder("builders-python");
    std::fs::write(folder.join("example.py"), readme("python")).unwrap();
    run(python(&folder.join("example.py")).current_dir(&folder));
    check_readme(&folder);
}

#[test]
fn the_readme_of_go_works() {
    let folder = folder("builders-go");
    std::fs::write(folder.join("main.go"), readme("go")).unwrap();
    let module = format!(
        "module example\n\ngo 1.19\n\nrequire hotframe.dev/builder v0.0.0\n\n\
         replace hotframe.dev/builder => {}\n",
        builders().join("go").display()
    );
    std::fs::write(folder.join("go.mod"), module).unwrap();
    run(go(&folder).args(["run", "."]).current_dir(&folder));
    check_readme(&folder);
}

#[test]
fn many_points_are_written_in_blocks() {
    let folder = folder("builders-blocks");
    let script = "import hotframe\n\
        with hotframe.Profile('many.hotframe') as profile:\n\
        \x20   count = profile.metric('n', 'count')\n\
        \x20   for row in range(10_000):\n\
        \x20       frame = profile.frame(f'f{row % 700}')\n\
        \x20       context = profile.context(profile.context(None, frame), frame)\n\
        \x20       profile.point(context, {count: row}, {'row': str(row // 3)}, time_ns=None if row % 5 else row)\n";
    std::fs::write(folder.join("many.py"), script).unwrap();
    run(python(&folder.join("many.py")).current_dir(&folder));
    let found = profile(std::fs::read(folder.join("many.hotframe")).unwrap());
    assert_eq!(found.metric_total(0).0, (0..10_000).sum::<i64>());
    assert_eq!(found.contexts.len(), 1401);
    assert_eq!(found.label_sets.len(), 3335);
    assert_eq!((found.points.time(9995), found.points.time(9996)), (Some(9995), None));
}
