//! Numbers in the place of names.

use std::borrow::Cow;
use std::collections::HashMap;

use super::paths::{self, Piece};
use crate::{BelongsTo, PortableFile};

/// Longest ending of a file's name that stays.
const LONGEST_ENDING: usize = 5;

/// Numbers for what has been replaced so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    known: HashMap<&'static str, HashMap<String, usize>>,
}

impl Names {
    /// `function-3`; an empty text stays.
    pub(super) fn number(&mut self, kind: &'static str, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        let known = self.known.entry(kind).or_default();
        let next = known.len() + 1;
        let number = *known.entry(text.to_owned()).or_insert(next);
        format!("{kind}-{number}")
    }

    /// A file in other folders, and if `hides` with another name: `/folder-2/folder-5/file-7.py`. What it
    /// belongs to, as [`PortableFile`] has it, and its path in there are as much the same as before.
    pub(super) fn file(&mut self, path: &str, hides: bool) -> String {
        // What systems and interpreters call what is not a file: `[vdso]`, `<string>`.
        if path.is_empty() || path.starts_with(['[', '<']) {
            return path.to_owned();
        }
        let portable = PortableFile::new(path, "");
        let belongs = match portable.belongs_to {
            BelongsTo::Project => return self.path(path, hides),
            BelongsTo::Package => "site-packages",
            BelongsTo::Standard if path.contains("/lib/py") => "lib/python3",
            BelongsTo::Standard => "go/src",
        };
        let at = path.rfind(['/', '\\']).unwrap_or(0);
        let before = self.number("folder", &path[..at]);
        format!("/{before}/{belongs}/{}", self.path(&portable.path, hides))
    }

    /// The same for a path of which no more is known.
    fn path(&mut self, path: &str, hides: bool) -> String {
        let (scheme, path) = match path.split_once("://") {
            Some((scheme, path)) => (format!("{scheme}://"), path),
            None => (String::new(), path),
        };
        let mut parts: Vec<&str> = path.split(['/', '\\']).collect();
        let name = parts.pop().unwrap_or_default();
        let mut told = scheme;
        // `C:` is a folder like others, below the root.
        if parts.first().is_some_and(|first| first.ends_with(':')) {
            told.push('/');
        }
        for part in parts {
            match part {
                "" | "." | ".." => told.push_str(part),
                part => told.push_str(&self.number("folder", part)),
            }
            told.push('/');
        }
        told + &self.name(name, hides)
    }

    /// The name of a file, without what an address hands over.
    fn name(&mut self, name: &str, hides: bool) -> String {
        let (name, query) = match name.find(['?', '#']) {
            Some(at) => name.split_at(at),
            None => (name, ""),
        };
        let query = if query.is_empty() {
            String::new()
        } else {
            format!("?{}", self.number("query", query))
        };
        if !hides {
            return format!("{name}{query}");
        }
        let is_short = |ending: &&str| {
            ending.len() <= LONGEST_ENDING && ending.chars().all(char::is_alphanumeric)
        };
        let ending = name.rsplit_once('.').map(|(_, ending)| ending).filter(is_short);
        let hidden = self.number("file", name);
        match ending {
            Some(ending) => format!("{hidden}.{ending}{query}"),
            None => format!("{hidden}{query}"),
        }
    }

    /// A command line: its program, and a number for what that was started with. `python3 command-2`
    pub(super) fn command(&mut self, text: &str) -> String {
        // Variables before it are none.
        let mut words = text.split_whitespace();
        let Some(program) = words.find(|word| !word.contains('=')) else {
            return self.number("command", text);
        };
        let told = self.text(program).into_owned();
        if program == text { told } else { format!("{told} {}", self.number("command", text)) }
    }

    /// A text that may be a path by itself, also below no root: `alice/run.prof`. `text/html` is none.
    pub(super) fn title(&mut self, text: &str) -> String {
        let name = text.rfind(['/', '\\']).map(|at| &text[at + 1..]);
        let ending = name.and_then(|name| name.split_once('.')).map(|(_, ending)| ending);
        let is_file = ending.is_some_and(|ending| {
            ending.starts_with(|sign: char| sign.is_ascii_alphabetic())
                && ending.chars().all(|sign| sign.is_alphanumeric() || sign == '.')
        });
        let is_path = is_file && !text.contains("://") && !text.contains(char::is_whitespace);
        if is_path { self.file(text, false) } else { self.text(text).into_owned() }
    }

    /// Any text, with other folders where it names paths. What has no ending is taken for a folder.
    pub(super) fn text<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        if !text.contains(['/', '\\']) {
            return Cow::Borrowed(text);
        }
        let mut told = String::with_capacity(text.len());
        for piece in paths::pieces(text) {
            match piece {
                Piece::Text(text) => told.push_str(text),
                Piece::Path(path) => {
                    let at = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
                    let has_ending = path[at..].trim_start_matches('.').contains('.');
                    if has_ending || path.len() == at {
                        told.push_str(&self.file(path, false));
                    } else {
                        let whole = self.file(&format!("{path}/"), false);
                        told.push_str(whole.trim_end_matches('/'));
                    }
                }
            }
        }
        Cow::Owned(told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> String {
        Names::default().text(text).into_owned()
    }

    #[test]
    fn paths_are_found_in_texts() {
        assert_eq!(
            text("opened /home/me/x.py, then /home/me/y.py"),
            "opened /folder-1/folder-2/x.py, then /folder-1/folder-2/y.py"
        );
        assert_eq!(
            text("(anonymous) file:///home/me/x.js:3"),
            "(anonymous) file:///folder-1/folder-2/x.js:3"
        );
        assert_eq!(text(r"C:\Users\me\x.py"), "/folder-1/folder-2/folder-3/x.py");
        assert_eq!(
            text("--out=/a/b/c.txt --in '/a/b/d.txt'"),
            "--out=/folder-1/folder-2/c.txt --in '/folder-1/folder-2/d.txt'"
        );
        assert_eq!(
            text("-I/home/alice/include -L/home/alice"),
            "-I/folder-1/folder-2/folder-3 -L/folder-1/folder-2"
        );
        for path in ["~/alice/x", "$HOME/alice/x", "./alice/x", "../alice/x", "a=~/alice/x.py"] {
            assert!(!text(path).contains("alice"), "{path}: {}", text(path));
        }
        assert_eq!(
            text("https://alice:pw@corp/app/main.js?token=SECRET"),
            "https://folder-1/folder-2/main.js?query-1"
        );
        for stays in
            ["", "a/b", "orderdesk/report.(*Ledger).Best", "1 / 2", "/metrics", "a // b", "é/ü/ö"]
        {
            assert_eq!(text(stays), stays);
        }
    }

    #[test]
    fn a_title_may_be_a_path() {
        let mut names = Names::default();
        for (title, told) in [
            ("alice/run.pb.gz", "folder-1/run.pb.gz"),
            (r"bob\alice\run.prof", "folder-2/folder-1/run.prof"),
            ("text/html", "text/html"),
            ("seed 1/2.5", "seed 1/2.5"),
            ("a/1.5", "a/1.5"),
            ("run.prof", "run.prof"),
        ] {
            assert_eq!(names.title(title), told);
        }
    }

    #[test]
    fn of_commands_the_program_stays() {
        let mut names = Names::default();
        let commands = [
            "/usr/bin/python3 x.py --password=SECRET",
            "python3 SECRET",
            "/usr/bin/python3 x.py --password=SECRET",
            "/opt/SECRET/bin/tool.exe",
            "Main",
            "TOKEN=SECRET ./run",
            "",
        ];
        let told = commands.map(|command| names.command(command));
        let wanted = [
            "/folder-1/folder-2/folder-3 command-1",
            "python3 command-2",
            "/folder-1/folder-2/folder-3 command-1",
            "/folder-4/folder-5/folder-2/tool.exe",
            "Main",
            "./run command-3",
            "",
        ];
        assert_eq!(told, wanted);
    }

    #[test]
    fn names_that_differ_still_differ() {
        let paths = ["/a/x.py", "/b/x.py", "/a/y.py", "/a/x.py", "x.py", "[vdso]"];
        let mut names = Names::default();
        let files = paths.map(|path| names.file(path, false));
        assert_eq!(
            files,
            [
                "/folder-1/x.py",
                "/folder-2/x.py",
                "/folder-1/y.py",
                "/folder-1/x.py",
                "x.py",
                "[vdso]"
            ]
        );
        let mut names = Names::default();
        let files = paths.map(|path| names.file(path, true));
        let wanted = [
            "/folder-1/file-1.py",
            "/folder-2/file-1.py",
            "/folder-1/file-2.py",
            "/folder-1/file-1.py",
            "file-1.py",
            "[vdso]",
        ];
        assert_eq!(files, wanted);
    }

    #[test]
    fn files_belong_to_what_they_did() {
        let paths = [
            "/usr/lib/python3.11/json/decoder.py",
            "/opt/py/lib/python3.9/json/decoder.py",
            "/venv/lib/python3.11/site-packages/numpy/a.py",
            "/x/site-packages/numpy/a.py",
            "/home/me/.cargo/registry/src/X/serde-1.0.2/src/a.rs",
            "/home/me/.cargo/registry/src/X/serde-1.0.3/src/a.rs",
            "/rustc/abc/library/core/src/lib.rs",
            "/usr/local/go/src/fmt/print.go",
            "/go/pkg/mod/github.com/x/y@v1/a.go",
            "/home/me/project/src/main.rs",
            "/home/me/project/lib/main.rs",
            "/srv/other/src/main.rs",
        ];
        for hides in [false, true] {
            let mut names = Names::default();
            let hidden = paths.map(|path| names.file(path, hides));
            for (at, one) in paths.iter().enumerate() {
                for (other, hidden_other) in paths.iter().zip(&hidden) {
                    let before = [one, other].map(|path| PortableFile::new(path, "/home/me/"));
                    let now = [&hidden[at], hidden_other]
                        .map(|path| PortableFile::new(path, "/folder-1/folder-2/"));
                    assert_eq!(before[0].belongs_to, now[0].belongs_to, "{one}: {}", hidden[at]);
                    assert_eq!(before[0] == before[1], now[0] == now[1], "{one} and {other}");
                    assert_eq!(*one == *other, hidden[at] == *hidden_other, "{one} and {other}");
                }
            }
            for word in ["numpy", "serde", "github", "project", "json", "venv"] {
                assert!(!hidden.concat().contains(word), "{word}: {hidden:?}");
            }
        }
    }
}
