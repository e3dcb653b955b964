//! The tables of what was measured: contexts, values and links.

use std::borrow::Cow;

use profile::{ContextId, FrameId, Profile, RoleId};

use super::cells::{Column, Fraction, fractions, known, text, whole};
use super::labels;

/// A row a context: its parent, the innermost frame of its place, own and total values of the
/// metrics that add up.
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
            all().map(move |c| innermost(c).and_then(|f| known(profile.frames.line[f.index()]))),
        ),
        text(
            "module",
            all().map(move |c| Cow::Borrowed(innermost(c).map_or("", |f| profile.frame_module(f)))),
        ),
    ];
    for (index, metric) in profile.metrics.iter().enumerate() {
        if !metric.combining.is_sum() {
            continue;
        }
        // Of equal names the later ones are numbered: a table has each column once.
        let is_repeated = profile.metrics[..index].iter().any(|other| other.name == metric.name);
        let name =
            if is_repeated { format!("{}_{index}", metric.name) } else { metric.name.clone() };
        let (own, total) = sums(profile, index);
        let decimals = metric.decimals;
        let cell =
            move |sum: i128| i64::try_from(sum).ok().map(|value| Fraction { value, decimals });
        columns.push(fractions(format!("self_{name}"), decimals, own.into_iter().map(cell)));
        columns.push(fractions(format!("total_{name}"), decimals, total.into_iter().map(cell)));
    }
    columns
}

/// Own and total values of a metric by context; a sum beyond 64 bits has an empty cell.
fn sums(profile: &Profile, metric: usize) -> (Vec<i128>, Vec<i128>) {
    let tree = &profile.contexts;
    let mut own = vec![0i128; tree.len()];
    for (row, context) in profile.points.context.iter().enumerate() {
        own[context.index()] += i128::from(profile.points.row(row)[metric]);
    }
    let mut total = own.clone();
    for context in (1..tree.len()).rev() {
        let parent = tree.parents()[context] as usize;
        total[parent] += total[context];
    }
    (own, total)
}

/// A row a value: which point, which metric. Zeros are left out unless there is one metric only; a
/// point of zeros has one row, for the first metric.
pub(super) fn values(profile: &Profile) -> Vec<Column<'_>> {
    let points = &profile.points;
    let metrics = profile.metrics.len();
    let rows = move || {
        (0..points.len())
            .flat_map(move |point| (0..metrics).map(move |metric| (point, metric)))
            .filter(move |&(point, metric)| {
                let row = points.row(point);
                row[metric] != 0 || metric == 0 && row.iter().all(|&value| value == 0)
            })
    };
    let decimals = profile.metrics.iter().map(|metric| metric.decimals).max().unwrap_or(0);
    let value = move |(point, metric): (usize, usize)| {
        let decimals = profile.metrics[metric].decimals;
        Some(Fraction { value: points.row(point)[metric], decimals })
    };
    let thread = move |point: usize| points.thread(point);
    let member = move |point: usize| profile.members.get(points.member(point).index());
    vec![
        whole("point", rows().map(|(point, _)| Some(point as i64))),
        whole("context", rows().map(move |(point, _)| Some(points.context[point].0.into()))),
        whole("metric_number", rows().map(|(_, metric)| Some(metric as i64))),
        text("metric", rows().map(|(_, metric)| Cow::Borrowed(&*profile.metrics[metric].name))),
        text("unit", rows().map(|(_, metric)| Cow::Borrowed(&*profile.metrics[metric].unit))),
        fractions("value".to_owned(), decimals, rows().map(value)),
        whole("time_ns", rows().map(move |(point, _)| points.time(point))),
        text(
            "process",
            rows().map(move |(point, _)| {
                let process = thread(point).and_then(|t| profile.threads[t.index()].process);
                Cow::Owned(process.map_or(String::new(), |process| profile.process_name(process)))
            }),
        ),
        whole("thread_number", rows().map(move |(point, _)| thread(point).map(|t| t.0.into()))),
        text(
            "thread",
            rows().map(move |(point, _)| {
                Cow::Owned(thread(point).map_or(String::new(), |t| profile.thread_name(t)))
            }),
        ),
        whole("cpu", rows().map(move |(point, _)| points.cpu(point).map(i64::from))),
        whole(
            "member_number",
            rows().map(move |(point, _)| member(point).map(|_| i64::from(points.member(point).0))),
        ),
        text(
            "member",
            rows().map(move |(point, _)| {
                Cow::Borrowed(member(point).map_or("", |member| &*member.name))
            }),
        ),
        text(
            "labels",
            rows()
                .map(move |(point, _)| Cow::Owned(labels::written(profile, points.labels(point)))),
        ),
    ]
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
