//! `hotframe sdfg simulate`.

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use locality::{
    Cache, Caches, Inclusion, Options, Outcome, Placement, Replacement, Space, is_lackey,
};
use session::{Accesses, Setting};

use super::accesses::{Input, setting};
use super::elements;
use super::progress::Progress;
use super::search::{export, searched};
use super::simulated::{Simulated, print_simulated};
use super::traced::traced;
use crate::arguments::{Included, Replaced, SdfgSimulate};
use crate::commands::sdfg::files::bytes_of;
use crate::from_source;

/// So much of a file tells what it is.
const START: u64 = 64 << 10;

pub(super) fn simulate(arguments: &SdfgSimulate) -> Result<()> {
    let shown = arguments.file.display();
    let Some(made) = from_source::made(&arguments.file, arguments.run_python) else {
        if arguments.function.is_some() {
            bail!("--function is for C and Python files; {shown} is neither");
        }
        return simulate_file(arguments, &arguments.file);
    };
    let made = made?;
    let is_called = |path: &&PathBuf, name: &str| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        stem.rsplit('.').next() == Some(name)
    };
    let names = || {
        let all = made.files.iter().filter_map(|path| path.file_stem());
        let all = all.map(|stem| stem.to_string_lossy().rsplit('.').next().map(str::to_owned));
        all.flatten().collect::<Vec<String>>().join(", ")
    };
    let file = match (&arguments.function, &made.files[..]) {
        (Some(name), all) => match all.iter().find(|path| is_called(path, name)) {
            Some(file) => file,
            None => bail!("{shown} has no loops or graph called {name}; it has {}", names()),
        },
        (None, [only]) => only,
        (None, _) => bail!("{shown} has several: choose one by --function: {}", names()),
    };
    simulate_file(arguments, file)
}

fn simulate_file(arguments: &SdfgSimulate, file: &Path) -> Result<()> {
    let output = &arguments.output;
    let mut bytes = bytes_of(file)?;
    let mut start = vec![];
    let cannot_read = || format!("cannot read {}", arguments.file.display());
    bytes.by_ref().take(START).read_to_end(&mut start).with_context(cannot_read)?;
    let is_trace = is_lackey(&start);
    let bytes = Box::new(Cursor::new(start).chain(bytes));
    let caches = caches(arguments);
    if is_trace {
        return traced(bytes, &caches, arguments);
    }
    arguments.trace.refuse()?;
    let input = Input::read(bytes, &arguments.file, output.max_size)?;
    input.check(arguments)?;
    let placement = if arguments.packed { Placement::Packed } else { Placement::OwnLines };
    let loops = input.loops(arguments)?;
    let setting = setting(arguments)?;
    if let Some(most) = arguments.search {
        let own = loops.plain(&setting)?;
        let smaller = |most| loops.smaller(&setting, most);
        return searched(&own, &smaller, &caches, placement, arguments, most);
    }
    if let Some(language) = arguments.export {
        return export(&loops.accesses(&setting)?, &setting, language);
    }
    let space =
        |own: &Accesses| Space::new(own.program.containers.clone(), placement, arguments.line);
    let run = |setting: &Setting| -> Result<(Accesses, Space, Outcome)> {
        let own = loops.accesses(setting)?;
        let space = space(&own)?;
        // Distances beyond the largest cache are not told: what is forgotten repeats sooner.
        let progress = Progress::new(own.program.nest.accesses(), "accesses");
        let goes_on = |done: u128| progress.see(done);
        let options =
            Options { depth: 0, threads: &own.threads, goes_on: &goes_on, ..Options::default() };
        let outcome = Outcome::new(&own.program.nest, &space, &caches, &options)?;
        Ok((own, space, outcome))
    };
    if let Some(name) = &arguments.elements {
        let own = loops.accesses(&setting)?;
        return elements::print_elements(&own, &space(&own)?, &caches, arguments, name);
    }
    let before = if setting.changes.is_empty() {
        None
    } else {
        Some(run(&Setting { changes: vec![], ..setting.clone() })?)
    };
    let as_it_is = before.map(|(own, _, outcome)| {
        let lines: u64 = outcome.distances.lines.iter().sum();
        (outcome.sum(0, 0..own.program.nest.references.len()), lines)
    });
    let (own, space, outcome) = run(&setting)?;
    let simulated = Simulated {
        own: &own,
        outcome: &outcome,
        line: space.line,
        word: loops.origins(),
        is_recorded: false,
    };
    print_simulated(&simulated, as_it_is, arguments)
}

fn caches(arguments: &SdfgSimulate) -> Caches {
    let replacement = match arguments.replacement {
        Replaced::Lru => Replacement::Lru,
        Replaced::Plru => Replacement::Plru,
        Replaced::Fifo => Replacement::Fifo,
    };
    let levels =
        arguments.cache.iter().map(|&(size, ways)| Cache { size, ways, replacement }).collect();
    Caches {
        inclusion: match arguments.inclusion {
            Included::None => Inclusion::None,
            Included::Inclusive => Inclusion::Inclusive,
            Included::Exclusive => Inclusion::Exclusive,
        },
        is_write_back: !arguments.write_through,
        is_write_allocate: !arguments.no_write_allocate,
        prefetches_next: arguments.prefetch_next,
        private: arguments.private,
        ..Caches::new(levels)
    }
}
