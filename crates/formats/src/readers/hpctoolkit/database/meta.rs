//! `meta.db`: what the numbers of the other files mean.

use profile::{ContextId, FunctionId, ModuleId, ProfileBuilder};

use super::super::names::name_and_unit;
use super::bytes::{self, Array, View, malformed, truncated};
use super::contexts;
use crate::graph::id_index::IdIndex;
use crate::{ReadError, ReadOptions, Warnings};

/// What `meta.db` tells.
#[derive(Debug, Default)]
pub(super) struct Meta {
    /// Names of the kinds of identifiers.
    pub(super) kinds: Vec<String>,
    pub(super) metrics: Vec<MetricInfo>,
    /// The metrics in the order in which they are shown.
    pub(super) order: Vec<u32>,
    /// By the number that values have, the metric and what its values sum up.
    pub(super) measures: Vec<Option<Measure>>,
    /// Rows of `contexts` by the numbers that values and traces have.
    pub(super) rows: IdIndex,
    pub(super) contexts: Vec<Node>,
}

#[derive(Debug)]
pub(super) struct MetricInfo {
    /// The name as the file has it.
    pub(super) title: String,
    pub(super) name: String,
    pub(super) unit: &'static str,
}

/// What a number of a value stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// A metric's values, from which own values come.
    Of { metric: u32, scope: Scope },
    /// The same cost summed up otherwise.
    Redundant,
}

/// Which contexts below a context a value sums up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// None of them: values are own values.
    Point,
    /// Those that hand on their values, as this bit of each tells.
    Transitive(u8),
    /// All.
    Execution,
    /// Something that the file does not define.
    Custom,
}

impl Scope {
    /// Which is the best to take own values from. Instructions whose line is known have values
    /// but are not in the tree: sums have them in the line, own values would be lost.
    fn rank(self) -> Option<u8> {
        match self {
            Scope::Execution => Some(0),
            Scope::Point => Some(1),
            Scope::Transitive(_) => Some(2),
            Scope::Custom => None,
        }
    }

    /// Whether a context's values are in those of the context around it.
    pub(super) fn hands_on(self, propagation: u16) -> bool {
        match self {
            Scope::Point | Scope::Custom => false,
            Scope::Execution => true,
            Scope::Transitive(bit) => propagation.checked_shr(bit.into()).unwrap_or(0) & 1 == 1,
        }
    }
}

/// A context of the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Row of the context around it; `u32::MAX` for the first, which stands for everything.
    pub(super) parent: u32,
    /// Where its own values go.
    pub(super) context: ContextId,
    pub(super) propagation: u16,
}

/// The tables that contexts point into.
#[derive(Debug, Default)]
pub(super) struct Tables {
    modules: Array,
    module: Vec<Option<ModuleId>>,
    files: Array,
    file: Vec<String>,
    functions: Array,
    function: Vec<FunctionInfo>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FunctionInfo {
    /// None for a function without a name.
    pub(super) id: Option<FunctionId>,
    pub(super) module: Option<ModuleId>,
    pub(super) offset: u64,
}

impl Tables {
    pub(super) fn function(&self, pointer: u64, warnings: &mut Warnings) -> Option<FunctionInfo> {
        let row = self.functions.row(pointer);
        found(row.and_then(|row| self.function.get(row)).copied(), pointer, warnings)
    }

    /// A source file; empty if it is not known.
    pub(super) fn file(&self, pointer: u64, warnings: &mut Warnings) -> &str {
        let file = self.files.row(pointer).and_then(|row| self.file.get(row));
        found(file, pointer, warnings).map_or("", |file| file.as_str())
    }

    pub(super) fn module(&self, pointer: u64, warnings: &mut Warnings) -> Option<ModuleId> {
        let row = self.modules.row(pointer);
        found(row.and_then(|row| self.module.get(row)).copied(), pointer, warnings).flatten()
    }
}

impl Meta {
    /// The metrics ordered by these names; those that are not named come last.
    pub(super) fn ordered(&self, names: &[String]) -> Vec<u32> {
        let place: hashbrown::HashMap<&str, usize> =
            names.iter().enumerate().rev().map(|(place, name)| (name.as_str(), place)).collect();
        let mut order = self.order.clone();
        order.sort_by_key(|&metric| {
            place.get(self.metrics[metric as usize].title.as_str()).copied().unwrap_or(usize::MAX)
        });
        order
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.rows.heap_bytes()
            + self.contexts.capacity() * size_of::<Node>()
            + self.metrics.len() * 96
            + self.measures.len() * size_of::<Option<Measure>>()
    }
}

pub(super) fn read(
    file: &[u8],
    builder: &mut ProfileBuilder,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Meta, ReadError> {
    const GENERAL: usize = 0;
    const KINDS: usize = 1;
    const METRICS: usize = 2;
    const CONTEXTS: usize = 3;
    const MODULES: usize = 5;
    const FILES: usize = 6;
    const FUNCTIONS: usize = 7;
    const SECTIONS: usize = 8;

    let header = &file[..file.len().min(bytes::header_size(SECTIONS))];
    let sections = bytes::header(header, "meta", SECTIONS, warnings)?;
    let view = View::new(file, 0);
    if !file.ends_with(b"_meta.db") {
        warnings.add("meta.db end", || {
            "meta.db does not end as it should: it may have been cut".to_owned()
        });
    }
    let mut meta = Meta::default();
    general(view, sections[GENERAL].start, builder);
    kinds(view, sections[KINDS].start, &mut meta);
    metrics(view, sections[METRICS].start, &mut meta, warnings)?;
    let starts = [MODULES, FILES, FUNCTIONS].map(|section| sections[section].start);
    let tables = tables(view, starts, builder, options, warnings)?;
    contexts::read(view, &sections[CONTEXTS], &tables, builder, &mut meta, options, warnings)?;
    Ok(meta)
}

fn general(view: View, section: u64, builder: &mut ProfileBuilder) {
    /// What hpcprof writes for want of something to say.
    const NOTHING: [&str; 3] = ["", "TODO database description", "<unnamed>"];
    for (field, what) in [(0, "Database"), (8, "Description")] {
        let text = view.u64(section.saturating_add(field)).and_then(|at| view.text(at));
        let text = String::from_utf8_lossy(text.unwrap_or_default());
        if !NOTHING.contains(&text.trim()) {
            builder.origin.comments.push(format!("{what}: {}", text.trim()));
        }
    }
}

fn kinds(view: View, section: u64, meta: &mut Meta) {
    let array = || {
        let (start, count) = (view.u64(section)?, view.u8(section.checked_add(8)?)?);
        Some(Array { start, count: count.into(), stride: 8 })
    };
    for offset in array().unwrap_or_default().offsets() {
        let text = view.u64(offset).and_then(|at| view.text(at)).unwrap_or_default();
        meta.kinds.push(String::from_utf8_lossy(text).into_owned());
    }
}

fn metrics(
    view: View,
    section: u64,
    meta: &mut Meta,
    warnings: &mut Warnings,
) -> Result<(), ReadError> {
    let header = || {
        let at = |field| section.checked_add(field);
        let metrics = Array {
            start: view.u64(section)?,
            count: view.u32(at(0x08)?)?.into(),
            stride: view.u8(at(0x0c)?)?.into(),
        };
        Some((metrics, view.u8(at(0x0d)?)?, view.u8(at(0x0e)?)?))
    };
    let Some((metrics, scope_stride, summary_stride)) = header() else {
        return Err(truncated(section, "before its list of metrics"));
    };
    let metrics = metrics.at_least(0x1c, "metrics", section)?;
    for offset in metrics.offsets() {
        let record = || {
            let at = |field| offset.checked_add(field);
            let name = String::from_utf8_lossy(view.text(view.u64(offset)?)?).into_owned();
            let instances = Array {
                start: view.u64(at(0x08)?)?,
                count: view.u16(at(0x18)?)?.into(),
                stride: scope_stride.into(),
            };
            let summaries = Array {
                start: view.u64(at(0x10)?)?,
                count: view.u16(at(0x1a)?)?.into(),
                stride: summary_stride.into(),
            };
            Some((name, instances, summaries))
        };
        let Some((title, instances, summaries)) = record() else {
            warnings.add("metrics", || {
                format!("the list of metrics goes beyond meta.db at byte {offset}")
            });
            break;
        };
        let metric = meta.metrics.len() as u32;
        let mut best: Option<(u8, Scope, usize)> = None;
        for instance in instances.at_least(0x0a, "scopes of metrics", offset)?.offsets() {
            let Some((scope, id)) = scope_instance(view, instance) else {
                warnings.add("metric scopes", || {
                    format!("a scope of the metric {title} is not in meta.db")
                });
                break;
            };
            let id = usize::from(id);
            if meta.measures.len() <= id {
                meta.measures.resize(id + 1, None);
            }
            meta.measures[id].get_or_insert(Measure::Redundant);
            if let Some(rank) = scope.rank()
                && best.is_none_or(|(known, ..)| rank < known)
            {
                best = Some((rank, scope, id));
            }
        }
        match best {
            Some((_, scope, id)) => meta.measures[id] = Some(Measure::Of { metric, scope }),
            None => warnings.add("metric", || {
                format!(
                    "the metric {title} has no values from which those of a context by itself \
                     can be computed: it is left out"
                )
            }),
        }
        other_statistics(view, summaries, &title, warnings);
        let (name, unit) = name_and_unit(&title);
        meta.metrics.push(MetricInfo { name: name.to_owned(), unit, title });
    }
    meta.order = (0..meta.metrics.len() as u32).collect();
    Ok(())
}

/// A metric's propagation scope, and the number of its values.
fn scope_instance(view: View, offset: u64) -> Option<(Scope, u16)> {
    let scope = view.u64(offset)?;
    let id = view.u16(offset.checked_add(8)?)?;
    let (kind, bit) = (view.u8(scope.checked_add(8)?)?, view.u8(scope.checked_add(9)?)?);
    let scope = match kind {
        1 => Scope::Point,
        2 => Scope::Execution,
        3 if bit < 16 => Scope::Transitive(bit),
        _ => match view.u64(scope).and_then(|name| view.text(name)) {
            Some(b"point") => Scope::Point,
            Some(b"execution") => Scope::Execution,
            _ => Scope::Custom,
        },
    };
    Some((scope, id))
}

/// Tells of statistics that are not the sum over all threads, which the threads' values give.
fn other_statistics(view: View, summaries: Array, title: &str, warnings: &mut Warnings) {
    let is_sum = |offset: &u64| {
        let formula = view.u64(offset.saturating_add(8)).and_then(|at| view.text(at));
        formula == Some(b"$$") && view.u8(offset.saturating_add(0x10)) == Some(0)
    };
    let inside = summaries.offsets().take_while(|&offset| view.u64(offset).is_some());
    let others = inside.filter(|offset| !is_sum(offset)).count();
    if others > 0 {
        warnings.add_many("statistics", others as u64, || {
            format!(
                "statistics over threads, such as those of {title}, are not shown: the values of \
                 the threads tell them"
            )
        });
    }
}

/// Reads the tables of load modules, source files and functions, whose sections start there.
fn tables(
    view: View,
    [modules, files, functions]: [u64; 3],
    builder: &mut ProfileBuilder,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Tables, ReadError> {
    let array = |section: u64, size, what: &str| {
        let header = || {
            Some(Array {
                start: view.u64(section)?,
                count: view.u32(section.checked_add(8)?)?.into(),
                stride: view.u16(section.checked_add(12)?)?.into(),
            })
        };
        let header = header().ok_or_else(|| truncated(section, "before a table of names"))?;
        header.at_least(size, what, section)
    };
    let mut tables = Tables {
        modules: array(modules, 0x10, "load modules")?,
        files: array(files, 0x10, "source files")?,
        functions: array(functions, 0x28, "functions")?,
        ..Tables::default()
    };
    let text = |pointer: Option<u64>| {
        let text = pointer.filter(|&pointer| pointer != 0).and_then(|at| view.text(at));
        String::from_utf8_lossy(text.unwrap_or_default())
    };
    let mut missing = |what: &str, offset: u64| {
        warnings.add("names", || format!("{what} go beyond meta.db at byte {offset}"));
    };
    for offset in tables.modules.offsets() {
        let Some(path) = view.u64(offset.saturating_add(8)) else {
            missing("load modules", offset);
            break;
        };
        tables.module.push(builder.module(&text(Some(path))));
        options.check_memory(builder.heap_bytes())?;
    }
    let mut held = 0;
    for offset in tables.files.offsets() {
        let Some(path) = view.u64(offset.saturating_add(8)) else {
            missing("source files", offset);
            break;
        };
        let path = text(Some(path));
        // The name of a module in brackets stands for a file that is not known.
        let is_known = !(path.starts_with('[') && path.ends_with(']'));
        held += path.len() + size_of::<String>();
        tables.file.push(if is_known { path.into_owned() } else { String::new() });
        options.check_memory(builder.heap_bytes() + held)?;
    }
    for offset in tables.functions.offsets() {
        let at = |field: u64| view.u64(offset.saturating_add(field));
        let record = || {
            let line = view.u32(offset.saturating_add(0x20))?;
            Some((at(0)?, at(0x08)?, at(0x10)?, at(0x18)?, line))
        };
        let Some((name, module, offset, file, line)) = record() else {
            missing("functions", offset);
            break;
        };
        let module = tables.modules.row(module).and_then(|row| *tables.module.get(row)?);
        let file = tables.files.row(file).and_then(|row| tables.file.get(row));
        let (name, file) = (text(Some(name)), file.map_or("", String::as_str));
        let id = match (name.as_ref(), file, module) {
            ("", "", _) => None,
            ("", file, None) => Some(builder.function(UNKNOWN, file, line)),
            ("", ..) => None,
            (name, file, _) => Some(builder.function(name, file, line)),
        };
        tables.function.push(FunctionInfo { id, module, offset });
        options.check_memory(builder.heap_bytes() + held + tables.function.len() * 24)?;
    }
    Ok(tables)
}

/// What a pointer led to; told if it leads nowhere.
fn found<T>(target: Option<T>, pointer: u64, warnings: &mut Warnings) -> Option<T> {
    if target.is_none() && pointer != 0 {
        warnings.add("pointer", || {
            format!("a context points to byte {pointer}, where nothing of its kind is")
        });
    }
    target
}

/// How a function without name and module is called.
pub(super) const UNKNOWN: &str = "<unknown function>";

/// The error for a tree that cannot be found.
pub(super) fn no_tree(place: u64) -> ReadError {
    malformed(place, "the tree of contexts is not there")
}
