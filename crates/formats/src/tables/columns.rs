//! The columns of the tables, computed on the way.

use std::borrow::Cow;

use profile::{ContextId, FrameId, LabelValue, LocationKind, Profile, RoleId};

/// A column of a table.
pub(super) struct Column<'a> {
    pub(super) name: String,
    pub(super) cells: Cells<'a>,
}

/// The cells of a column, from the first row to the last.
pub(super) enum Cells<'a> {
    /// Whole numbers, or nothing.
    Whole(Box<dyn Iterator<Item = Option<i64>> + 'a>),
    /// Decimal fractions: values of metrics that have them.
    Real(Box<dyn Iterator<Item = f64> + 'a>),
    /// Texts; empty if unknown.
    Text(Box<dyn Iterator<Item = Cow<'a, str>> + 'a>),
}

fn whole<'a>(name: &str, cells: impl Iterator<Item = Option<i64>> + 'a) -> Column<'a> {
    Column { name: name.to_owned(), cells: Cells::Whole(Box::new(cells)) }
}

fn text<'a>(name: &str, cells: impl Iterator<Item = Cow<'a, str>> + 'a) -> Column<'a> {
    Column { name: name.to_owned(), cells: Cells::Text(Box::new(cells)) }
}

/// Values that count 10^-decimals.
fn scaled<'a>(name: String, decimals: u8, cells: impl Iterator<Item = i64> + 'a) -> Column<'a> {
    let cells = match decimals {
        0 => Cells::Whole(Box::new(cells.map(Some))),
        _ => {
            let unit = 10f64.powi(decimals.into());
            Cells::Real(Box::new(cells.map(move |value| value as f64 / unit)))
        }
    };
    Column { name, cells }
}

/// 0 means unknown.
fn known(number: u64) -> Option<i64> {
    (number != 0).then_some(number as i64)
}

/// A row a context: its parent, the innermost frame of its place, own and total values.
pub(super) fn contexts(profile: &Profile) -> Vec<Column<'_>> {
    let tree = &profile.contexts;
    let all = move || (0..tree.len() as u32).map(ContextId);
    let mut depths = vec![0i64; tree.len()];
    for context in all().skip(1) {
        let parent = tree.parent(context).map_or(0, |parent| depths[parent.index()]);
        depths[context.index()] = parent + 1;
    }
    // The frames of a location stand outermost first.
    let innermost = move |context: ContextId| {
        tree.location(context).map(|location| FrameId(profile.locations.frames(location).end - 1))
    };
    let mut columns = vec![
        whole("context", all().map(|context| Some(context.0.into()))),
        whole("parent", all().map(|context| tree.parent(context).map(|parent| parent.0.into()))),
        whole("location", all().map(|context| tree.location(context).map(|l| l.0.into()))),
        whole("depth", depths.into_iter().map(Some)),
        text(
            "function",
            all().map(move |c| innermost(c).map_or(Cow::Borrowed(""), |f| profile.frame_name(f))),
        ),
        text(
            "file",
            all().map(move |c| Cow::Borrowed(innermost(c).map_or("", |f| profile.frame_file(f)))),
        ),
        whole(
            "line",
            all().map(move |c| {
                innermost(c).and_then(|f| known(profile.frames.line[f.index()].into()))
            }),
        ),
        text(
            "module",
            all().map(move |c| Cow::Borrowed(innermost(c).map_or("", |f| profile.frame_module(f)))),
        ),
    ];
    for (index, metric) in profile.metrics.iter().enumerate() {
        let mut own = vec![0i64; tree.len()];
        for (row, context) in profile.points.context.iter().enumerate() {
            let sum = &mut own[context.index()];
            *sum = sum.saturating_add(profile.points.row(row)[index]);
        }
        let mut total = own.clone();
        for context in (1..tree.len()).rev() {
            let parent = tree.parents()[context] as usize;
            total[parent] = total[parent].saturating_add(total[context]);
        }
        columns.push(scaled(format!("self_{}", metric.name), metric.decimals, own.into_iter()));
        columns.push(scaled(format!("total_{}", metric.name), metric.decimals, total.into_iter()));
    }
    columns
}

/// A row a frame: a place in code, with its location.
pub(super) fn frames(profile: &Profile) -> Vec<Column<'_>> {
    let all = move || (0..profile.frames.len() as u32).map(FrameId);
    let location = move |frame: FrameId| profile.frames.location[frame.index()];
    let first = move |frame: FrameId| profile.locations.frames(location(frame)).start;
    let of_function = move |frame: FrameId, column: &'_ [profile::StringId]| {
        profile.frames.function(frame).map_or("", |f| profile.text(column[f.index()]))
    };
    let kind = |kind: LocationKind| match kind {
        LocationKind::Code => "code",
        LocationKind::Loop => "loop",
        LocationKind::Data => "data",
        LocationKind::Region => "region",
    };
    vec![
        whole("frame", all().map(|frame| Some(frame.0.into()))),
        whole("location", all().map(move |frame| Some(location(frame).0.into()))),
        whole("position", all().map(move |frame| Some((frame.0 - first(frame)).into()))),
        text("function", all().map(|frame| profile.frame_name(frame))),
        text(
            "linker_name",
            all().map(move |f| Cow::Borrowed(of_function(f, &profile.functions.system_name))),
        ),
        text("file", all().map(|frame| Cow::Borrowed(profile.frame_file(frame)))),
        whole(
            "start_line",
            all().map(|frame| {
                let function = profile.frames.function(frame)?;
                known(profile.functions.start_line[function.index()].into())
            }),
        ),
        whole("line", all().map(|frame| known(profile.frames.line[frame.index()].into()))),
        whole("column", all().map(|frame| known(profile.frames.column[frame.index()].into()))),
        text("module", all().map(|frame| Cow::Borrowed(profile.frame_module(frame)))),
        text(
            "build_id",
            all().map(move |frame| {
                let module = profile.locations.module(location(frame));
                Cow::Borrowed(
                    module.map_or("", |m| profile.text(profile.modules[m.index()].build_id)),
                )
            }),
        ),
        whole(
            "address",
            all().map(move |frame| known(profile.locations.address[location(frame).index()])),
        ),
        text(
            "kind",
            all().map(move |frame| {
                Cow::Borrowed(match profile.is_inlined(frame) {
                    true => kind(LocationKind::Code),
                    false => kind(profile.locations.kind[location(frame).index()]),
                })
            }),
        ),
        whole("inlined", all().map(|frame| Some(profile.is_inlined(frame).into()))),
    ]
}

/// A row a value: which point, which metric; zeros are left out unless there is one metric only.
pub(super) fn values(profile: &Profile) -> Vec<Column<'_>> {
    let points = &profile.points;
    let metrics = profile.metrics.len();
    let rows = move || {
        (0..points.len())
            .flat_map(move |point| (0..metrics).map(move |metric| (point, metric)))
            .filter(move |&(point, metric)| metrics == 1 || points.row(point)[metric] != 0)
    };
    let decimals = profile.metrics.iter().map(|metric| metric.decimals).max().unwrap_or(0);
    let value = match decimals {
        0 => scaled(
            "value".to_owned(),
            0,
            rows().map(move |(point, metric)| points.row(point)[metric]),
        ),
        _ => Column {
            name: "value".to_owned(),
            cells: Cells::Real(Box::new(rows().map(move |(point, metric)| {
                let unit = 10f64.powi(profile.metrics[metric].decimals.into());
                points.row(point)[metric] as f64 / unit
            }))),
        },
    };
    let thread = move |point: usize| points.thread(point);
    vec![
        whole("point", rows().map(|(point, _)| Some(point as i64))),
        whole("context", rows().map(move |(point, _)| Some(points.context[point].0.into()))),
        text("metric", rows().map(|(_, metric)| Cow::Borrowed(&*profile.metrics[metric].name))),
        text("unit", rows().map(|(_, metric)| Cow::Borrowed(&*profile.metrics[metric].unit))),
        value,
        whole("time_ns", rows().map(move |(point, _)| points.time(point))),
        text(
            "process",
            rows().map(move |(point, _)| {
                let process = thread(point).and_then(|t| profile.threads[t.index()].process);
                Cow::Owned(process.map_or(String::new(), |process| profile.process_name(process)))
            }),
        ),
        text(
            "thread",
            rows().map(move |(point, _)| {
                Cow::Owned(thread(point).map_or(String::new(), |t| profile.thread_name(t)))
            }),
        ),
        whole("cpu", rows().map(move |(point, _)| points.cpu(point).map(i64::from))),
        text(
            "member",
            rows().map(move |(point, _)| {
                let member = profile.members.get(points.member(point).index());
                Cow::Borrowed(member.map_or("", |member| &*member.name))
            }),
        ),
        text("labels", rows().map(move |(point, _)| Cow::Owned(labels(profile, point)))),
    ]
}

/// `key=value` pairs, separated by `; `.
fn labels(profile: &Profile, point: usize) -> String {
    let labels = profile.label_sets.get(profile.points.labels(point)).map(|label| {
        let key = profile.text(label.key);
        match label.value {
            LabelValue::Text(text) => format!("{key}={}", profile.text(text)),
            LabelValue::Number(number, unit) => {
                format!("{key}={number} {}", profile.text(unit)).trim_end().to_owned()
            }
        }
    });
    labels.collect::<Vec<_>>().join("; ")
}

/// A row a linked context of a point, with its role.
pub(super) fn links(profile: &Profile) -> Vec<Column<'_>> {
    let points = &profile.points;
    let rows = move || {
        (0..points.len())
            .flat_map(move |point| points.links(point).iter().map(move |&l| (point, l)))
    };
    let role = move |role: RoleId| Cow::Borrowed(profile.text(profile.roles[role.index()]));
    vec![
        whole("point", rows().map(|(point, _)| Some(point as i64))),
        text("role", rows().map(move |(_, (id, _))| role(id))),
        whole("context", rows().map(|(_, (_, context))| Some(context.0.into()))),
    ]
}
