//! The secret that a page's address carries.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use anyhow::{Result, anyhow};

/// Characters of a token: 128 bits.
const LENGTH: usize = 32;

/// A token that nobody knows.
pub(super) fn random() -> Result<String> {
    let mut bytes = [0u8; LENGTH / 2];
    getrandom::fill(&mut bytes).map_err(|error| anyhow!("no random token: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The token of a chosen port: the same as the last time, so that pages that are open go on where
/// they are. It is kept in a file that only the user can read; where that cannot be, every start
/// has another one.
pub(super) fn of_port(folder: Option<&Path>, port: u16) -> Result<String> {
    let Some(folder) = folder else { return random() };
    let file = folder.join(format!("port-{port}.token"));
    match read(&file) {
        Ok(Some(token)) => Ok(token),
        Ok(None) => {
            let token = random()?;
            // A folder that cannot be written costs no more than the pages that are open.
            let _ = write(folder, &file, &token);
            Ok(token)
        }
        Err(_) => random(),
    }
}

/// What is kept; none where nothing is, or nothing that could be a token of ours, or what others
/// might read.
fn read(file: &Path) -> io::Result<Option<String>> {
    let opened = match fs::File::open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    if !opened.metadata()?.is_file() || !is_private(&opened.metadata()?) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut text = String::new();
    opened.take(2 * LENGTH as u64).read_to_string(&mut text)?;
    let token = text.trim();
    let is_token = token.len() == LENGTH
        && token.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    Ok(is_token.then(|| token.to_owned()))
}

fn write(folder: &Path, file: &Path, token: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    writeln!(options.open(file)?, "{token}")
}

#[cfg(unix)]
fn is_private(file: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::mode(file) & 0o077 == 0
}

#[cfg(not(unix))]
fn is_private(_: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_keeps_its_token() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().join("hotframe");
        let first = of_port(Some(&folder), 8123).expect("a token");
        assert_eq!(first.len(), LENGTH);
        assert_eq!(of_port(Some(&folder), 8123).expect("a token"), first);
        assert_ne!(of_port(Some(&folder), 8124).expect("a token"), first);
        assert_ne!(of_port(None, 8123).expect("a token"), first);
    }

    #[test]
    fn what_is_no_token_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("port-8123.token");
        write(folder.path(), &file, "short").expect("written");
        let token = of_port(Some(folder.path()), 8123).expect("a token");
        assert_eq!(token.len(), LENGTH);
        assert_eq!(of_port(Some(folder.path()), 8123).expect("a token"), token);
    }

    #[cfg(unix)]
    #[test]
    fn what_others_can_read_is_no_secret() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let kept = of_port(Some(folder.path()), 8123).expect("a token");
        let file = folder.path().join("port-8123.token");
        assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("permitted");
        assert_ne!(of_port(Some(folder.path()), 8123).expect("a token"), kept);
    }
}
