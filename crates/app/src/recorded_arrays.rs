//! Arrays that recorded accesses belong to: ranges that are given, and variables of the program.

use std::path::Path;

use anyhow::{Context, Result, bail};
use locality::{Container, MOST_RANGES, Range};
use session::{Binary, KnownArrays, KnownEntry, Variable, Variables};

use crate::arguments::SdfgTrace;
use crate::binaries;

impl SdfgTrace {
    /// Refuses what is for recorded accesses alone.
    pub(crate) fn refuse(&self) -> Result<()> {
        if let Some(option) = self.given() {
            bail!(
                "{option} is for recorded accesses: graphs and loops say themselves what they access"
            );
        }
        Ok(())
    }

    /// An option that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = if self.binary.is_some() { Some("--binary") } else { None };
        given.or((!self.range.is_empty()).then_some("--range"))
    }
}

/// Arrays that options tell of.
pub(crate) fn of(asked: &SdfgTrace) -> Result<KnownArrays> {
    let all = asked.range.iter().map(|Range(own)| own.clone()).collect();
    let mut arrays = KnownArrays { all, ..KnownArrays::default() };
    if let Some(path) = &asked.binary {
        add_binary(&mut arrays, path, asked.load_address)?;
    }
    Ok(arrays)
}

fn add_binary(arrays: &mut KnownArrays, path: &Path, load: Option<u64>) -> Result<()> {
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
    let entry = variables.entry.wrapping_add(base);
    let other = if load.is_some() { ", or --load-address another" } else { "" };
    arrays.entry = Some(KnownEntry {
        address: entry,
        refusal: format!(
            "no instruction of the recording is at {entry:#x}, where {shown} begins to run: is the recording \
                 of another program or build{other}? --range names arrays without a binary"
        ),
    });
    let Variables { mut all, without_size, unread, .. } = variables;
    // Of those that have bytes in common the largest stays.
    all.sort_by_key(|one| std::cmp::Reverse(bytes_of(one)));
    let (mut overlapping, mut many) = (0, 0);
    let mut known: Vec<String> = arrays.all.iter().map(|one| one.name.clone()).collect();
    let mut taken: Vec<[u64; 2]> = arrays.all.iter().filter_map(extent).collect();
    for variable in &all {
        let Variable { name, address, element, shape } = variable;
        let base = address.wrapping_add(base);
        let own = Container { base: Some(base), ..Container::rows(name, *element, shape) };
        let Some([begin, end]) = extent(&own) else { continue };
        if taken.iter().any(|[first, last]| *first < end && begin < *last) {
            overlapping += 1;
        } else if arrays.all.len() == MOST_RANGES {
            many += 1;
        } else {
            taken.push([begin, end]);
            let is_known = known.contains(name);
            let name = if is_known { format!("{name}@{base:#x}") } else { name.clone() };
            known.push(name.clone());
            arrays.all.push(Container { name, ..own });
        }
    }
    arrays.all.sort_by_key(|one| one.base);
    for (count, why) in [
        (overlapping, "have bytes in common with a larger one or a range"),
        (many, "are smaller than the largest that are shown one by one"),
        (without_size as usize, "have no size in the debug information"),
    ] {
        if count > 0 {
            arrays.notes.push(format!("{count} variables of {shown} count elsewhere: they {why}"));
        }
    }
    if unread > 0 {
        arrays.notes.push(format!(
            "{unread} units of {shown} tell of no variables: they are damaged, or their debug \
                 information is in other files (-gsplit-dwarf)"
        ));
    }
    Ok(())
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
