//! The format, and which of its forms a file is.

use profile::{LocationKind, MetricId, Place, Points, Profile, ProfileBuilder};

use super::attributes::{Attribute, Metrics};
use super::cali;
use super::records::Records;
use super::table::Table;
use crate::graph::inclusive::{Outside, make_exclusive};
use crate::graph::parents;
use crate::input::stream::Stream;
use crate::json::outline::Outline;
use crate::json::{Json, Kind};
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "caliper",
    title: "Caliper (.cali and split JSON)",
    extensions: &["cali"],
    about: About {
        carries: "every value, call paths or else regions by path, ranks and threads, other \
                  attributes as labels",
        estimates: "own values where there are inclusive ones only, as differences",
        skips: "inclusive values beside exclusive ones",
        checked_against: "sums and counts of the records by an independent script",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    if cali::is_cali(head) {
        return Sniff::Yes;
    }
    let Some(outline) = Outline::new(head) else { return Sniff::No };
    let is_table = outline.at(&["data", "0"]).is_some_and(|row| row.kind == Kind::Array);
    let is_described =
        outline.has(&["columns", "column_metadata"]) || outline.has(&["columns", "nodes"]);
    // Where the records are long, only they show.
    if is_table && (is_described || outline.keys().count() == 1) { Sniff::Yes } else { Sniff::No }
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    if cali::is_cali(stream.peek(cali::HEAD)?) {
        return cali::read(stream, options, warnings);
    }
    let mut builder = ProfileBuilder::default();
    let mut json = Json::new(stream, FORMAT.name)?;
    let table = Table::read(&mut json, &mut builder, options)?;
    json.finish()?;
    FORMAT.name.clone_into(&mut builder.origin.format);
    "Caliper".clone_into(&mut builder.origin.producer);

    let measured = table.measured();
    let attribute = |&column: &usize| Attribute {
        name: table.columns[column].name.clone(),
        unit: table.columns[column].unit.clone(),
    };
    let metrics = Metrics::new(&measured.iter().map(attribute).collect::<Vec<_>>());
    builder.origin.default_metric = MetricId(metrics.default_row() as u32);
    builder.metrics.clone_from(&metrics.metrics);
    builder.points = Points::new(metrics.metrics.len());

    let locations: Vec<_> = (table.nodes.iter())
        .map(|node| {
            builder.place(&Place {
                kind: LocationKind::Region,
                function: &node.label,
                ..Place::default()
            })
        })
        .collect();
    let parents: Vec<u32> = table.nodes.iter().map(|node| node.parent).collect();
    let contexts = parents::contexts(
        &parents,
        |row| Some(locations[row]),
        &mut builder.contexts,
        || {
            warnings.add("circles", || "nodes are their own ancestors".to_owned());
        },
    );
    Records::new(&table, &measured, &metrics, contexts).add_to(&mut builder, options, warnings)?;
    let mut profile = builder.finish();
    make_exclusive(&mut profile, &metrics.inclusive, Outside::IsApart, warnings);
    Ok(profile)
}
