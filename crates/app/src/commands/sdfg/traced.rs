//! `hotframe sdfg simulate` with accesses that were recorded.

use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use locality::{
    Access, Caches, Container, Lackey, Line, MOST_RANGES, Nest, Program, Range, Reference,
    Schedule, Seen, Traced, Tracing,
};
use session::{Accesses, Binary, Origin, Variable, Variables};

use super::elements;
use super::simulated::{Simulated, told};
use crate::arguments::{SdfgSimulate, SdfgTrace};
use crate::binaries;

/// What belongs to no array.
const ELSEWHERE: &str = "elsewhere";

impl SdfgTrace {
    /// Refuses what is for recorded accesses alone.
    pub(crate) fn refuse(&self) -> Result<()> {
        let given = if self.binary.is_some() { Some("--binary") } else { None };
        if let Some(option) = given.or((!self.range.is_empty()).then_some("--range")) {
            bail!(
                "{option} is for recorded accesses: graphs and loops say themselves what they access"
            );
        }
        Ok(())
    }
}

/// Prints what recorded accesses do.
pub(super) fn traced(
    bytes: Box<dyn Read>,
    caches: &Caches,
    arguments: &SdfgSimulate,
) -> Result<()> {
    check(arguments)?;
    let mut arrays = Arrays::of(&arguments.trace)?;
    let watched = match &arguments.elements {
        Some(name) => {
            elements::lines_of(caches, arguments.line)?;
            Some(arrays.named(name)?)
        }
        None => None,
    };
    let mut tracing = Tracing::new(&arrays.all, arguments.line, caches, watched)?;
    let mut lackey = Lackey::new(BufReader::with_capacity(1 << 20, bytes));
    let mut instructions = 0u64;
    let cannot_read = || format!("cannot read {}", arguments.file.display());
    while let Some(line) = lackey.next().with_context(cannot_read)? {
        match line {
            Line::Instruction(address) => {
                instructions += 1;
                arrays.has_begun |= Some(address) == arrays.entry;
            }
            Line::Data(access) => tracing.access(access)?,
            Line::Modify(access) => {
                tracing.access(access)?;
                tracing.access(Access { is_write: true, ..access })?;
            }
        }
    }
    arrays.check(&arguments.trace)?;
    let Traced { outcome, seen, watched: of_elements } = tracing.finish(arguments.line);
    let mut notes = arrays.notes.clone();
    notes.extend(seen_notes(&seen, instructions, lackey.has_ended()));
    let own = accesses(&arrays.all, notes);
    if let (Some(container), Some(told)) = (watched, of_elements) {
        let lines = elements::lines_of(caches, arguments.line)?;
        return elements::print(&own, container, told.elements, lines, arguments);
    }
    let simulated = Simulated {
        own: &own,
        outcome: &outcome,
        line: arguments.line,
        word: "references",
        is_recorded: true,
    };
    told(&simulated, None, arguments)
}

/// Refuses what needs loops.
fn check(arguments: &SdfgSimulate) -> Result<()> {
    let needs = [
        (!arguments.scope.is_empty(), "--scope", "has no parts"),
        (!arguments.set.is_empty(), "--set", "has no sizes to choose"),
        (arguments.combining_reads, "--combining-reads", "says itself what is read"),
        (!arguments.what_if.is_empty(), "--what-if", "has no loops or indices to change"),
        (arguments.search.is_some(), "--search", "has no loops or indices to change"),
        (arguments.export.is_some(), "--export", "has no loops to write"),
        (
            arguments.schedule != Schedule::Sequential,
            "--schedule",
            "has the order in which it was recorded",
        ),
        (arguments.private > 0, "--private", "does not tell threads apart"),
        (arguments.packed, "--packed", "has the addresses that were recorded"),
    ];
    match needs.into_iter().find(|(is_given, ..)| *is_given) {
        Some((_, option, why)) => {
            bail!("{option} is for graphs and loops: a recording of accesses {why}")
        }
        None => Ok(()),
    }
}

/// Arrays that accesses are told by.
struct Arrays {
    all: Vec<Container>,
    notes: Vec<String>,
    /// Where the binary begins to run.
    entry: Option<u64>,
    has_begun: bool,
}

impl Arrays {
    fn of(asked: &SdfgTrace) -> Result<Arrays> {
        let all = asked.range.iter().map(|Range(own)| own.clone()).collect();
        let mut arrays = Arrays { all, notes: vec![], entry: None, has_begun: false };
        if let Some(path) = &asked.binary {
            arrays.add_binary(path, asked.load_address)?;
        }
        if arrays.all.is_empty() {
            arrays.notes.push(
                "no array is known, so that all is elsewhere: --binary PROGRAM or --range tell of arrays"
                    .to_owned(),
            );
        }
        Ok(arrays)
    }

    fn add_binary(&mut self, path: &Path, load: Option<u64>) -> Result<()> {
        let shown = path.display();
        let absolute = path.canonicalize().with_context(|| format!("cannot open {shown}"))?;
        let binary = Binary { path: absolute.to_string_lossy().into_owned(), build_id: None };
        let files = binaries::of_machine(&[]).files;
        let variables = Variables::open(&files, &binary)?;
        if !variables.has_debug {
            bail!("{shown} has no debug information: build it with -g, or name arrays by --range");
        }
        let base = match (variables.is_movable, load) {
            (false, None | Some(0)) => 0,
            (false, Some(_)) => {
                bail!(
                    "{shown} is loaded where it says (it is not position-independent): leave --load-address out"
                )
            }
            (true, Some(load)) => load,
            (true, None) => bail!(
                "{shown} may be loaded anywhere (it is position-independent), and the recording does not \
                 tell where it was: give --load-address (0x108000 is where valgrind loads programs on \
                 x86-64; it is checked), or link with -no-pie and record again"
            ),
        };
        self.entry = Some(variables.entry.wrapping_add(base));
        let Variables { mut all, without_size, unread, .. } = variables;
        // Of those that have bytes in common the largest stays.
        all.sort_by_key(|one| std::cmp::Reverse(bytes_of(one)));
        let (mut overlapping, mut many) = (0, 0);
        let mut known: Vec<String> = self.all.iter().map(|one| one.name.clone()).collect();
        let mut taken: Vec<[u64; 2]> = self.all.iter().filter_map(extent).collect();
        for variable in &all {
            let Variable { name, address, element, shape } = variable;
            let base = address.wrapping_add(base);
            let own = Container { base: Some(base), ..Container::rows(name, *element, shape) };
            let Some([begin, end]) = extent(&own) else { continue };
            if taken.iter().any(|[first, last]| *first < end && begin < *last) {
                overlapping += 1;
            } else if self.all.len() == MOST_RANGES {
                many += 1;
            } else {
                taken.push([begin, end]);
                let is_known = known.contains(name);
                let name = if is_known { format!("{name}@{base:#x}") } else { name.clone() };
                known.push(name.clone());
                self.all.push(Container { name, ..own });
            }
        }
        self.all.sort_by_key(|one| one.base);
        for (count, why) in [
            (overlapping, "have bytes in common with a larger one or a range"),
            (many, "are smaller than the largest that are told apart"),
            (without_size as usize, "have a size that the debug information does not tell"),
        ] {
            if count > 0 {
                self.notes
                    .push(format!("{count} variables of {shown} count elsewhere: they {why}"));
            }
        }
        if unread > 0 {
            self.notes.push(format!(
                "{unread} units of {shown} tell of no variables: they are damaged, or their debug \
                 information is in other files (-gsplit-dwarf)"
            ));
        }
        Ok(())
    }

    fn named(&self, name: &str) -> Result<usize> {
        let known: Vec<&str> = self.all.iter().map(|one| &*one.name).collect();
        match known.iter().position(|own| *own == name) {
            Some(place) => Ok(place),
            None => bail!("no array {name} is known; there are {}", known.join(", ")),
        }
    }

    /// Refuses a binary that did not run.
    fn check(&self, asked: &SdfgTrace) -> Result<()> {
        let (Some(entry), Some(path), false) = (self.entry, &asked.binary, self.has_begun) else {
            return Ok(());
        };
        let path = path.display();
        let other = if asked.load_address.is_some() { ", or --load-address another" } else { "" };
        bail!(
            "no instruction of the recording is at {entry:#x}, where {path} begins to run: is the recording of \
             another program or build{other}? --range names arrays without a binary"
        )
    }
}

fn bytes_of(variable: &Variable) -> u64 {
    variable.shape.iter().fold(variable.element, |all, &size| all.saturating_mul(size))
}

/// Begin and end, if it has any.
fn extent(own: &Container) -> Option<[u64; 2]> {
    let count = own.shape.iter().try_fold(own.element, |all, &size| all.checked_mul(size))?;
    let base = own.base?;
    (count > 0).then_some([base, base.checked_add(count)?])
}

/// Arrays and what is elsewhere as what loops would access: each read, then each written.
fn accesses(arrays: &[Container], notes: Vec<String>) -> Accesses {
    let elsewhere = Container { base: Some(0), ..Container::rows(ELSEWHERE, 1, &[]) };
    let containers: Vec<Container> = arrays.iter().cloned().chain([elsewhere]).collect();
    let mut nest = Nest::default();
    let mut origins = vec![];
    for (number, container) in containers.iter().enumerate() {
        for is_write in [false, true] {
            nest.references.push(Reference {
                container: number as u32,
                element: locality::Affine::constant(0),
                is_write,
                indices: None,
                combines: None,
            });
            let way = if is_write { "writes of" } else { "reads of" };
            origins.push(Origin { text: format!("{way} {}", container.name), edge: None });
        }
    }
    let program = Program { containers, nest, variables: vec![], is_whole: true };
    Accesses { program, origins, threads: vec![], left_out: vec![], notes }
}

fn seen_notes(seen: &Seen, instructions: u64, has_ended: bool) -> Vec<String> {
    let mut notes = vec![format!(
        "{} accesses to data were recorded, each at its address; {instructions} fetches of instructions are \
         left out",
        seen.accesses
    )];
    if seen.crossing > 0 {
        notes.push(format!(
            "{} accesses touch more lines than one, and each counts once a line",
            seen.crossing
        ));
    }
    if seen.wide > 0 {
        notes.push(format!(
            "{} accesses touch more elements than one; each counts once here, and with --elements at each \
             of its elements",
            seen.wide
        ));
    }
    if seen.astray > 0 {
        notes.push(format!(
            "{} accesses are partly in an array and partly outside; they count where they begin",
            seen.astray
        ));
    }
    if !has_ended {
        notes.push(
            "at least: the recording does not tell how the program ended, and may be cut off"
                .to_owned(),
        );
    }
    notes
}
