//! DHAT's files, as specified by valgrind's `dhat/dh_main.c` and written by the Rust crate dhat
//! too: program points with their stacks, of the heap, of copies, or of events of the
//! program's own ("ad-hoc").

use hashbrown::HashMap;
use profile::{
    Combining, FunctionId, LabelSetId, Location, LocationId, Metric, Points, Profile,
    ProfileBuilder,
};

use crate::graph::path::Path;
use crate::input::stream::Stream;
use crate::json::Json;
use crate::json::outline::Outline;
use crate::numbers::combining::HIGH_WATER_MARK;
use crate::numbers::hexadecimal::hexadecimal;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "dhat",
    title: "DHAT heap profile (valgrind, Rust's dhat)",
    extensions: &["dhat.json"],
    about: About {
        carries: "totals, peak and end in bytes and blocks, lifetimes, reads, writes; copies and \
                  events in their own words; stacks with inlined functions, files, lines, \
                  libraries, addresses; the command",
        skips: "accesses by byte (counted)",
        checked_against: "the totals that DHAT prints, the figures of its page (dh_view.js)",
        ..About::NONE
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

/// Keys of values, in the order of the metrics.
const KEYS: [&str; 11] = ["tb", "tbk", "gb", "gbk", "eb", "ebk", "mb", "mbk", "tl", "rb", "wb"];

type Values = [Option<i64>; KEYS.len()];

/// What the file calls things.
#[derive(Default)]
struct Words {
    units: String,
    blocks: String,
    time: String,
}

fn sniff(head: &[u8], _: &str) -> Sniff {
    let is_dhat = Outline::new(head).is_some_and(|outline| outline.has(&["dhatFileVersion"]));
    if is_dhat { Sniff::Yes } else { Sniff::No }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let json = Json::new(stream, FORMAT.name)?;
    let File { mut builder, words, mode, points, stacks, frames } =
        File::read(json, options, warnings)?;
    let used: Vec<usize> = (0..KEYS.len())
        .filter(|&at| at < 2 || points.iter().any(|(values, _)| values[at].is_some()))
        .collect();
    builder.metrics = used.iter().map(|&at| metric(at, &words)).collect();
    builder.points = Points::new(used.len());
    FORMAT.name.clone_into(&mut builder.origin.format);
    builder.origin.producer = match mode.as_str() {
        "" => "DHAT".to_owned(),
        mode => format!("DHAT ({mode})"),
    };
    let mut table = Frames::new(&frames);
    let mut path = Path::default();
    let mut start = 0;
    let mut row = vec![];
    for (values, end) in points {
        path.start();
        let locations = table.locations(&stacks[start..end], &mut builder, warnings);
        for location in locations {
            path.step(&mut builder.contexts, location);
        }
        start = end;
        row.clear();
        row.extend(used.iter().map(|&at| values[at].unwrap_or(0)));
        builder.points.push(path.context(), LabelSetId(0), &row);
        options.check_memory(builder.heap_bytes())?;
    }
    Ok(builder.finish())
}

/// What a file holds.
#[derive(Default)]
struct File {
    builder: ProfileBuilder,
    words: Words,
    mode: String,
    /// Program points: values, and where their stacks end in `stacks`.
    points: Vec<(Values, usize)>,
    stacks: Vec<u32>,
    frames: Vec<String>,
}

impl File {
    fn read(
        mut json: Json<'_>,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<File, ReadError> {
        let mut file = File::default();
        let mut is_one = false;
        json.object()?;
        while let Some(key) = json.next_key()? {
            match key {
                "dhatFileVersion" => {
                    let version = json.u64()?;
                    if version > 2 {
                        return Err(ReadError::Unsupported {
                            found: format!("version {version} of DHAT's files"),
                            instead: "versions 1 and 2 are",
                        });
                    }
                }
                "mode" => file.mode = json.any_text()?,
                "bsu" => file.words.units = json.any_text()?,
                "bksu" => file.words.blocks = json.any_text()?,
                "tu" => file.words.time = json.any_text()?,
                "cmd" => file.builder.origin.comments.push(json.any_text()?),
                "pps" => {
                    is_one = true;
                    json.array()?;
                    while json.next_element()? {
                        file.read_point(&mut json, warnings)?;
                        let held = file.points.capacity() * size_of::<(Values, usize)>();
                        options.check_memory(held + file.stacks.capacity() * 4)?;
                    }
                }
                "ftbl" => {
                    let mut held = 0;
                    json.array()?;
                    while json.next_element()? {
                        let frame = json.any_text()?;
                        held += frame.len() + size_of::<String>();
                        file.frames.push(frame);
                        options.check_memory(held)?;
                    }
                }
                _ => {}
            }
        }
        json.finish()?;
        ReadError::unless(is_one, FORMAT.name, "list of program points (\"pps\")")?;
        Ok(file)
    }

    fn read_point(&mut self, json: &mut Json, warnings: &mut Warnings) -> Result<(), ReadError> {
        let mut values = Values::default();
        json.object()?;
        while let Some(key) = json.next_key()? {
            match key {
                "fs" => {
                    json.array()?;
                    while json.next_element()? {
                        self.stacks.push(u32::try_from(json.u64()?).unwrap_or(u32::MAX));
                    }
                }
                "acc" => warnings.add("accesses", || "accesses by byte are not shown".to_owned()),
                key => {
                    if let Some(at) = KEYS.iter().position(|&known| known == key) {
                        values[at] = json.any_number()?.and_then(|n| n.to_scaled(0));
                    }
                }
            }
        }
        self.points.push((values, self.stacks.len()));
        Ok(())
    }
}

/// The metric of a key.
fn metric(at: usize, words: &Words) -> Metric {
    let or =
        |word: &str, other: &str| if word.is_empty() { other.to_owned() } else { word.to_owned() };
    let (units, blocks) = (or(&words.units, "bytes"), or(&words.blocks, "blocks"));
    let bytes = if units == "bytes" { "bytes" } else { "count" };
    let time = match words.time.as_str() {
        "µs" | "\u{3bc}s" | "us" => "microseconds",
        "ms" => "milliseconds",
        "" => "count",
        other => other,
    };
    let (name, unit) = match KEYS[at] {
        "tb" => (format!("total {units}"), bytes),
        "tbk" => (format!("total {blocks}"), "count"),
        "gb" => (format!("{units} at t-gmax"), bytes),
        "gbk" => (format!("{blocks} at t-gmax"), "count"),
        "eb" => (format!("{units} at t-end"), bytes),
        "ebk" => (format!("{blocks} at t-end"), "count"),
        "mb" => (format!("maximum {units}"), bytes),
        "mbk" => (format!("maximum {blocks}"), "count"),
        "tl" => ("lifetimes".to_owned(), time),
        "rb" => ("reads".to_owned(), bytes),
        _ => ("writes".to_owned(), bytes),
    };
    let combining = match KEYS[at] {
        // Each place has its own moment of most bytes.
        "mb" | "mbk" => HIGH_WATER_MARK,
        _ => Combining::default(),
    };
    Metric { name, unit: unit.to_owned(), decimals: 0, combining, ..Metric::default() }
}

/// The table of frames, and what was made of it.
struct Frames<'a> {
    frames: Vec<Frame<'a>>,
    known: HashMap<Vec<u32>, LocationId>,
}

/// `0x1234: name (file:line:column)`, `0x1234: name (in library)`.
#[derive(Clone, Copy, Default)]
struct Frame<'a> {
    address: u64,
    name: &'a str,
    file: &'a str,
    module: &'a str,
    line: u32,
    column: u32,
}

impl<'a> Frames<'a> {
    fn new(texts: &'a [String]) -> Self {
        Frames {
            frames: texts.iter().map(|text| Frame::new(text)).collect(),
            known: HashMap::new(),
        }
    }

    /// The locations of a stack (innermost first), outermost first. Frames that follow each other
    /// at the same address are inlined into the last of them.
    fn locations(
        &mut self,
        stack: &[u32],
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) -> Vec<LocationId> {
        let mut locations = vec![];
        let frame = |id: u32| self.frames.get(id as usize).copied().unwrap_or_default();
        let groups = stack.chunk_by(|&inner, &outer| {
            // The same frame again is a call of itself.
            inner != outer
                && frame(inner).address != 0
                && frame(inner).address == frame(outer).address
        });
        for group in groups {
            if let Some(&known) = self.known.get(group) {
                locations.push(known);
                continue;
            }
            let outer = frame(group[group.len() - 1]);
            if group.iter().any(|&id| id as usize >= self.frames.len()) {
                warnings.add("frames", || "frames that are not in the table".to_owned());
            }
            let module = group.iter().map(|&id| frame(id).module).find(|module| !module.is_empty());
            let module = module.and_then(|module| builder.module(module));
            let lines: Vec<(Option<FunctionId>, u32, u32)> = (group.iter().rev())
                .map(|&id| {
                    let Frame { name, file, line, column, .. } = frame(id);
                    let named = !(name.is_empty() && file.is_empty());
                    (named.then(|| builder.function(name, file, 0)), line, column)
                })
                .collect();
            let place = Location { module, address: outer.address, ..Location::default() };
            let location = builder.location(place, &lines);
            self.known.insert(group.to_vec(), location);
            locations.push(location);
        }
        locations.reverse();
        locations
    }
}

impl<'a> Frame<'a> {
    fn new(text: &'a str) -> Frame<'a> {
        let address = text
            .split_once(": ")
            .and_then(|(address, rest)| Some((hexadecimal(address.strip_prefix("0x")?)?, rest)));
        let (address, rest) = address.unwrap_or((0, text));
        let plain = Frame { address, name: known(rest), ..Frame::default() };
        let Some((name, inside)) = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("))
        else {
            return plain;
        };
        if let Some(module) = inside.strip_prefix("in ") {
            return Frame { name: known(name), module, ..plain };
        }
        let number = |text: &str| text.parse::<u32>().ok();
        let split = |text: &'a str| {
            text.rsplit_once(':').and_then(|(file, last)| Some((file, number(last)?)))
        };
        match split(inside) {
            None => plain,
            Some((file, last)) => {
                let (file, line, column) = match split(file) {
                    Some((file, line)) => (file, line, last),
                    None => (file, last, 0),
                };
                Frame { name: known(name), file, line, column, ..plain }
            }
        }
    }
}

/// A name, if it is one.
fn known(name: &str) -> &str {
    if name == "???" { "" } else { name }
}
