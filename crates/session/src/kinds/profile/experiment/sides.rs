//! What differs between two groups of cells besides what was chosen.

use std::collections::{BTreeMap, BTreeSet};

use analysis::HostLoads;
use analysis::experiment::{Pairs, Runs, Usable};
use profile::Profile;
use protocol::ProtocolError;

use crate::kinds::profile::reading::failed_runs::{SIDES, all_failed, failed_note, failure};
use crate::kinds::profile::reading::shared_machine::host_notes;

/// Names that are told of a package or a build at most.
const MOST_NAMES: usize = 5;

/// Sentences about cells that have no partner, and about programs, packages and machines that are not
/// the same on both sides although no factor that tells the sides apart is about them.
pub(super) fn notes(profile: &Profile, runs: &Runs, pairs: &Pairs) -> Vec<String> {
    let mut notes = vec![];
    if pairs.pairs.is_empty() {
        notes.push("no cell has a counterpart on the other side: nothing is compared".to_owned());
    }
    let unpaired: Vec<usize> = pairs.unpaired.iter().flatten().copied().collect();
    if !unpaired.is_empty() {
        let titles: Vec<String> =
            unpaired.iter().take(MOST_NAMES).map(|&cell| runs.title(cell)).collect();
        let more = match unpaired.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        notes.push(format!(
            "left out, because they have no counterpart on the other side: {}{more}",
            titles.join(", ")
        ));
    }
    let sides = Sides::new(profile, runs, pairs);
    notes.extend(sides.builds());
    notes.extend(sides.packages());
    for (note, what) in [("kernel", "kernels"), ("host", "machines")] {
        if !sides.differs_in(|name| name == note || name == "machine") {
            notes.extend(sides.sets(note, what));
        }
    }
    notes
}

/// What parts of a build have in their names that change how fast it is: they are told first.
const OF_SPEED: [&str; 8] =
    ["pgo", "lto", "optimi", "CFLAGS", "-O", "computed-gotos", "debug", "assert"];

/// Sentences about runs that do not count, and about what else machines did, where the sides differ in
/// it.
///
/// # Errors
/// All runs of a side failed, so that nothing of it can be compared.
pub(super) fn doubts(
    profile: &Profile,
    runs: &Runs,
    pairs: &Pairs,
) -> Result<Vec<String>, ProtocolError> {
    let sides = Sides::new(profile, runs, pairs);
    for (side, all) in SIDES.iter().zip(&sides.all) {
        let failed = sides.failures(all);
        if !failed.is_empty() && failed.len() == all.len() {
            return Err(all_failed(side, &failed));
        }
    }
    Ok([sides.left_out(), sides.loads()].concat())
}

struct Sides<'p> {
    profile: &'p Profile,
    runs: &'p Runs,
    /// Rows of runs that count, base first.
    rows: [Vec<usize>; 2],
    /// Rows of all runs, base first.
    all: [Vec<usize>; 2],
    /// Levels by factor and side.
    levels: Vec<[BTreeSet<Option<usize>>; 2]>,
}

impl<'p> Sides<'p> {
    fn new(profile: &'p Profile, runs: &'p Runs, pairs: &Pairs) -> Sides<'p> {
        let base: Vec<usize> = pairs.pairs.iter().flat_map(|(base, _)| base).copied().collect();
        let new: Vec<usize> = pairs.pairs.iter().flat_map(|(_, new)| new).copied().collect();
        let sides = [base, new];
        let rows = sides
            .each_ref()
            .map(|cells| cells.iter().flat_map(|&cell| runs.cells[cell].runs.clone()).collect());
        let levels = (0..runs.factors.len()).map(|factor| {
            sides
                .each_ref()
                .map(|cells| cells.iter().map(|&cell| runs.cells[cell].levels[factor]).collect())
        });
        let all = [0, 1].map(|side: usize| {
            let cells = [&sides[side], &pairs.unpaired[side], &pairs.empty[side]];
            let cells: BTreeSet<usize> = cells.into_iter().flatten().copied().collect();
            (0..runs.runs.len()).filter(|&row| cells.contains(&runs.runs[row].cell)).collect()
        });
        Sides { profile, runs, rows, all, levels: levels.collect() }
    }

    /// Why those of these runs failed that did.
    fn failures(&self, rows: &[usize]) -> Vec<&'p str> {
        let of = |&row: &usize| failure(self.profile, self.runs.runs[row].member);
        rows.iter().filter_map(of).collect()
    }

    /// Runs of either side that do not count, and why.
    fn left_out(&self) -> Vec<String> {
        let mut notes = vec![];
        for (side, all) in SIDES.iter().zip(&self.all) {
            let failed = self.failures(all);
            if !failed.is_empty() {
                notes.push(failed_note(side, all.len(), &failed));
            }
            for (usable, why) in [
                (Usable::Disturbed, "the machine was disturbed"),
                (Usable::Outdated, "they used other files or other settings"),
            ] {
                let is_left = |&&row: &&usize| {
                    let run = &self.runs.runs[row];
                    run.usable == usable && !self.runs.cells[run.cell].runs.contains(&row)
                };
                let count = all.iter().filter(is_left).count();
                if count > 0 {
                    let runs = all.len();
                    notes.push(format!("{side}: {count} of {runs} runs left out: {why}"));
                }
            }
        }
        notes
    }

    /// What else the machines did.
    fn loads(&self) -> Vec<String> {
        let members = |row: &usize| self.runs.runs[*row].member;
        let loads =
            self.rows.each_ref().map(|rows| HostLoads::new(self.profile, rows.iter().map(members)));
        host_notes(loads.each_ref())
    }

    /// Whether a factor of a name tells the sides apart.
    fn differs_in(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        let factors = self.runs.factors.iter().zip(&self.levels);
        factors.into_iter().any(|(factor, [base, new])| base != new && is_meant(&factor.name))
    }

    /// What a note says on both sides.
    fn texts(&self, note: &str) -> [BTreeSet<&'p str>; 2] {
        self.rows.each_ref().map(|rows| {
            let of = |&row: &usize| self.profile.fact_text(self.runs.runs[row].member, note);
            rows.iter().filter_map(of).collect()
        })
    }

    /// That a note says something else on one side.
    fn sets(&self, note: &str, what: &str) -> Option<String> {
        let [base, new] = self.texts(note);
        (base != new).then(|| format!("{what} differ, too: {} against {}", all(&base), all(&new)))
    }

    /// How interpreters were built.
    fn builds(&self) -> Option<String> {
        let parts = |texts: &BTreeSet<&'p str>| -> BTreeSet<String> {
            texts.iter().flat_map(|text| text.split("; ")).flat_map(parts_of_build).collect()
        };
        let is_named = self.differs_in(|name| name == "interpreter");
        let [base, new] = self.texts("interpreter build").each_ref().map(parts);
        let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| -> String {
            let mut left: Vec<&str> = one.difference(other).map(String::as_str).collect();
            left.sort_by_key(|part| !OF_SPEED.iter().any(|word| part.contains(word)));
            let more = match left.len().saturating_sub(MOST_NAMES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            match left.len() {
                0 => "nothing of that".to_owned(),
                _ => left[..left.len().min(MOST_NAMES)].join(", ") + &more,
            }
        };
        if base != new {
            let were = if is_named { "were also" } else { "were" };
            let (base, new) = (only(&base, &new), only(&new, &base));
            return Some(format!(
                "the interpreters {were} built differently: {base} against {new}"
            ));
        }
        if is_named {
            return None;
        }
        let versions = self.sets("interpreter version", "interpreters");
        let hash = || {
            let [base, new] = self.texts("interpreter hash");
            let told = "the interpreters have the same version and build, but are different files";
            (base != new).then(|| told.to_owned())
        };
        versions.or_else(hash)
    }

    /// Packages in other versions that no factor is about.
    fn packages(&self) -> Option<String> {
        let versions = self.texts("packages").map(|texts| {
            let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
            for one in texts.iter().flat_map(|text| text.split(", ")) {
                let (name, version) = one.split_once(' ').unwrap_or((one, ""));
                found.entry(name).or_default().insert(version);
            }
            found
        });
        let [base, new] = &versions;
        let names: BTreeSet<&str> = base.keys().chain(new.keys()).copied().collect();
        let other: Vec<String> = names
            .into_iter()
            .filter(|name| base.get(name) != new.get(name))
            .filter(|name| !self.differs_in(|factor| factor.eq_ignore_ascii_case(name)))
            .map(|name| {
                let side = |of: &BTreeMap<&str, BTreeSet<&str>>| {
                    of.get(name).map_or("none".to_owned(), |versions| all(versions))
                };
                format!("{name} {} against {}", side(base), side(new))
            })
            .collect();
        let more = match other.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let told = other.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join("; ");
        (!other.is_empty()).then(|| format!("packages differ, too: {told}{more}"))
    }
}

/// What a build says that has nothing to do with where it was put: options of `configure` are quoted,
/// each one is a part.
fn parts_of_build(part: &str) -> Vec<String> {
    let options: Vec<&str> = if part.starts_with('\'') {
        part.split('\'').map(str::trim).filter(|option| !option.is_empty()).collect()
    } else {
        vec![part]
    };
    let shown = |option: &&str| {
        let is_place = |word: &&str| word.contains("prefix=") || word.contains('/');
        let words: Vec<&str> = option.split_whitespace().filter(|word| !is_place(word)).collect();
        (!words.is_empty()).then(|| words.join(" "))
    };
    options.iter().filter_map(shown).collect()
}

fn all(texts: &BTreeSet<&str>) -> String {
    if texts.is_empty() {
        return "none told".to_owned();
    }
    texts.iter().copied().collect::<Vec<_>>().join(" and ")
}
