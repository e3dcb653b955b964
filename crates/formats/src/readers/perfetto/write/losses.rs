//! What Perfetto's traces do not hold, or hold otherwise.

use std::collections::HashMap;

use profile::{LocationKind, Profile, TrackId, TrackKind};

use super::tracks::{Numbers, is_processor_by_name};
use crate::Warnings;
use crate::readers::trace_event::{is_category, metrics_besides, units_of};
use crate::time::nesting;
use crate::time::nesting::Step;

pub(super) fn besides(profile: &Profile, losses: &mut Warnings) {
    let mut lose = |count: usize, what: &'static str| {
        if count > 0 {
            losses.add_many(what, count as u64, || what.to_owned());
        }
    };
    let timeline = &profile.timeline;
    let spans = &timeline.spans;
    let mut is_written = vec![false; profile.points.len()];
    (0..spans.len()).for_each(|row| is_written[spans.point(row).index()] = true);
    let measured = |point: usize| profile.points.row(point).iter().any(|&value| value != 0);
    let left = || (0..is_written.len()).filter(|&point| !is_written[point] && measured(point));
    let is_timed = |point: &usize| profile.points.time(*point).is_some();
    lose(left().filter(is_timed).count(), "samples, which are not spans");
    lose(left().filter(|point| !is_timed(point)).count(), "samples without a time");
    metrics_besides(profile, &[], &mut lose);

    let (mut moved, mut ran, mut misplaced, mut ended, mut labels, mut units) = (0, 0, 0, 0, 0, 0);
    for (row, track) in timeline.tracks.iter().enumerate() {
        let id = TrackId(row as u32);
        let parent = track.parent.map(|parent| timeline.tracks[parent.index()].kind);
        moved += usize::from(!match track.kind {
            TrackKind::Process => parent.is_none() && track.process.is_some(),
            TrackKind::Thread => track.thread.is_some() && parent == Some(TrackKind::Process),
            TrackKind::Lane => true,
            TrackKind::Processor => is_processor_by_name(track),
            TrackKind::Task | TrackKind::Queue => false,
        });
        let of_thread = |row| profile.points.thread(spans.point(row).index()).is_some();
        if track.kind == TrackKind::Processor {
            ran += spans.of_track(id).filter(|&row| of_thread(row)).count();
        }
        let is_lane = track.kind == TrackKind::Lane;
        // By line, how much is open that ends.
        let mut whole: HashMap<u64, usize> = HashMap::new();
        let told = nesting::steps(profile, id, is_lane, &mut |step, _| {
            match step {
                Step::Begin { row, line } if !spans.is_unfinished(row) => {
                    *whole.entry(line).or_default() += 1;
                }
                Step::End { row, line } if !spans.is_unfinished(row) => {
                    *whole.entry(line).or_default() -= 1;
                }
                Step::End { line, .. } => {
                    ended += usize::from(whole.get(&line).is_some_and(|&whole| whole > 0));
                }
                Step::Begin { .. } => {}
            }
            Ok(())
        });
        misplaced += told.unwrap_or(0);
        for span in spans.of_track(id).map(|row| spans.get(row)) {
            let mut own = profile.label_sets.get(profile.points.labels(span.point.index()));
            labels += usize::from(own.any(|label| !is_category(profile, &label)));
            units += units_of(profile, span.arguments);
        }
        let marks = timeline.marks.of_track(id).map(|row| timeline.marks.get(id, row));
        units += marks.map(|mark| units_of(profile, mark.fields)).sum::<usize>();
    }
    lose(moved, "what tracks are of, but for processes, their threads, processors, and lanes");
    lose(ran, "which threads ran on processors, but for their names");
    lose(misplaced as usize, "what spans stand in, where their times do not say it");
    lose(ended, "that spans inside of others never end");
    lose(labels, "labels of spans besides a category, which become arguments");
    lose(units, "units of arguments");
    lose(
        Numbers::new(profile).changed,
        "identifiers of processes and threads that are not numbers",
    );
    let has_moved = super::writer::start(profile) != i128::from(profile.origin.clock_ns);
    lose(usize::from(has_moved), "what the clock showed, for times are moved to begin at 0");
    let is_lost = |kind: &&LocationKind| !matches!(kind, LocationKind::Code | LocationKind::Region);
    let kinds = profile.locations.kind.iter().filter(is_lost);
    lose(kinds.count(), "what is a loop or a data object");
}
