//! What `node --prof-process --preprocess` makes of a log: code, functions, and ticks whose stacks
//! are pairs of code and offset, innermost first.

use profile::{
    Label, LabelSetId, LabelValue, Location, LocationId, Metric, Place, Point, Profile,
    ProfileBuilder,
};

use super::FORMAT;
use super::names::{is_script_kind, split_name};
use crate::graph::path::Path;
use crate::input::stream::Stream;
use crate::json::Json;
use crate::json::outline::Outline;
use crate::{ReadError, ReadOptions, Sniff, Warnings};

pub(super) fn sniff(head: &[u8]) -> Sniff {
    let Some(outline) = Outline::new(head) else { return Sniff::No };
    let has = |path: &[&str]| outline.at(path).is_some();
    let is_log = has(&["code", "0", "type"]) && has(&["code", "0", "name"]);
    if is_log || outline.has(&["code", "functions", "ticks"]) { Sniff::Yes } else { Sniff::No }
}

/// Code as the file has it.
#[derive(Default)]
struct Code {
    name: String,
    kind: String,
    is_library: bool,
    is_script: bool,
    function: Option<usize>,
}

/// The tables of a log.
#[derive(Default)]
struct Log {
    code: Vec<Code>,
    functions: Vec<String>,
    ticks: Vec<Tick>,
    stacks: Vec<i64>,
    /// What code and functions take.
    held: usize,
}

/// A tick; where its stack ends among all stacks.
struct Tick {
    time: i64,
    state: i64,
    end: usize,
}

pub(super) fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let log = Log::read(Json::new(stream, FORMAT.name)?, options)?;
    let ticks_metric =
        Metric { name: "ticks".into(), unit: "count".into(), decimals: 0, ..Metric::default() };
    let mut builder = ProfileBuilder::new(vec![ticks_metric]);
    FORMAT.name.clone_into(&mut builder.origin.format);
    "V8".clone_into(&mut builder.origin.producer);
    let last = log.ticks.iter().map(|tick| tick.time).max().unwrap_or(0);
    builder.origin.duration_ns = last.saturating_mul(1000);
    // Libraries have a location for each address.
    let places: Vec<Option<LocationId>> =
        log.code.iter().map(|code| place(code, &log.functions, &mut builder)).collect();
    let mut path = Path::default();
    let mut start = 0;
    for &Tick { time, state, end } in &log.ticks {
        let stack = &log.stacks[start..end];
        path.start();
        for pair in stack.rchunks(2) {
            let location = log.location(pair, &places, &mut builder, warnings);
            path.step(&mut builder.contexts, location);
        }
        let leaf = stack.first().and_then(|&index| log.code.get(usize::try_from(index).ok()?));
        start = end;
        let labels = labels(state, leaf, &mut builder);
        let time = Some(time.saturating_mul(1000));
        let point = Point { context: path.context(), labels, time, ..Point::default() };
        builder.points.push_point(point, &[1]);
        options.check_memory(builder.heap_bytes())?;
    }
    Ok(builder.finish())
}

impl Log {
    fn read(mut json: Json<'_>, options: &ReadOptions) -> Result<Log, ReadError> {
        let mut log = Log::default();
        json.object()?;
        while let Some(key) = json.next_key()? {
            let read = match key {
                "code" => Log::read_code,
                "functions" => Log::read_function,
                "ticks" => Log::read_tick,
                _ => continue,
            };
            json.array()?;
            while json.next_element()? {
                read(&mut log, &mut json)?;
                let growing = log.stacks.capacity() * 8 + log.ticks.capacity() * size_of::<Tick>();
                options.check_memory(log.held + growing)?;
            }
        }
        json.finish()?;
        Ok(log)
    }

    fn read_code(&mut self, json: &mut Json) -> Result<(), ReadError> {
        let code = read_code(json)?;
        self.held += code.name.len() + size_of::<Code>();
        self.code.push(code);
        Ok(())
    }

    fn read_function(&mut self, json: &mut Json) -> Result<(), ReadError> {
        let mut name = String::new();
        if json.try_object()? {
            while let Some(key) = json.next_key()? {
                if key == "name" {
                    name = json.any_text()?;
                }
            }
        }
        self.held += name.len() + size_of::<String>();
        self.functions.push(name);
        Ok(())
    }

    fn read_tick(&mut self, json: &mut Json) -> Result<(), ReadError> {
        let mut tick = Tick { time: 0, state: 0, end: 0 };
        json.object()?;
        while let Some(key) = json.next_key()? {
            match key {
                "tm" => tick.time = json.i64()?,
                "vm" => tick.state = json.i64()?,
                "s" => {
                    json.array()?;
                    while json.next_element()? {
                        self.stacks.push(json.i64()?);
                    }
                }
                _ => {}
            }
        }
        tick.end = self.stacks.len();
        self.ticks.push(tick);
        Ok(())
    }

    /// The location of a pair of code and offset.
    fn location(
        &self,
        pair: &[i64],
        places: &[Option<LocationId>],
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) -> LocationId {
        let (index, offset) = (pair[0], pair.get(1).copied().unwrap_or(0));
        let known =
            usize::try_from(index).ok().and_then(|at| Some((self.code.get(at)?, places[at])));
        match known {
            Some((_, Some(location))) => location,
            found => {
                if found.is_none() && index != -1 {
                    warnings.add("code", || format!("code {index} is not in the table"));
                }
                let module = found.and_then(|(code, _)| builder.module(&code.name));
                let address = u64::try_from(offset).unwrap_or(0);
                builder.location(Location { module, address, ..Location::default() }, &[])
            }
        }
    }
}

fn read_code(json: &mut Json) -> Result<Code, ReadError> {
    let mut code = Code::default();
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "name" => code.name = json.any_text()?,
            "type" => {
                let kind = json.any_text()?;
                code.is_library = kind == "SHARED_LIB";
                code.is_script |= kind == "JS";
            }
            "kind" => {
                code.kind = json.any_text()?;
                // Logs of older versions do not say which function code is of.
                code.is_script |= is_script_kind(&code.kind);
            }
            "func" => code.function = Some(json.any_position()? as usize),
            _ => {}
        }
    }
    Ok(code)
}

/// The location of code that is not a library.
fn place(code: &Code, functions: &[String], builder: &mut ProfileBuilder) -> Option<LocationId> {
    if code.is_library {
        return None;
    }
    let function = code.function.and_then(|function| functions.get(function));
    if let (true, name) = (code.is_script, function.unwrap_or(&code.name)) {
        let (function, file, line, column) = split_name(name);
        let (start_line, start_column) = (line, column);
        let place =
            Place { function, file, start_line, start_column, line, column, ..Place::default() };
        return Some(builder.place(&place));
    }
    let function = match code.kind.as_str() {
        "" => code.name.clone(),
        kind => format!("{kind}: {}", code.name),
    };
    Some(builder.place(&Place { function: &function, ..Place::default() }))
}

/// The state of the machine, whose numbers beyond the first two mean other things in each version,
/// and how the code that ran was compiled.
fn labels(state: i64, leaf: Option<&Code>, builder: &mut ProfileBuilder) -> LabelSetId {
    let strings = &mut builder.strings;
    let state = match state {
        0 => "JS".to_owned(),
        1 => "GC".to_owned(),
        other => format!("state {other}"),
    };
    let state =
        Label { key: strings.intern("state"), value: LabelValue::Text(strings.intern(&state)) };
    let tier = leaf.filter(|code| code.is_script).map(|code| match code.kind.as_str() {
        "Unopt" | "Ignition" => "interpreted",
        "Sparkplug" | "Baseline" => "baseline",
        "Maglev" => "maglev",
        "Opt" | "Turbofan" => "optimised",
        _ => "compiled",
    });
    match tier {
        None => builder.labels.add(&[state]),
        Some(tier) => {
            let key = strings.intern("code");
            let value = LabelValue::Text(strings.intern(tier));
            builder.labels.add(&[state, Label { key, value }])
        }
    }
}
