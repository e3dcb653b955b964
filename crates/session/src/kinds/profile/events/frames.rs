//! Events by function, line, file or module: those with the most of the first event, of one document
//! or of both sides of a comparison.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use analysis::{
    EventSource, EventTable, EventsBy, Filtered, FrameEvents, FrameKey, FrameKeys, FramesBy,
    Granularity, frame_sums,
};
use profile::Profile;
use protocol::ProtocolError;

use super::EventReport;
use super::machine::OnMachines;
use super::query::{EventsQuery, runs_of};
use super::report::Counted;
use crate::kinds::profile::convert;
use crate::kinds::profile::events::query::sorted_samples;
use crate::kinds::profile::trees::views::{filtered_by, frame_keys};
use crate::{ProfileDocument, ViewOptions};

/// How many are told where nobody says how many: a page shows no more.
const MOST_ROWS: usize = 1000;

/// How many sums are kept at most, which take some hundred bytes each with what is made of them.
const MOST_SUMS: usize = 1 << 20;

/// What is told of functions.
#[derive(Debug, Clone, Copy)]
pub struct FrameLimits {
    /// How samples are added up.
    pub by: FramesBy,
    /// How many are told at most.
    pub limit: usize,
}

/// A document and what is looked at.
type Viewed<'a> = (&'a ProfileDocument, &'a ViewOptions);

/// What the runs of a recording have of each event and metric, by function, line, file or module:
/// those with the most of the first event.
pub fn events_of_frames(
    document: &ProfileDocument,
    options: &ViewOptions,
    limits: FrameLimits,
) -> Result<EventReport, ProtocolError> {
    let side = Side::new((document, options), limits.by)?;
    let named = named([&side]).at_most(limits.limit, &[&side]);
    Ok(side.report(&named, limits.by))
}

/// The same of both sides of a comparison, base first, which tell the same functions: those with the
/// most on either side. Functions are one if no other on either side has their name, or if their name
/// and place are equal.
pub fn events_of_both(
    base: Viewed<'_>,
    new: Viewed<'_>,
    limits: FrameLimits,
) -> Result<[EventReport; 2], ProtocolError> {
    let sides = [Side::new(base, limits.by)?, Side::new(new, limits.by)?];
    let named = named(sides.each_ref()).at_most(limits.limit, &sides.each_ref());
    Ok(sides.map(|side| side.report(&named, limits.by)))
}

/// What groups of frames are called, several of them.
pub(super) fn words(by: FramesBy) -> &'static str {
    match by.granularity {
        Granularity::Line => "lines",
        Granularity::File => "files",
        Granularity::Module => "modules",
        _ => "functions",
    }
}

/// Groups of frames that are told over time.
pub(super) struct TimedFrames {
    pub(super) keys: Arc<FrameKeys>,
    pub(super) chosen: Vec<(Option<FrameKey>, String)>,
    /// What those with the least are called together; none where there are none, or where one sample is
    /// of several groups and they have no sum.
    pub(super) rest: Option<String>,
}

impl TimedFrames {
    /// Those with the most of the first event of `asked`.
    pub(super) fn new(
        viewed: Viewed<'_>,
        by: FramesBy,
        asked: EventsQuery,
        most: usize,
    ) -> Result<TimedFrames, ProtocolError> {
        let side = Side::over(viewed, by, asked)?;
        let mut named = named([&side]);
        let left_out = named.order.len().saturating_sub(most);
        named.order.truncate(most);
        let chosen = side.chosen(&named);
        let rest =
            (left_out > 0 && !by.is_total).then(|| format!("({left_out} other {})", words(by)));
        Ok(TimedFrames { keys: side.keys, chosen, rest })
    }
}

impl Counted {
    pub(super) fn of_frames(
        document: &ProfileDocument,
        options: &ViewOptions,
        by: FramesBy,
    ) -> Result<Counted, ProtocolError> {
        let side = Side::new((document, options), by)?;
        let named = named([&side]).at_most(MOST_ROWS, &[&side]);
        Ok(side.counted(&named, by))
    }
}

/// A document with its functions.
struct Side<'a> {
    document: &'a ProfileDocument,
    options: &'a ViewOptions,
    asked: EventsQuery,
    filtered: Arc<Filtered>,
    keys: Arc<FrameKeys>,
    /// Groups with what a run of them has of the first event on average; none is what has no frame that
    /// shows.
    found: Vec<(Option<FrameKey>, f64)>,
}

/// Functions of all sides in their order, by what they are called.
struct Named {
    /// Names that are not a function's alone on some side.
    unclear: HashSet<String>,
    order: Vec<String>,
    left_out: usize,
    /// That more are left out than was asked.
    note: Option<String>,
}

const ELSEWHERE: &str = "(elsewhere)";

impl<'a> Side<'a> {
    fn new(viewed: Viewed<'a>, by: FramesBy) -> Result<Side<'a>, ProtocolError> {
        Side::over(viewed, by, EventsQuery::new(viewed.0)?)
    }

    fn over(
        (document, options): Viewed<'a>,
        by: FramesBy,
        asked: EventsQuery,
    ) -> Result<Side<'a>, ProtocolError> {
        let filtered = filtered_by(document, options).map_err(convert::filter_error)?;
        let keys = frame_keys(document, by.granularity);
        let samples = sorted_samples(document, &asked.columns);
        let source = EventSource::new(&filtered, samples.as_ref().as_ref());
        let runs = runs_of(document, options, &filtered).len().max(1) as f64;
        let mut found = vec![];
        // Functions that have nothing of the first event may have some of another.
        let mut is_found = HashSet::new();
        for (number, &metric) in asked.columns.metrics.iter().enumerate() {
            let sums = frame_sums(&source, &keys, metric, by.is_total);
            let all = keys.all().map(|key| (Some(key), sums.of_key[key.index()]));
            for (key, value) in all.chain([(None, sums.elsewhere)]) {
                if value != 0 && is_found.insert(key) {
                    found.push((key, if number == 0 { value as f64 / runs } else { 0.0 }));
                }
            }
        }
        Ok(Side { document, options, asked, filtered, keys, found })
    }

    fn name(&self, key: Option<FrameKey>) -> Cow<'_, str> {
        match key {
            Some(key) => self.keys.name(self.document.profile(), key),
            None => ELSEWHERE.into(),
        }
    }

    /// By group that was found, what it is called beside all others of all sides.
    fn names(&self, unclear: &HashSet<String>) -> Vec<String> {
        let profile = self.document.profile();
        let is_unclear = |key: &FrameKey| unclear.contains(&*self.name(Some(*key)));
        let keys = self.found.iter().filter_map(|&(key, _)| key).filter(is_unclear);
        let places = match self.keys.granularity() {
            Granularity::Function => self.keys.places_of(profile, keys),
            _ => keys.filter_map(|key| Some((key, place(profile, &self.keys, key)?))).collect(),
        };
        let called = |&(key, _): &(Option<FrameKey>, f64)| {
            let name = self.name(key);
            match key.and_then(|key| places.get(&key)) {
                Some(place) => format!("{name} {place}"),
                None => name.into_owned(),
            }
        };
        self.found.iter().map(called).collect()
    }

    /// How many sums a group has.
    fn sums(&self) -> usize {
        let runs = runs_of(self.document, self.options, &self.filtered);
        runs.len().max(1) * self.asked.columns.metrics.len().max(1)
    }

    fn report(&self, named: &Named, by: FramesBy) -> EventReport {
        let mut report = self.counted(named, by).report_all(self.document);
        report.notes.extend(named.note.clone());
        report
    }

    /// The groups that are told, with what they are called.
    fn chosen(&self, named: &Named) -> Vec<(Option<FrameKey>, String)> {
        let mut of_name: HashMap<String, Vec<Option<FrameKey>>> = HashMap::new();
        for (&(key, _), name) in self.found.iter().zip(self.names(&named.unclear)) {
            of_name.entry(name).or_default().push(key);
        }
        let all = named.order.iter().filter_map(|name| Some((name, of_name.get(name)?)));
        all.flat_map(|(name, keys)| keys.iter().map(|&key| (key, name.clone()))).collect()
    }

    fn counted(&self, named: &Named, by: FramesBy) -> Counted {
        let runs = runs_of(self.document, self.options, &self.filtered);
        let chosen = self.chosen(named);
        let frames = FrameEvents { keys: &self.keys, chosen: &chosen, is_total: by.is_total };
        let columns = &self.asked.columns;
        let samples = sorted_samples(self.document, columns);
        let source = EventSource::new(&self.filtered, samples.as_ref().as_ref());
        let table = EventTable::of_frames(&source, &frames, &runs, columns);
        let by = EventsBy::Frames(by);
        let on = OnMachines::new(&source, self.options, by, &self.asked, &table);
        let counted = Counted::with(self.document, self.asked.clone(), table);
        let counted = counted.on(on.unwrap_or_default());
        counted.of_stacks().leaving_out(named.left_out)
    }
}

impl Named {
    fn at_most(mut self, limit: usize, sides: &[&Side<'_>]) -> Named {
        let sums = sides.iter().map(|side| side.sums()).max().unwrap_or(1);
        let asked = limit.min(self.order.len());
        let shown = asked.min((MOST_SUMS / sums).max(1));
        self.note = (shown < asked).then(|| {
            format!(
                "the {} smallest are left out: so many sums take too much memory",
                asked - shown
            )
        });
        self.left_out = self.order.len() - shown;
        self.order.truncate(shown);
        self
    }
}

/// What tells lines, files and modules of one name apart.
fn place(profile: &Profile, keys: &FrameKeys, key: FrameKey) -> Option<String> {
    let frame = keys.representative(key);
    match (keys.granularity(), profile.frame_file(frame), profile.frame_module(frame)) {
        (Granularity::File, ..) | (_, "", "") => None,
        (Granularity::Module, _, module) | (_, "", module) => Some(format!("[{module}]")),
        (_, file, _) => Some(file.to_owned()),
    }
}

fn named<const N: usize>(sides: [&Side<'_>; N]) -> Named {
    let mut unclear = HashSet::new();
    for side in sides {
        let mut seen: HashSet<Cow<'_, str>> = HashSet::new();
        // What filters leave nothing of has its name, too: names do not depend on filters.
        for key in side.keys.all() {
            let name = side.name(Some(key));
            // What profilers call functions without a name tells none from another.
            let is_nameless = side.keys.label(side.document.profile(), key) != name;
            if is_nameless || !seen.insert(name.clone()) {
                unclear.insert(name.into_owned());
            }
        }
    }
    let mut values: HashMap<String, f64> = HashMap::new();
    for side in sides {
        for (&(_, value), name) in side.found.iter().zip(side.names(&unclear)) {
            let known = values.entry(name).or_default();
            *known = known.max(value);
        }
    }
    let mut order: Vec<(String, f64)> = values.into_iter().collect();
    order.sort_by_cached_key(|(name, value)| (Reverse(value.to_bits()), name.clone()));
    let order = order.into_iter().map(|(name, _)| name).collect();
    Named { unclear, order, left_out: 0, note: None }
}
