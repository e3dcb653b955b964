//! Where inputs came from, in one.

use std::collections::HashSet;

use profile::Origin;

use super::notes::MergeNote;

/// The origins of all inputs.
#[derive(Debug, Default)]
pub(super) struct Origins {
    merged: Option<Origin>,
    formats: Vec<String>,
    comments: HashSet<String>,
    differs: Vec<&'static str>,
}

impl Origins {
    pub(super) fn add(&mut self, input: &Origin) {
        // One that is a merge itself has several.
        for format in input.format.split(", ").filter(|format| !format.is_empty()) {
            if !self.formats.iter().any(|known| known == format) {
                self.formats.push(format.to_owned());
            }
        }
        let new = |comment: &&String| self.comments.insert((*comment).clone());
        let comments: Vec<String> = input.comments.iter().filter(new).cloned().collect();
        let Some(merged) = &mut self.merged else {
            self.merged = Some(Origin { comments, ..input.clone() });
            return;
        };
        merged.comments.extend(comments);
        for formula in &input.formulas {
            if !merged.formulas.contains(formula) {
                merged.formulas.push(formula.clone());
            }
        }
        merged.estimated_paths |= input.estimated_paths;
        merged.duration_ns = merged.duration_ns.saturating_add(input.duration_ns);
        merged.time_ns = match (merged.time_ns, input.time_ns) {
            (0, time) | (time, 0) => time,
            (a, b) => a.min(b),
        };
        if merged.doc_url.is_empty() {
            merged.doc_url.clone_from(&input.doc_url);
        }
        let mut agree = |same: bool, what| {
            if !same && !self.differs.contains(&what) {
                self.differs.push(what);
            }
        };
        agree(merged.producer == input.producer, PRODUCER);
        agree(merged.clock_ns == input.clock_ns, CLOCK);
        let period = |origin: &Origin| (origin.period, origin.period_type.clone());
        agree(period(merged) == period(input), PERIOD);
        let folded = |origin: &Origin| (origin.drop_frames.clone(), origin.keep_frames.clone());
        agree(folded(merged) == folded(input), DROP_FRAMES);
    }

    /// The origin of the merge; times and durations are the earliest and the sum.
    pub(super) fn finish(self, notes: &mut Vec<MergeNote>) -> Origin {
        let mut origin = self.merged.unwrap_or_default();
        origin.format = self.formats.join(", ");
        for what in self.differs {
            match what {
                // Members have their own, and points the time since their member's start.
                PRODUCER => origin.producer.clear(),
                CLOCK => origin.clock_ns = 0,
                PERIOD => (origin.period, origin.period_type) = (0, None),
                _ => {
                    origin.drop_frames.clear();
                    origin.keep_frames.clear();
                }
            }
            if matches!(what, PERIOD | DROP_FRAMES) {
                notes.push(MergeNote::Differs(what));
            }
        }
        origin
    }
}

const PRODUCER: &str = "the producer";
const CLOCK: &str = "the time that the producer's clock showed";
const PERIOD: &str = "the period of the measurement";
const DROP_FRAMES: &str = "which frames to fold into their callers (drop_frames)";
