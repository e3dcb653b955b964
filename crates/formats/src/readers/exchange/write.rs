//! The writer: tables in blocks of a bounded number of rows.

use std::cmp::Reverse;
use std::io::Write;
use std::ops::Range;

use hashbrown::HashMap;
use profile::{ContextId, FrameId, LabelSetId, LabelValue, LocationId, Origin, Profile, StringId};

use super::format::{MAGIC, VERSION};
use super::schema::{
    block, contexts, file, formula, function_totals, functions, label_sets, locations, member,
    metric, module, origin, points, process, thread, values, warning,
};
use super::{facts, machines, notes, switched_off, timeline};
use crate::WriteError;
use crate::wire::{MessageWriter, zigzag};

/// Rows of a table in one block.
const BLOCK_ROWS: usize = 1 << 16;

pub(super) fn write(profile: &Profile, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut head = MessageWriter::default();
    head.text(file::MAGIC, MAGIC);
    head.integer(file::VERSION, VERSION);
    out.write_all(&head.bytes)?;

    let mut message = MessageWriter::default();
    put_origin(&profile.origin, &mut message);
    for entry in &profile.metrics {
        let mut inner = MessageWriter::default();
        inner.text(metric::NAME, &entry.name);
        inner.text(metric::UNIT, &entry.unit);
        inner.integer(metric::DECIMALS, entry.decimals.into());
        inner.integer(metric::OVER_CONTEXTS, entry.combining.contexts as u64);
        inner.integer(metric::OVER_TIME, entry.combining.time as u64);
        inner.integer(metric::OVER_MEMBERS, entry.combining.members as u64);
        let weight = entry.combining.weight.map(|weight| weight.0);
        inner.integer(metric::WEIGHT_PLUS_1, plus_1(weight));
        inner.integer(metric::TIMING, entry.timing as u64);
        inner.integer(metric::IS_COUNTED, entry.is_counted.into());
        message.bytes(block::METRIC, &inner.bytes);
    }
    put_block(&mut message, out)?;

    // Row 0 is the empty string, which is not written.
    for rows in chunks(1, profile.strings.len()) {
        for row in rows {
            message.bytes(block::STRING, profile.text(StringId(row as u32)).as_bytes());
        }
        put_block(&mut message, out)?;
    }
    put_small_tables(profile, &mut message);
    put_block(&mut message, out)?;
    for rows in chunks(0, profile.functions.len()) {
        message.bytes(block::FUNCTIONS, &functions_of(profile, rows).bytes);
        put_block(&mut message, out)?;
    }
    for rows in chunks(0, profile.locations.len()) {
        message.bytes(block::LOCATIONS, &locations_of(profile, rows).bytes);
        put_block(&mut message, out)?;
    }
    for rows in chunks(1, profile.contexts.len()) {
        message.bytes(block::CONTEXTS, &contexts_of(profile, rows).bytes);
        put_block(&mut message, out)?;
    }
    for rows in chunks(1, profile.label_sets.len()) {
        message.bytes(block::LABEL_SETS, &label_sets_of(profile, rows).bytes);
        put_block(&mut message, out)?;
    }
    for rows in chunks(0, profile.points.len()) {
        message.bytes(block::POINTS, &points_of(profile, rows).bytes);
        put_block(&mut message, out)?;
    }
    for rows in chunks(0, profile.function_totals.len()) {
        message.bytes(block::FUNCTION_TOTALS, &function_totals_of(profile, rows).bytes);
        put_block(&mut message, out)?;
    }
    switched_off::write(&profile.switched_off, out)?;
    notes::write(&profile.notes, out)?;
    timeline::write(&profile.timeline, out)
}

pub(super) fn chunks(start: usize, end: usize) -> impl Iterator<Item = Range<usize>> {
    (start..end).step_by(BLOCK_ROWS).map(move |at| at..end.min(at + BLOCK_ROWS))
}

/// Writes the block, unless it is empty.
pub(super) fn put_block(
    message: &mut MessageWriter,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    if !message.bytes.is_empty() {
        let mut head = MessageWriter::default();
        head.put_varint(file::BLOCK << 3 | 2);
        head.put_varint(message.bytes.len() as u64);
        out.write_all(&head.bytes)?;
        out.write_all(&message.bytes)?;
        message.clear();
    }
    Ok(())
}

/// A column; left out if every entry is 0.
pub(super) fn column(
    message: &mut MessageWriter,
    field: u64,
    entries: impl Iterator<Item = u64> + Clone,
) {
    if entries.clone().any(|entry| entry != 0) {
        message.packed(field, entries);
    }
}

/// The differences between neighbours, in zigzag form.
pub(super) fn deltas(
    entries: impl Iterator<Item = i64> + Clone,
) -> impl Iterator<Item = u64> + Clone {
    entries.scan(0i64, |before, entry| {
        let delta = entry.wrapping_sub(*before);
        *before = entry;
        Some(zigzag(delta))
    })
}

fn put_origin(from: &Origin, message: &mut MessageWriter) {
    let mut inner = MessageWriter::default();
    inner.text(origin::FORMAT, &from.format);
    inner.text(origin::PRODUCER, &from.producer);
    inner.integer(origin::DEFAULT_METRIC, from.default_metric.0.into());
    inner.integer(origin::DEFAULT_METRIC_NAMED, from.default_metric_named.into());
    inner.signed(origin::TIME_NS, from.time_ns);
    inner.signed(origin::DURATION_NS, from.duration_ns);
    inner.signed(origin::CLOCK_NS, from.clock_ns);
    inner.signed(origin::PERIOD, from.period);
    if let Some((kind, unit)) = &from.period_type {
        // Written even if empty: an empty kind is not the same as none.
        inner.bytes(origin::PERIOD_TYPE, kind.as_bytes());
        inner.bytes(origin::PERIOD_UNIT, unit.as_bytes());
    }
    inner.text(origin::DROP_FRAMES, &from.drop_frames);
    inner.text(origin::KEEP_FRAMES, &from.keep_frames);
    for comment in &from.comments {
        inner.bytes(origin::COMMENT, comment.as_bytes());
    }
    inner.text(origin::DOC_URL, &from.doc_url);
    inner.integer(origin::ESTIMATED_PATHS, from.estimated_paths.into());
    for entry in &from.formulas {
        let mut own = MessageWriter::default();
        own.text(formula::NAME, &entry.name);
        own.text(formula::TEXT, &entry.formula);
        inner.bytes(origin::FORMULA, &own.bytes);
    }
    for entry in &from.warnings {
        let mut own = MessageWriter::default();
        own.text(warning::KIND, &entry.kind);
        own.text(warning::MESSAGE, &entry.message);
        own.integer(warning::COUNT, entry.count);
        inner.bytes(origin::WARNING, &own.bytes);
    }
    message.bytes(block::ORIGIN, &inner.bytes);
}

fn put_small_tables(profile: &Profile, message: &mut MessageWriter) {
    for entry in &profile.modules {
        let mut inner = MessageWriter::default();
        inner.integer(module::NAME, entry.name.0.into());
        inner.integer(module::BUILD_ID, entry.build_id.0.into());
        inner.integer(module::MEMORY_START, entry.memory_start);
        inner.integer(module::MEMORY_LIMIT, entry.memory_limit);
        inner.integer(module::FILE_OFFSET, entry.file_offset);
        inner.integer(module::HAS_FUNCTIONS, entry.flags.functions.into());
        inner.integer(module::HAS_FILE_NAMES, entry.flags.file_names.into());
        inner.integer(module::HAS_LINE_NUMBERS, entry.flags.line_numbers.into());
        inner.integer(module::HAS_INLINE_FRAMES, entry.flags.inline_frames.into());
        message.bytes(block::MODULE, &inner.bytes);
    }
    for entry in &profile.processes {
        let mut inner = MessageWriter::default();
        inner.integer(process::ID, entry.id.0.into());
        inner.integer(process::NAME, entry.name.0.into());
        message.bytes(block::PROCESS, &inner.bytes);
    }
    for entry in &profile.threads {
        let mut inner = MessageWriter::default();
        inner.integer(thread::PROCESS_PLUS_1, plus_1(entry.process.map(|p| p.0)));
        inner.integer(thread::ID, entry.id.0.into());
        inner.integer(thread::NAME, entry.name.0.into());
        message.bytes(block::THREAD, &inner.bytes);
    }
    for entry in &profile.machines {
        message.bytes(block::MACHINE, &machines::message_of(entry).bytes);
    }
    for entry in &profile.members {
        let mut inner = MessageWriter::default();
        inner.text(member::NAME, &entry.name);
        inner.text(member::PRODUCER, &entry.producer);
        inner.text(member::HOST, &entry.host);
        inner.signed(member::TIME_NS, entry.time_ns);
        inner.signed(member::DURATION_NS, entry.duration_ns);
        inner.integer(member::MACHINE_PLUS_1, plus_1(entry.machine.map(|machine| machine.0)));
        inner.signed(member::MOVED_NS, entry.moved_ns);
        for entry in &entry.facts {
            inner.bytes(member::FACT, &facts::message_of(entry).bytes);
        }
        message.bytes(block::MEMBER, &inner.bytes);
    }
    message.packed(block::ROLE, profile.roles.iter().map(|role| role.0.into()));
}

pub(super) fn plus_1(row: Option<u32>) -> u64 {
    row.map_or(0, |row| u64::from(row) + 1)
}

fn functions_of(profile: &Profile, rows: Range<usize>) -> MessageWriter {
    let mut message = MessageWriter::default();
    let table = &profile.functions;
    message.integer(functions::COUNT, rows.len() as u64);
    let texts =
        |entries: &'_ [StringId]| entries.iter().map(|id| id.0.into()).collect::<Vec<u64>>();
    for (field, entries) in [
        (functions::NAME, &table.name),
        (functions::SYSTEM_NAME, &table.system_name),
        (functions::FILE, &table.file),
    ] {
        column(&mut message, field, texts(&entries[rows.clone()]).into_iter());
    }
    let columns_rows = rows.clone();
    let lines = table.start_line[rows].iter().map(|&line| line.into());
    column(&mut message, functions::START_LINE, lines);
    let columns = table.start_column[columns_rows].iter().map(|&column| column.into());
    column(&mut message, functions::START_COLUMN, columns);
    message
}

fn locations_of(profile: &Profile, rows: Range<usize>) -> MessageWriter {
    let mut message = MessageWriter::default();
    let table = &profile.locations;
    let ids = rows.clone().map(|row| LocationId(row as u32));
    message.integer(locations::COUNT, rows.len() as u64);
    let kinds = table.kind[rows.clone()].iter().map(|&kind| kind as u64);
    column(&mut message, locations::KIND, kinds);
    let modules = ids.clone().map(|id| plus_1(table.module(id).map(|module| module.0)));
    column(&mut message, locations::MODULE_PLUS_1, modules);
    let addresses = table.address[rows.clone()].iter().map(|&address| address as i64);
    column(&mut message, locations::ADDRESS_DELTA, deltas(addresses));
    let folded = table.folded[rows.clone()].iter().map(|&folded| folded.into());
    column(&mut message, locations::FOLDED, folded);
    let instructions = ids.clone().map(|id| table.instruction(id).0.into());
    column(&mut message, locations::INSTRUCTION, instructions);
    let counts = ids.clone().map(|id| table.frames(id).len() as u64);
    if counts.clone().any(|count| count != 1) {
        message.packed(locations::FRAME_COUNT, counts);
    }
    let frames = ids.flat_map(|id| table.frames(id)).map(FrameId);
    let functions = frames.clone().map(|f| plus_1(profile.frames.function(f).map(|id| id.0)));
    column(&mut message, locations::FRAME_FUNCTION_PLUS_1, functions);
    let lines = frames.clone().map(|frame| profile.frames.line[frame.index()].into());
    column(&mut message, locations::FRAME_LINE, lines);
    let columns = frames.map(|frame| profile.frames.column[frame.index()].into());
    column(&mut message, locations::FRAME_COLUMN, columns);
    message
}

fn contexts_of(profile: &Profile, rows: Range<usize>) -> MessageWriter {
    let mut message = MessageWriter::default();
    let table = &profile.contexts;
    let ids = rows.clone().map(|row| ContextId(row as u32));
    message.integer(contexts::COUNT, rows.len() as u64);
    let distances = ids.clone().map(|id| u64::from(id.0 - table.parent(id).map_or(0, |p| p.0)));
    column(&mut message, contexts::PARENT_DISTANCE, distances);
    let places = ids.map(|id| table.location(id).map_or(0, |location| location.0.into()));
    column(&mut message, contexts::LOCATION, places);
    message
}

fn label_sets_of(profile: &Profile, rows: Range<usize>) -> MessageWriter {
    let mut message = MessageWriter::default();
    let ids = rows.clone().map(|row| LabelSetId(row as u32));
    message.integer(label_sets::COUNT, rows.len() as u64);
    let counts = ids.clone().map(|id| profile.label_sets.get(id).len() as u64);
    column(&mut message, label_sets::LABEL_COUNT, counts);
    let labels: Vec<_> = ids.flat_map(|id| profile.label_sets.get(id)).collect();
    column(&mut message, label_sets::KEY, labels.iter().map(|label| label.key.0.into()));
    let units = labels.iter().map(|label| match label.value {
        LabelValue::Text(_) => 0,
        LabelValue::Number(_, unit) => u64::from(unit.0) + 1,
    });
    column(&mut message, label_sets::UNIT_PLUS_1, units);
    let values = labels.iter().map(|label| match label.value {
        LabelValue::Text(text) => zigzag(text.0.into()),
        LabelValue::Number(number, _) => zigzag(number),
    });
    column(&mut message, label_sets::VALUE, values);
    message
}

fn points_of(profile: &Profile, rows: Range<usize>) -> MessageWriter {
    let mut message = MessageWriter::default();
    let table = &profile.points;
    message.integer(points::COUNT, rows.len() as u64);
    put_contexts(&table.context[rows.clone()], &mut message);
    for metric in 0..profile.metrics.len() {
        let mut inner = MessageWriter::default();
        let entries = rows.clone().map(|row| zigzag(table.row(row)[metric]));
        column(&mut inner, values::VALUE, entries);
        message.bytes(points::VALUES, &inner.bytes);
    }
    column(&mut message, points::LABEL_SET, rows.clone().map(|row| table.labels(row).0.into()));
    let times = rows.clone().filter_map(|row| table.time(row));
    if table.has_times() {
        message.packed(points::TIME_DELTA, deltas(times.clone()));
        let timed = rows.clone().map(|row| table.time(row).is_some().into());
        if times.clone().count() < rows.len() && times.clone().next().is_some() {
            message.packed(points::TIMED, timed);
        }
    }
    let threads = rows.clone().map(|row| plus_1(table.thread(row).map(|thread| thread.0)));
    column(&mut message, points::THREAD_PLUS_1, threads);
    column(&mut message, points::CPU_PLUS_1, rows.clone().map(|row| plus_1(table.cpu(row))));
    column(&mut message, points::MEMBER, rows.clone().map(|row| table.member(row).0.into()));
    if table.has_links() {
        let counts = rows.clone().map(|row| table.links(row).len() as u64);
        column(&mut message, points::LINK_COUNT, counts);
        let links = rows.flat_map(|row| table.links(row));
        column(&mut message, points::LINK_ROLE, links.clone().map(|(role, _)| role.0.into()));
        column(&mut message, points::LINK_CONTEXT, links.map(|(_, context)| context.0.into()));
    }
    message
}

/// The contexts of points: by how often each is there where that takes less room than what it is
/// more than the one before. Samples of few stacks in the order of time jump to and fro in the tree.
fn put_contexts(at: &[ContextId], message: &mut MessageWriter) {
    let deltas = deltas(at.iter().map(|context| context.0.into()));
    let mut counts: HashMap<ContextId, usize> = HashMap::new();
    let is_worth_it = |counts: &HashMap<ContextId, usize>| counts.len() <= at.len() / 4;
    for &context in at {
        *counts.entry(context).or_default() += 1;
        if !is_worth_it(&counts) {
            break;
        }
    }
    if !is_worth_it(&counts) {
        return column(message, points::CONTEXT_DELTA, deltas);
    }
    let mut frequent: Vec<(ContextId, usize)> = counts.into_iter().collect();
    frequent.sort_unstable_by_key(|&(context, count)| (Reverse(count), context));
    let places: HashMap<ContextId, u64> =
        (0..).zip(&frequent).map(|(place, &(context, _))| (context, place)).collect();
    let frequent = frequent.iter().map(|&(context, _)| u64::from(context.0));
    let places = at.iter().map(|context| places[context]);
    let bytes = |numbers: &mut dyn Iterator<Item = u64>| numbers.map(varint_len).sum::<usize>();
    let with_places = bytes(&mut frequent.clone()) + bytes(&mut places.clone());
    if with_places < bytes(&mut deltas.clone()) {
        message.packed(points::FREQUENT_CONTEXT, frequent);
        message.packed(points::CONTEXT_PLACE, places);
    } else {
        column(message, points::CONTEXT_DELTA, deltas);
    }
}

/// Bytes that a number takes.
fn varint_len(number: u64) -> usize {
    (64 - (number | 1).leading_zeros() as usize).div_ceil(7)
}

fn function_totals_of(profile: &Profile, rows: Range<usize>) -> MessageWriter {
    let mut message = MessageWriter::default();
    let table = &profile.function_totals;
    message.integer(function_totals::COUNT, rows.len() as u64);
    let functions = table.function[rows.clone()].iter().map(|function| function.0.into());
    column(&mut message, function_totals::FUNCTION, functions);
    let members = table.member[rows.clone()].iter().map(|member| member.0.into());
    column(&mut message, function_totals::MEMBER, members);
    // Always written: without it there is no telling what the values are of.
    message.packed(function_totals::METRIC, table.metrics.iter().map(|metric| metric.0.into()));
    let width = table.metrics.len();
    let values = &table.values[rows.start * width..rows.end * width];
    column(&mut message, function_totals::VALUE, values.iter().map(|&value| zigzag(value)));
    message
}
