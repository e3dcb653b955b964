//! Links of the documentation that lead nowhere.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use super::finding::Finding;

/// Checks the relative links of Markdown files, given with their texts. `exists` tells whether there is such a file
/// or folder.
pub(super) fn check(texts: &[(PathBuf, String)], exists: impl Fn(&Path) -> bool) -> Vec<Finding> {
    let anchors: HashMap<&Path, Vec<String>> =
        texts.iter().map(|(file, text)| (&**file, headings(text))).collect();
    let mut findings = vec![];
    for (file, text) in texts {
        for (line, link) in links(text) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => file.clone(),
                path => resolved(&file.parent().unwrap_or(Path::new("")).join(path)),
            };
            let has_anchor = anchor.is_empty()
                || anchors.get(&*target).is_none_or(|known| known.iter().any(|one| one == anchor));
            if !exists(&target) || !has_anchor {
                let message = format!("the link {link} leads nowhere");
                findings.push(Finding { file: file.clone(), line, message });
            }
        }
    }
    findings
}

/// Relative links with their lines, those in code left out.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = vec![];
    let mut is_code = false;
    for (line, number) in text.lines().zip(1..) {
        is_code ^= line.trim_start().starts_with("```");
        if is_code {
            continue;
        }
        for (at, _) in line.match_indices("](") {
            let is_in_code = line[..at].matches('`').count() % 2 == 1;
            let target = line[at + 2..].split([')', ' ']).next().unwrap_or_default();
            if !is_in_code && !target.contains("://") && !target.starts_with("mailto:") {
                found.push((number, target));
            }
        }
    }
    found
}

/// The anchors of the headings, as GitHub makes them.
fn headings(text: &str) -> Vec<String> {
    let heads = text.lines().filter(|line| line.starts_with('#'));
    heads
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || ['-', '_', ' '].contains(c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// A path without `..`.
fn resolved(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                found.pop();
            }
            Component::CurDir => {}
            part => found.push(part),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let texts = [
            (PathBuf::from("docs/a.md"), text.to_owned()),
            (PathBuf::from("docs/b.md"), "# One `two`: three\n".to_owned()),
        ];
        let exists =
            |path: &Path| ["docs/a.md", "docs/b.md", "README.md"].map(Path::new).contains(&path);
        check(&texts, exists).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn links_to_files_and_headings_pass() {
        assert_eq!(
            found("[b](b.md) [r](../README.md) [t](b.md#one-two-three) [w](https://x.y)"),
            [""; 0]
        );
        assert_eq!(found("`[x](gone.md)`\n```text\n[y](gone.md)\n```"), [""; 0]);
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        assert_eq!(found("a\n[c](c.md)"), ["docs/a.md:2: the link c.md leads nowhere"]);
        assert_eq!(found("[b](b.md#four)").len(), 1);
        assert_eq!(found("[self](#nothing)").len(), 1);
    }
}
