//! `profile.db`: the threads, and their values.

use std::ops::Range;

use profile::ContextId;

use super::bytes::{self, Array, View, malformed};
use super::meta::{Measure, Meta, Node, Scope};
use crate::input::folder;
use crate::input::folder::Folder;
use crate::{ReadError, ReadOptions, Warnings};

/// A profile of one thread, or a summary of several.
#[derive(Debug, Clone)]
pub(super) struct ProfileInfo {
    pub(super) is_summary: bool,
    /// Who it is of, from the outside in.
    pub(super) ids: Vec<Id>,
    value_count: u64,
    values: Range<u64>,
    indices: Range<u64>,
}

/// One part of a thread's identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id {
    pub(super) kind: u8,
    pub(super) logical: u32,
    /// What the hardware calls it.
    pub(super) physical: Option<u64>,
}

/// The values of one thread.
#[derive(Debug)]
pub(super) struct ThreadValues {
    /// Its profile's number.
    pub(super) profile: usize,
    /// Values by context; those of a context follow each other.
    pub(super) own: Vec<OwnValue>,
    /// By metric, what adding up and subtracting may have left behind.
    pub(super) noise: Vec<f64>,
}

/// What a context has by itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnValue {
    pub(super) context: ContextId,
    pub(super) metric: u32,
    pub(super) value: f64,
}

impl ThreadValues {
    pub(super) fn heap_bytes(&self) -> usize {
        self.own.capacity() * size_of::<OwnValue>() + self.noise.len() * 8
    }
}

/// Bytes of a value: metric, number.
const VALUE: u64 = 10;
/// Bytes of an index: context, number of its first value.
const INDEX: u64 = 12;

/// Reads which profiles there are.
pub(super) fn list(
    folder: &dyn Folder,
    path: &str,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Vec<ProfileInfo>, ReadError> {
    let header = folder::read_file(folder, path, options, |mut stream| {
        let size = bytes::header_size(2);
        let held = stream.peek(size)?.len().min(size);
        bytes::header(stream.take(held), "prof", 2, warnings)
    })?;
    let section = |range: &Range<u64>| {
        folder::read_file(folder, path, options, |mut stream| {
            Ok(bytes::take(&mut stream, range)?.unwrap_or_default().to_vec())
        })
    };
    let (infos, tuples) = (section(&header[0])?, section(&header[1])?);
    let start = header[0].start;
    let view = View::new(&infos, start);
    let tuples = View::new(&tuples, header[1].start);
    let array = || {
        Some(Array {
            start: view.u64(start)?,
            count: view.u32(start.checked_add(8)?)?.into(),
            stride: view.u8(start.checked_add(12)?)?.into(),
        })
    };
    let array = array().ok_or_else(|| malformed(start, "its list of profiles is not there"))?;
    let mut profiles = vec![];
    let mut held = infos.len();
    for offset in array.at_least(0x2c, "profiles", start)?.offsets() {
        let Some(info) = profile_info(view, tuples, offset, warnings) else {
            warnings.add("profiles", || {
                format!("the list of profiles goes beyond its section at byte {offset}")
            });
            break;
        };
        held += size_of::<ProfileInfo>() + info.ids.len() * size_of::<Id>();
        options.check_memory(held)?;
        profiles.push(info);
    }
    Ok(profiles)
}

fn profile_info(
    view: View,
    tuples: View,
    offset: u64,
    warnings: &mut Warnings,
) -> Option<ProfileInfo> {
    let at = |field: u64| offset.checked_add(field);
    let value_count = view.u64(offset)?;
    let values = view.u64(at(0x08)?)?;
    let context_count = u64::from(view.u32(at(0x10)?)?);
    let indices = view.u64(at(0x18)?)?;
    let tuple = view.u64(at(0x20)?)?;
    let flags = view.u32(at(0x28)?)?;
    let range =
        |start: u64, count: u64, size| start..start.saturating_add(count.saturating_mul(size));
    let ids = match tuple {
        0 => vec![],
        tuple => ids(tuples, tuple).unwrap_or_else(|| {
            warnings.add("identity", || {
                format!("the identity of a thread is not at byte {tuple}, where it should be")
            });
            vec![]
        }),
    };
    Some(ProfileInfo {
        is_summary: flags & 1 == 1,
        ids,
        value_count,
        values: range(values, value_count, VALUE),
        indices: range(indices, context_count, INDEX),
    })
}

fn ids(view: View, tuple: u64) -> Option<Vec<Id>> {
    let count = view.u16(tuple)?.into();
    let array = Array { start: tuple.checked_add(8)?, count, stride: 16 };
    let id = |offset: u64| {
        let at = |field: u64| offset.checked_add(field);
        let is_physical = view.u16(at(2)?)? & 1 == 1;
        let (logical, physical) = (view.u32(at(4)?)?, view.u64(at(8)?)?);
        Some(Id { kind: view.u8(offset)?, logical, physical: is_physical.then_some(physical) })
    };
    array.offsets().map(id).collect()
}

/// Reads the values of all threads, in the order of the list.
pub(super) fn values(
    folder: &dyn Folder,
    path: &str,
    infos: &[ProfileInfo],
    meta: &Meta,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Vec<ThreadValues>, ReadError> {
    let has_values = |&profile: &usize| {
        let info = &infos[profile];
        !info.is_summary && info.value_count > 0 && !info.indices.is_empty()
    };
    let mut wanted: Vec<usize> = (0..infos.len()).filter(has_values).collect();
    wanted.sort_by_key(|&profile| infos[profile].values.start);
    let mut found = folder::read_file(folder, path, options, |mut stream| {
        let mut found: Vec<ThreadValues> = vec![];
        let mut places = vec![NOWHERE; meta.contexts.len()];
        let mut held = meta.heap_bytes() + places.len() * size_of::<Slice>();
        for profile in wanted {
            let info = &infos[profile];
            let mut refuse = |why: &str| {
                warnings.add("values", || {
                    format!("the values of profile {profile} are left out: {why}")
                });
            };
            /// hpcprof pads to eight bytes.
            const PADDING: u64 = 64;
            if info.indices.start.saturating_sub(info.values.end) > PADDING
                || info.indices.start < info.values.end
            {
                refuse("they do not stand before the list of their contexts");
                continue;
            }
            let range = info.values.start..info.indices.end;
            let Some(block) = bytes::take(&mut stream, &range)? else {
                refuse("they are not where the file says, or overlap others");
                continue;
            };
            if (block.len() as u64) < range.end - range.start {
                refuse("the file ends before they do");
                continue;
            }
            let view = View::new(block, range.start);
            let thread = own_values(view, profile, info, meta, &mut places, warnings);
            held += thread.heap_bytes();
            options.check_memory(held)?;
            found.push(thread);
        }
        Ok(found)
    })?;
    found.sort_by_key(|thread| thread.profile);
    Ok(found)
}

/// Entries of a context: from, to.
type Slice = Range<u32>;
const NOWHERE: Slice = 0..0;

/// A value of a thread.
#[derive(Debug, Clone, Copy)]
struct Entry {
    row: u32,
    metric: u32,
    scope: Scope,
    /// As it stands in the file.
    value: f64,
    /// Without what the contexts inside have.
    own: f64,
}

/// A thread's values. `places` has an entry a context, all of them [`NOWHERE`] before and after.
fn own_values(
    view: View,
    profile: usize,
    info: &ProfileInfo,
    meta: &Meta,
    places: &mut [Slice],
    warnings: &mut Warnings,
) -> ThreadValues {
    let mut entries = entries(view, profile, info, meta, warnings);
    let mut largest = vec![0f64; meta.metrics.len()];
    for (number, entry) in entries.iter().enumerate() {
        let place = &mut places[entry.row as usize];
        let is_first = place.start == place.end;
        let start = if is_first { number as u32 } else { place.start };
        *place = start..number as u32 + 1;
        let largest = &mut largest[entry.metric as usize];
        *largest = largest.max(entry.value.abs());
    }
    subtract_inner(&mut entries, places, meta, warnings);
    for entry in &entries {
        places[entry.row as usize] = NOWHERE;
    }
    /// What sums of floating-point numbers lose, with room for a great many of them.
    const PRECISION: f64 = 1e-12;
    let noise: Vec<f64> = largest.into_iter().map(|largest| largest * PRECISION).collect();
    let mut own = vec![];
    for entry in entries {
        let noise = noise[entry.metric as usize];
        if entry.own.abs() <= noise {
            continue;
        }
        if entry.own < 0.0 && entry.value >= 0.0 {
            warnings.add("negative", || {
                format!(
                    "a context of {} has less than those inside of it, by {}",
                    meta.metrics[entry.metric as usize].title, -entry.own
                )
            });
        }
        let context = meta.contexts[entry.row as usize].context;
        own.push(OwnValue { context, metric: entry.metric, value: entry.own });
    }
    own.shrink_to_fit();
    ThreadValues { profile, own, noise }
}

/// The values of a thread from which own values come.
fn entries(
    view: View,
    profile: usize,
    info: &ProfileInfo,
    meta: &Meta,
    warnings: &mut Warnings,
) -> Vec<Entry> {
    let indices = Array {
        start: info.indices.start,
        count: (info.indices.end - info.indices.start) / INDEX,
        stride: INDEX,
    };
    let first_of = |offset: u64| view.u64(offset.saturating_add(4));
    let mut entries: Vec<Entry> = vec![];
    let mut done = 0;
    for offset in indices.offsets() {
        let (Some(context), Some(first)) = (view.u32(offset), first_of(offset)) else { break };
        let next = offset + INDEX;
        let end = if next < info.indices.end { first_of(next) } else { None };
        let end = end.unwrap_or(info.value_count);
        if first < done || end < first || end > info.value_count {
            warnings.add("indices", || {
                format!("values of profile {profile} are left out: {first} to {end} cannot be")
            });
            continue;
        }
        done = end;
        let row = meta.rows.find(context.into());
        let own_from = entries.len();
        for number in first..end {
            let at = info.values.start + number * VALUE;
            let (Some(id), Some(bits)) = (view.u16(at), view.u64(at + 2)) else { break };
            let value = f64::from_bits(bits);
            let (metric, scope) = match meta.measures.get(usize::from(id)).copied().flatten() {
                Some(Measure::Of { metric, scope }) => (metric, scope),
                Some(Measure::Redundant) => continue,
                None => {
                    warnings.add("unknown metric", || {
                        format!("values of metrics that meta.db does not name, such as {id}")
                    });
                    continue;
                }
            };
            let row = match row {
                Some(row) => row,
                // What sums up others is in the sums of those around it, which are in the tree.
                None if scope != Scope::Point => continue,
                None => {
                    warnings.add("unknown context", || {
                        format!(
                            "values of contexts that are not in the tree, such as {context}, are \
                             shown for the whole program"
                        )
                    });
                    0
                }
            };
            if !value.is_finite() {
                warnings.add("not a number", || "values that are not numbers".to_owned());
                continue;
            }
            entries.push(Entry { row, metric, scope, value, own: value });
        }
        if !entries[own_from..].is_sorted_by_key(|entry| entry.metric) {
            entries[own_from..].sort_by_key(|entry| entry.metric);
        }
    }
    if !entries.is_sorted_by_key(|entry| entry.row) {
        entries.sort_by_key(|entry| entry.row);
    }
    entries
}

/// Takes from each context what the contexts directly inside of it have.
fn subtract_inner(entries: &mut [Entry], places: &[Slice], meta: &Meta, warnings: &mut Warnings) {
    /// A context without a value around one that has one is damage; more of them are not passed.
    const MOST_LEVELS: u32 = 256;
    for entry in 0..entries.len() {
        let Entry { row, metric, scope, value, .. } = entries[entry];
        let mut inner = row;
        for level in 0.. {
            let Node { parent, propagation, .. } = meta.contexts[inner as usize];
            if parent == u32::MAX || !scope.hands_on(propagation) {
                break;
            }
            let slice = places[parent as usize].clone();
            let around = &mut entries[slice.start as usize..slice.end as usize];
            if let Ok(found) = around.binary_search_by_key(&metric, |entry| entry.metric) {
                around[found].own -= value;
                break;
            }
            if level == 0 {
                warnings.add("gap", || {
                    format!(
                        "a context has a value of {} and the one around it has none",
                        meta.metrics[metric as usize].title
                    )
                });
            }
            if level == MOST_LEVELS {
                break;
            }
            inner = parent;
        }
    }
}
