//! A profile without what tells whose it is.

use std::borrow::Cow;
use std::collections::HashSet;

use profile::{FactKind, FactValue, Profile, TextUse};

use super::names::Names;

/// What is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Anonymise {
    /// Folders of files, modules and of paths in any other text; names of machines; comments; commands,
    /// of which the program stays; what programs wrote.
    Paths,
    /// These, and the names of functions, files, modules, threads, processes, members and flows, texts of
    /// labels, builds, instructions, and notes of members and on places. Names of metrics, counters, labels and roles, of kinds of
    /// marks, and the conditions and figures of members stay.
    Names,
}

/// Facts of members that are left out: they tell of who ran what.
const LEFT_OUT: [&str; 6] = ["command", "host", "worker", "output", "project", "commit subject"];

/// Notes that decide which runs of an experiment count, and stay with a number for their text.
const COUNTED_BY: [&str; 9] = [
    "experiment",
    "job",
    "run",
    "source",
    "commit",
    "recorder",
    // These say in words of ours why one does not count.
    "isolation",
    "failure",
    "disturbed",
];

/// Where those begin whose text stays.
const OWN_WORDS: usize = 6;

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
        let Anonymiser { what, names } = self;
        let hides = *what == Anonymise::Names;
        if hides {
            profile.notes.clear();
        }
        let told = |id| profile.strings.get(id);
        for member in &mut profile.members {
            member.facts.retain(|fact| {
                let name = told(fact.name);
                let is_told = !hides || fact.kind != FactKind::Note || COUNTED_BY.contains(&name);
                is_told && !LEFT_OUT.contains(&name)
            });
        }
        let facts = profile.members.iter().flat_map(|member| &member.facts);
        let own = facts.filter(|fact| COUNTED_BY[OWN_WORDS..].contains(&told(fact.name)));
        let texts = own.filter_map(|fact| match fact.value {
            FactValue::Text(text) => Some(told(text).to_owned()),
            FactValue::Number(..) => None,
        });
        let stay: HashSet<String> = texts.collect();
        profile.rewrite_texts(|used, text| match used {
            TextUse::MemberNote if hides && !stay.contains(text) => {
                names.number("note", text).into()
            }
            _ => names.replaced(used, text, hides),
        });
        for machine in &mut profile.machines {
            machine.name = names.number("machine", &machine.name);
            if hides {
                machine.kernel.clear();
                machine.processor.clear();
            }
        }
        for (at, member) in profile.members.iter_mut().enumerate() {
            member.host = names.number("machine", &member.host);
            member.producer = producer(&member.producer, names);
            member.name =
                if hides { format!("member-{}", at + 1) } else { names.title(&member.name) };
        }
        let origin = &mut profile.origin;
        origin.producer = producer(&origin.producer, names);
        for pattern in [&mut origin.drop_frames, &mut origin.keep_frames] {
            *pattern = if hides { String::new() } else { names.text(pattern).into_owned() };
        }
        for warned in &mut origin.warnings {
            warned.message = if hides {
                format!("a warning of reading, whose text has names ({})", warned.kind)
            } else {
                names.text(&warned.message).into_owned()
            };
        }
        let replaced = if hides { "names, folders" } else { "folders" };
        origin.comments =
            vec![format!("{replaced}, machines and comments were replaced when this was written")];
        origin.doc_url.clear();
        if let Some((kind, _)) = &mut origin.period_type {
            *kind = names.text(kind).into_owned();
        }
    }
}

/// What wrote a profile: without what it was run on and for, which some put before it.
fn producer(told: &str, names: &mut Names) -> String {
    let own = match (told.split_once(" on "), told.rsplit_once('(')) {
        (Some(_), Some((_, inside))) => inside.trim_end_matches(')'),
        (Some(_), None) => "",
        (None, _) => told,
    };
    if has_options(own) { names.command(own) } else { names.text(own).into_owned() }
}

/// Whether a text is a command line as far as can be told: it has options.
fn has_options(text: &str) -> bool {
    let is_option = |word: &str| {
        word.strip_prefix('-').is_some_and(|rest| {
            rest.trim_start_matches('-').starts_with(|sign: char| sign.is_ascii_alphabetic())
        })
    };
    text.split_whitespace().skip(1).any(is_option)
}

impl Names {
    /// A text in the place of one that is used so.
    fn replaced(&mut self, used: TextUse, text: &str, hides: bool) -> Cow<'static, str> {
        let kind = match used {
            TextUse::File | TextUse::Module => return self.file(text, hides).into(),
            TextUse::Process if !hides => return self.command(text).into(),
            TextUse::Thread | TextUse::LabelText | TextUse::Function | TextUse::MarkKind
                if !hides && has_options(text) =>
            {
                return self.command(text).into();
            }
            TextUse::Function => "function",
            // Most are called as one of their threads.
            TextUse::Process | TextUse::Thread => "thread",
            TextUse::LabelText if hides => "value",
            TextUse::Flow => "flow",
            TextUse::BuildId if hides => "build",
            // They name what is called. Links lead to where somebody works.
            TextUse::Instruction if hides => return "".into(),
            TextUse::NoteLink => return "".into(),
            TextUse::LabelText => return self.title(text).into(),
            // Numbers tell nothing.
            TextUse::ThreadId if !text.bytes().all(|byte| byte.is_ascii_digit()) => "id",
            _ => return self.text(text).into_owned().into(),
        };
        if hides {
            return self.number(kind, text).into();
        }
        self.text(text).into_owned().into()
    }
}
