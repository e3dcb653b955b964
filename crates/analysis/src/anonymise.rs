//! Profiles without what tells whose they are.

use std::borrow::Cow;
use std::collections::HashMap;

use profile::{LabelValue, Profile, StringId};

/// What is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Anonymise {
    /// Folders of files, modules and of paths in any other text; names of machines; comments, commands,
    /// what programs wrote.
    Paths,
    /// These, and the names of functions, files, modules, threads, processes, members and texts of
    /// labels. Names of metrics, of labels and of kinds of marks stay.
    Names,
}

/// Facts of members that are left out: they tell of who ran what.
const LEFT_OUT: [&str; 6] = ["command", "host", "worker", "output", "project", "commit subject"];

/// What a text is used as; the last one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Use {
    #[default]
    Text,
    Value,
    Thread,
    Function,
    File,
}

/// Replaces texts of profiles, in all of them the same by the same.
#[derive(Debug)]
pub struct Anonymiser {
    what: Anonymise,
    names: Names,
}

impl Anonymiser {
    /// One that has seen nothing.
    pub fn new(what: Anonymise) -> Anonymiser {
        Anonymiser { what, names: Names::default() }
    }

    /// Replaces the texts of a profile. What was told apart still is: folders and names get numbers in
    /// the order in which they appear, and no value changes.
    pub fn anonymise(&mut self, profile: &mut Profile) {
        replace(profile, self.what, &mut self.names);
    }
}

fn replace(profile: &mut Profile, what: Anonymise, names: &mut Names) {
    let uses = uses(profile);
    let strings = profile.strings.map(|id, text| match (uses[id.index()], what) {
        (Use::File, Anonymise::Paths) => names.file(text).into(),
        (Use::File, Anonymise::Names) => names.hidden_file(text).into(),
        (Use::Function, Anonymise::Names) => names.number("function", text).into(),
        (Use::Thread, Anonymise::Names) => names.number("thread", text).into(),
        (Use::Value, Anonymise::Names) => names.number("value", text).into(),
        _ => names.text(text),
    });
    for machine in &mut profile.machines {
        machine.name = names.machine(&machine.name);
    }
    for (at, member) in profile.members.iter_mut().enumerate() {
        let told = &profile.strings;
        member.facts.retain(|fact| !LEFT_OUT.contains(&told.get(fact.name)));
        member.host = names.machine(&member.host);
        member.name = match what {
            Anonymise::Paths => names.text(&member.name).into_owned(),
            Anonymise::Names => format!("member-{}", at + 1),
        };
    }
    profile.strings = strings;
    let told = match what {
        Anonymise::Paths => "folders, machines and comments were replaced when this was written",
        Anonymise::Names => {
            "names, folders, machines and comments were replaced when this was written"
        }
    };
    profile.origin.comments = vec![told.to_owned()];
    profile.origin.doc_url.clear();
}

fn uses(profile: &Profile) -> Vec<Use> {
    let mut uses = vec![Use::Text; profile.strings.len()];
    let mut mark = |ids: &mut dyn Iterator<Item = StringId>, as_what: Use| {
        ids.for_each(|id| uses[id.index()] = as_what);
    };
    let values = profile.label_sets.all_labels().filter_map(|label| match label.value {
        LabelValue::Text(text) => Some(text),
        LabelValue::Number(..) => None,
    });
    mark(&mut values.into_iter(), Use::Value);
    mark(&mut profile.processes.iter().map(|process| process.name), Use::Thread);
    mark(&mut profile.threads.iter().map(|thread| thread.name), Use::Thread);
    mark(&mut profile.timeline.tracks.iter().map(|track| track.name), Use::Thread);
    let functions = &profile.functions;
    mark(&mut functions.name.iter().chain(&functions.system_name).copied(), Use::Function);
    mark(&mut functions.file.iter().copied(), Use::File);
    mark(&mut profile.modules.iter().map(|module| module.name), Use::File);
    uses
}

/// Numbers for what has been replaced so far.
#[derive(Debug, Default)]
struct Names {
    known: HashMap<&'static str, HashMap<String, usize>>,
}

impl Names {
    /// `function-3`; an empty text stays.
    fn number(&mut self, kind: &'static str, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        let known = self.known.entry(kind).or_default();
        let next = known.len() + 1;
        let number = *known.entry(text.to_owned()).or_insert(next);
        format!("{kind}-{number}")
    }

    fn machine(&mut self, name: &str) -> String {
        self.number("machine", name)
    }

    /// A file with another folder: `folder-2/a.py`.
    fn file(&mut self, path: &str) -> String {
        match path.rfind(['/', '\\']) {
            Some(at) => format!("{}/{}", self.number("folder", &path[..=at]), &path[at + 1..]),
            None => path.to_owned(),
        }
    }

    /// A file with another name, too: `folder-2/file-7.py`.
    fn hidden_file(&mut self, path: &str) -> String {
        // What systems and interpreters call what is no file: `[vdso]`, `<string>`.
        if path.is_empty() || path.starts_with(['[', '<']) {
            return path.to_owned();
        }
        let at = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
        let name = self.number("file", path);
        let is_short =
            |ending: &str| ending.len() <= 5 && ending.chars().all(char::is_alphanumeric);
        let ending = path[at..].rsplit_once('.').map(|(_, ending)| ending);
        let name = match ending.filter(|ending| is_short(ending)) {
            Some(ending) => format!("{name}.{ending}"),
            None => name,
        };
        match at {
            0 => name,
            _ => format!("{}/{name}", self.number("folder", &path[..at])),
        }
    }

    /// Any text, with other folders where it names whole paths.
    fn text<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        let mut told = String::new();
        let mut rest = text;
        while let Some((before, path, after)) = next_path(rest) {
            told.push_str(before);
            told.push_str(&self.file(path));
            rest = after;
        }
        if told.is_empty() && rest.len() == text.len() {
            return Cow::Borrowed(text);
        }
        told.push_str(rest);
        Cow::Owned(told)
    }
}

/// The first path in a text that begins at a root and has a folder: what is before it, it, and what is
/// behind.
fn next_path(text: &str) -> Option<(&str, &str, &str)> {
    let ends = |c: char| c.is_whitespace() || "\"'`,;:()<>|=&".contains(c);
    let mut from = 0;
    while let Some(at) = text[from..].find(['/', '\\']).map(|at| from + at) {
        let begin = match text[..at].char_indices().rev().take(2).collect::<Vec<_>>()[..] {
            // `C:\`, and no word before the letter.
            [(_, ':'), (drive, letter)] if letter.is_ascii_alphabetic() => {
                let is_drive =
                    text[..drive].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
                if is_drive { Some(drive) } else { Some(at) }
            }
            [(_, before), ..] if before.is_alphanumeric() || "._-~*$)]}".contains(before) => None,
            _ => Some(at),
        };
        let end = text[at..].find(ends).map_or(text.len(), |length| at + length);
        if let Some(begin) = begin
            && text[at + 1..end].trim_start_matches(['/', '\\']).contains(['/', '\\'])
        {
            return Some((&text[..begin], &text[begin..end], &text[end..]));
        }
        from = end.max(at + 1);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> String {
        Names::default().text(text).into_owned()
    }

    #[test]
    fn whole_paths_are_found_in_texts() {
        assert_eq!(
            text("opened /home/me/x.py, then /home/me/y.py"),
            "opened folder-1/x.py, then folder-1/y.py"
        );
        assert_eq!(text("(anonymous) file:///home/me/x.js:3"), "(anonymous) file:folder-1/x.js:3");
        assert_eq!(text(r"C:\Users\me\x.py"), "folder-1/x.py");
        assert_eq!(text("--out=/a/b/c --in '/a/b/d'"), "--out=folder-1/c --in 'folder-1/d'");
        for stays in
            ["", "a/b", "orderdesk/report.(*Ledger).Best", "1 / 2", "/metrics", "a // b", "é/ü/ö"]
        {
            assert_eq!(text(stays), stays);
        }
    }

    #[test]
    fn what_was_told_apart_still_is() {
        let mut names = Names::default();
        let paths = ["/a/x.py", "/b/x.py", "/a/y.py", "/a/x.py", "x.py", "[vdso]"];
        let files = paths.map(|path| names.file(path));
        assert_eq!(
            files,
            ["folder-1/x.py", "folder-2/x.py", "folder-1/y.py", "folder-1/x.py", "x.py", "[vdso]"]
        );
        let mut names = Names::default();
        let files = paths.map(|path| names.hidden_file(path));
        let wanted = [
            "folder-1/file-1.py",
            "folder-2/file-2.py",
            "folder-1/file-3.py",
            "folder-1/file-1.py",
            "file-4.py",
            "[vdso]",
        ];
        assert_eq!(files, wanted);
    }
}
