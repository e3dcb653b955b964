//! Values that were asked for, as marks.

use std::collections::{HashMap, HashSet};

use calltrace::Logged;
use profile::{Label, LabelValue, Mark, ProfileBuilder, TrackId};

use super::clock::Clock;
use super::process::Process;
use crate::Warnings;

/// Puts values on the tracks of their threads.
pub(super) fn marks(
    process: &Process,
    tracks: &HashMap<u32, TrackId>,
    (clock, zero): (&Clock, i64),
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) {
    let mut seen = HashSet::new();
    for Logged { thread, ticks, function, leaves, values } in &process.logged.0 {
        let name = process.functions.get(function).map_or("", |one| &one.name);
        seen.insert(name);
        let Some(&track) = tracks.get(thread) else { continue };
        let Ok(values) = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(values)
        else {
            warnings.add("logged", || format!("values of {name} that are not JSON are left out"));
            continue;
        };
        let fields: Vec<Label> = values
            .iter()
            .map(|(key, value)| Label {
                key: builder.strings.intern(key),
                value: LabelValue::Text(builder.strings.intern(value.as_str().unwrap_or_default())),
            })
            .collect();
        let kind = if *leaves { format!("{name} ends") } else { format!("{name} is called") };
        let mark = Mark {
            track,
            time: clock.nanoseconds(*ticks).saturating_sub(zero),
            kind: builder.strings.intern(&kind),
            fields: builder.labels.add(&fields),
        };
        builder.timeline.mark(mark);
    }
    if process.logged.1 > 0 {
        warnings.add_many("logged, lost", process.logged.1, || {
            "values that were lost because the disk did not keep up".to_owned()
        });
    }
    for asked in &process.facts.log {
        if !seen.iter().any(|name| process.facts.is_logged(asked, name)) {
            warnings.add("not logged", || {
                let name = asked.split(':').next().unwrap_or_default();
                let hint = if name.contains('.') && process.has_plain_names() {
                    " (before 3.11 functions have no names of classes: ask for the last part alone)"
                } else {
                    ""
                };
                format!(
                    "process {}: no function {name} of Python was called{hint}",
                    process.facts.pid
                )
            });
        }
    }
}
