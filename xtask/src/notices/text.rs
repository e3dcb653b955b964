//! Notices as people read them: the packages, then each text once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::package::{Package, Text};

const RULE: &str = "----------------------------------------------------------------------";

/// All packages, and their texts. Texts that say the same are one, with who has it; whose copyright it
/// is stands there, where that differs.
pub(super) fn text(packages: &BTreeSet<Package>) -> String {
    let mut out =
        "Third-party notices\n\nHotframe itself may be used under the MIT licence or the Apache \
                   licence 2.0. It has these packages of others inside:\n\n"
            .to_owned();
    for Package { name, version, license, repository, .. } in packages {
        let _ = writeln!(out, "{name} {version}  {license}  {repository}");
    }
    let mut same: BTreeMap<String, Vec<Use<'_>>> = BTreeMap::new();
    for package in packages {
        for text in &package.texts {
            same.entry(words(&text.text)).or_default().push(Use { package, text });
        }
    }
    let mut groups: Vec<_> = same.into_values().collect();
    // What most packages have comes first.
    groups.sort_by_key(|uses| std::cmp::Reverse(uses.len()));
    for uses in groups {
        let _ = writeln!(out, "\n{RULE}");
        group(&mut out, &uses);
    }
    out
}

/// A text of a package.
struct Use<'a> {
    package: &'a Package,
    text: &'a Text,
}

fn group(out: &mut String, uses: &[Use<'_>]) {
    let owners: BTreeSet<_> = uses.iter().map(|one| copyrights(&one.text.text)).collect();
    for Use { package: Package { name, version, .. }, text } in uses {
        let _ = writeln!(out, "{name} {version}: {}", text.from);
        if owners.len() > 1 {
            copyrights(&text.text).iter().for_each(|line| {
                let _ = writeln!(out, "    {line}");
            });
        }
    }
    out.push('\n');
    let Some(Use { text, .. }) = uses.first() else { return };
    for line in text.text.trim().lines() {
        if owners.len() == 1 || !is_copyright(line) {
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
}

/// What two texts must have in common to be one: line breaks and owners may differ.
fn words(text: &str) -> String {
    let lines = text.lines().filter(|line| !is_copyright(line));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// Whose work it is, but for blanks that nobody filled in.
fn copyrights(text: &str) -> Vec<&str> {
    let is_blank =
        |line: &str| ["<year>", "[yyyy]", "{yyyy}"].iter().any(|year| line.contains(year));
    let lines = text.lines().filter(|line| is_copyright(line) && !is_blank(line));
    lines.map(str::trim).collect()
}

/// Whether a line says whose work it is: `Copyright (c) 2026 Ada`, and not `Copyright notices must…`.
fn is_copyright(line: &str) -> bool {
    let line = line.trim_start();
    let Some((first, rest)) = line.split_at_checked("copyright".len()) else { return false };
    first.eq_ignore_ascii_case("copyright")
        && rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || "(©[{".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, text: &str) -> Package {
        Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: "MIT".to_owned(),
            repository: "https://there.invalid".to_owned(),
            texts: vec![Text { from: "LICENSE".to_owned(), text: text.to_owned() }],
        }
    }

    #[test]
    fn same_texts_are_one_with_all_owners() {
        let all = BTreeSet::from([
            package("a", "Copyright (c) 2020 Ada\n\nDo what\nyou like."),
            package("b", "copyright 2021 Bob\nDo what you   like."),
            package("c", "Copyright (c) 2022 Cy\nDo nothing."),
        ]);
        let text = text(&all);
        assert!(text.contains("\na 1.0.0  MIT  https://there.invalid\n"), "{text}");
        let expected = "a 1.0.0: LICENSE\n    Copyright (c) 2020 Ada\n\
            b 1.0.0: LICENSE\n    copyright 2021 Bob\n\n\nDo what\nyou like.\n";
        assert!(text.contains(expected), "{text}");
        // Whose text is nobody else's stays as it is.
        assert!(
            text.ends_with("c 1.0.0: LICENSE\n\nCopyright (c) 2022 Cy\nDo nothing.\n"),
            "{text}"
        );
    }

    #[test]
    fn sentences_about_copyright_name_no_owner() {
        assert!(is_copyright("   Copyright [yyyy] [name of copyright owner]"));
        assert!(is_copyright("Copyright © 2026 Ada"));
        assert!(!is_copyright("copyright license to reproduce"));
        assert!(!is_copyright("The above copyright notice"));
    }
}
