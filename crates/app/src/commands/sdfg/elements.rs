//! `hotframe sdfg simulate --elements`: what happens at each element of a container.

use anyhow::{Result, bail};
use locality::{AtElement, Cache, Caches, Container, Replacement, Space, elements};
use session::Accesses;

use super::progress::Progress;
use crate::arguments::{ReportFormat, SdfgSimulate};
use crate::commands::sdfg::files::{limit, table, write};
use crate::report::{Cell, Column, Fields, Kind, Members, Name, Section, Sections};

/// An element.
struct Row {
    indices: String,
    print_elements: AtElement,
}

impl Row {
    fn misses(&self) -> u64 {
        self.print_elements.cold + self.print_elements.capacity
    }
}

/// Prints what happens at the elements of a container in the nearest cache.
pub(super) fn print_elements(
    own: &Accesses,
    space: &Space,
    caches: &Caches,
    arguments: &SdfgSimulate,
    name: &str,
) -> Result<()> {
    let Some(container) = own.program.containers.iter().position(|one| one.name == name) else {
        let known: Vec<&str> = own.program.containers.iter().map(|one| &*one.name).collect();
        bail!("no container {name} is accessed; there are {}", known.join(", "));
    };
    if own.program.containers.iter().filter(|one| one.name == name).count() > 1 {
        bail!("several containers are called {name}: choose a part that accesses one of them");
    }
    let lines = lines_of(caches, space.line)?;
    if caches.private > 0 {
        bail!("--elements needs a cache that all threads share: leave --private out");
    }
    let progress = Progress::new(own.program.nest.accesses(), "accesses");
    let goes_on = |done: u128| progress.see(done);
    let print_elements = elements(&own.program.nest, space, container as u32, lines, &goes_on)?;
    drop(progress);
    print(own, container, print_elements, lines, arguments)
}

/// How many lines the first level has, which is to be one whose lines may stand anywhere.
pub(super) fn lines_of(caches: &Caches, line: u64) -> Result<u64> {
    let [Cache { size, ways: None, replacement: Replacement::Lru }, ..] = caches.levels[..] else {
        bail!("--elements needs a fully associative cache: --cache SIZE without ways");
    };
    if caches.prefetches_next {
        bail!("--elements needs a cache without prefetching: leave --prefetch-next out");
    }
    caches.check(line)?;
    Ok(size / line)
}

/// Prints what happens at the elements of a container.
pub(super) fn print(
    own: &Accesses,
    container: usize,
    print_elements: Vec<AtElement>,
    lines: u64,
    arguments: &SdfgSimulate,
) -> Result<()> {
    let own_container = &own.program.containers[container];
    let name = &own_container.name;
    let row =
        |(place, print_elements)| Row { indices: indices(own_container, place), print_elements };
    let mut rows: Vec<Row> = print_elements.into_iter().enumerate().map(row).collect();
    let format = arguments.output.format;
    let touched = rows.iter().filter(|row| row.print_elements.accesses > 0).count();
    let mut notes = own.notes.clone();
    notes.push(format!(
        "{touched} of {} elements of {name} are accessed; distances are in lines of {} bytes, first touches \
         of a line aside; the median is the lower of the two in the middle",
        rows.len(),
        arguments.line
    ));
    if !own.left_out.is_empty() {
        notes.push("at least: some of the program is left out:".to_owned());
        notes.extend(own.left_out.iter().map(|(id, why)| format!("  {id}: {why}")));
    }
    if format.is_for_people() {
        // Others are rows to work with, in the order of their indices.
        rows.sort_by_key(|row| std::cmp::Reverse((row.misses(), row.print_elements.accesses)));
    }
    let title = format!("elements of {name} in a cache of {lines} lines");
    let most = limit(format, arguments.limit);
    let sections = Sections {
        members: Members::default()
            .with("container", &name)?
            .with("shape", &own_container.shape)?
            .with("strides", &own_container.strides)?
            .with("method", &"exact")?,
        tables: vec![Section::new(
            "elements",
            table(title, fields(format), rows, (most, "elements")),
        )],
        notes,
        more: Members::default(),
    };
    write(sections, &arguments.output)
}

fn indices(container: &Container, place: usize) -> String {
    let mut rest = place as u64;
    let mut indices = vec![];
    for &size in container.shape.iter().rev() {
        indices.push((rest % size).to_string());
        rest /= size;
    }
    indices.reverse();
    indices.join(",")
}

fn fields<'a>(format: ReportFormat) -> Fields<'a, Row> {
    let mut fields = Fields::<Row>::new(format);
    fields.add(Column::exact("indices", Kind::Text), |row, _| Cell::text(row.indices.clone()));
    for (key, pick) in [
        ("accesses", (|row| Some(row.print_elements.accesses)) as fn(&Row) -> Option<u64>),
        ("cold", |row| Some(row.print_elements.cold)),
        ("capacity", |row| Some(row.print_elements.capacity)),
        ("minimum", |row| row.print_elements.distances.map(|all| all[0])),
        ("median", |row| row.print_elements.distances.map(|all| all[1])),
        ("maximum", |row| row.print_elements.distances.map(|all| all[2])),
    ] {
        let cell = move |row: &Row| Cell::maybe(pick(row), Cell::Count);
        fields.add(Column::exact(key, Kind::Count), move |row, _| cell(row));
        fields.add(Column::shown(key, Kind::Value).wide(11), move |row, _| cell(row));
    }
    fields.add(Column::shown("element", Kind::Name), |row, _| {
        Name { text: format!("[{}]", row.indices).into(), ..Name::default() }.into()
    });
    fields
}
