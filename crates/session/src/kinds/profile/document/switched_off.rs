//! Functions whose calls are exact up to some number, in words.

use std::collections::BTreeMap;

use analysis::{FrameKey, FrameKeys, Granularity};
use profile::{FrameId, Profile, SwitchedOff};

use crate::units::{Unit, count_text};

/// How far a function is exact, and what is known of the rest.
pub(crate) fn sentence(one: &SwitchedOff) -> String {
    let exact = format!("exact to call {}", count_text(one.exact_calls));
    let Some(estimate) = &one.estimate else {
        return format!("{exact}, then not measured: later time is in what called it");
    };
    let unit = Unit::new("nanoseconds", 0);
    let (time, half) = (unit.text(estimate.time_ns), unit.text(estimate.plus_minus_ns()));
    let samples = count_text(estimate.samples);
    let all = count_text(estimate.of_samples);
    let mut text = match estimate.samples {
        0 if estimate.time_ns == 0 => {
            format!("{exact}, then in none of {all} samples: not measured")
        }
        1 => format!("{exact}, then estimated: {time} ± {half} (95 %, 1 sample)"),
        _ => format!("{exact}, then estimated: {time} ± {half} (95 %, {samples} samples)"),
    };
    text.push_str("; later calls are not counted");
    if one.is_partial {
        text.push_str("; not measured in some processes");
    }
    text
}

/// How far the function of a frame is exact, where a row of this name stands for it and not for a file or a module.
pub(crate) fn of_frame<'p>(
    profile: &'p Profile,
    frame: FrameId,
    name: &str,
) -> Option<&'p SwitchedOff> {
    if profile.switched_off.is_empty() {
        return None;
    }
    let function = profile.frames.function(frame)?;
    let own = profile.text(profile.functions.name[function.index()]);
    profile.switched_off_of(function).filter(|_| name.starts_with(own))
}

/// Groups of frames that are not exact, with what is to be said of them. Of files and modules nothing is: what
/// their functions took is in each other.
pub(crate) fn of_keys(profile: &Profile, keys: &FrameKeys) -> BTreeMap<FrameKey, SwitchedOff> {
    let mut found: BTreeMap<FrameKey, SwitchedOff> = BTreeMap::new();
    let are_groups = matches!(keys.granularity(), Granularity::File | Granularity::Module);
    if profile.switched_off.is_empty() || are_groups {
        return found;
    }
    // A function's first frame of a key is that of all.
    let frames = (0..profile.frames.len() as u32).map(FrameId);
    let mut last = None;
    for frame in work::steps("looking for estimates", frames) {
        let function = profile.frames.function(frame);
        let Some(one) = function.and_then(|function| profile.switched_off_of(function)) else {
            continue;
        };
        let key = keys.key(frame);
        if last.replace((key, one.function)) == Some((key, one.function)) {
            continue;
        }
        match found.get_mut(&key) {
            Some(known) if known.function != one.function => known.add(one),
            Some(_) => {}
            None => {
                found.insert(key, *one);
            }
        }
    }
    found
}
