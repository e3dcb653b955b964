//! Records become points: metrics, roles, and which record stands for which.

use hashbrown::HashMap;
use profile::{
    ContextId, Label, LabelValue, LocationId, Metric, Point, Points, Profile, ProfileBuilder,
    RoleId, ThreadId,
};

use super::FORMAT;
use super::tables::{RawSample, Tables};
use crate::Warnings;

/// What a metric of the file becomes.
#[derive(Debug, Clone, Copy)]
enum Column {
    /// A metric of the profile.
    Metric(usize),
    /// The id of a context that has this role.
    Role(RoleId),
    /// Which of the contexts of a record the sample stands for.
    SampleType,
}

/// Samples before a record that may be its projections: one a role.
const MOST_PROJECTIONS: usize = 8;

/// The tables joined.
pub(super) struct Joined {
    pub(super) tables: Tables,
    pub(super) builder: ProfileBuilder,
    columns: Vec<Column>,
    /// The role of a sample's own context, in profiles that relate contexts.
    own_role: RoleId,
    pub(super) places: HashMap<u64, LocationId>,
    /// Contexts of the file that are built, with their thread.
    pub(super) contexts: HashMap<u64, (ContextId, Option<ThreadId>)>,
}

impl Joined {
    pub(super) fn new(tables: Tables, warnings: &mut Warnings) -> Joined {
        let mut builder = ProfileBuilder::default();
        let mut columns = vec![];
        for metric in &tables.metrics {
            let name = tables.text(metric.name);
            if name == "sample type" {
                columns.push(Column::SampleType);
            } else if let Some(role) = name.strip_suffix(" context") {
                let role = if role == "alloc" { "allocation" } else { role };
                columns.push(Column::Role(builder.role(role)));
            } else {
                columns.push(Column::Metric(builder.metrics.len()));
                let unit = match tables.text(metric.unit) {
                    "" => "count",
                    unit => unit,
                };
                builder.metrics.push(Metric {
                    name: name.to_owned(),
                    unit: unit.to_owned(),
                    decimals: 0,
                    ..Metric::default()
                });
            }
        }
        // Some writers name the first of many metrics only.
        let mut counts = tables.samples.iter().map(|sample| sample.values.1 - sample.values.0);
        if let Some(count) = counts.next().filter(|&first| counts.all(|other| other == first)) {
            let named = builder.metrics.last().cloned();
            for number in columns.len()..count {
                let like = named.clone().unwrap_or(Metric::new("value", "count"));
                columns.push(Column::Metric(builder.metrics.len()));
                builder
                    .metrics
                    .push(Metric { name: format!("{} {}", like.name, number + 1), ..like });
            }
        }
        builder.points = Points::new(builder.metrics.len());
        let has_roles = !builder.roles.is_empty();
        let is_use = builder.roles.iter().any(|&role| builder.strings.get(role) == "use");
        let own_role = match (has_roles, is_use) {
            (false, _) => RoleId(0),
            (true, true) => builder.role("reuse"),
            (true, false) => builder.role("access"),
        };
        if tables.unknown > 0 {
            warnings
                .add_many("unknown", tables.unknown, || "unknown fields are skipped".to_owned());
        }
        let (places, contexts) = (HashMap::new(), HashMap::new());
        Joined { tables, builder, columns, own_role, places, contexts }
    }

    pub(super) fn finish(mut self, warnings: &mut Warnings) -> Profile {
        FORMAT.name.clone_into(&mut self.builder.origin.format);
        let type_column = self.columns.iter().position(|c| matches!(c, Column::SampleType));
        let sample_type = |joined: &Joined, sample: &RawSample| {
            let (start, end) = sample.values;
            let values = &joined.tables.values[start..end];
            type_column.and_then(|column| values.get(column)).map(|value| value.number)
        };
        let samples = std::mem::take(&mut self.tables.samples);
        let types = samples.iter().filter_map(|sample| sample_type(&self, sample));
        let last_type = types.max();
        let mut projections = 0;
        let mut after_record = 0;
        for (row, sample) in samples.iter().enumerate() {
            if sample_type(&self, sample) == last_type {
                self.sample(sample, &samples[after_record..row], warnings);
                after_record = row + 1;
            } else {
                projections += 1;
            }
        }
        if projections > 0 {
            warnings.add_many("projections", projections, || {
                "records that repeat another one for one of its roles are counted once".to_owned()
            });
        }
        self.builder.finish()
    }

    /// Adds a record; `projections` are the samples since the record before.
    fn sample(&mut self, sample: &RawSample, projections: &[RawSample], warnings: &mut Warnings) {
        let mut values = vec![0i64; self.builder.metrics.len()];
        let mut labels = vec![];
        let (own, thread) = self.context(sample.context, warnings);
        let mut links = vec![];
        let (start, end) = sample.values;
        if end - start != self.columns.len() {
            warnings.add("values", || {
                format!("samples have {} values, not {}", end - start, self.columns.len())
            });
        }
        for (index, row) in (start..end).enumerate() {
            let value = self.tables.values[row];
            match self.columns.get(index) {
                Some(&Column::Metric(metric)) => {
                    values[metric] = value.number;
                    if value.text != 0 {
                        let name = self.builder.metrics[metric].name.clone();
                        let key = self.builder.strings.intern(&name);
                        let text = self.builder.strings.intern(self.tables.text(value.text));
                        labels.push(Label { key, value: LabelValue::Text(text) });
                    }
                }
                Some(&Column::Role(role)) if value.number != 0 => {
                    let id = self.defined(value.number as u64, index, sample, projections);
                    if id != value.number as u64 {
                        warnings.add("merged", || {
                            format!(
                                "context {} is not defined: the record's projection names it",
                                value.number
                            )
                        });
                    }
                    let (context, _) = self.context(id, warnings);
                    links.push((role, context));
                }
                _ => {}
            }
        }
        let mut context = own;
        if !self.builder.roles.is_empty() {
            links.push((self.own_role, own));
            // The first role is where the memory comes from: what the others are asked about.
            context = links[0].1;
        }
        let labels = self.builder.labels.add(&labels);
        let point = Point { context, labels, thread, links: &links, ..Point::default() };
        self.builder.points.push_point(point, &values);
    }

    /// The id of a context that a record names in a column; if nothing defines it, the one that the
    /// record's projection for that column's role has instead.
    fn defined(
        &self,
        id: u64,
        column: usize,
        record: &RawSample,
        projections: &[RawSample],
    ) -> u64 {
        if self.tables.contexts.contains_key(&id) {
            return id;
        }
        let is_role = |column: &&Column| matches!(column, Column::Role(_));
        let role = self.columns[..column].iter().filter(is_role).count() as i64 + 1;
        let row = |sample: &RawSample| {
            self.tables.values[sample.values.0..sample.values.1].iter().map(|value| value.number)
        };
        let agrees = |projection: &&RawSample| {
            let sides = row(projection).zip(row(record));
            sides.zip(&self.columns).enumerate().all(|(index, ((own, whole), kind))| match kind {
                Column::SampleType => own == role,
                Column::Metric(_) => own == whole,
                Column::Role(_) => index >= column || own == whole,
            })
        };
        let nearest = projections.iter().rev().take(MOST_PROJECTIONS);
        nearest
            .filter(|p| self.tables.contexts.contains_key(&p.context))
            .find(agrees)
            .map_or(id, |projection| projection.context)
    }
}
