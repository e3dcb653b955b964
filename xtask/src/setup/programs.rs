//! Programs of the system's packages.

use super::debian::{self, Program};
use crate::command;

/// What libFuzzer and the C++ builder need.
pub(super) const CPP_COMPILER: Program =
    Program { title: "A C++ compiler", names: &["c++", "g++", "clang++"], packages: &["g++"] };
/// Builds and installs the packages of the builders for C and C++.
pub(super) const CMAKE: Program =
    Program { title: "CMake", names: &["cmake"], packages: &["cmake"] };
/// Finds what they installed.
pub(super) const PKG_CONFIG: Program =
    Program { title: "pkg-config", names: &["pkg-config"], packages: &["pkg-config"] };
/// Records accesses and counts misses that tests compare with.
pub(super) const VALGRIND: Program =
    Program { title: "valgrind", names: &["valgrind"], packages: &["valgrind"] };
/// Isolates programs.
pub(super) const BUBBLEWRAP: Program =
    Program { title: "bwrap", names: &["bwrap"], packages: &["bubblewrap"] };
/// Linux' perf.
pub(super) const PERF: Program =
    Program { title: "perf", names: &["perf"], packages: &["linux-perf"] };
/// An editor for the tests of the language server.
pub(super) const NEOVIM: Program =
    Program { title: "Neovim", names: &["nvim"], packages: &["neovim"] };
/// The browser that the UI tests drive.
pub(super) const CHROMIUM: Program = Program {
    title: "Chromium",
    // The shell has no windows of its own to draw, and takes two thirds of the time.
    names: &[
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome-stable",
        "google-chrome",
    ],
    packages: &["chromium-headless-shell"],
};

/// Finds or installs clang and opt of LLVM 14, with Polly, which export loops of C.
pub(super) fn polly() -> anyhow::Result<()> {
    let has = |version: &str| {
        let tools = ["clang", "opt"].map(|tool| format!("{tool}{version}"));
        tools.iter().all(|tool| command::installed(&[tool]).is_some())
    };
    if has("-14") || has("") {
        return Ok(());
    }
    debian::install("clang", &["clang-14", "llvm-14"])
}

/// Finds or installs a C++ compiler, which libFuzzer and the C++ builder need.
pub(crate) fn cpp_compiler() -> anyhow::Result<()> {
    debian::programs(&[&CPP_COMPILER])
}
