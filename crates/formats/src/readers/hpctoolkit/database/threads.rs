//! Threads by their identities.

use std::collections::BTreeMap;
use std::fmt::Write;

use profile::{Label, LabelValue, ProfileBuilder, StringId};

use super::profiles::{Id, ProfileInfo};
use super::values::Line;

/// Kinds of identifiers that several threads of a process differ in. What stands before the first
/// of them in an identity is the process.
const OF_THREADS: [&str; 5] = ["THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE"];

/// Makes a thread for every profile that is of one, in the order of their identities.
pub(super) fn lines(
    infos: &[ProfileInfo],
    kinds: &[String],
    builder: &mut ProfileBuilder,
) -> Vec<Option<Line>> {
    let mut order: Vec<usize> = (0..infos.len()).filter(|&i| !infos[i].is_summary).collect();
    order.sort_by(|&a, &b| infos[a].ids.cmp(&infos[b].ids));
    let shared = shared_ids(order.iter().map(|&profile| &infos[profile]));
    let mut lines = vec![None; infos.len()];
    for profile in order {
        let ids = &infos[profile].ids;
        let is_of_thread = |id: &Id| OF_THREADS.contains(&kind(kinds, id.kind).as_ref());
        let split = ids.iter().position(is_of_thread).unwrap_or(ids.len());
        let process = spelled(&ids[..split], kinds, &shared);
        let process = (!process.is_empty()).then(|| builder.process(&process));
        let mut name = spelled(ids, kinds, &shared);
        let known = builder.threads.len();
        if name.is_empty() {
            name = format!("profile {profile}");
        }
        let mut thread = builder.thread(process, &name);
        if builder.threads.len() == known {
            // Another one of the same identity.
            thread = builder.thread(process, &format!("{name} (profile {profile})"));
        }
        let labels: Vec<Label> = ids.iter().map(|id| label(id, kinds, builder)).collect();
        lines[profile] = Some(Line { thread, labels: builder.labels.add(&labels) });
    }
    lines
}

/// The kind of an identifier by its number, as `meta.db` calls it.
fn kind(kinds: &[String], kind: u8) -> std::borrow::Cow<'_, str> {
    match kinds.get(usize::from(kind)).filter(|name| !name.is_empty()) {
        Some(name) => name.into(),
        None => format!("kind {kind}").into(),
    }
}

/// Identifiers that all profiles have; names need not tell them.
fn shared_ids<'a>(infos: impl Iterator<Item = &'a ProfileInfo>) -> Vec<Id> {
    let mut count = 0usize;
    let mut counts = BTreeMap::<Id, usize>::new();
    for info in infos {
        count += 1;
        for &id in &info.ids {
            *counts.entry(id).or_default() += 1;
        }
    }
    counts.into_iter().filter(|&(_, found)| found == count).map(|(id, _)| id).collect()
}

/// `RANK 3 THREAD 1`: what tells an identity from others, and its last part in any case.
fn spelled(ids: &[Id], kinds: &[String], shared: &[Id]) -> String {
    let mut text = String::new();
    for (place, id) in ids.iter().enumerate() {
        if place + 1 == ids.len() || shared.binary_search(id).is_err() {
            let space = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{space}{} {}", kind(kinds, id.kind), id.logical);
        }
    }
    text
}

fn label(id: &Id, kinds: &[String], builder: &mut ProfileBuilder) -> Label {
    let key = builder.strings.intern(&kind(kinds, id.kind));
    let value = match id.physical {
        Some(physical) => LabelValue::Text(builder.strings.intern(&format!("{physical:#x}"))),
        None => LabelValue::Number(id.logical.into(), StringId::EMPTY),
    };
    Label { key, value }
}
