//! Tables as comma-separated values (RFC 4180).

use std::fmt::Write as _;

use analysis::{NO_VALUE, Tree};
use layout::Row;
use profile::{FrameId, decimal_text};

use crate::ProfileDocument;
use crate::kinds::profile::document::View;

/// The rows with all metrics; of a comparison with the kind of change too.
pub(crate) fn table(
    document: &ProfileDocument,
    view: &View,
    tree: &mut Tree,
    rows: &[Row],
) -> String {
    let tags = document.tags(view, tree, tree.metric(), rows.iter().map(|row| row.node));
    let profile = document.profile().clone();
    let mut out = String::from("depth,name,file,line,module");
    if tags.is_some() {
        out.push_str(",change");
    }
    let metrics = document.metrics();
    for metric in &metrics {
        for side in ["self", "total"] {
            let unit =
                if metric.unit.is_empty() { String::new() } else { format!(" ({})", metric.unit) };
            out.push(',');
            out.push_str(&field(&format!("{} {side}{unit}", metric.name)));
        }
    }
    out.push_str("\r\n");
    for (index, row) in rows.iter().enumerate() {
        let frame = tree.node(row.node).frame.map(FrameId).filter(|_| tree.is_frame(row.node));
        let (file, line, module) = match frame {
            Some(f) => (profile.frame_file(f), profile.place_line(f), profile.frame_module(f)),
            None => ("", 0, ""),
        };
        let line = if line == 0 { String::new() } else { line.to_string() };
        let name = field(&tree.name(row.node)).into_owned();
        // Writing to a string cannot fail.
        let _ = write!(out, "{},{name},{},{line},{}", row.depth, field(file), field(module));
        if let Some(tags) = &tags {
            let _ = write!(out, ",{}", tags[index].sign());
        }
        for (index, metric) in metrics.iter().enumerate() {
            let (own, total) = tree.values(row.node, index);
            for value in [own, total] {
                if value == NO_VALUE {
                    out.push(',');
                    continue;
                }
                let _ = write!(out, ",{}", decimal_text(value, metric.decimals));
            }
        }
        out.push_str("\r\n");
    }
    out
}

/// A field, quoted where it must be. A leading sign that spreadsheets would take for a formula
/// gets a quote mark before it.
pub fn field(text: &str) -> std::borrow::Cow<'_, str> {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if !formula && !text.contains([',', '"', '\n', '\r']) {
        return text.into();
    }
    let guard = if formula { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\"")).into()
}
