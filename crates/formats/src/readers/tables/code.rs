//! The frames: places in code.

use std::borrow::Cow;

use profile::{FrameId, LocationKind, Module, Profile};

use super::cells::{Column, known, text, unsigned, whole};

/// The words for kinds of locations, in the order of [`LocationKind::ALL`].
pub(super) const KINDS: [&str; 5] = ["code", "loop", "data", "region", "block"];

/// Where the name of a frame comes from.
pub(super) mod named {
    /// It is the function's.
    pub(in crate::readers::tables) const FUNCTION: &str = "function";
    /// It is the linker's, the function has no other.
    pub(in crate::readers::tables) const LINKER: &str = "linker";
    /// It is made from the module, the address or the file.
    pub(in crate::readers::tables) const PLACE: &str = "place";
}

/// What of a module is symbolised, in the order of its flags.
pub(super) const SYMBOLISED: [&str; 4] = ["functions", "files", "lines", "inlining"];

/// A row a frame: a place in code, with its location.
pub(super) fn frames(profile: &Profile) -> Vec<Column<'_>> {
    let all = move || (0..profile.frames.len() as u32).map(FrameId);
    let location = move |frame: FrameId| profile.frames.location[frame.index()];
    let first = move |frame: FrameId| profile.locations.frames(location(frame)).start;
    let module = move |frame: FrameId| {
        let module = profile.locations.module(location(frame));
        module.map_or(Module::default(), |module| profile.modules[module.index()].clone())
    };
    let row = move |frame: FrameId| profile.frames.function(frame).map(|f| f.index());
    vec![
        whole("frame", all().map(|frame| Some(frame.0.into()))),
        whole("location", all().map(move |frame| Some(location(frame).0.into()))),
        whole("position", all().map(move |frame| Some((frame.0 - first(frame)).into()))),
        text("function", all().map(|frame| profile.frame_name(frame))),
        text("named", all().map(move |frame| Cow::Borrowed(name_of(profile, frame)))),
        text(
            "linker_name",
            all().map(move |frame| {
                let name =
                    row(frame).map_or("", |f| profile.text(profile.functions.system_name[f]));
                Cow::Borrowed(name)
            }),
        ),
        text("file", all().map(|frame| Cow::Borrowed(profile.frame_file(frame)))),
        whole(
            "start_line",
            all().map(move |frame| known(profile.functions.start_line[row(frame)?])),
        ),
        whole(
            "start_column",
            all().map(move |frame| known(profile.functions.start_column[row(frame)?])),
        ),
        whole("line", all().map(|frame| known(profile.frames.line[frame.index()]))),
        whole("column", all().map(|frame| known(profile.frames.column[frame.index()]))),
        text("module", all().map(|frame| Cow::Borrowed(profile.frame_module(frame)))),
        text(
            "build_id",
            all().map(move |frame| Cow::Borrowed(profile.text(module(frame).build_id))),
        ),
        unsigned("mapping_start", all().map(move |frame| module(frame).memory_start)),
        unsigned("mapping_limit", all().map(move |frame| module(frame).memory_limit)),
        unsigned("mapping_offset", all().map(move |frame| module(frame).file_offset)),
        text("symbolised", all().map(move |frame| Cow::Owned(symbolised(&module(frame))))),
        unsigned(
            "address",
            all().map(move |frame| profile.locations.address[location(frame).index()]),
        ),
        text(
            "kind",
            all().map(move |frame| {
                let kind = if profile.is_inlined(frame) {
                    LocationKind::Code
                } else {
                    profile.locations.kind[location(frame).index()]
                };
                Cow::Borrowed(KINDS[kind as usize])
            }),
        ),
        whole("inlined", all().map(|frame| Some(profile.is_inlined(frame).into()))),
        whole(
            "folded",
            all().map(move |f| Some(profile.locations.folded[location(f).index()].into())),
        ),
        text(
            "instruction",
            all().map(move |frame| {
                Cow::Borrowed(profile.text(profile.locations.instruction(location(frame))))
            }),
        ),
    ]
}

fn name_of(profile: &Profile, frame: FrameId) -> &'static str {
    let Some(function) = profile.frames.function(frame) else { return named::PLACE };
    let is_known = |names: &[profile::StringId]| !profile.text(names[function.index()]).is_empty();
    match profile.functions {
        ref functions if is_known(&functions.name) => named::FUNCTION,
        ref functions if is_known(&functions.system_name) => named::LINKER,
        _ => named::PLACE,
    }
}

fn symbolised(module: &Module) -> String {
    let flags = module.flags;
    let flags = [flags.functions, flags.file_names, flags.line_numbers, flags.inline_frames];
    let words = SYMBOLISED.into_iter().zip(flags).filter(|&(_, is_set)| is_set);
    words.map(|(word, _)| word).collect::<Vec<_>>().join(" ")
}
