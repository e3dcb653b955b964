//! What `memray stats --json` writes.

use hashbrown::HashMap;
use profile::{ContextId, LabelSetId, Place, Profile, ProfileBuilder};

use super::FORMAT;
use crate::input::stream::Stream;
use crate::json::Json;
use crate::json::outline::Outline;
use crate::numbers::decimal::Decimal;
use crate::{ReadError, ReadOptions, Warnings};

pub(super) fn is_statistics(head: &[u8]) -> bool {
    let outline = Outline::new(head);
    outline.is_some_and(|outline| {
        outline.has(&["total_num_allocations", "total_bytes_allocated"])
            || outline.has(&["total_num_allocations", "allocation_size_histogram"])
    })
}

/// What `memray stats --json` knows: values of the locations that it lists, and of all.
pub(super) fn statistics(
    stream: Stream,
    mut builder: ProfileBuilder,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?;
    let (mut total, mut held) = ([0i64; 2], 0);
    // In the order in which they come up.
    let mut listed: Vec<(String, [i64; 2])> = vec![];
    let mut known: HashMap<String, usize> = HashMap::new();
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "total_bytes_allocated" | "total_memory_allocated" => total[0] = whole(&mut json)?,
            "total_num_allocations" => total[1] = whole(&mut json)?,
            "allocation_size_histogram" => histogram(&mut json, &mut builder)?,
            "allocator_type_distribution" => {
                if json.try_object()? {
                    while let Some(key) = json.next_key()? {
                        let key = key.to_owned();
                        let count = json.any_text()?;
                        builder.origin.comments.push(format!("{key}: {count} allocations"));
                    }
                }
            }
            "top_allocations_by_size" | "top_allocations_by_count" => {
                if !json.try_array()? {
                    continue;
                }
                while json.next_element()? {
                    let (name, values) = location(&mut json)?;
                    // The name is held twice.
                    held += 2 * (name.len() + size_of::<(String, [i64; 2])>());
                    options.check_memory(held)?;
                    let row = *known.entry(name).or_insert_with_key(|name| {
                        listed.push((name.clone(), [0; 2]));
                        listed.len() - 1
                    });
                    for (held, value) in listed[row].1.iter_mut().zip(values) {
                        *held = value.unwrap_or(*held);
                    }
                }
            }
            "metadata" => metadata(&mut json, &mut builder)?,
            _ => {}
        }
    }
    json.finish()?;
    warnings
        .add("paths", || "statistics know where memory was allocated but not who called".into());
    let mut rest = total;
    for (name, values) in &listed {
        let context = match split_location(name) {
            Some(place) => {
                let location = builder.place(&place);
                builder.contexts.child(ContextId::ROOT, location)
            }
            None => ContextId::ROOT,
        };
        builder.points.push(context, LabelSetId(0), values);
        rest.iter_mut().zip(values).for_each(|(rest, value)| *rest = rest.saturating_sub(*value));
    }
    if rest != [0; 2] {
        builder.points.push(ContextId::ROOT, LabelSetId(0), &rest);
    }
    Ok(builder.finish())
}

fn whole(json: &mut Json) -> Result<i64, ReadError> {
    Ok(json.any_number()?.and_then(Decimal::to_whole).unwrap_or(0))
}

fn histogram(json: &mut Json, builder: &mut ProfileBuilder) -> Result<(), ReadError> {
    if !json.try_array()? {
        return Ok(());
    }
    while json.next_element()? {
        let (mut from, mut to, mut count) = (0, 0, 0);
        if json.try_object()? {
            while let Some(key) = json.next_key()? {
                match key {
                    "min_bytes" => from = whole(json)?,
                    "max_bytes" => to = whole(json)?,
                    "count" => count = whole(json)?,
                    _ => {}
                }
            }
        }
        /// memray writes ten.
        const MOST: usize = 100;
        if count != 0 && builder.origin.comments.len() < MOST {
            let line = format!("{from} to {to} bytes: {count} allocations");
            builder.origin.comments.push(line);
        }
    }
    Ok(())
}

/// A location with its bytes or its number of allocations.
pub(super) fn location(json: &mut Json) -> Result<(String, [Option<i64>; 2]), ReadError> {
    let (mut name, mut values) = (String::new(), [None; 2]);
    if json.try_object()? {
        while let Some(key) = json.next_key()? {
            match key {
                "location" => name = json.any_text()?,
                "size" => values[0] = Some(whole(json)?),
                "count" => values[1] = Some(whole(json)?),
                _ => {}
            }
        }
    }
    Ok((name, values))
}

/// `function:file:line`; none for what memray has no stack of.
fn split_location(name: &str) -> Option<Place<'_>> {
    if name.is_empty() || name == "<stack trace unavailable>" {
        return None;
    }
    let split = || {
        let (rest, line) = name.rsplit_once(':')?;
        // A drive's letter in front of a path is not the end of a name.
        let (function, file) = match rest.rsplit_once(':')? {
            (before, path) if path.starts_with('\\') => {
                let (function, drive) = before.rsplit_once(':')?;
                (function, &rest[rest.len() - path.len() - 1 - drive.len()..])
            }
            split => split,
        };
        Some(Place { function, file, line: line.parse().ok()?, ..Place::default() })
    };
    Some(split().unwrap_or(Place { function: name, ..Place::default() }))
}

fn metadata(json: &mut Json, builder: &mut ProfileBuilder) -> Result<(), ReadError> {
    if !json.try_object()? {
        return Ok(());
    }
    let (mut start, mut end) = (None, None);
    while let Some(key) = json.next_key()? {
        match key {
            "start_time" => start = nanoseconds(&json.any_text()?),
            "end_time" => end = nanoseconds(&json.any_text()?),
            "total_frames" | "file_format" => {}
            _ => {
                let key = key.replace('_', " ");
                let text = match json.kind()? {
                    crate::json::Kind::Bool => json.bool()?.to_string(),
                    _ => json.any_text()?,
                };
                builder.origin.comments.push(format!("{key}: {text}"));
            }
        }
    }
    builder.origin.time_ns = start.unwrap_or(0);
    if let (Some(start), Some(end)) = (start, end) {
        builder.origin.duration_ns = end.saturating_sub(start).max(0);
    }
    Ok(())
}

/// `2026-11-21 05:31:42.741000+00:00` in nanoseconds since 1970; none where the offset is missing.
fn nanoseconds(text: &str) -> Option<i64> {
    let (date, time) = text.split_once([' ', 'T'])?;
    let mut date = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let at = time.find(['+', '-', 'Z'])?;
    let (clock, offset) = time.split_at(at);
    let mut clock = clock.splitn(3, ':');
    let (hour, minute) = (clock.next()?.parse::<i64>().ok()?, clock.next()?.parse::<i64>().ok()?);
    let second = Decimal::parse(clock.next()?.as_bytes())?.to_scaled(9)?;
    let offset = match offset.strip_prefix(['+', '-']) {
        Some(digits) => {
            let (hours, minutes) = digits.split_once(':')?;
            let minutes =
                hours.parse::<i64>().ok()?.checked_mul(60)? + minutes.parse::<i64>().ok()?;
            if offset.starts_with('-') { -minutes } else { minutes }
        }
        None => 0,
    };
    if !(1970..2262).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years begin in March, so that the day that some have more is their last.
    let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day;
    const TO_1970: i64 = 719_469;
    let minutes = ((days - TO_1970) * 24).checked_add(hour)?.checked_mul(60)?;
    let minutes = minutes.checked_add(minute)?.checked_sub(offset)?;
    minutes.checked_mul(60_000_000_000)?.checked_add(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_offset() {
        let second = 1_000_000_000;
        for (text, expected) in [
            ("1970-01-01 00:00:00+00:00", Some(0)),
            ("2000-03-01 12:00:00.5+01:00", Some(951_908_400 * second + second / 2)),
            ("2024-02-29T00:00:00Z", Some(1_709_164_800 * second)),
            ("2024-02-29 00:00:00-00:30", Some(1_709_166_600 * second)),
            ("2024-02-29 00:00:00", None),
            ("2024-13-29 00:00:00Z", None),
            ("2024-02-29 9999999999999999999:00:00Z", None),
            ("", None),
        ] {
            assert_eq!(nanoseconds(text), expected, "{text}");
        }
    }

    #[test]
    fn locations_are_split_from_their_end() {
        let split =
            |name| split_location(name).map(|place| (place.function, place.file, place.line));
        assert_eq!(split("bale:meadow.py:28"), Some(("bale", "meadow.py", 28)));
        assert_eq!(split(r"f:C:\a\b.py:3"), Some(("f", r"C:\a\b.py", 3)));
        assert_eq!(split("<stack trace unavailable>"), None);
        assert_eq!(split("odd"), Some(("odd", "", 0)));
    }
}
