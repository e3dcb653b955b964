//! `hotframe sdfg info`.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use sdfg::model::{Container, Program};

use crate::arguments::{ReportFormat, SdfgFile};
use crate::commands::notes::counted;
use crate::commands::sdfg::files::{open, table, write};
use crate::report::{Cell, Column, Fields, Head, Kind, Members, Name, Section, Sections};

/// A container of the outermost graph.
struct Held<'a> {
    name: &'a str,
    shape: Vec<String>,
    container: &'a Container,
}

/// Tells what a graph holds.
pub(super) fn info(arguments: &SdfgFile) -> Result<()> {
    let program = open(&arguments.file, arguments.output.max_size)?;
    let root = program.root().context("the file holds no graph")?;
    let mut kinds = BTreeMap::<&str, usize>::new();
    for node in program.states.iter().flat_map(|state| &state.nodes) {
        *kinds.entry(node.kind.name()).or_default() += 1;
    }
    let symbols: BTreeMap<&str, &str> =
        root.symbols.iter().map(|(name, element)| (&**name, &*element.name)).collect();
    let warnings: Vec<String> =
        program.warnings.iter().map(|(text, &count)| counted(text.clone(), count)).collect();
    let members = Members::default()
        .with("name", &&*root.name)?
        .with("dace_version", &program.dace_version)?
        .with("graphs", &program.graphs.len())?
        .with("regions", &program.regions.len())?
        .with("states", &program.states.len())?
        .with("nodes", &program.node_count())?
        .with("edges", &program.edge_count())?
        .with("kinds", &kinds)?
        .with("symbols", &symbols)?;
    let containers = root.containers.iter().map(|(name, container)| Held {
        name,
        shape: container.shape.iter().map(ToString::to_string).collect(),
        container,
    });
    let mut containers =
        table("", fields(arguments.output.format), containers.collect(), (usize::MAX, ""));
    containers.head = head(&program, &root.name, &kinds, &symbols);
    let sections = Sections {
        members,
        tables: vec![Section::new("containers", containers)],
        notes: warnings.iter().map(|warning| format!("warning: {warning}")).collect(),
        more: Members::default().with("warnings", &warnings)?,
    };
    write(sections, &arguments.output)
}

/// What is told to people of the whole.
fn head(
    program: &Program,
    name: &str,
    kinds: &BTreeMap<&str, usize>,
    symbols: &BTreeMap<&str, &str>,
) -> Head {
    let version = program.dace_version.as_deref().unwrap_or("of an unknown version");
    let counts = format!(
        "{} graphs, {} regions, {} states, {} nodes, {} edges",
        program.graphs.len(),
        program.regions.len(),
        program.states.len(),
        program.node_count(),
        program.edge_count()
    );
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let symbols: Vec<&str> = symbols.keys().copied().collect();
    Head {
        title: format!("{name}: SDFG of DaCe {version}"),
        notes: vec![
            counts,
            format!("nodes: {}", kinds.join(", ")),
            format!("symbols: {}", symbols.join(", ")),
        ],
        ..Head::default()
    }
}

fn fields<'a>(format: ReportFormat) -> Fields<'a, Held<'a>> {
    let mut fields = Fields::<Held<'_>>::new(format);
    fields.add(Column::exact("name", Kind::Text), |held, _| Cell::text(held.name));
    fields.add(Column::exact("type", Kind::Text), |held, _| {
        Cell::text(&*held.container.element.name)
    });
    fields.add(Column::exact("shape", Kind::Text), |held, _| Cell::Path(&held.shape));
    fields.add(Column::exact("transient", Kind::Flag), |held, _| {
        Cell::Is(held.container.is_transient)
    });
    fields
        .add(Column::exact("storage", Kind::Text), |held, _| Cell::text(&*held.container.storage));
    fields.add(Column::shown("container", Kind::Name), |held, _| {
        let element = &held.container.element.name;
        let transient = if held.container.is_transient { "transient" } else { "" };
        let text = format!("{}: {element}[{}]", held.name, held.shape.join(", "));
        Name { text: text.into(), remark: transient.into(), ..Name::default() }.into()
    });
    fields
}
