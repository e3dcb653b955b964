//! Names for addresses: functions, files, lines and inlined frames from the binaries that were
//! measured, where the profile has none.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::source_name;
use formats::Warnings;
use profile::{FrameId, FrameName, LocationId, LocationKind, Module, ModuleId, Naming, Profile};
use symbols::jitdump::{CodeMap, JitDump};
use symbols::kernel::Kallsyms;
use symbols::perf_map::PerfMap;
use symbols::{Binary, Files, Frame, Names};

use crate::Binaries;
use crate::binaries::{MOST_TOLD, Sequential, is_jitdump};
use crate::kinds::profile::reading::demangle::{Demangle, demangled};

/// Gives places without a function the names that their binaries have for them. What is not at
/// hand is told.
pub(crate) fn symbolise(
    profile: &mut Profile,
    binaries: &Binaries,
    how: Demangle,
    warnings: &mut Warnings,
) {
    if profile.origin.format != PERF_DATA && !binaries.are_named {
        return;
    }
    let wanted = unnamed(profile);
    if wanted.is_empty() {
        return;
    }
    let mut naming = Naming::new(profile);
    let (mut missing, mut unnamed_in) = (vec![], vec![]);
    for (module, locations) in wanted {
        let module = &profile.modules[module.index()];
        let path = profile.text(module.name).to_owned();
        let found = Finder::open(&binaries.files, &path, module, profile);
        let mut finder = match found {
            Ok(finder) => finder,
            Err(why) => {
                missing.push((why, locations.len() as u64));
                continue;
            }
        };
        let mut frames = vec![];
        let mut unknown = 0;
        for location in locations {
            frames.clear();
            finder.find(profile.locations.address[location.index()], &mut frames);
            if frames.is_empty() {
                unknown += 1;
                continue;
            }
            let plain: Vec<Option<String>> = frames.iter().map(|frame| plain(frame, how)).collect();
            let named = frames.iter().zip(&plain).map(|(frame, plain)| {
                let linker = frame.name.as_deref().unwrap_or_default();
                FrameName {
                    function: plain.as_deref().unwrap_or(linker),
                    system_name: if plain.is_some() { linker } else { "" },
                    file: frame.file.as_deref().unwrap_or_default(),
                    line: frame.line,
                    column: frame.column,
                    start_line: frame.start_line,
                }
            });
            naming.name(location, named);
        }
        if unknown > 0 {
            unnamed_in.push((path, unknown));
        }
    }
    tell(missing, unnamed_in, warnings);
    if !naming.is_empty() {
        naming.finish(profile);
    }
}

/// Tells what was not at hand, the modules with most addresses first.
fn tell(
    mut missing: Vec<(Missing, u64)>,
    mut unnamed_in: Vec<(String, u64)>,
    warnings: &mut Warnings,
) {
    /// More are counted only.
    const MOST: usize = 4;
    let others = |count: usize| match count.saturating_sub(MOST) {
        0 => String::new(),
        more => format!("; and {more} more modules"),
    };
    missing.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let count: u64 = missing.iter().map(|(_, count)| count).sum();
    if count > 0 {
        warnings.add_many("no binary", count, || {
            let why =
                missing.iter().take(MOST).map(|((why, advice), _)| format!("{why} ({advice})"));
            let why: Vec<String> = why.collect();
            format!("addresses have no names: {}{}", why.join("; "), others(missing.len()))
        });
    }
    unnamed_in.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let count: u64 = unnamed_in.iter().map(|(_, count)| count).sum();
    if count > 0 {
        warnings.add_many("no symbol", count, || {
            let paths: Vec<&str> = unnamed_in.iter().take(MOST).map(|(path, _)| &**path).collect();
            let all = paths.join(", ");
            format!("addresses at which binaries have no symbol: {all}{}", others(unnamed_in.len()))
        });
    }
}

/// Places in modules that no function is known of, by module.
fn unnamed(profile: &Profile) -> BTreeMap<ModuleId, Vec<LocationId>> {
    let mut wanted = BTreeMap::<ModuleId, Vec<LocationId>>::new();
    for row in 0..profile.locations.len() {
        let location = LocationId(row as u32);
        let Some(module) = profile.locations.module(location) else { continue };
        let mut frames = profile.locations.frames(location);
        let is_named = frames.any(|row| profile.frames.function(FrameId(row)).is_some());
        let is_code = profile.locations.kind[row] == LocationKind::Code;
        if is_code && !is_named && profile.locations.address[row] != 0 {
            wanted.entry(module).or_default().push(location);
        }
    }
    wanted
}

/// The name for people, where it is another than the linker's.
fn plain(frame: &Frame, how: Demangle) -> Option<String> {
    let linked = frame.name.as_deref()?;
    let demangled = demangled(linked, how);
    if how != Demangle::None {
        return demangled;
    }
    // Nobody asked how: clones of a function have its name.
    let name = source_name(demangled.as_deref().unwrap_or(linked));
    (name != linked).then(|| name.to_owned())
}

/// Names of one module.
enum Finder {
    Binary(Box<Names>, Shift),
    Kernel(Kallsyms),
    Map(PerfMap),
    Code(Box<CodeMap>),
}

/// What is added to an address of the profile to get an offset in the file.
type Shift = u64;

/// Why there are no names, and what to do.
type Missing = (String, &'static str);

impl Finder {
    /// The names of a module.
    fn open(
        files: &Arc<dyn Files>,
        path: &str,
        module: &Module,
        profile: &Profile,
    ) -> Result<Finder, Missing> {
        let sequential = || {
            let file = files.open(path);
            file.map(Sequential::new).ok_or_else(|| format!("{path} is not here"))
        };
        if is_jitdump(path) {
            let advice = "copy it from the machine that recorded, and name its folder (--binaries)";
            let opened = sequential().map_err(|why| (why, advice))?;
            let dump = JitDump::read(opened, MOST_TOLD).map_err(|why| (why.to_string(), advice))?;
            let mut code = CodeMap::default();
            dump.events.iter().for_each(|event| code.apply(event));
            return Ok(Finder::Code(Box::new(code)));
        }
        if path.starts_with("/tmp/perf-") && path.ends_with(".map") {
            let advice = "run the program so that it writes it (node --perf-basic-prof, python -X perf, \
                          java with jcmd Compiler.perfmap), or copy it from the machine that recorded and \
                          name its folder (--binaries)";
            let opened = sequential().map_err(|why| (why, advice))?;
            let map = PerfMap::read(opened, MOST_TOLD).map_err(|why| (why.to_string(), advice))?;
            return Ok(Finder::Map(map));
        }
        // What a profile places at the kernel's addresses.
        if module.memory_start >> 63 != 0 && profile.origin.format == PERF_DATA {
            let build_id = profile.text(module.build_id);
            return kernel(files, module, build_id).map(Finder::Kernel);
        }
        let build_id = bytes_of(profile.text(module.build_id));
        let build_id = build_id.or_else(|| vdso(files, path, profile));
        let binary = Binary { path: path.to_owned(), build_id };
        match Names::open(files, &binary) {
            Ok(names) => {
                let shift = module.file_offset.wrapping_sub(module.memory_start);
                Ok(Finder::Binary(Box::new(names), shift))
            }
            Err(missing) => Err((missing.to_string(), missing.remedy())),
        }
    }

    fn find(&mut self, address: u64, frames: &mut Vec<Frame>) {
        let named = |name: &str| Frame { name: Some(name.into()), ..Frame::default() };
        match self {
            Finder::Binary(names, shift) => names.at(address.wrapping_add(*shift), frames),
            Finder::Kernel(symbols) => {
                frames.extend(symbols.at(address).map(|(name, _)| named(name)));
            }
            Finder::Map(map) => frames.extend(map.at(address).map(|(name, _)| named(name))),
            Finder::Code(code) => {
                let Some((code, at)) = code.at(address) else { return };
                let line = code.line_at(at);
                frames.push(Frame {
                    file: line.map(|line| line.file.clone()),
                    line: line.map_or(0, |line| line.line),
                    ..named(&code.name)
                });
            }
        }
    }
}

/// The build id of what the kernel maps into programs, where that kernel runs here.
fn vdso(files: &Arc<dyn Files>, path: &str, profile: &Profile) -> Option<Vec<u8>> {
    if path != "[vdso]" {
        return None;
    }
    let is_kernel = |module: &&Module| profile.text(module.name) == "[kernel.kallsyms]";
    let kernel = profile.modules.iter().find(is_kernel)?;
    symbols::running::vdso_of(&**files, &bytes_of(profile.text(kernel.build_id))?)
}

/// The format whose modules of the kernel stand where they were loaded.
const PERF_DATA: &str = "perf-data";

/// The symbols of this machine's kernel, if it is the one that was recorded, in the same boot.
fn kernel(files: &Arc<dyn Files>, module: &Module, build_id: &str) -> Result<Kallsyms, Missing> {
    let advice = "names of the kernel are known on the machine that recorded, until it boots anew: make \
                  a .hotframe file there (hotframe convert)";
    let none = |why: &str| Err((why.to_owned(), advice));
    let Some(file) = files.open("[kernel.kallsyms]") else {
        return none("the kernel's symbols are not here");
    };
    let Ok(symbols) = Kallsyms::read(Sequential::new(file), MOST_TOLD) else {
        return none("the kernel's symbols cannot be read");
    };
    if symbols.is_empty() {
        return none("the kernel hides its symbols (kernel.kptr_restrict)");
    }
    let another = "this machine's kernel is another one, or was booted since";
    // Every boot may put the kernel somewhere else.
    let start = module.memory_start;
    if symbols.at(start).is_none() || symbols.at(start - 1).is_some() {
        return none(another);
    }
    match (symbols::running::build_id(&**files), bytes_of(build_id)) {
        (Some(running), Some(recorded)) if running != recorded => none(another),
        _ => Ok(symbols),
    }
}

/// The bytes of a build id in hexadecimal digits; none if it is something else.
pub(crate) fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if digits.is_empty() || !digits.len().is_multiple_of(2) || !is_hexadecimal {
        return None;
    }
    let bytes = (0..digits.len()).step_by(2);
    bytes.map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok()).collect()
}
