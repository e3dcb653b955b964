//! What documents are called, so that those of different files have different names.

use std::collections::{HashMap, HashSet};

/// What documents are called by: the shortest ends of their paths that tell them apart.
pub fn short_names(names: &[String]) -> Vec<&str> {
    let mut short: Vec<(&str, usize)> = names.iter().map(|name| (tail(name, 1), 1)).collect();
    loop {
        let mut of_tail = HashMap::<&str, HashSet<&str>>::new();
        for (name, (tail, _)) in names.iter().zip(&short) {
            // A file that is there twice is no other one.
            of_tail.entry(tail).or_default().insert(name);
        }
        let mut longer = false;
        for (name, entry) in names.iter().zip(&mut short) {
            let (known, parts) = *entry;
            if of_tail[known].len() > 1 {
                *entry = (tail(name, parts + 1), parts + 1);
                longer |= entry.0 != known;
            }
        }
        if !longer {
            return short.into_iter().map(|(tail, _)| tail).collect();
        }
    }
}

/// The last parts of a path.
fn tail(path: &str, parts: usize) -> &str {
    let is_slash = |&(_, c): &(usize, char)| c == '/' || c == '\\';
    let inner = path.trim_end_matches(['/', '\\']);
    let cut = inner.char_indices().rev().filter(is_slash).nth(parts - 1);
    // What begins with a slash has it as its first part.
    cut.map_or(inner, |(at, _)| &inner[at + 1..])
}

/// What a document of several inputs is called: what their names begin with, and how many there are.
pub fn merged_title(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => profile::base_name(name).to_owned(),
        [first, others @ ..] => {
            let first = profile::base_name(first);
            let common = others.iter().fold(first, |common, name| {
                let name = profile::base_name(name);
                let same = common.char_indices().zip(name.chars()).take_while(|((_, a), b)| a == b);
                let end = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
                &common[..end]
            });
            let is_between = |c: char| c.is_ascii_digit() || "-_. (".contains(c);
            match common.trim_end_matches(is_between) {
                common if common.chars().count() > 1 => with_runs(common, names.len()),
                _ => format!("{first} and {} more", others.len()),
            }
        }
    }
}

/// A title with how many runs it stands for.
pub(in crate::kinds::profile) fn with_runs(title: &str, runs: usize) -> String {
    format!("{title} ({runs} runs)")
}

/// What the sides of a comparison are called, by the names of what is on each: with their folders
/// where they would be called the same.
pub fn side_titles(base: &[String], new: &[String]) -> [String; 2] {
    let titles = [base, new].map(merged_title);
    let [Some(of_base), Some(of_new)] =
        [base, new].map(|side| side.first().map(|name| folder(name)))
    else {
        return titles;
    };
    if titles[0] != titles[1] || of_base == of_new {
        return titles;
    }
    let folders = [of_base.to_owned(), of_new.to_owned()];
    let mut folders = short_names(&folders).into_iter();
    titles.map(|title| match folders.next() {
        None | Some("") => title,
        Some(folder) => format!("{folder}/{title}"),
    })
}

/// The part of a path before its last slash.
fn folder(path: &str) -> &str {
    path.trim_end_matches(['/', '\\']).rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder)
}

/// Titles with a number where one is there already.
pub(crate) fn numbered(titles: Vec<String>) -> Vec<String> {
    let mut seen = HashMap::<String, usize>::new();
    let number = |title: String| {
        let count = seen.entry(title.clone()).or_default();
        *count += 1;
        if *count == 1 { title } else { format!("{title} ({count})") }
    };
    titles.into_iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::{merged_title, numbered, short_names, side_titles};

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn titles_of_several_tell_how_many() {
        let title = |names: &[&str]| merged_title(&owned(names));
        assert_eq!(title(&["a/before-1.pb.gz", "b/before-2.pb.gz"]), "before (2 runs)");
        assert_eq!(title(&["run10.prof", "run11.prof", "run2.prof"]), "run (3 runs)");
        assert_eq!(title(&["cpu.pb.gz", "cpu.pb.gz"]), "cpu.pb.gz (2 runs)");
        assert_eq!(title(&["cpu.pb.gz", "heap.pb.gz"]), "cpu.pb.gz and 1 more");
        assert_eq!(title(&["é1.pb", "è2.pb"]), "é1.pb and 1 more");
        assert_eq!(title(&["/tmp/x/cpu.pb.gz"]), "cpu.pb.gz");
        assert_eq!(title(&["1.pb", "2.pb", "3.pb"]), "1.pb and 2 more");
    }

    #[test]
    fn names_are_as_long_as_they_must_be() {
        let check = |names: &[&str], short: &[&str]| assert_eq!(short_names(&owned(names)), short);
        check(&["/t/a/cpu.pb", "/t/b/heap.pb"], &["cpu.pb", "heap.pb"]);
        check(&["/t/a/cpu.pb", "/t/b/cpu.pb", "/t/b/x.pb"], &["a/cpu.pb", "b/cpu.pb", "x.pb"]);
        check(&["a/r/cpu.pb", "b/r/cpu.pb", "c/cpu.pb"], &["a/r/cpu.pb", "b/r/cpu.pb", "c/cpu.pb"]);
        check(&["cpu.pb", "/cpu.pb", "b/cpu.pb"], &["cpu.pb", "/cpu.pb", "b/cpu.pb"]);
        check(&["C:\\a\\cpu.pb", "C:\\b\\cpu.pb"], &["a\\cpu.pb", "b\\cpu.pb"]);
        check(&["/t/a/cpu.pb", "/t/a/cpu.pb"], &["cpu.pb", "cpu.pb"]);
        check(&["runs/", "old/runs/"], &["runs", "old/runs"]);
        check(&[], &[]);
    }

    #[test]
    fn sides_are_distinguished_by_their_folders() {
        let check = |base: &[&str], new: &[&str], titles: [&str; 2]| {
            assert_eq!(side_titles(&owned(base), &owned(new)), titles);
        };
        check(&["/t/old/cpu.pb"], &["/t/new/cpu.pb"], ["old/cpu.pb", "new/cpu.pb"]);
        check(&["/t/old/cpu.pb"], &["/t/new/heap.pb"], ["cpu.pb", "heap.pb"]);
        let (old, new) = (["old/run-1.pb", "old/run-2.pb"], ["new/run-1.pb", "new/run-2.pb"]);
        check(&old, &new, ["old/run (2 runs)", "new/run (2 runs)"]);
        check(&["cpu.pb"], &["new/cpu.pb"], ["cpu.pb", "new/cpu.pb"]);
        check(&["cpu.pb"], &["cpu.pb"], ["cpu.pb", "cpu.pb"]);
    }

    #[test]
    fn what_has_no_other_name_has_a_number() {
        assert_eq!(numbered(owned(&["a", "b", "a", "a"])), ["a", "b", "a (2)", "a (3)"]);
    }
}
