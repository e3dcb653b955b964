//! What a result holds.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use formats::{ReadOptions, Source};
use profile::{FactValue, Profile};

pub(crate) struct Found {
    pub(crate) profile: Profile,
    /// By member: its name, and what is known of it.
    pub(crate) runs: Vec<(String, BTreeMap<String, String>)>,
}

impl Found {
    pub(crate) fn read(path: &Path) -> Found {
        let bytes: Box<dyn std::io::Read + Send> = Box::new(File::open(path).unwrap());
        let mut profile = None;
        let source = Source { bytes, file_name: "p.hotframe" };
        formats::read_each(source, &ReadOptions::default(), &mut |_, opened| {
            assert_eq!(opened.warnings.iter().count(), 0);
            profile = Some(opened.profile);
            Ok(())
        })
        .unwrap();
        let profile = profile.unwrap();
        assert_eq!(profile.check(), []);
        let runs = profile.members.iter().map(|member| {
            let facts = member.facts.iter().map(|fact| {
                let value = match fact.value {
                    FactValue::Text(text) => profile.text(text).to_owned(),
                    FactValue::Number(number, _) => number.to_string(),
                };
                (profile.text(fact.name).to_owned(), value)
            });
            (member.name.clone(), facts.collect())
        });
        let runs = runs.collect();
        Found { profile, runs }
    }

    /// Names of all runs, sorted.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.runs.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    }

    pub(crate) fn fact(&self, run: &str, name: &str) -> Option<&str> {
        let (_, facts) = self.runs.iter().find(|(known, _)| known == run).unwrap();
        facts.get(name).map(String::as_str)
    }

    /// Asserts that every run of some cells is there exactly once.
    pub(crate) fn holds(&self, cells: &[&str], runs: u32) {
        let mut want: Vec<String> = vec![];
        for cell in cells {
            want.extend((1..=runs).map(|run| format!("{cell} #{run}")));
        }
        want.sort_unstable();
        assert_eq!(self.names(), want);
    }
}
