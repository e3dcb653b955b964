//! `metrics/default.yaml`: the order in which HPCToolkit shows the metrics.

use super::super::FORMAT;
use crate::ReadError;
use crate::input::stream::Stream;
use crate::text::lines::Lines;

/// The names below `roots:`, in their order. hpcprof writes one entry a line.
pub(super) fn names(stream: Stream) -> Result<Vec<String>, ReadError> {
    let mut lines = Lines::new(stream, FORMAT.name)?;
    let mut names = vec![];
    let mut in_roots = false;
    while let Some(line) = lines.next_line()? {
        if !line.text.starts_with([' ', '-', '#']) {
            in_roots = line.text.trim_end() == "roots:";
        } else if in_roots && let Some(name) = line.text.trim_start().strip_prefix("- name:") {
            names.push(unquoted(name.trim()).to_owned());
        }
    }
    Ok(names)
}

fn unquoted(text: &str) -> &str {
    let between = |quote| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    between('"').or_else(|| between('\'')).unwrap_or(text)
}
