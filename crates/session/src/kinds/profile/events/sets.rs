//! Which runs are looked at together.

use std::collections::HashMap;
use std::str::FromStr;

use analysis::EventColumns;
use profile::{MemberId, base_name};

use super::query::{run_names, unique};
use crate::ProfileDocument;
use crate::kinds::profile::document::titles::short_names;

/// What makes runs a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SetsBy {
    /// The sides of a comparison; of anything else all runs are one.
    #[default]
    Sides,
    /// Names that differ in the number of their run alone, `free-1.perf.data` and `free-2.perf.data`; of
    /// a comparison by side.
    Names,
    /// Each run is one.
    Runs,
}

/// Runs that are looked at together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RunSet {
    /// What it is called; empty where all there is stands in it.
    pub(super) name: String,
    /// In the order of the document.
    pub(super) runs: Vec<MemberId>,
}

impl FromStr for SetsBy {
    type Err = String;

    fn from_str(text: &str) -> Result<SetsBy, String> {
        match text {
            "sides" => Ok(SetsBy::Sides),
            "names" => Ok(SetsBy::Names),
            "runs" => Ok(SetsBy::Runs),
            _ => Err(format!("cannot group runs by '{text}': choose sides, names or runs")),
        }
    }
}

impl SetsBy {
    /// The sets of some runs, which are those of a comparison's base before the others, and what to say
    /// of them: a recording that is there twice is one run of its side.
    pub(super) fn sets(
        self,
        document: &ProfileDocument,
        columns: &EventColumns,
        runs: &[MemberId],
    ) -> (Vec<RunSet>, Vec<String>) {
        let mut sides = sides_of(document, runs);
        let mut notes = vec![];
        for side in &mut sides {
            let (runs, of_side) = unique(document, columns, &side.runs);
            side.runs = runs;
            notes.extend(of_side);
        }
        let sets = match self {
            SetsBy::Sides => sides,
            SetsBy::Runs => {
                let names = run_names(document);
                let of_side = |side: RunSet| {
                    let set = |&run: &MemberId| RunSet {
                        name: of_side(&side, &names[run.index()]),
                        runs: vec![run],
                    };
                    side.runs.iter().map(set).collect::<Vec<RunSet>>()
                };
                sides.into_iter().flat_map(of_side).collect()
            }
            SetsBy::Names => sides.iter().flat_map(|side| by_name(document, side)).collect(),
        };
        (sets, notes)
    }
}

/// The runs by side of a comparison, base first; of anything else all of them.
pub(super) fn sides_of(document: &ProfileDocument, runs: &[MemberId]) -> Vec<RunSet> {
    let set = |name: &str, runs: &[MemberId]| RunSet { name: name.to_owned(), runs: runs.to_vec() };
    match document.comparison() {
        None => vec![set("", runs)],
        Some(comparing) => {
            let (base, new) = runs.split_at(comparing.groups.base_parts(runs).min(runs.len()));
            vec![set("base", base), set("new", new)]
        }
    }
}

/// What something of a side is called.
fn of_side(side: &RunSet, name: &str) -> String {
    match &*side.name {
        "" => name.to_owned(),
        side => format!("{side}: {name}"),
    }
}

fn by_name(document: &ProfileDocument, side: &RunSet) -> Vec<RunSet> {
    // Whole names: folders tell series apart, too.
    let name = |run: &MemberId| match document.profile().members.get(run.index()) {
        Some(member) => &*member.name,
        None => document.title(),
    };
    let series: Vec<String> = side.runs.iter().map(|run| series_of(name(run))).collect();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut sets: Vec<RunSet> = vec![];
    for ((one, short), &run) in series.iter().zip(short_names(&series)).zip(&side.runs) {
        let at = *known.entry(one).or_insert_with(|| {
            sets.push(RunSet { name: of_side(side, short), runs: vec![] });
            sets.len() - 1
        });
        sets[at].runs.push(run);
    }
    sets
}

/// The name of a run without its number and the endings of its file; that of its folder where it is a
/// number alone.
fn series_of(name: &str) -> String {
    let (folder, file) = name.split_at(name.len() - base_name(name).len());
    let mut stem = file;
    while let Some((before, ending)) = stem.rsplit_once('.') {
        let is_ending = ending.starts_with(|first: char| first.is_ascii_alphabetic())
            && ending.chars().all(|one| one.is_ascii_alphanumeric() || one == '_');
        if !is_ending || before.is_empty() {
            break;
        }
        stem = before;
    }
    let digits = stem.trim_end_matches(|one: char| one.is_ascii_digit());
    if digits.len() == stem.len() {
        return format!("{folder}{stem}");
    }
    match digits.trim_end_matches(['-', '_', '.', ' ', '#']) {
        "" => folder.trim_end_matches(['/', '\\']).to_owned(),
        series => format!("{folder}{series}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_a_series_differ_in_their_number() {
        for (name, series) in [
            ("free-1.perf.data", "free"),
            ("out/free-12.perf.data", "out/free"),
            ("out/free/3.perf.data", "out/free"),
            ("app-1.2-3.pb.gz", "app-1.2"),
            ("render_02.hotframe", "render"),
            ("perf.data", "perf"),
            ("perf.data.1", "perf.data"),
            ("before", "before"),
            (".hidden", ".hidden"),
            ("7", ""),
        ] {
            assert_eq!(series_of(name), series, "{name}");
        }
    }
}
