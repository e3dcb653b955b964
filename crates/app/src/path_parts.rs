//! Paths of any system, taken apart: profiles come from other machines.

use crate::addresses::{has_drive, path_of_uri};

/// A path, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Parts {
    /// Components; a drive is one.
    parts: Vec<String>,
    is_absolute: bool,
    is_windows: bool,
}

impl Parts {
    /// Takes apart a path of any system, or a `file://` address as some profiles have them.
    pub(crate) fn new(path: &str) -> Parts {
        if let Some(decoded) = path_of_uri(path) {
            return Parts::of_path(&decoded);
        }
        Parts::of_path(path)
    }

    fn of_path(path: &str) -> Parts {
        let unrooted = path.strip_prefix('/').unwrap_or(path);
        let drive = has_drive(unrooted);
        let is_windows = drive || (path.contains('\\') && !path.contains('/'));
        let separates = |c: char| c == '/' || (is_windows && c == '\\');
        let mut parts: Vec<String> = vec![];
        for part in path.split(separates) {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part.to_owned()),
            }
        }
        Parts { parts, is_absolute: drive || path.starts_with(separates), is_windows }
    }

    /// How many components there are.
    pub(crate) fn count(&self) -> usize {
        self.parts.len()
    }

    /// The last component in small letters.
    pub(crate) fn name(&self) -> Option<String> {
        self.parts.last().map(|name| name.to_lowercase())
    }

    /// How many components two paths share at their ends.
    pub(crate) fn shared_end(&self, other: &Parts) -> usize {
        let ignores_case = self.is_windows || other.is_windows;
        let pairs = self.parts.iter().rev().zip(other.parts.iter().rev());
        pairs.take_while(|(a, b)| same(a, b, ignores_case)).count()
    }

    /// Whether both are one path.
    pub(crate) fn is(&self, other: &Parts) -> bool {
        self.is_absolute == other.is_absolute
            && self.parts.len() == other.parts.len()
            && self.shared_end(other) == self.parts.len()
    }

    /// The path with another beginning, if it begins so.
    pub(crate) fn moved(&self, from: &Parts, to: &Parts) -> Option<Parts> {
        let ignores_case = self.is_windows || from.is_windows;
        let begins = self.is_absolute == from.is_absolute
            && self.parts.len() >= from.parts.len()
            && self.parts.iter().zip(&from.parts).all(|(a, b)| same(a, b, ignores_case));
        begins.then(|| Parts {
            parts: [&to.parts, &self.parts[from.parts.len()..]].concat(),
            is_absolute: to.is_absolute,
            is_windows: to.is_windows,
        })
    }

    /// The path as text, with slashes.
    pub(crate) fn text(&self) -> String {
        let root = if self.is_absolute && !self.is_windows { "/" } else { "" };
        format!("{root}{}", self.parts.join("/"))
    }

    /// How paths begin here that begin so in a profile, if this file of a profile is `here`: both
    /// without what their ends share. None where nothing would be left of the beginning.
    pub(crate) fn rule(&self, here: &Parts) -> Option<(Parts, Parts)> {
        let shared = self.shared_end(here);
        let begin = |parts: &Parts| Parts {
            parts: parts.parts[..parts.parts.len() - shared].to_vec(),
            ..parts.clone()
        };
        let (from, to) = (begin(self), begin(here));
        (shared > 0 && !from.parts.is_empty()).then_some((from, to))
    }

    /// Whether it begins at the root.
    pub(crate) fn is_absolute(&self) -> bool {
        self.is_absolute
    }

    /// The ends of the path, longest first.
    pub(crate) fn ends(&self) -> impl Iterator<Item = String> {
        (0..self.parts.len()).map(|start| self.parts[start..].join("/"))
    }
}

fn same(a: &str, b: &str, ignores_case: bool) -> bool {
    a == b || (ignores_case && a.to_lowercase() == b.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backslash_may_be_part_of_a_name() {
        assert_eq!(Parts::new(r"/home/a\b").parts, ["home", r"a\b"]);
        assert_eq!(Parts::new(r"C:\a\b").parts, ["C:", "a", "b"]);
    }

    #[test]
    fn addresses_are_paths() {
        assert_eq!(Parts::new("file:///home/a%20b.js").text(), "/home/a b.js");
    }

    #[test]
    fn nothing_leads_upwards() {
        assert_eq!(Parts::new("../../etc/passwd").text(), "etc/passwd");
        assert_eq!(Parts::new("/a/../../b/./c").text(), "/b/c");
        assert_eq!(Parts::new("file:///a/%2e%2e/b").text(), "/b");
    }
}
