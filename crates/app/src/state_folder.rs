//! Where the program keeps what it remembers from one run to the next.

use std::ffi::OsString;
use std::path::PathBuf;

/// Hotframe's folder among those that the system's custom has for state; `variable` gives the
/// environment's. None where the user has no such folder.
pub(crate) fn state_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name| {
        let folder = PathBuf::from(variable(name)?);
        folder.is_absolute().then_some(folder)
    };
    let home = || absolute("HOME");
    let folder = if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        absolute("XDG_STATE_HOME").or_else(|| home().map(|home| home.join(".local/state")))
    };
    Some(folder?.join("hotframe"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_folder_is_where_state_is() {
        let of = |known: &[(&str, &str)]| {
            let find = |name: &str| known.iter().find(|(key, _)| *key == name);
            state_folder(|name| find(name).map(|(_, value)| OsString::from(*value)))
        };
        let path = |text| Some(PathBuf::from(text));
        assert_eq!(of(&[("XDG_STATE_HOME", "/s"), ("HOME", "/h")]), path("/s/hotframe"));
        let home = of(&[("XDG_STATE_HOME", "relative"), ("HOME", "/h")]);
        assert_eq!(home, path("/h/.local/state/hotframe"));
        assert_eq!(of(&[]), None);
    }
}
