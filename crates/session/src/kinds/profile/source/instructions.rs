//! What a profile says of instructions: values by address on a source line, for one metric.

use std::cmp::Reverse;

use analysis::{FlatValues, flat_values};
use profile::{FrameId, MetricId, Profile, StringId, base_name};
use protocol::ProtocolError;

use crate::ProfileDocument;
use crate::kinds::profile::convert;
use crate::kinds::profile::source::index::{SourceIndex, size, source_index};
use crate::kinds::profile::source::places::{distinct, numbers};
use crate::kinds::profile::trees::views::filtered_profile;

/// An instruction that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceInstruction<'a> {
    /// As the profile has it: in the process, or in the module.
    pub address: u64,
    /// Name of the module without folders; empty if unknown.
    pub module: &'a str,
    /// What it is, as a disassembler writes it; empty where the profile does not tell.
    pub text: &'a str,
    /// Value of the samples whose innermost frame is the line at this instruction.
    pub self_value: i64,
    /// Value of the samples with the line at this instruction on their stack, each counted once.
    pub total_value: i64,
}

/// Frames grouped by line and instruction. The same for every metric; empty where no function has
/// two instructions, which is what profiles without addresses look like.
#[derive(Debug, Default)]
pub(crate) struct InstructionPlaces {
    /// Line, module and address, sorted. A frame without them has the number after the last.
    places: Vec<(u32, StringId, u64)>,
    /// What each is; empty where the profile tells of none.
    texts: Vec<StringId>,
    of_frame: Vec<u32>,
    /// By function, how many different instructions it has.
    counts: Vec<u32>,
}

impl InstructionPlaces {
    /// Of frames on `lines` lines in `functions` functions, with the line and function of each:
    /// the number after the last where there is none.
    pub(crate) fn new(
        profile: &Profile,
        (lines, line_of_frame): (usize, &[u32]),
        (functions, function_of_frame): (usize, &[u32]),
    ) -> InstructionPlaces {
        let frames = || (0..profile.frames.len() as u32).map(FrameId);
        let address = |frame: FrameId| {
            let location = profile.frames.location[frame.index()];
            let module = profile.locations.module(location);
            let module = module.map_or(StringId::EMPTY, |id| profile.modules[id.index()].name);
            let address = profile.locations.address[location.index()];
            (address != 0).then_some((module, address))
        };
        let of = |groups: &[u32], count: usize, frame: FrameId| {
            let group = Some(groups[frame.index()]).filter(|&group| (group as usize) < count)?;
            let (module, address) = address(frame)?;
            Some((group, module, address))
        };
        let in_functions =
            distinct(frames().filter_map(|frame| of(function_of_frame, functions, frame)));
        let mut counts = vec![0; functions];
        in_functions.iter().for_each(|&(function, ..)| counts[function as usize] += 1);
        if counts.iter().all(|&count| count < 2) {
            return InstructionPlaces::default();
        }
        let on_line = |frame| of(line_of_frame, lines, frame);
        let places = distinct(frames().filter_map(on_line));
        let of_frame = numbers(&places, frames().map(on_line));
        let mut texts = vec![];
        if profile.locations.has_instructions() {
            texts = vec![StringId::EMPTY; places.len()];
            for (frame, &place) in frames().zip(&of_frame) {
                let told = profile.locations.instruction(profile.frames.location[frame.index()]);
                if let Some(text) = texts.get_mut(place as usize)
                    && told != StringId::EMPTY
                {
                    *text = told;
                }
            }
        }
        InstructionPlaces { places, texts, of_frame, counts }
    }

    /// How many different instructions of a function were measured; 0 if that is not known.
    pub(crate) fn count(&self, function: u32) -> u32 {
        self.counts.get(function as usize).copied().unwrap_or(0)
    }
}

/// The instructions of a line of the index of `metric`, the largest self value first; empty
/// where there are less than two.
pub fn source_instructions(
    document: &ProfileDocument,
    metric: MetricId,
    file: u32,
    line: u32,
) -> Result<Vec<SourceInstruction<'_>>, ProtocolError> {
    let index = source_index(document, metric)?;
    let mut found = instructions_of_line(document, &index, metric, file, line)?;
    if found.len() < 2 {
        found.clear();
    }
    found.sort_by_key(|one| {
        (Reverse(size(one.self_value)), Reverse(size(one.total_value)), one.address)
    });
    Ok(found)
}

/// By module and address.
fn instructions_of_line<'a>(
    document: &'a ProfileDocument,
    index: &SourceIndex,
    metric: MetricId,
    file: u32,
    line: u32,
) -> Result<Vec<SourceInstruction<'a>>, ProtocolError> {
    let all = index.instruction_places();
    let Some(row) = index.line_row(file, line) else { return Ok(vec![]) };
    let start = all.places.partition_point(|&(line, ..)| line < row);
    let end = all.places.partition_point(|&(line, ..)| line <= row);
    if start == end {
        return Ok(vec![]);
    }
    let values = all_instruction_values(document, index, metric)?;
    let instruction = |place: usize| {
        let (_, module, address) = all.places[place];
        SourceInstruction {
            address,
            module: base_name(document.profile().text(module)),
            text: all.texts.get(place).map_or("", |&text| document.profile().text(text)),
            self_value: values.self_value[place],
            total_value: values.total_value[place],
        }
    };
    Ok((start..end).map(instruction).collect())
}

/// Values by instruction, worked out once.
pub(crate) fn all_instruction_values<'a>(
    document: &ProfileDocument,
    index: &'a SourceIndex,
    metric: MetricId,
) -> Result<&'a FlatValues, ProtocolError> {
    let all = index.instruction_places();
    let filtered = filtered_profile(document, &[], true).map_err(convert::filter_error)?;
    Ok(index.instruction_values().get_or_init(|| match all.places.len() {
        0 => FlatValues { self_value: vec![], total_value: vec![], is_estimated: vec![] },
        places => flat_values(&filtered, &all.of_frame, places + 1, metric),
    }))
}
