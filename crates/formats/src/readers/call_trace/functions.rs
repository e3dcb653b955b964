//! Functions of a process, as places of the profile.

use calltrace::{Demotion, Function, FunctionKind};
use profile::{LaterEstimate, LocationId, Place, ProfileBuilder, SwitchedOff};

use super::estimate::SwitchedOffFunction;
use super::process::Process;
use crate::Warnings;

/// No function has a higher number: the tracer has no more.
const MOST: u32 = 1 << 21;

/// Places by number.
pub(super) struct Functions {
    all: Vec<Met>,
    /// What has no name in the file.
    unnamed: LocationId,
}

/// A function, as events need it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Met {
    pub(super) location: LocationId,
    pub(super) kind: FunctionKind,
    /// When it was, in nanoseconds after the start; the largest number for never.
    pub(super) switched_off: i64,
}

impl Met {
    pub(super) fn is_demoted(&self) -> bool {
        self.switched_off < i64::MAX
    }
}

impl Functions {
    /// `time` gives nanoseconds after the start of ticks.
    pub(super) fn of(
        process: &Process,
        time: impl Fn(u64) -> i64,
        builder: &mut ProfileBuilder,
    ) -> Functions {
        let unnamed =
            Place { function: "function without a name in the trace", ..Place::default() };
        let unnamed = builder.place(&unnamed);
        let none = Met { location: unnamed, kind: FunctionKind::Python, switched_off: i64::MAX };
        let known = process.functions.keys().copied().filter(|&number| number < MOST);
        let mut all = vec![none; known.max().map_or(0, |most| most as usize + 1)];
        let mut functions: Vec<&Function> = process.functions.values().collect();
        functions.sort_by_key(|function| function.number);
        for function in functions {
            if let Some(met) = all.get_mut(function.number as usize) {
                met.location = place(function, builder);
                met.kind = function.kind;
            }
        }
        for demotion in &process.demotions {
            if let Some(met) = all.get_mut(demotion.function as usize) {
                met.switched_off = met.switched_off.min(time(demotion.ticks));
            }
        }
        Functions { all, unnamed }
    }

    /// A function of a number.
    #[inline]
    pub(super) fn met(&self, number: u32) -> Met {
        let (location, kind) = (self.unnamed, FunctionKind::Python);
        let none = Met { location, kind, switched_off: i64::MAX };
        self.all.get(number as usize).copied().unwrap_or(none)
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Numbers of those that were switched off.
    pub(super) fn switched_off(&self) -> impl Iterator<Item = u32> + '_ {
        let all = self.all.iter().zip(0..);
        all.filter(|(met, _)| met.is_demoted()).map(|(_, number)| number)
    }

    /// Says which functions are not counted to their end.
    pub(super) fn tell(
        &self,
        process: &Process,
        estimated: Option<&[SwitchedOffFunction]>,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) {
        let mut names: Vec<String> = vec![];
        let mut marks = vec![];
        for demotion in &process.demotions {
            let name = process.functions.get(&demotion.function).map_or("", |one| &one.name);
            names.push(format!("{name} (exact to call {})", demotion.calls));
            marks.extend(self.mark(demotion, estimated, builder));
        }
        SwitchedOff::add_all(&mut builder.switched_off, marks);
        if names.is_empty() {
            return;
        }
        let count = names.len() as u64;
        let limit = process.facts.limit;
        warnings.add_many("switched off", count, || {
            let then = if estimated.is_some() {
                "what those of Python did then is estimated by samples, those of C are in what called them"
            } else {
                "their calls are a lower bound, and their later time counts for their callers"
            };
            format!(
                "functions that were no longer traced after call {limit}: {then}: {}",
                listed(&names)
            )
        });
        builder.origin.comments.push(format!("switched off: {}", names.join(", ")));
    }
}

impl Functions {
    /// Marks a function of the profile.
    fn mark(
        &self,
        demotion: &Demotion,
        estimated: Option<&[SwitchedOffFunction]>,
        builder: &ProfileBuilder,
    ) -> Option<SwitchedOff> {
        let met = self.met(demotion.function);
        let function = builder.function_of(met.location)?;
        let self_times_by_path =
            estimated.filter(|_| met.kind != FunctionKind::C).and_then(|all| {
                all.binary_search_by_key(&demotion.function, |self_times_by_path| {
                    self_times_by_path.function
                })
                .ok()
                .map(|at| all[at])
            });
        Some(SwitchedOff {
            function,
            exact_calls: demotion.calls,
            estimate: self_times_by_path.map(|self_times_by_path| LaterEstimate {
                time_ns: self_times_by_path.time,
                samples: self_times_by_path.samples,
                of_samples: self_times_by_path.of_samples,
            }),
            is_partial: false,
        })
    }
}

fn listed(names: &[String]) -> String {
    const MOST_TOLD: usize = 5;
    let self_times_by_path = names[..names.len().min(MOST_TOLD)].join(", ");
    match names.len().saturating_sub(MOST_TOLD) {
        0 => self_times_by_path,
        more => format!("{self_times_by_path} and {more} more"),
    }
}

fn place(function: &Function, builder: &mut ProfileBuilder) -> LocationId {
    let Function { name, module, file, line, kind, .. } = function;
    let place = Place { function: name, file, start_line: *line, line: *line, ..Place::default() };
    match kind {
        // As Python's own profiler names them, less what is about them.
        FunctionKind::C => {
            let full = match module.as_str() {
                "" | "builtins" => name.clone(),
                module => format!("{module}.{name}"),
            };
            builder.place(&Place { function: &full, module: "C functions", ..Place::default() })
        }
        _ => builder.place(&place),
    }
}
