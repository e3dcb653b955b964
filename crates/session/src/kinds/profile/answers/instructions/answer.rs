//! Instructions with what was measured at them.

use std::cmp::Reverse;
use std::collections::HashMap;

use analysis::{Filtered, NO_VALUE, flat_values};
use profile::{FrameId, LocationKind, MetricId, Profile};
use protocol::{
    ErrorCode, InstructionInfo, InstructionSection, InstructionsColumns, InstructionsResult,
    NodeParams, ProtocolError, Reply,
};

use super::code::{Modules, Place, Section};
use crate::kinds::profile::answers::nodes::{metric_of, node_of};
use crate::kinds::profile::convert;
use crate::kinds::profile::source::frames_of::frames_of_function;
use crate::kinds::profile::source::index::size;
use crate::kinds::profile::source::places::{distinct, numbers};
use crate::kinds::profile::trees::views::{filtered_profile, view_of};
use crate::{Binaries, ProfileDocument, lock};

/// Instructions told; more are for a disassembler.
const MOST: usize = 20_000;
/// Functions of the linker told.
const MOST_SECTIONS: usize = 40;

pub(crate) fn instructions(
    document: &ProfileDocument,
    params: &NodeParams,
    binaries: Option<&Binaries>,
) -> Result<Reply<InstructionsResult, InstructionsColumns>, ProtocolError> {
    if document.comparison().is_some() {
        let message = "instructions belong to one side: the two builds differ in them";
        return Err(ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("Open one side by itself, and ask for its instructions."));
    }
    let view = view_of(document, &params.view)?;
    let tree = lock(&view.tree);
    let node = node_of(&view, &tree, params.instance, params.node)?;
    let filtered = tree.filtered().clone();
    let profile = filtered.profile();
    let frames = 0..profile.frames.len() as u32;
    let is_of_node: Vec<bool> = frames.map(|frame| tree.contains_frame(node, frame)).collect();
    drop(tree);
    Ok(of_frames(document, &filtered, metric_of(&params.view), &is_of_node, binaries))
}

/// The instructions of some frames; `is_of` says of every frame whether it is one.
fn of_frames(
    document: &ProfileDocument,
    filtered: &Filtered,
    metric: MetricId,
    is_of: &[bool],
    binaries: Option<&Binaries>,
) -> Reply<InstructionsResult, InstructionsColumns> {
    let profile = filtered.profile();
    let frames = 0..profile.frames.len() as u32;
    let place_of = |frame: u32| place(profile, FrameId(frame));
    let wanted = frames.clone().filter(|&frame| is_of[frame as usize]);
    let places = distinct(wanted.filter_map(place_of));
    let weights = weights(filtered, &places, is_of, document.base_metric(metric));
    let (sections, more) = sections(profile, binaries, &places, &weights);

    // Frames by instruction; then those at no instruction that is told, and all others.
    let mut row_of_place = HashMap::new();
    let mut count = 0;
    for section in &sections {
        let of_section = section.places.iter();
        row_of_place.extend(of_section.map(|&at| (at, count + section.row_of(at) as u32)));
        count += section.rows.len() as u32;
    }
    let row = |frame: u32| {
        if !is_of[frame as usize] {
            return count + 1;
        }
        place_of(frame).and_then(|at| row_of_place.get(&at).copied()).unwrap_or(count)
    };
    let rows: Vec<u32> = frames.map(row).collect();
    let values = flat_values(filtered, &rows, count as usize + 2, metric);
    let outside: Vec<u32> = is_of.iter().map(|&is| u32::from(!is)).collect();
    let whole = flat_values(filtered, &outside, 2, metric);

    let columns = InstructionsColumns {
        self_value: values.self_value[..count as usize].to_vec(),
        total_value: values.total_value[..count as usize].to_vec(),
        function: vec![whole.self_value[0], whole.total_value[0]],
        unplaced: vec![values.self_value[count as usize]]
            .into_iter()
            .filter(|&v| v != NO_VALUE)
            .collect(),
        scale: document.metric_ids().map(|metric| filtered.program_total(metric)).collect(),
    };
    let mut told = InstructionsResult {
        sections: vec![],
        instructions: vec![],
        files: vec![],
        more,
        estimated: profile.origin.estimated_paths,
    };
    sections.into_iter().for_each(|section| tell(profile, section, &mut told));
    Reply { result: told, columns }
}

/// The instructions of the function with this number among all functions, as pages list them: those of
/// its binaries where they are at hand, else those that were measured.
pub fn function_instructions(
    document: &ProfileDocument,
    metric: MetricId,
    key: u32,
    binaries: Option<&Binaries>,
) -> Result<Reply<InstructionsResult, InstructionsColumns>, ProtocolError> {
    let filtered = filtered_profile(document, &[], true).map_err(convert::filter_error)?;
    Ok(of_frames(document, &filtered, metric, &frames_of_function(document, key), binaries))
}

/// Where a frame was measured, if that is known.
fn place(profile: &Profile, frame: FrameId) -> Option<Place> {
    let location = profile.frames.location[frame.index()];
    let is_code = profile.locations.kind[location.index()] == LocationKind::Code;
    let address = profile.locations.address[location.index()];
    let module = profile.locations.module(location);
    (is_code && address != 0).then_some(Place { module, address })
}

/// How much was measured at each place: what is shown first, and what at all, if there is too much.
fn weights(filtered: &Filtered, places: &[Place], of_node: &[bool], metric: MetricId) -> Vec<u64> {
    let profile = filtered.profile();
    let place_of =
        |frame: u32| of_node[frame as usize].then(|| place(profile, FrameId(frame))).flatten();
    let of_frame = numbers(places, (0..profile.frames.len() as u32).map(place_of));
    let values = flat_values(filtered, &of_frame, places.len() + 1, metric);
    values.total_value[..places.len()].iter().map(|&value| size(value)).collect()
}

/// The code of all places, the largest first, and how many places are left out.
fn sections(
    profile: &Profile,
    binaries: Option<&Binaries>,
    places: &[Place],
    weights: &[u64],
) -> (Vec<Section>, u32) {
    let mut modules = Modules::new(profile, binaries);
    let mut by_code = HashMap::new();
    let mut sections: Vec<(u64, Section)> = vec![];
    for (&place, &weight) in places.iter().zip(weights) {
        let (code, address) = modules.find(place);
        let at = *by_code.entry(code.clone()).or_insert_with(|| {
            sections.push((0, Section::new(code)));
            sections.len() - 1
        });
        let (sum, section) = &mut sections[at];
        *sum = sum.saturating_add(weight);
        section.add(place, address);
    }
    sections.sort_by_key(|(weight, _)| Reverse(*weight));
    let mut more = 0;
    let mut left = MOST;
    let mut kept = vec![];
    for (number, (_, mut section)) in sections.into_iter().enumerate() {
        if number < MOST_SECTIONS {
            modules.read(&mut section);
        }
        if number >= MOST_SECTIONS || section.rows.len() > left {
            more += section.places.len() as u32;
            continue;
        }
        left -= section.rows.len();
        kept.push(section);
    }
    (kept, more)
}

fn tell(profile: &Profile, section: Section, told: &mut InstructionsResult) {
    let Section { code, rows, problem, is_unchecked, .. } = section;
    told.sections.push(InstructionSection {
        module: profile.text(code.module).to_owned(),
        symbol: code.symbol,
        count: rows.len() as u32,
        problem,
        unchecked: is_unchecked,
    });
    for row in rows {
        let file = row.file.map(|file| {
            let known = told.files.iter().position(|one| **one == *file);
            let number = known.unwrap_or_else(|| {
                told.files.push(file.to_string());
                told.files.len() - 1
            });
            number as u32
        });
        let address = format!("{:x}", row.address);
        let (text, line, block) = (row.text, row.line, row.block);
        told.instructions.push(InstructionInfo { address, text, file, line, block });
    }
}
