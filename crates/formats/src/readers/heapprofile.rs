//! V8's sampled heap profiles, `HeapProfiler.SamplingHeapProfile` of the DevTools protocol.

use profile::{ContextId, LabelSetId, Metric, Points, Profile, ProfileBuilder};

use crate::graph::v8_nodes::{NodeTree, unknown_node};
use crate::input::stream::Stream;
use crate::json::Json;
use crate::json::outline::Outline;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "heapprofile",
    title: "V8 heap profile (Node, Chrome DevTools)",
    extensions: &["heapprofile"],
    about: About {
        carries: "bytes by call path, scripts, lines, columns; samples with their own bytes, in \
                  the order of their allocation",
        checked_against: "sums by the protocol's definition",
        ..About::NONE
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    let Some(outline) = Outline::new(head) else { return Sniff::No };
    let is_new = outline.at(&["head", "callFrame"]).is_some();
    let is_sized = outline.at(&["head", "selfSize"]).is_some();
    if is_sized || (is_new && !outline.has(&["timeDeltas"])) { Sniff::Yes } else { Sniff::No }
}

/// Something that was allocated.
struct Sample {
    node: u32,
    size: i64,
    ordinal: u64,
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?;
    let mut is_one = false;
    let mut builder = ProfileBuilder::default();
    let mut nodes = NodeTree::default();
    let mut samples = vec![];
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "head" => {
                is_one = true;
                nodes.read(&mut json, &mut builder, options)?;
            }
            "samples" => {
                json.array()?;
                while json.next_element()? {
                    let mut sample = Sample { node: u32::MAX, size: 0, ordinal: 0 };
                    json.object()?;
                    while let Some(key) = json.next_key()? {
                        match key {
                            "nodeId" => sample.node = nodes.number(json.u64()?),
                            "size" => sample.size = json.number()?.to_scaled(0).unwrap_or(0),
                            "ordinal" => sample.ordinal = json.u64()?,
                            _ => {}
                        }
                    }
                    samples.push(sample);
                    if samples.len().is_multiple_of(1024) {
                        let held = samples.capacity() * size_of::<Sample>() + nodes.heap_bytes();
                        options.check_memory(builder.heap_bytes() + held)?;
                    }
                }
            }
            _ => {}
        }
    }
    json.finish()?;
    ReadError::unless(is_one, FORMAT.name, "\"head\" of the tree")?;
    let metric = |name: &str, unit: &str| Metric {
        name: name.into(),
        unit: unit.into(),
        decimals: 0,
        ..Metric::default()
    };
    builder.metrics = vec![metric("size", "bytes")];
    if !samples.is_empty() {
        builder.metrics.push(metric("sampled size", "bytes"));
        builder.metrics.push(metric("samples", "count"));
    }
    let count = builder.metrics.len();
    builder.points = Points::new(count);
    FORMAT.name.clone_into(&mut builder.origin.format);
    "V8".clone_into(&mut builder.origin.producer);
    let nodes = nodes.resolve(&mut builder, warnings);
    for (context, size) in nodes.values().filter(|&(_, size)| size != 0) {
        builder.points.push(context, LabelSetId(0), &[size, 0, 0][..count]);
    }
    samples.sort_by_key(|sample| sample.ordinal);
    for sample in samples {
        let context = nodes.context(sample.node).unwrap_or_else(|| {
            unknown_node(warnings);
            ContextId::ROOT
        });
        builder.points.push(context, LabelSetId(0), &[0, sample.size, 1]);
    }
    Ok(builder.finish())
}
