//! Loops around accesses, of a part of a graph or of C, at some sizes and after some changes.

use locality::{Change, ChangeError, Program, Schedule, ScheduleError, apply, deal};
use scop::Scop;
use sdfg::expr::Bindings;
use sdfg::lower::{Combining, LowerError, Part, Wanted, lower};
use sdfg::model::{ElementId, Program as Graph};

/// Where loops come from.
#[derive(Debug, Clone, Copy)]
pub enum Loops<'a> {
    /// A part of a dataflow graph.
    Graph(&'a Graph, Part),
    /// Loops of C that Polly exported; all, or one statement.
    Scop(&'a Scop, Option<&'a str>),
}

/// How loops are run.
#[derive(Debug, Clone, Default)]
pub struct Setting {
    /// Values of symbols and parameters.
    pub at: Bindings,
    /// How a write that combines touches; graphs alone leave that open.
    pub combining: Combining,
    /// What is changed, in turn.
    pub changes: Vec<Change>,
    /// Which thread does which iterations, after the changes.
    pub schedule: Schedule,
    /// So many levels of caches, the nearest, each thread has of its own.
    pub private: usize,
}

/// Where an access is in its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// For people: an edge or a statement, and what it does.
    pub text: String,
    /// The edge of a graph.
    pub edge: Option<ElementId>,
}

/// Loops around accesses, of whatever.
#[derive(Debug, Clone)]
pub struct Accesses {
    /// The loops.
    pub program: Program,
    /// By reference.
    pub origins: Vec<Origin>,
    /// By reference, which thread it is of; empty if there is one.
    pub threads: Vec<u32>,
    /// What is left out, and why.
    pub left_out: Vec<(String, String)>,
    /// What was taken for granted.
    pub notes: Vec<String>,
}

/// Why there are no loops.
#[derive(Debug, thiserror::Error)]
pub enum LoopsError {
    /// The part of the graph.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// The loops of C.
    #[error(transparent)]
    Nest(#[from] scop::NestError),
    /// A change, with the places of accesses that forbid it.
    #[error("{error}{places}")]
    Change {
        /// Why.
        error: ChangeError,
        /// In parentheses, where the two accesses are; or nothing.
        places: String,
    },
    /// Iterations cannot be dealt out.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
}

impl Loops<'_> {
    /// What places of accesses are called.
    pub fn origins(&self) -> &'static str {
        match self {
            Loops::Graph(..) => "edges",
            Loops::Scop(..) => "statements",
        }
    }

    /// The accesses, changed and dealt out to threads.
    pub fn accesses(&self, setting: &Setting) -> Result<Accesses, LoopsError> {
        let plain = self.plain(setting)?;
        let changed = self.changed(plain, setting)?;
        self.dealt(changed, setting)
    }

    /// The accesses as they are.
    pub fn plain(&self, setting: &Setting) -> Result<Accesses, LoopsError> {
        let way = |is_write: bool| if is_write { "writes" } else { "reads" };
        match *self {
            Loops::Graph(graph, part) => {
                let wanted = Wanted { at: setting.at.clone(), combining: setting.combining };
                let own = lower(graph, part, &wanted)?;
                let origins = own.origins.iter().zip(&own.nest.references).map(|(origin, one)| {
                    let text = format!("{} {} {}", origin.edge, way(one.is_write), origin.data);
                    Origin { text, edge: Some(origin.edge) }
                });
                let left_out = own.left_out.iter().map(|(id, why)| (id.to_string(), why.clone()));
                Ok(Accesses {
                    origins: origins.collect(),
                    threads: vec![],
                    left_out: left_out.collect(),
                    program: own.program(),
                    notes: own.notes,
                })
            }
            Loops::Scop(loops, statement) => {
                let own = loops.nest(&setting.at, statement)?;
                let origins = own.origins.iter().zip(&own.nest.references).map(|(origin, one)| {
                    let statement = &loops.statements[origin.statement as usize].name;
                    let array = &own.containers[one.container as usize].name;
                    let text = format!("{statement} {} {array}", way(one.is_write));
                    Origin { text, edge: None }
                });
                Ok(Accesses {
                    origins: origins.collect(),
                    threads: vec![],
                    program: own.program(),
                    left_out: own.left_out,
                    notes: own.notes,
                })
            }
        }
    }

    /// The same loops as they are at sizes so small that they have no more accesses than some, if there are
    /// any.
    pub fn smaller(&self, setting: &Setting, most: u128) -> Option<Program> {
        (1..64).find_map(|halvings| {
            let less = |value: i128| if value > 6 { (value >> halvings).max(6) } else { value };
            let at = setting.at.iter().map(|(name, value)| (name.clone(), less(*value))).collect();
            let program = self.plain(&Setting { at, ..setting.clone() }).ok()?.program;
            (program.nest.accesses() <= most).then_some(program)
        })
    }

    fn changed(&self, own: Accesses, setting: &Setting) -> Result<Accesses, LoopsError> {
        if setting.changes.is_empty() {
            return Ok(own);
        }
        let smaller = |most| self.smaller(setting, most);
        let done = apply(&own.program, &smaller, &setting.changes).map_err(|error| {
            let places = match &error {
                ChangeError::Dependence { dependence, .. } => {
                    let [first, second] = [&dependence.first, &dependence.second]
                        .map(|one| &*own.origins[one.reference as usize].text);
                    format!(" ({first}, then {second})")
                }
                _ => String::new(),
            };
            LoopsError::Change { error, places }
        })?;
        let mut notes = own.notes;
        notes.extend(done.notes);
        Ok(Accesses { program: done.program, notes, ..own })
    }

    fn dealt(&self, own: Accesses, setting: &Setting) -> Result<Accesses, LoopsError> {
        let schedule = setting.schedule;
        if schedule == Schedule::Sequential {
            return Ok(own);
        }
        // Changes have made other loops than smaller sizes have.
        let smaller =
            |most| if setting.changes.is_empty() { self.smaller(setting, most) } else { None };
        let done = deal(&own.program, &smaller, schedule)?;
        let mut notes = own.notes;
        let sharing = match setting.private {
            0 => "share every level".to_owned(),
            1 => "each have their own first level, which is not kept coherent: writes of one thread evict nothing from the caches of others".to_owned(),
            private => format!(
                "each have their own first {private} levels, which are not kept coherent: writes of one thread evict nothing from the caches of others"
            ),
        };
        notes.push(format!(
            "{schedule}: iterations of {} are divided among threads, which take turns, one iteration each, and {sharing}",
            done.parallel.join(", ")
        ));
        let origins = done.original.iter().map(|&one| own.origins[one as usize].clone()).collect();
        Ok(Accesses { program: done.program, origins, threads: done.threads, notes, ..own })
    }
}
