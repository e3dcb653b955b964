//! Scalene's JSON: shares of time, memory and copies by line, without call paths; newer versions
//! add stacks, which have samples of their own.

use profile::{
    Combine, Combining, LabelSetId, LocationId, LocationKind, Metric, Place, Points, Profile,
    ProfileBuilder,
};

use crate::graph::path::Path;
use crate::input::stream::Stream;
use crate::json::outline::Outline;
use crate::json::{Json, Kind};
use crate::numbers::combining::{HIGH_WATER_MARK, SHARE};
use crate::numbers::decimal::Decimal;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "scalene",
    title: "Scalene JSON (Python)",
    extensions: &["scalene.json"],
    about: About {
        carries: "shares of Python, native, system and GPU time, memory and copies by file, \
                  function and line; samples of stacks",
        estimates: "which function a line is in, from its indentation",
        skips: "memory over time, leaks, what functions and regions sum up",
        checked_against: "scalene view",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

/// Values of a line: key, name, unit.
const VALUES: [(&str, &str, &str); 11] = [
    ("n_cpu_percent_python", "Python time", "percent"),
    ("n_cpu_percent_c", "native time", "percent"),
    ("n_sys_percent", "system time", "percent"),
    ("n_gpu_percent", "GPU time", "percent"),
    ("n_malloc_mb", "allocated", "MB"),
    ("n_mallocs", "allocations", "count"),
    ("n_growth_mb", "growth", "MB"),
    ("n_peak_mb", "peak", "MB"),
    ("n_avg_mb", "average", "MB"),
    ("n_gpu_peak_memory_mb", "GPU peak", "MB"),
    ("n_copy_mb_s", "copied", "MB/s"),
];

/// Digits after the point that are kept.
/// Shares of the program's time add up over its lines. Rates are means over times that differ, use
/// of a device is one for all, and each line has its own peak.
fn combining(key: &str) -> Combining {
    match key {
        _ if key.contains("peak") || key.contains("max") => HIGH_WATER_MARK,
        _ if key.contains("avg") || key.contains("_mb_s") || key.contains("util") => {
            Combining::everywhere(Combine::None)
        }
        _ if key.contains("percent") || key.contains("fraction") => SHARE,
        _ => Combining::default(),
    }
}

fn decimals(unit: &str) -> u8 {
    if unit == "count" { 0 } else { 9 }
}

fn sniff(head: &[u8], _: &str) -> Sniff {
    let Some(outline) = Outline::new(head) else { return Sniff::No };
    let is_scalene = outline.has(&["elapsed_time_sec", "files"])
        || outline.has(&["alloc_samples", "elapsed_time_sec"])
        || outline.has(&["alloc_samples", "args"]);
    if is_scalene { Sniff::Yes } else { Sniff::No }
}

/// A line with values.
struct Line {
    number: u32,
    is_inside: bool,
    values: [i64; VALUES.len()],
}

#[derive(Default)]
struct ScaleneParser {
    builder: ProfileBuilder,
    /// Locations of file, function and line, with values.
    lines: Vec<([LocationId; 3], [i64; VALUES.len()])>,
    /// Contexts of stacks with their samples.
    stacks: Vec<(profile::ContextId, i64)>,
    has_combined: bool,
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?;
    let mut is_one = false;
    let mut reading = ScaleneParser::default();
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "elapsed_time_sec" => {
                let elapsed = json.any_number()?.and_then(|seconds| seconds.to_scaled(9));
                reading.builder.origin.duration_ns = elapsed.unwrap_or(0);
            }
            "program" => {
                let program = json.any_text()?;
                reading.builder.origin.comments.push(program);
            }
            "files" => {
                is_one = true;
                json.object()?;
                while let Some(file) = json.next_key()? {
                    let file = file.to_owned();
                    reading.file(&mut json, &file)?;
                    options.check_memory(reading.heap_bytes())?;
                }
            }
            "combined_stacks" => reading.stacks(&mut json, true, options)?,
            "stacks" => reading.stacks(&mut json, false, options)?,
            _ => {}
        }
    }
    json.finish()?;
    ReadError::unless(is_one, FORMAT.name, "list of \"files\"")?;
    if reading.lines.is_empty() {
        warnings.add("no lines", || "no line has any values".to_owned());
    }
    Ok(reading.finish())
}

impl ScaleneParser {
    fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.lines.capacity() * size_of::<([LocationId; 3], [i64; VALUES.len()])>()
            + self.stacks.capacity() * 16
    }

    fn file(&mut self, json: &mut Json, file: &str) -> Result<(), ReadError> {
        let mut functions: Vec<(u32, String)> = vec![];
        let mut lines: Vec<Line> = vec![];
        if !json.try_object()? {
            return Ok(());
        }
        while let Some(key) = json.next_key()? {
            let is_lines = match key {
                "lines" => true,
                "functions" => false,
                _ => continue,
            };
            json.array()?;
            while json.next_element()? {
                let mut line = Line { number: 0, is_inside: false, values: Default::default() };
                let mut text = String::new();
                json.object()?;
                while let Some(key) = json.next_key()? {
                    match key {
                        "lineno" => line.number = json.any_position()?,
                        "line" => text = json.any_text()?,
                        key => {
                            let Some(at) = VALUES.iter().position(|value| value.0 == key) else {
                                continue;
                            };
                            let number = json.any_number()?;
                            let number = number.and_then(|n| n.to_scaled(decimals(VALUES[at].2)));
                            line.values[at] = number.unwrap_or(0);
                        }
                    }
                }
                if !is_lines {
                    functions.push((line.number, text));
                } else if line.values.iter().any(|&value| value != 0) {
                    line.is_inside = text.starts_with([' ', '\t']);
                    lines.push(line);
                }
            }
        }
        functions.sort();
        let of_file =
            Place { kind: LocationKind::Region, function: file, file, ..Place::default() };
        let of_file = self.builder.place(&of_file);
        for Line { number, is_inside, values } in lines {
            let after = functions.partition_point(|&(start, _)| start <= number);
            let around = after.checked_sub(1).filter(|_| is_inside).map(|at| &functions[at]);
            let (start_line, function) = match around {
                Some((start, name)) => (*start, name.as_str()),
                None => (0, "<module>"),
            };
            let place = Place { function, file, start_line, line: start_line, ..Place::default() };
            let whole = self.builder.place(&place);
            let line = self.builder.place(&Place { line: number, ..place });
            self.lines.push(([of_file, whole, line], values));
        }
        Ok(())
    }

    /// Stacks from the root, each with its samples; the combined ones have native frames too.
    fn stacks(
        &mut self,
        json: &mut Json,
        combined: bool,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        if !json.try_array()? {
            return Ok(());
        }
        let mut found = vec![];
        let mut path = Path::default();
        while json.next_element()? {
            let mut count = 0;
            path.start();
            let mut place = 0;
            json.array()?;
            while json.next_element()? {
                match (place, json.kind()?) {
                    (0, Kind::Array) => {
                        json.array()?;
                        while json.next_element()? {
                            if let Some(location) = self.frame(json)? {
                                path.step(&mut self.builder.contexts, location);
                            }
                        }
                    }
                    (_, Kind::Number) => count = whole(json.any_number()?),
                    // The number of samples is the first of a list, or has a name.
                    (_, Kind::Array) => {
                        json.array()?;
                        if json.next_element()? {
                            count = whole(json.any_number()?);
                            json.leave()?;
                        }
                    }
                    (_, Kind::Object) => {
                        json.object()?;
                        while let Some(key) = json.next_key()? {
                            if key == "count" {
                                count = whole(json.any_number()?);
                            }
                        }
                    }
                    _ => {}
                }
                place += 1;
            }
            found.push((path.context(), count));
            options.check_memory(self.heap_bytes() + found.capacity() * 16)?;
        }
        // The combined stacks are the same samples as the others.
        if !found.is_empty() && (combined || !self.has_combined) {
            self.stacks = found;
            self.has_combined |= combined;
        }
        Ok(())
    }

    /// A frame: `file function:line;`, a list of these, or an object.
    fn frame(&mut self, json: &mut Json) -> Result<Option<LocationId>, ReadError> {
        let (mut function, mut file, mut line, mut address) = (String::new(), String::new(), 0, 0);
        match json.kind()? {
            Kind::Object => {
                json.object()?;
                while let Some(key) = json.next_key()? {
                    match key {
                        "display_name" => function = json.any_text()?,
                        "filename_or_module" => file = json.any_text()?,
                        "line" => line = json.any_position()?,
                        "ip" => address = u64::try_from(whole(json.any_number()?)).unwrap_or(0),
                        _ => {}
                    }
                }
            }
            Kind::Array => {
                let mut place = 0;
                json.array()?;
                while json.next_element()? {
                    match place {
                        0 => file = json.any_text()?,
                        1 => function = json.any_text()?,
                        2 => line = json.any_position()?,
                        _ => {}
                    }
                    place += 1;
                }
            }
            _ => {
                let text = json.any_text()?;
                let text = text.trim_end_matches(';');
                let (place, number) = text.rsplit_once(':').unwrap_or((text, ""));
                let (path, name) = place.rsplit_once(' ').unwrap_or(("", place));
                path.clone_into(&mut file);
                name.clone_into(&mut function);
                line = number.parse().unwrap_or(0);
            }
        }
        // Native frames have a library instead of a file.
        let is_native = address != 0;
        let (file, module) = if is_native { ("", file.as_str()) } else { (file.as_str(), "") };
        let place = Place { function: &function, file, line, module, address, ..Place::default() };
        Ok(Some(self.builder.place(&place)))
    }

    fn finish(self) -> Profile {
        let ScaleneParser { mut builder, lines, stacks, .. } = self;
        let used: Vec<usize> = (0..VALUES.len())
            .filter(|&at| at < 2 || lines.iter().any(|(_, values)| values[at] != 0))
            .collect();
        builder.metrics = used
            .iter()
            .map(|&at| {
                let (key, name, unit) = VALUES[at];
                let (name, unit) = (name.to_owned(), unit.to_owned());
                Metric {
                    decimals: decimals(&unit),
                    combining: combining(key),
                    name,
                    unit,
                    ..Metric::default()
                }
            })
            .collect();
        if !stacks.is_empty() {
            let metric = Metric {
                name: "stack samples".into(),
                unit: "count".into(),
                decimals: 0,
                ..Metric::default()
            };
            builder.metrics.push(metric);
        }
        let metrics = builder.metrics.len();
        builder.points = Points::new(metrics);
        FORMAT.name.clone_into(&mut builder.origin.format);
        "Scalene".clone_into(&mut builder.origin.producer);
        let mut row = vec![0; metrics];
        for (locations, values) in lines {
            let context = builder.stack(locations);
            for (place, &at) in used.iter().enumerate() {
                row[place] = values[at];
            }
            builder.points.push(context, LabelSetId(0), &row);
        }
        row.fill(0);
        for (context, samples) in stacks {
            row[metrics - 1] = samples;
            builder.points.push(context, LabelSetId(0), &row);
        }
        builder.finish()
    }
}

fn whole(number: Option<Decimal>) -> i64 {
    number.and_then(|number| number.to_scaled(0)).unwrap_or(0)
}
