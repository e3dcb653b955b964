//! What events tell of the recording: its settings, and the Java machine.

use super::chunk::Chunk;
use super::classes::{Classes, Value};
use super::format::JfrParser;
use super::slot;

impl JfrParser {
    /// A setting: the sampling period is the one that matters.
    pub(super) fn setting(&mut self, values: &[Value], classes: &Classes, chunk: &Chunk<'_>) {
        let value = |slot: u8| values[usize::from(slot)];
        let Value::Int(id) = value(slot::ID) else { return };
        let Some(event) = classes.by_id.get(&id) else { return };
        if !event.name.ends_with(".ExecutionSample") {
            return;
        }
        let name = chunk.pools.text(chunk.cursor, value(slot::NAME));
        let text = chunk.pools.text(chunk.cursor, value(slot::VALUE));
        let origin = &mut self.builder.origin;
        match &*name {
            "period" | "interval" => {
                if let Some(period) = period(&text) {
                    origin.period = period;
                    origin.period_type = Some((event.name.clone(), "nanoseconds".to_owned()));
                }
            }
            "version" => origin.producer = format!("async-profiler {text}"),
            "event" | "engine" => {
                let comment = format!("{name}: {text}");
                if !origin.comments.contains(&comment) {
                    origin.comments.push(comment);
                }
            }
            _ => {}
        }
    }

    pub(super) fn machine(&mut self, values: &[Value], chunk: &Chunk<'_>) {
        let text = |slot: u8| chunk.pools.text(chunk.cursor, values[usize::from(slot)]);
        let origin = &mut self.builder.origin;
        let comments = [
            ("Java machine", text(slot::JVM_NAME)),
            ("version", text(slot::JVM_VERSION)),
            ("arguments of the machine", text(slot::JVM_ARGUMENTS)),
            ("arguments", text(slot::JAVA_ARGUMENTS)),
        ];
        for (key, value) in comments {
            let comment = format!("{key}: {value}");
            if !value.is_empty() && !origin.comments.contains(&comment) {
                origin.comments.push(comment);
            }
        }
    }
}

/// A period such as `10 ms`, in nanoseconds. async-profiler writes plain nanoseconds.
fn period(text: &str) -> Option<i64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number: i64 = text[..digits].parse().ok()?;
    let factor = match text[digits..].trim() {
        "" | "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        _ => return None,
    };
    number.checked_mul(factor)
}
