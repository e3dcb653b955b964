//! Profiles that are made of columns.

use analysis::Merged;
use formats::Warnings;
use profile::{
    Combine, Combining, LabelSetId, Metric, MetricId, Note, NoteOf, Place, Profile, ProfileBuilder,
    StringId,
};
use protocol::{BuildProfileParams, BuiltMetric, Column, ColumnData, ErrorCode, ProtocolError};

use crate::kinds::profile::ProfileDocument;

/// In columns of texts: none.
const NONE: u32 = u32::MAX;

/// The title of nodes' notes, which scripts give no title.
const NOTE: &str = "Note";

impl ProfileDocument {
    /// A profile whose nodes are columns, see [`BuildProfileParams`].
    pub(crate) fn built(
        params: &BuildProfileParams,
        columns: Vec<Column>,
    ) -> Result<ProfileDocument, ProtocolError> {
        let profile = build(params, &Given(columns)).map_err(|message| {
            ProtocolError::new(ErrorCode::BadRequest, message)
                .with_hint("Columns are named and counted as `tree_table` answers them.")
        })?;
        let merged = Merged { profile, inputs: 1, notes: vec![] };
        Ok(ProfileDocument::new(&params.name, merged, Warnings::default()))
    }
}

fn build(params: &BuildProfileParams, given: &Given) -> Result<Profile, String> {
    let metrics: Vec<Metric> =
        params.metrics.iter().map(|metric| made(metric, params)).collect::<Result<_, _>>()?;
    if metrics.is_empty() {
        return Err("a profile has at least one metric".to_owned());
    }
    if params.default_metric as usize >= metrics.len() {
        return Err(format!("there is no metric {} to show first", params.default_metric));
    }
    let count = metrics.len();
    let mut builder = ProfileBuilder::new(metrics);
    builder.origin.default_metric = MetricId(params.default_metric);
    let texts = given.texts()?;
    let names = given.numbers("place_name")?;
    let files = given.counted("place_file", names.len())?;
    let modules = given.counted("place_module", names.len())?;
    let lines = given.counted("place_line", names.len())?;
    let mut locations = Vec::with_capacity(names.len());
    for place in 0..names.len() {
        let text = |column: &[u32]| {
            let number = column[place] as usize;
            texts.get(number).copied().ok_or_else(|| format!("there is no text {number}"))
        };
        locations.push(builder.place(&Place {
            function: text(names)?,
            file: text(files)?,
            module: text(modules)?,
            line: lines[place],
            ..Place::default()
        }));
    }
    let parents = given.numbers("parent")?;
    let places = given.counted("place", parents.len())?;
    let values = given.values("self_value", parents.len() * count)?;
    let notes = given.numbers("note").ok().filter(|notes| notes.len() == parents.len());
    let title = builder.strings.intern(NOTE);
    let mut contexts = Vec::with_capacity(parents.len());
    let mut row = vec![0; count];
    for (node, (&parent, &place)) in parents.iter().zip(places).enumerate() {
        let context = if node == 0 {
            profile::ContextId::ROOT
        } else {
            let parent = contexts.get(parent as usize).copied();
            let parent = parent.ok_or_else(|| format!("node {node} is before its parent"))?;
            let location = locations.get(place as usize).copied();
            let location = location.ok_or_else(|| format!("there is no place {place}"))?;
            builder.contexts.child(parent, location)
        };
        contexts.push(context);
        for (metric, value) in row.iter_mut().enumerate() {
            *value = values[metric * parents.len() + node];
        }
        let note = notes.map_or(NONE, |notes| notes[node]);
        if let Some(note) = texts.get(note as usize) {
            let text = builder.strings.intern(note);
            let about = NoteOf::Context(context);
            builder.notes.push(Note { about, title, text, link: StringId::EMPTY });
        }
        if row.iter().any(|&value| value != 0) {
            builder.points.push(context, LabelSetId(0), &row);
        }
    }
    builder.origin.format = "hotframe".to_owned();
    builder.origin.comments.clone_from(&params.comments);
    Ok(builder.finish())
}

fn made(metric: &BuiltMetric, params: &BuildProfileParams) -> Result<Metric, String> {
    /// More digits than a 64-bit integer has.
    const MOST_DECIMALS: u32 = 18;
    let name = &metric.name;
    let combine = Combine::ALL.into_iter().find(|combine| combine.word() == metric.combine);
    let combine = combine
        .ok_or_else(|| format!("metric {name}: values do not combine by {:?}", metric.combine))?;
    if metric.decimals > MOST_DECIMALS {
        return Err(format!("metric {name}: {} decimals are too many", metric.decimals));
    }
    if metric.weight.is_some_and(|weight| weight as usize >= params.metrics.len()) {
        return Err(format!("metric {name}: what weights it is not a metric"));
    }
    Ok(Metric {
        decimals: metric.decimals as u8,
        combining: Combining {
            weight: metric.weight.map(MetricId),
            ..Combining::everywhere(combine)
        },
        ..Metric::new(name, &metric.unit)
    })
}

/// Columns of a request.
struct Given(Vec<Column>);

impl Given {
    fn column(&self, name: &str) -> Result<&ColumnData, String> {
        let found = self.0.iter().find(|column| column.name == name);
        Ok(&found.ok_or_else(|| format!("the column {name} is missing"))?.data)
    }

    fn numbers(&self, name: &str) -> Result<&[u32], String> {
        match self.column(name)? {
            ColumnData::U32(numbers) => Ok(numbers),
            _ => Err(format!("the column {name} is not of unsigned 32-bit integers")),
        }
    }

    fn counted(&self, name: &str, count: usize) -> Result<&[u32], String> {
        let numbers = self.numbers(name)?;
        if numbers.len() == count {
            return Ok(numbers);
        }
        Err(format!("the column {name} has {} entries and not {count}", numbers.len()))
    }

    fn values(&self, name: &str, count: usize) -> Result<&[i64], String> {
        match self.column(name)? {
            ColumnData::I64(values) if values.len() == count => Ok(values),
            _ => Err(format!("the column {name} is not of {count} signed 64-bit integers")),
        }
    }

    fn texts(&self) -> Result<Vec<&str>, String> {
        let ColumnData::U8(bytes) = self.column("text")? else {
            return Err("the column text is not of bytes".to_owned());
        };
        let all = std::str::from_utf8(bytes).map_err(|_| "the texts are not UTF-8".to_owned())?;
        let mut start = 0;
        let texts = self.numbers("text_end")?.iter().map(|&end| {
            let text = all.get(start..end as usize);
            start = end as usize;
            text.ok_or_else(|| format!("no text ends at {end}"))
        });
        texts.collect()
    }
}
