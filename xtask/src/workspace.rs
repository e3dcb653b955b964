//! Where things are in this repository.

use std::path::{Path, PathBuf};

/// The folder that holds the workspace's Cargo.toml.
pub(crate) fn root() -> &'static Path {
    let own_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    own_folder.parent().unwrap_or(own_folder)
}

/// The folder for everything that is built or generated and not kept.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The version of the program and of all packages.
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// This machine as Node.js and VS Code name it: `linux-x64`, `darwin-arm64`.
pub(crate) fn platform() -> String {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let processor = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{system}-{processor}")
}
