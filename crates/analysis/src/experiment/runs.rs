//! Members as runs in cells.

use hashbrown::{HashMap, HashSet};
use profile::{FactKind, FactValue, Member, MemberId, Profile};

/// The runs of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Runs {
    /// What was varied.
    pub factors: Vec<Factor>,
    /// The conditions, in the order in which they first ran.
    pub cells: Vec<Cell>,
    /// By member.
    pub runs: Vec<Run>,
}

/// A condition that was varied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor {
    /// What it is called.
    pub name: String,
    /// What it was, numbers in their order and texts in that in which they first ran.
    pub levels: Vec<String>,
}

/// One combination of levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// By factor, the level; none for a run that has no such factor.
    pub levels: Vec<Option<usize>>,
    /// Rows in [`Runs::runs`] that count.
    pub runs: Vec<usize>,
    /// How many more there are that do not count.
    pub left_out: usize,
}

/// One execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Whose values it has.
    pub member: MemberId,
    /// Row in [`Runs::cells`].
    pub cell: usize,
    /// In which round it ran, from 1; 0 if that is not known.
    pub round: u32,
    /// Whether its values count.
    pub usable: Usable,
}

/// Whether the values of a run count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usable {
    /// They do.
    Yes,
    /// The machine was disturbed; counts where all runs of the cell were.
    Disturbed,
    /// It failed.
    Failed,
    /// The newest run of its cell was of other files, by another recorder, or isolated where this one was
    /// not: their values are not of one thing.
    Outdated,
}

/// What runs of a cell must have in common: files, commit, recorder, and whether they were isolated.
type Manner = [Option<String>; 4];

impl Runs {
    /// The runs of a profile; none where its members have no conditions and no figures.
    pub fn new(profile: &Profile) -> Option<Runs> {
        let members = &profile.members;
        let factors = Factor::all(profile);
        let has_measure =
            members.iter().any(|member| member.facts.iter().any(|f| f.kind == FactKind::Measure));
        let is_told = |member: &Member| {
            member.facts.iter().any(|fact| profile.text(fact.name) == "experiment")
        };
        if factors.is_empty() && !has_measure && !members.iter().any(is_told) {
            return None;
        }
        let numbers: HashMap<&str, usize> =
            factors.iter().map(|one| one.name.as_str()).zip(0..).collect();
        let places: Vec<HashMap<&str, usize>> = (factors.iter())
            .map(|factor| factor.levels.iter().map(String::as_str).zip(0..).collect())
            .collect();
        let mut cells: Vec<Cell> = vec![];
        let mut known: HashMap<Vec<Option<usize>>, usize> = HashMap::new();
        let mut runs = Vec::with_capacity(members.len());
        for (row, member) in members.iter().enumerate() {
            let mut levels = vec![None; factors.len()];
            let mut round = 0;
            let mut usable = Usable::Yes;
            for fact in &member.facts {
                let name = profile.text(fact.name);
                match (fact.kind, name, fact.value) {
                    (FactKind::Factor, name, value) => {
                        let level = text_of(profile, value);
                        let number = numbers[name];
                        levels[number] = places[number].get(level.as_str()).copied();
                    }
                    (FactKind::Note, "run", FactValue::Number(number, _)) => {
                        round = u32::try_from(number).unwrap_or(0);
                    }
                    (FactKind::Note, "failure", _) => usable = Usable::Failed,
                    (FactKind::Note, "disturbed", _) if usable == Usable::Yes => {
                        usable = Usable::Disturbed;
                    }
                    _ => {}
                }
            }
            let cell = *known.entry(levels).or_insert_with_key(|levels| {
                cells.push(Cell { levels: levels.clone(), runs: vec![], left_out: 0 });
                cells.len() - 1
            });
            runs.push(Run { member: MemberId(row as u32), cell, round, usable });
        }
        drop((places, numbers));
        leave_out_outdated(profile, &mut runs, cells.len());
        choose_runs(profile, &runs, &mut cells);
        Some(Runs { factors, cells, runs })
    }

    /// For people: `interpreter=3.12 seconds=0.5`; `all` where nothing is varied.
    pub fn title(&self, cell: usize) -> String {
        let levels = self.factors.iter().zip(&self.cells[cell].levels);
        let pairs = levels.filter_map(|(factor, level)| {
            level.map(|level| format!("{}={}", factor.name, factor.levels[level]))
        });
        let pairs: Vec<String> = pairs.collect();
        if pairs.is_empty() { "all".to_owned() } else { pairs.join(" ") }
    }

    /// The factor of a name.
    pub fn factor(&self, name: &str) -> Option<usize> {
        self.factors.iter().position(|factor| factor.name == name)
    }
}

/// Marks runs that are not like the newest one of their cell that did not fail; of rows, the last ones
/// are the newest.
fn leave_out_outdated(profile: &Profile, runs: &mut [Run], cells: usize) {
    let mut newest: Vec<Option<Manner>> = vec![None; cells];
    // One that failed may have ended before all of that was known.
    for run in runs.iter_mut().rev().filter(|run| run.usable != Usable::Failed) {
        let text = |name: &str| profile.fact_text(run.member, name).map(str::to_owned);
        let isolated = text("isolation").map(|_| "isolated".to_owned());
        let manner = [text("source"), text("commit"), text("recorder"), isolated];
        match &mut newest[run.cell] {
            Some(known) if *known != manner => run.usable = Usable::Outdated,
            Some(_) => {}
            unknown => *unknown = Some(manner),
        }
    }
}

/// Which runs of each cell count.
fn choose_runs(profile: &Profile, runs: &[Run], cells: &mut [Cell]) {
    let mut disturbed: Vec<Vec<usize>> = vec![vec![]; cells.len()];
    let mut all = vec![0; cells.len()];
    for (row, run) in runs.iter().enumerate() {
        all[run.cell] += 1;
        match run.usable {
            Usable::Yes => cells[run.cell].runs.push(row),
            Usable::Disturbed => {
                // Of several attempts at one run the last one.
                let job = |row: usize| profile.fact_text(runs[row].member, "job");
                let all = &mut disturbed[run.cell];
                all.retain(|&earlier| job(earlier).is_none() || job(earlier) != job(row));
                all.push(row);
            }
            Usable::Failed | Usable::Outdated => {}
        }
    }
    for ((cell, disturbed), all) in cells.iter_mut().zip(disturbed).zip(all) {
        if cell.runs.is_empty() {
            cell.runs = disturbed;
        }
        cell.left_out = all - cell.runs.len();
    }
}

impl Factor {
    fn all(profile: &Profile) -> Vec<Factor> {
        let mut factors: Vec<Factor> = vec![];
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut seen: HashSet<(usize, String)> = HashSet::new();
        for member in &profile.members {
            for fact in member.facts.iter().filter(|fact| fact.kind == FactKind::Factor) {
                let name = profile.text(fact.name);
                let number = *numbers.entry(name).or_insert_with(|| {
                    factors.push(Factor { name: name.to_owned(), levels: vec![] });
                    factors.len() - 1
                });
                let level = text_of(profile, fact.value);
                if seen.insert((number, level.clone())) {
                    factors[number].levels.push(level);
                }
            }
        }
        factors.iter_mut().for_each(Factor::sort);
        factors
    }

    /// By number where all levels are numbers or versions.
    fn sort(&mut self) {
        let numbers = |text: &str| -> Option<Vec<f64>> {
            if let Ok(number) = text.parse::<f64>() {
                // A version of two parts is one number to read, and two to compare.
                let is_version = text.matches('.').count() == 1 && text.len() > 3;
                if !is_version {
                    return Some(vec![number]);
                }
            }
            text.split('.').map(|part| part.parse().ok()).collect()
        };
        let all: Option<Vec<Vec<f64>>> = self.levels.iter().map(|level| numbers(level)).collect();
        let Some(all) = all else { return };
        // `3.9` stands before `3.12`, `0.25` before `0.5`: versions have parts above one digit.
        let is_decimal = self.levels.iter().all(|level| level.parse::<f64>().is_ok());
        let is_version = self.levels.iter().any(|level| level.matches('.').count() > 1)
            || self.levels.iter().all(|level| level.starts_with("3.") || level.starts_with("2."));
        let mut order: Vec<usize> = (0..self.levels.len()).collect();
        if is_decimal && !is_version {
            let value = |at: usize| self.levels[at].parse::<f64>().unwrap_or(0.0);
            order.sort_by(|&a, &b| value(a).total_cmp(&value(b)));
        } else {
            let parts = |at: usize| -> Vec<u64> {
                self.levels[at].split('.').map(|part| part.parse().unwrap_or(0)).collect()
            };
            if self.levels.iter().all(|l| l.split('.').all(|part| part.parse::<u64>().is_ok())) {
                order.sort_by_key(|&at| parts(at));
            } else {
                order.sort_by(|&a, &b| {
                    all[a].partial_cmp(&all[b]).unwrap_or(std::cmp::Ordering::Equal)
                });
            }
        }
        self.levels = order.iter().map(|&at| self.levels[at].clone()).collect();
    }
}

fn text_of(profile: &Profile, value: FactValue) -> String {
    match value {
        FactValue::Text(text) => profile.text(text).to_owned(),
        FactValue::Number(number, unit) => match profile.text(unit) {
            "" => number.to_string(),
            unit => format!("{number} {unit}"),
        },
    }
}
