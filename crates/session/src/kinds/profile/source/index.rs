//! What a profile says of source files: values by line and by function, for one metric.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use analysis::notes::{self, Note};
use analysis::{
    CallGraph, Filtered, FlatValues, FrameKey, Granularity, GroupPlaces, NO_VALUE, flat_values,
};
use profile::{FrameId, MetricId};
use protocol::ProtocolError;

use crate::kept::Question;
use crate::kinds::profile::convert;
use crate::kinds::profile::document::switched_off;
use crate::kinds::profile::source::instructions::{InstructionPlaces, all_instruction_values};
use crate::kinds::profile::source::places::SourcePlaces;
use crate::kinds::profile::trees::views::{filtered_by, filtered_profile, frame_keys};
use crate::{Called, ProfileDocument, ViewOptions};

/// Self and total of the lines and functions of every source file that a profile names.
#[derive(Debug)]
pub struct SourceIndex {
    places: Arc<SourcePlaces>,
    lines: FlatValues,
    functions: FlatValues,
    total: i64,
    calls: OnceLock<CallGraph>,
    instructions: OnceLock<FlatValues>,
}

/// A line of a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceLine {
    /// From 1.
    pub line: u32,
    /// Value of the samples whose innermost frame is on the line.
    pub self_value: i64,
    /// Value of the samples with the line on their stack, each counted once.
    pub total_value: i64,
}

/// A function in a source file. What has one name in several files is one function in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceFunction<'a> {
    /// Its number, the same in every metric.
    pub id: u32,
    /// Its number among all functions of the profile, as lists and pictures have it.
    pub key: u32,
    /// Its name; never empty.
    pub name: &'a str,
    /// Number of its file.
    pub file: u32,
    /// Where it starts, from 1; where that is unknown its first line that was measured; else 0.
    pub start_line: u32,
    /// Whether the profile tells where it starts.
    pub tells_start: bool,
    /// Value of the samples whose innermost frame is the function's.
    pub self_value: i64,
    /// Value of the samples with the function on their stack, each counted once.
    pub total_value: i64,
    /// How many different instructions of it were measured; 0 where the profile knows none.
    pub instructions: u32,
}

/// Who calls a function of an index and whom it calls, largest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceCalls {
    /// Its callers.
    pub callers: Vec<Called>,
    /// What it calls.
    pub callees: Vec<Called>,
}

impl SourceIndex {
    /// The source files as the profile names them; a file's number is its place.
    pub fn files(&self) -> &[String] {
        &self.places.files
    }

    /// A frame of a function.
    pub(in crate::kinds::profile) fn frame_of(&self, function: u32) -> FrameId {
        self.places.keys.representative(self.places.functions[function as usize].1)
    }

    /// Number of the file of a name.
    pub fn file(&self, name: &str) -> Option<u32> {
        let place = self.places.files.iter().position(|file| file == name);
        place.map(|place| place as u32)
    }

    /// Sum of the metric over the whole profile.
    pub fn total(&self) -> i64 {
        self.total
    }

    /// The lines of a file that were measured, from the top.
    pub fn lines(&self, file: u32) -> impl Iterator<Item = SourceLine> {
        of_file(&self.places.lines, file).map(|row| self.source_line(row))
    }

    /// One line of a file, if it was measured.
    pub fn line(&self, file: u32, line: u32) -> Option<SourceLine> {
        let row = self.places.lines.binary_search(&(file, line)).ok()?;
        Some(self.source_line(row))
    }

    /// The functions of a file.
    pub fn functions(&self, file: u32) -> impl Iterator<Item = SourceFunction<'_>> {
        of_file(&self.places.functions, file).map(|row| self.function(row as u32))
    }

    /// The function with the largest total among those that have a frame on a line.
    pub fn function_on(&self, file: u32, line: u32) -> Option<SourceFunction<'_>> {
        let row = self.places.lines.binary_search(&(file, line)).ok()? as u32;
        let all = &self.places.on_lines;
        let start = all.partition_point(|&(line, _)| line < row);
        let on_line = all[start..].iter().take_while(|&&(line, _)| line == row);
        let functions = on_line.map(|&(_, id)| self.function(id));
        functions.max_by_key(|function| (size(function.total_value), Reverse(function.id)))
    }

    /// The measured lines of a file with the functions that have a frame there, from the top.
    pub fn functions_by_line(&self, file: u32) -> impl Iterator<Item = (u32, u32)> {
        let rows = of_file(&self.places.lines, file);
        let all = &self.places.on_lines;
        let start = all.partition_point(|&(line, _)| (line as usize) < rows.start);
        let end = all.partition_point(|&(line, _)| (line as usize) < rows.end);
        all[start..end].iter().map(|&(row, id)| (self.places.lines[row as usize].1, id))
    }

    /// The functions with a key, one of each file that has frames of it.
    pub fn with_key(&self, key: u32) -> impl Iterator<Item = SourceFunction<'_>> {
        let by_key = self.places.by_key.get_or_init(|| {
            let mut ids: Vec<u32> = (0..self.places.functions.len() as u32).collect();
            ids.sort_by_key(|&id| self.places.functions[id as usize].1);
            ids
        });
        let key_of = |id: u32| self.places.functions[id as usize].1.0;
        let start = by_key.partition_point(|&id| key_of(id) < key);
        let all = by_key[start..].iter().take_while(move |&&id| key_of(id) == key);
        all.map(|&id| self.function(id))
    }

    /// Every function of a file, largest self value first, then total.
    pub fn by_heat(&self) -> Vec<SourceFunction<'_>> {
        let ids = 0..self.places.functions.len() as u32;
        let mut all: Vec<_> = ids.map(|id| self.function(id)).collect();
        all.sort_by_key(|one| (Reverse(size(one.self_value)), Reverse(size(one.total_value))));
        all
    }

    /// A function by its number, which must be one of this profile.
    pub fn function(&self, id: u32) -> SourceFunction<'_> {
        let row = id as usize;
        SourceFunction {
            id,
            key: self.places.functions[row].1.0,
            name: &self.places.names[row],
            file: self.places.functions[row].0,
            start_line: self.places.starts[row].line,
            tells_start: self.places.starts[row].is_told,
            self_value: self.functions.self_value[row],
            total_value: self.functions.total_value[row],
            instructions: self.places.instructions.count(id),
        }
    }

    /// Number of a line that was measured.
    pub(crate) fn line_row(&self, file: u32, line: u32) -> Option<u32> {
        let row = self.places.lines.binary_search(&(file, line)).ok()?;
        Some(row as u32)
    }

    pub(crate) fn instruction_places(&self) -> &InstructionPlaces {
        &self.places.instructions
    }

    /// Values by instruction, where somebody asked.
    pub(crate) fn instruction_values(&self) -> &OnceLock<FlatValues> {
        &self.instructions
    }

    fn source_line(&self, row: usize) -> SourceLine {
        SourceLine {
            line: self.places.lines[row].1,
            self_value: self.lines.self_value[row],
            total_value: self.lines.total_value[row],
        }
    }
}

#[derive(PartialEq, Eq, Hash)]
struct SourcesIn(MetricId);

impl Question for SourcesIn {
    type Answer = SourceIndex;
    const KEPT: usize = 16;
}

#[derive(PartialEq, Eq, Hash)]
struct PlacesInSources;

impl Question for PlacesInSources {
    type Answer = SourcePlaces;
    const KEPT: usize = 1;
}

/// What the profile says of source files in a metric; worked out once.
pub fn source_index(
    document: &ProfileDocument,
    metric: MetricId,
) -> Result<Arc<SourceIndex>, ProtocolError> {
    document.kept().answer(SourcesIn(metric), || {
        let filtered = filtered_profile(document, &[], true).map_err(convert::filter_error)?;
        Ok(sources_of(document, &filtered, metric))
    })
}

/// The same of what the filters of a view keep.
pub(crate) fn filtered_sources(
    document: &ProfileDocument,
    options: &ViewOptions,
) -> Result<Arc<SourceIndex>, ProtocolError> {
    if options.filters.is_empty() && options.drop_frames && options.role.is_none() {
        return source_index(document, options.metric);
    }
    let filtered = filtered_by(document, options).map_err(convert::filter_error)?;
    Ok(Arc::new(sources_of(document, &filtered, options.metric)))
}

fn sources_of(document: &ProfileDocument, filtered: &Filtered, metric: MetricId) -> SourceIndex {
    let places = all_source_places(document);
    let values = |groups: &[u32], count| flat_values(filtered, groups, count + 1, metric);
    SourceIndex {
        lines: values(&places.line_of_frame, places.lines.len()),
        functions: values(&places.function_of_frame, places.functions.len()),
        places,
        total: filtered.program_total(metric),
        calls: OnceLock::new(),
        instructions: OnceLock::new(),
    }
}

/// The lines and functions of its source files.
pub(in crate::kinds::profile) fn all_source_places(
    document: &ProfileDocument,
) -> Arc<SourcePlaces> {
    document.kept().made(PlacesInSources, || {
        SourcePlaces::new(document.profile(), frame_keys(document, Granularity::Function))
    })
}

/// Works out what else is told of a line in a metric: its calls and instructions, and the index
/// in the first `metrics` of all metrics, itself among them.
pub fn prepare_sources(
    document: &ProfileDocument,
    metric: MetricId,
    metrics: usize,
) -> Result<(), ProtocolError> {
    let index = source_index(document, metric)?;
    if !index.places.lines.is_empty() {
        source_graph(document, metric)?;
        group_places(document, &index)?;
        all_instruction_values(document, &index, metric)?;
    }
    for metric in metrics_from(document, metric).take(metrics) {
        source_index(document, metric)?;
    }
    Ok(())
}

/// Every metric, `metric` first.
pub fn metrics_from(
    document: &ProfileDocument,
    metric: MetricId,
) -> impl Iterator<Item = MetricId> {
    let others = document.metric_ids().filter(move |&other| other != metric);
    std::iter::once(metric).chain(others)
}

/// What analyses have to say of a function of the index of `metric`; nothing in derived metrics,
/// whose values do not add up, nor of comparisons, whose members are two things.
pub fn source_notes(
    document: &ProfileDocument,
    metric: MetricId,
    function: u32,
) -> Result<Vec<Note>, ProtocolError> {
    if document.is_derived(metric) || document.comparison().is_some() {
        return Ok(vec![]);
    }
    let index = source_index(document, metric)?;
    let filtered = filtered_profile(document, &[], true).map_err(convert::filter_error)?;
    let function = notes::Function {
        filtered: &filtered,
        keys: &index.places.keys,
        places: group_places(document, &index)?,
        key: index.places.functions[function as usize].1,
        metric,
    };
    let frame = function.keys.representative(function.key);
    let name = function.keys.name(document.profile(), function.key);
    let exact = switched_off::of_frame(document.profile(), frame, &name).map(|one| Note {
        title: "Exact and estimated".to_owned(),
        text: format!("Its calls are {}.", switched_off::sentence(one)),
    });
    Ok(exact.into_iter().chain(notes::notes(&function)).collect())
}

fn group_places<'a>(
    document: &ProfileDocument,
    index: &'a SourceIndex,
) -> Result<&'a GroupPlaces, ProtocolError> {
    let filtered = filtered_profile(document, &[], true).map_err(convert::filter_error)?;
    let keys = &index.places.keys;
    let make = || GroupPlaces::new(&filtered, keys.keys(), keys.len());
    Ok(index.places.groups.get_or_init(make))
}

/// The index of the measured metric that `metric` is, or begins with; its calls are known.
fn source_graph(
    document: &ProfileDocument,
    metric: MetricId,
) -> Result<Arc<SourceIndex>, ProtocolError> {
    let metric = document.base_metric(metric);
    let index = source_index(document, metric)?;
    let filtered = filtered_profile(document, &[], true).map_err(convert::filter_error)?;
    index.calls.get_or_init(|| CallGraph::new(&filtered, &index.places.keys, metric, None));
    Ok(index)
}

/// The callers and callees of a function of the index of `metric`, at most `limit` of each. A
/// derived metric has no calls of its own: theirs are in the one that its formula begins with.
pub fn source_calls(
    document: &ProfileDocument,
    metric: MetricId,
    function: u32,
    limit: usize,
) -> Result<SourceCalls, ProtocolError> {
    let index = source_graph(document, metric)?;
    let Some(graph) = index.calls.get() else { return Ok(SourceCalls::default()) };
    let keys = &index.places.keys;
    let key = index.places.functions[function as usize].1;
    let called = |key: FrameKey, value: i64| Called::new(document.profile(), keys, key, value);
    let callers = graph.callers(key).map(|edge| called(edge.caller, edge.value));
    let callees = graph.callees(key).map(|edge| called(edge.callee, edge.value));
    Ok(SourceCalls {
        callers: callers.take(limit).collect(),
        callees: callees.take(limit).collect(),
    })
}

fn of_file<T>(sorted: &[(u32, T)], file: u32) -> Range<usize> {
    let start = sorted.partition_point(|(of, _)| *of < file);
    start..sorted.partition_point(|(of, _)| *of <= file)
}

pub(crate) fn size(value: i64) -> u64 {
    if value == NO_VALUE { 0 } else { value.unsigned_abs() }
}

#[cfg(test)]
mod tests {
    use formats::ReadOptions;

    use super::*;
    use crate::Input;
    use crate::{Collector, Watch, source_instructions};

    struct Nobody;

    impl Watch for Nobody {
        fn watch<'a>(
            &'a self,
            bytes: Box<dyn std::io::Read + Send + 'a>,
        ) -> Box<dyn std::io::Read + Send + 'a> {
            bytes
        }
    }

    fn document() -> ProfileDocument {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/runs/before-1.pb.gz");
        let file = std::fs::File::open(path).expect("the sample");
        let options = ReadOptions::default();
        let mut collector = Collector::new(&options);
        let input = Input::File(Box::new(file), None);
        collector.add(input, &Nobody, "before-1.pb.gz").expect("a profile");
        collector.finish("before-1.pb.gz")
    }

    fn file(index: &SourceIndex, name: &str) -> u32 {
        let place = index.files().iter().position(|file| file == name);
        place.expect("the file") as u32
    }

    /// What `go tool pprof -top` and `-list` say of the sample.
    #[test]
    fn functions_and_lines_have_their_values() {
        let document = document();
        let index = source_index(&document, MetricId(1)).expect("an index");
        let main = file(&index, "logsummary/main.go");
        let function = index
            .functions(main)
            .find(|function| function.name == "main.(*page).addVisitor")
            .expect("the function");
        assert_eq!((function.self_value, function.total_value), (248_000_000, 1_496_000_000));
        assert_eq!(function.start_line, 40);
        let lines = index.lines(main).filter(|line| (40..50).contains(&line.line));
        let own: i64 = lines.map(|line| line.self_value).sum();
        assert_eq!(own, function.self_value);
        let hot = SourceLine { line: 42, self_value: 124_000_000, total_value: 1_368_000_000 };
        assert_eq!(index.line(main, 42), Some(hot));
        assert_eq!(index.function_on(main, 42).map(|one| one.id), Some(function.id));
        assert_eq!(index.line(main, u32::MAX), None);
        assert_eq!(index.total(), 2_240_000_000);
    }

    #[test]
    fn calls_are_by_function() {
        let document = document();
        let index = source_index(&document, MetricId(1)).expect("an index");
        let main = file(&index, "logsummary/main.go");
        let function = index.functions(main).find(|one| one.name == "main.(*page).addVisitor");
        let id = function.expect("the function").id;
        let calls = source_calls(&document, MetricId(1), id, 5).expect("calls");
        assert_eq!(calls.callers[0].name, "main.summarize");
        assert!(calls.callees.iter().any(|called| called.name == "memeqbody"));
    }

    /// What the flat view by address says of the sample.
    #[test]
    fn lines_have_instructions() {
        let document = document();
        let index = source_index(&document, MetricId(1)).expect("an index");
        let main = file(&index, "logsummary/main.go");
        let all = source_instructions(&document, MetricId(1), main, 42).expect("instructions");
        assert_eq!((all[0].address, all[0].self_value), (0x4d_c315, 56_000_000));
        let own: i64 = all.iter().map(|one| one.self_value).sum();
        assert_eq!(Some(own), index.line(main, 42).map(|line| line.self_value));
        assert!(all.is_sorted_by_key(|one| Reverse(one.self_value)));
        assert_eq!(source_instructions(&document, MetricId(1), main, u32::MAX), Ok(vec![]));
    }

    #[test]
    fn an_index_is_worked_out_once() {
        let document = document();
        let [first, second] =
            [MetricId(0); 2].map(|metric| source_index(&document, metric).expect("an index"));
        assert!(Arc::ptr_eq(&first, &second));
    }
}
