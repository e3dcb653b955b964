//! Kinds of machines that packages are for.

use anyhow::bail;

use crate::workspace;

/// One kind of machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Platform {
    /// As `vsce` and Node.js name it.
    pub(super) node: &'static str,
    /// As `rustup` names it.
    pub(super) rust: &'static str,
}

/// Those that VS Code runs on.
pub(super) const PLATFORMS: [Platform; 8] = [
    Platform { node: "linux-x64", rust: "x86_64-unknown-linux-gnu" },
    Platform { node: "linux-arm64", rust: "aarch64-unknown-linux-gnu" },
    Platform { node: "linux-armhf", rust: "armv7-unknown-linux-gnueabihf" },
    Platform { node: "alpine-x64", rust: "x86_64-unknown-linux-musl" },
    Platform { node: "darwin-x64", rust: "x86_64-apple-darwin" },
    Platform { node: "darwin-arm64", rust: "aarch64-apple-darwin" },
    Platform { node: "win32-x64", rust: "x86_64-pc-windows-msvc" },
    Platform { node: "win32-arm64", rust: "aarch64-pc-windows-msvc" },
];

impl Platform {
    /// Whether its programs are ELF files.
    pub(super) fn is_linux(self) -> bool {
        self.rust.contains("linux")
    }

    /// The processor, as Debian names it; none where Debian has no packages of ours.
    pub(super) fn debian(self) -> Option<&'static str> {
        match self.node {
            "linux-x64" => Some("amd64"),
            "linux-arm64" => Some("arm64"),
            _ => None,
        }
    }

    /// The processor, as `uname -m` says.
    pub(super) fn machine(self) -> &'static str {
        self.rust.split('-').next().unwrap_or(self.rust)
    }
}

/// The kind of a target, or of this machine.
pub(super) fn platform(target: Option<&str>) -> anyhow::Result<Platform> {
    let own = workspace::platform();
    let found = PLATFORMS.into_iter().find(|platform| match target {
        Some(target) => platform.rust == target,
        None => platform.node == own,
    });
    let Some(platform) = found else {
        let known: Vec<_> = PLATFORMS.iter().map(|platform| platform.rust).collect();
        bail!(
            "VS Code has no name for {}: it runs on {}",
            target.unwrap_or(&own),
            known.join(", ")
        );
    };
    Ok(platform)
}

#[cfg(test)]
mod tests {
    use super::platform;

    #[test]
    fn targets_have_names_of_node() {
        let name = |target| platform(Some(target)).map(|platform| platform.node).ok();
        assert_eq!(name("aarch64-apple-darwin"), Some("darwin-arm64"));
        assert_eq!(name("x86_64-pc-windows-msvc"), Some("win32-x64"));
        assert_eq!(name("wasm32-unknown-unknown"), None);
    }

    #[test]
    fn this_machine_is_one_of_them() {
        assert!(platform(None).is_ok());
    }
}
