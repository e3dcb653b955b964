//! `hotframe sdfg fusions`.

use anyhow::Result;
use sdfg::cost::{Certainty, Costs, Rules};
use sdfg::expr::Bindings;
use sdfg::fusion::{self, Fusion};
use sdfg::model::{NodeIndex, Program};

use super::cost::check_symbols;
use super::value::{CostValue, add_cost};
use crate::arguments::{ReportFormat, SdfgSizes};
use crate::commands::sdfg::files::{limit, open, table, write};
use crate::report::{Cell, Column, Fields, Kind, Members, Name, Section, Sections};

/// Two maps and what fusing them saves.
struct Row<'a> {
    saved: CostValue,
    certainty: Certainty,
    /// Whether it is that of the whole run rather than of each time.
    is_whole: bool,
    maps: [(&'a str, String); 2],
    between: String,
    still_written: String,
    obstacle: Option<String>,
}

/// Ranks neighbouring maps by the bytes that fusing them saves.
pub(super) fn fusions(arguments: &SdfgSizes) -> Result<()> {
    let output = &arguments.graph.output;
    let program = open(&arguments.graph.file, output.max_size)?;
    let costs = Costs::new(&program, Rules::Exact);
    let at: Bindings = arguments.set.iter().cloned().collect();
    check_symbols(&program, &costs, &at)?;
    let all = fusion::rank(&program, &costs, &at);
    let rows: Vec<Row<'_>> = all.iter().map(|fusion| row(&program, fusion, &at)).collect();
    let notes = if rows.is_empty() {
        vec!["no two maps are connected by a container".to_owned()]
    } else {
        vec![]
    };
    let most = limit(output.format, arguments.limit);
    let title = "bytes of accesses that fusing two maps saves in the whole run";
    let rows = table(title, fields(output.format), rows, (most, "pairs of maps"));
    let tables = vec![Section::new("fusions", rows)];
    let (members, more) = (Members::default(), Members::default());
    write(Sections { members, tables, notes, more }, output)
}

fn row<'a>(program: &'a Program, fusion: &Fusion, at: &Bindings) -> Row<'a> {
    let saved = fusion.saved_in_all.as_ref().unwrap_or(&fusion.saved);
    let id = program.id_of_state(fusion.state);
    let map = |node: NodeIndex| {
        let label: &str = &program.state(fusion.state).nodes[node.place()].label;
        (label, id.with_node(node).to_string())
    };
    let named = |is_wanted: fn(&fusion::Intermediate) -> bool| {
        let some = fusion.between.iter().filter(|one| is_wanted(one));
        some.map(|one| &*one.data).collect::<Vec<&str>>().join(", ")
    };
    Row {
        saved: CostValue::new(Some(&saved.bytes), at),
        certainty: saved.certainty,
        is_whole: fusion.saved_in_all.is_some(),
        maps: [map(fusion.first), map(fusion.second)],
        between: named(|_| true),
        still_written: named(|one| !one.is_private),
        obstacle: fusion.obstacle.map(|obstacle| obstacle.to_string()),
    }
}

fn fields<'a>(format: ReportFormat) -> Fields<'a, Row<'a>> {
    let mut fields = Fields::<Row<'_>>::new(format);
    for (key, side) in [("first", 0), ("second", 1)] {
        fields.add(Column::exact(key, Kind::Text), move |row, _| Cell::text(row.maps[side].0));
    }
    for (key, side) in [("first_id", 0), ("second_id", 1)] {
        fields.add(Column::exact(key, Kind::Text), move |row, _| Cell::text(&row.maps[side].1));
    }
    fields.add(Column::exact("between", Kind::Text), |row, _| Cell::text(&row.between));
    fields.add(Column::exact("still_written", Kind::Text), |row, _| Cell::text(&row.still_written));
    fields.add(Column::exact("obstacle", Kind::Text), |row, _| {
        Cell::maybe(row.obstacle.as_deref(), Cell::text)
    });
    let saved = ["saved_bytes", "saved bytes", "saved bytes expression"];
    add_cost(&mut fields, saved, |row| &row.saved);
    fields.add(Column::exact("certainty", Kind::Text), |row, _| Cell::text(row.certainty.name()));
    fields.add(Column::exact("in_whole_run", Kind::Flag), |row, _| Cell::Is(row.is_whole));
    fields.add(Column::shown("saved bytes", Kind::Value).wide(18), |row, _| row.saved.cell());
    fields.add(Column::shown("maps", Kind::Name), |row, _| {
        let [(first, id), (second, _)] = &row.maps;
        let mut remark = format!("through {} {}", row.between, row.saved.formula());
        if !row.still_written.is_empty() {
            remark.push_str(&format!(" ({} still written)", row.still_written));
        }
        if let Certainty::AtMost(excess) = row.certainty {
            remark.push_str(&format!(" (at most: {excess})"));
        }
        if !row.is_whole {
            remark.push_str(" (each time that they are reached)");
        }
        if let Some(obstacle) = &row.obstacle {
            remark.push_str(&format!("; not as they are: {obstacle}"));
        }
        let text = format!("{first} -> {second}");
        Name { text: text.into(), at: id.into(), remark: remark.into(), ..Name::default() }.into()
    });
    fields
}
