//! The timelines of Safari's Web Inspector: sampled stacks with their durations.

use profile::{Place, Point, Profile, ProfileBuilder};

use crate::graph::path::Path;
use crate::input::stream::Stream;
use crate::json::Json;
use crate::json::outline::Outline;
use crate::numbers::decimal::Decimal;
use crate::readers::cpuprofile;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "safari",
    title: "Safari timeline recording",
    extensions: &[],
    about: About {
        carries: "sampled stacks with times and durations, scripts, lines, columns",
        skips: "the records of other instruments (counted)",
        ..About::NONE
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    let Some(outline) = Outline::new(head) else { return Sniff::No };
    let has = |key: &str| outline.at(&["recording", key]).is_some();
    let is_recording = has("sampleStackTraces") || has("instrumentTypes") || has("discontinuities");
    if is_recording { Sniff::Yes } else { Sniff::No }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?;
    let mut is_one = false;
    let mut builder = ProfileBuilder::new(cpuprofile::metrics());
    let mut samples = vec![];
    let mut durations = vec![];
    let (mut start, mut end) = (None, None);
    json.object()?;
    while let Some(key) = json.next_key()? {
        if key != "recording" || !json.try_object()? {
            continue;
        }
        is_one = true;
        while let Some(key) = json.next_key()? {
            match key {
                "displayName" => builder.origin.comments.push(json.any_text()?),
                "startTime" => start = seconds(json.any_number()?),
                "endTime" => end = seconds(json.any_number()?),
                "records" => {
                    json.array()?;
                    while json.next_element()? {
                        warnings.add("records", || "other records are not shown".to_owned());
                    }
                }
                "sampleStackTraces" => {
                    json.array()?;
                    while json.next_element()? {
                        samples.push(sample(&mut json, &mut builder)?);
                        options.check_memory(builder.heap_bytes() + samples.capacity() * 16)?;
                    }
                }
                "sampleDurations" => {
                    json.array()?;
                    while json.next_element()? {
                        durations.push(seconds(json.any_number()?).unwrap_or(0));
                        options.check_memory(builder.heap_bytes() + durations.capacity() * 8)?;
                    }
                }
                _ => {}
            }
        }
    }
    json.finish()?;
    ReadError::unless(is_one, FORMAT.name, "\"recording\"")?;
    if samples.len() != durations.len() {
        warnings.add_many("durations", samples.len().abs_diff(durations.len()) as u64, || {
            format!("there are {} samples but {} durations", samples.len(), durations.len())
        });
    }
    FORMAT.name.clone_into(&mut builder.origin.format);
    "Safari".clone_into(&mut builder.origin.producer);
    let clock = start.or(samples.first().map(|&(_, time)| time)).unwrap_or(0);
    builder.origin.clock_ns = clock;
    builder.origin.duration_ns = end.map_or(0, |end| end.saturating_sub(clock));
    for (row, (context, time)) in samples.into_iter().enumerate() {
        let time = Some(time.saturating_sub(clock));
        let point = Point { context, time, ..Point::default() };
        builder.points.push_point(point, &[durations.get(row).copied().unwrap_or(0), 1]);
    }
    Ok(builder.finish())
}

/// Seconds as nanoseconds.
fn seconds(number: Option<Decimal>) -> Option<i64> {
    number.and_then(|number| number.to_scaled(9))
}

/// The context and time of a sample.
fn sample(
    json: &mut Json,
    builder: &mut ProfileBuilder,
) -> Result<(profile::ContextId, i64), ReadError> {
    let mut time = 0;
    // Innermost first.
    let mut stack = vec![];
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "timestamp" => time = seconds(json.any_number()?).unwrap_or(0),
            "stackFrames" => {
                json.array()?;
                while json.next_element()? {
                    let (mut name, mut url) = (String::new(), String::new());
                    let (mut start_line, mut start_column, mut at) = (0, 0, (0, 0));
                    json.object()?;
                    while let Some(key) = json.next_key()? {
                        match key {
                            "name" => name = json.any_text()?,
                            "url" => url = json.any_text()?,
                            "line" => start_line = json.any_position()?,
                            "column" => start_column = json.any_position()?,
                            "expressionLocation" => {
                                if !json.try_object()? {
                                    continue;
                                }
                                while let Some(key) = json.next_key()? {
                                    match key {
                                        "line" => at.0 = json.any_position()?,
                                        "column" => at.1 = json.any_position()?,
                                        _ => {}
                                    }
                                }
                            }
                            _ => {}
                        }
                    }
                    let (line, column) = if at.0 > 0 { at } else { (start_line, start_column) };
                    let function = if name.is_empty() { "(anonymous)" } else { &name };
                    let file = url.as_str();
                    let place = Place {
                        function,
                        file,
                        start_line,
                        start_column,
                        line,
                        column,
                        ..Place::default()
                    };
                    stack.push(builder.place(&place));
                }
            }
            _ => {}
        }
    }
    let mut path = Path::default();
    for location in stack.into_iter().rev() {
        path.step(&mut builder.contexts, location);
    }
    Ok((path.context(), time))
}
