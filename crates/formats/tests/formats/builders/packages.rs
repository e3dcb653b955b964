//! The builders as packages: what compilers, CMake, pkg-config and registries need of them.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::examples::readme;
use super::folder;
use super::languages::{builders, language, run};
use crate::measured::{folded, profile};
use profile::MetricId;

/// The warnings under which the builder for C compiles, in every language that it is.
const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// Runs a program that writes `example.hotframe` into the folder, as those of the READMEs do, and reads it.
fn check_program(program: &mut Command, folder: &Path) {
    let file = folder.join("example.hotframe");
    drop(std::fs::remove_file(&file));
    run(program.current_dir(folder), "");
    let found = profile(std::fs::read(file).unwrap());
    let stacks = folded(&found, MetricId(0));
    assert!(stacks.len() == 1 && stacks[0].starts_with("main;load "), "{stacks:?}");
    assert_eq!(found.points.len(), 3);
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

#[test]
fn the_builder_for_c_is_c_and_cpp_without_warnings() {
    let folder = folder("builders-strict");
    let source = builders().join("c/hotframe.c");
    let mut compilers = vec![("cc", "c++")];
    if is_installed("clang") && is_installed("clang++") {
        compilers.push(("clang", "clang++"));
    }
    for (c, cpp) in compilers {
        let c = ["-std=c99", "-std=c11"].map(|standard| (c, vec![standard]));
        let cpp = ["-std=c++11", "-std=c++17", "-std=c++20"]
            .map(|standard| (cpp, vec!["-x", "c++", standard]));
        for (compiler, language) in c.into_iter().chain(cpp) {
            let mut compile = Command::new(compiler);
            compile.args(STRICT).args(language).arg("-c").arg(&source).args(["-o", "builder.o"]);
            run(compile.current_dir(&folder), "");
        }
    }
    // The last one was compiled as C++, and programs in C call it.
    std::fs::write(folder.join("program.c"), readme(language("c"))).unwrap();
    let own = format!("-I{}", builders().join("c").display());
    run(Command::new("cc").args([&own, "-c", "program.c"]).current_dir(&folder), "");
    let link = ["program.o", "builder.o", "-o", "program"];
    run(Command::new("c++").args(link).current_dir(&folder), "");
    check_program(&mut Command::new(folder.join("program")), &folder);
}

/// Builds and installs the packages for C++, which have those for C, into a folder that is then moved.
fn installed(folder: &Path, options: &[&str]) -> PathBuf {
    let [build, first, prefix] = ["build", "first", "prefix"].map(|name| folder.join(name));
    let mut configure = cmake();
    configure.arg("-S").arg(builders().join("cpp")).arg("-B").arg(&build).args(options);
    run(&mut configure, "");
    run(cmake().arg("--build").arg(&build), "");
    run(cmake().arg("--install").arg(&build).arg("--prefix").arg(&first), "");
    std::fs::rename(first, &prefix).unwrap();
    std::fs::remove_dir_all(build).unwrap();
    prefix
}

fn cmake() -> Command {
    let mut cmake = Command::new("cmake");
    // What people have set for their own builds.
    for variable in ["CMAKE_PREFIX_PATH", "CMAKE_GENERATOR", "CMAKE_TOOLCHAIN_FILE", "DESTDIR"] {
        cmake.env_remove(variable);
    }
    cmake
}

/// Builds the programs of the READMEs with CMake, which gets the targets by `targets`, and runs them.
fn check_cmake(folder: &Path, targets: &str, options: &[String]) {
    let programs = folder.join("programs");
    drop(std::fs::remove_dir_all(&programs));
    std::fs::create_dir(&programs).unwrap();
    for name in ["c", "cpp"] {
        std::fs::write(programs.join(format!("program.{name}")), readme(language(name))).unwrap();
    }
    let lists = format!(
        "cmake_minimum_required(VERSION 3.15)\nproject(programs C CXX)\n{targets}\n\
         add_executable(program_c program.c)\n\
         target_link_libraries(program_c PRIVATE hotframe::builder)\n\
         add_executable(program_cpp program.cpp)\n\
         target_link_libraries(program_cpp PRIVATE hotframe::builder_cpp)\n"
    );
    std::fs::write(programs.join("CMakeLists.txt"), lists).unwrap();
    let build = programs.join("build");
    run(cmake().args(options).arg("-S").arg(&programs).arg("-B").arg(&build), "");
    run(cmake().arg("--build").arg(&build), "");
    for program in ["program_c", "program_cpp"] {
        check_program(&mut Command::new(build.join(program)), &programs);
    }
}

/// The files below a folder.
fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.map(|path| if path.is_dir() { files_of(&path) } else { vec![path] });
    files.flatten().collect()
}

#[test]
fn cmake_finds_what_it_installed() {
    for (name, options) in [("static", &[][..]), ("shared", &["-DBUILD_SHARED_LIBS=ON"][..])] {
        let folder = folder(&format!("builders-cmake-{name}"));
        let prefix = installed(&folder, options);
        // Folders of the machine that built it say nothing elsewhere.
        for file in files_of(&prefix) {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            for own in [folder.parent().unwrap().to_owned(), builders()] {
                assert!(!text.contains(own.to_str().unwrap()), "{}", file.display());
            }
        }
        let version = env!("CARGO_PKG_VERSION");
        let targets = format!("find_package(HotframeBuilderCpp {version} REQUIRED)");
        check_cmake(&folder, &targets, &[format!("-DCMAKE_PREFIX_PATH={}", prefix.display())]);
    }
}

#[test]
fn cmake_builds_them_with_the_program() {
    let folder = folder("builders-cmake-sources");
    let sources = builders().join("cpp");
    let added = format!("add_subdirectory(\"{}\" builder)", sources.display());
    check_cmake(&folder, &added, &[]);
    let fetched = format!(
        "include(FetchContent)\n\
         FetchContent_Declare(hotframe SOURCE_DIR \"{}\" SOURCE_SUBDIR builders/cpp)\n\
         FetchContent_MakeAvailable(hotframe)",
        builders().parent().unwrap().display()
    );
    check_cmake(&folder, &fetched, &[]);
}

#[test]
fn pkg_config_finds_them() {
    let folder = folder("builders-pkg-config");
    let prefix = installed(&folder, &["-DCMAKE_INSTALL_LIBDIR=lib/here"]);
    for (name, compiler, package) in
        [("c", "cc", "hotframe-builder"), ("cpp", "c++", "hotframe-builder-cpp")]
    {
        let source = format!("program.{name}");
        std::fs::write(folder.join(&source), readme(language(name))).unwrap();
        let pkg_config = |program: &str| {
            let mut command = Command::new(program);
            command.env("PKG_CONFIG_PATH", prefix.join("lib/here/pkgconfig")).current_dir(&folder);
            command
        };
        let version = run(pkg_config("pkg-config").args(["--modversion", package]), "");
        assert_eq!(version.trim(), env!("CARGO_PKG_VERSION"));
        // The flags are written for a shell: spaces of paths have a backslash.
        let compile = format!(
            "eval \"{compiler} {source} -o program $(pkg-config --cflags --libs {package})\""
        );
        run(pkg_config("sh").args(["-c", &compile]), "");
        check_program(&mut Command::new(folder.join("program")), &folder);
    }
}

#[test]
fn every_package_has_the_version_of_the_program() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, text) in [
        ("c/CMakeLists.txt", format!("VERSION {version} ")),
        ("cpp/CMakeLists.txt", format!("VERSION {version} ")),
        ("javascript/package.json", format!("\"version\": \"{version}\"")),
        ("README.md", format!("builders/go@v{version}`")),
        ("go/README.md", format!("builders/go@v{version}\n")),
        ("c/README.md", format!("/v{version}.tar.gz")),
    ] {
        let found = std::fs::read_to_string(builders().join(file)).unwrap();
        assert!(found.contains(&text), "{file} does not say: {text}");
    }
}

#[test]
fn every_package_has_the_licences() {
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let text = std::fs::read(builders().join("..").join(name)).unwrap();
        for package in ["go", "javascript", "rust"] {
            let file = builders().join(package).join(name);
            let found = std::fs::read(&file).unwrap();
            assert!(found == text, "{} is another text than {name}", file.display());
        }
    }
}

#[test]
fn the_package_for_rust_has_only_what_programs_need() {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut list = Command::new(cargo);
    list.args(["package", "--list", "--allow-dirty", "--offline", "-p", "hotframe-builder"]);
    let files = run(list.current_dir(builders()), "");
    let made = [".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml.orig"];
    let own: Vec<&str> = files.lines().filter(|file| !made.contains(file)).collect();
    let licences = ["LICENSE-APACHE", "LICENSE-MIT"];
    let sources = ["README.md", "examples/example.rs", "src/lib.rs", "src/wire.rs"];
    assert_eq!(own, [&["Cargo.toml"][..], &licences, &sources].concat());
}
