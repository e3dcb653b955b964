//! Tables of the page as comma-separated values.

use std::io;

use analysis::{GroupPlace, NO_VALUE, Tree};
use layout::Row;
use profile::{Metric, MetricId, decimal_text};

use crate::kinds::profile::compare::tests_of_runs::tags;
use crate::kinds::profile::trees::views::View;
use crate::{CsvTable, ProfileDocument};

/// The unit of a metric, behind the name of a column.
pub(crate) fn unit(metric: &Metric) -> String {
    if metric.unit.is_empty() { String::new() } else { format!(" ({})", metric.unit) }
}

/// The heads of a metric's two columns.
pub(crate) fn value_heads(out: &mut CsvTable<Vec<u8>>, metric: &Metric) -> io::Result<()> {
    let unit = unit(metric);
    for side in ["self", "total"] {
        out.text(&format!("{} {side}{unit}", metric.name))?;
    }
    Ok(())
}

/// Values of a metric, exact.
pub(crate) fn values(
    out: &mut CsvTable<Vec<u8>>,
    metric: &Metric,
    values: [i64; 2],
) -> io::Result<()> {
    for value in values {
        match value {
            NO_VALUE => out.empty()?,
            value => out.exact(decimal_text(value, metric.decimals))?,
        }
    }
    Ok(())
}

/// The rows with all metrics; of a comparison with the kind of change too.
pub(crate) fn table(
    document: &ProfileDocument,
    view: &View,
    tree: &mut Tree,
    rows: &[Row],
) -> io::Result<String> {
    let tags = tags(document, view, tree, tree.metric(), rows.iter().map(|row| row.node));
    let mut out = CsvTable::new(vec![]);
    for name in ["depth", "name", "file", "line", "module"] {
        out.text(name)?;
    }
    if tags.is_some() {
        out.text("change")?;
    }
    let metrics = document.metrics();
    for metric in &metrics {
        value_heads(&mut out, metric)?;
    }
    out.end_row()?;
    for (index, row) in work::steps("writing rows", rows.iter().enumerate()) {
        let GroupPlace { file, line, module, .. } = tree.place(row.node);
        out.exact(row.depth)?;
        out.text(&tree.name(row.node))?;
        out.text(file)?;
        if line == 0 { out.empty() } else { out.exact(line) }?;
        out.text(module)?;
        if let Some(tags) = &tags {
            out.text(tags[index].sign())?;
        }
        for (id, metric) in (0..).map(MetricId).zip(&metrics) {
            let (own, total) = tree.values(row.node, id);
            values(&mut out, metric, [own, total])?;
        }
        out.end_row()?;
    }
    String::from_utf8(out.finish()?).map_err(io::Error::other)
}
