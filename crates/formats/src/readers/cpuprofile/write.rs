//! The writer: the default metric as the time between samples, in microseconds.

use std::io::Write;

use profile::Profile;
use serde::Serialize;

use crate::WriteError;
use crate::graph::frame_tree::{FrameTree, nanoseconds_of, points_in_time};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Node<'a> {
    id: u32,
    call_frame: CallFrame<'a>,
    hit_count: u32,
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    children: &'a [u32],
    #[serde(skip_serializing_if = "Option::is_none")]
    position_ticks: Option<[PositionTick; 1]>,
}

/// Samples on a line, which counts from 1.
#[derive(Serialize)]
struct PositionTick {
    line: u32,
    ticks: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallFrame<'a> {
    function_name: &'a str,
    script_id: &'a str,
    url: &'a str,
    line_number: i64,
    column_number: i64,
}

pub(super) fn write(profile: &Profile, out: &mut dyn Write) -> Result<(), WriteError> {
    let metric = profile.origin.default_metric;
    let tree = FrameTree::new(profile);
    let mut hits = vec![0u32; tree.parent.len()];
    let value = |point: usize| profile.points.row(point).get(metric.index()).copied().unwrap_or(0);
    let samples: Vec<usize> =
        points_in_time(profile).into_iter().filter(|&point| value(point) > 0).collect();
    let node = |point: usize| tree.node[profile.points.context[point].index()];
    for &point in &samples {
        hits[node(point) as usize] += 1;
    }

    write!(out, "{{\"nodes\":[")?;
    write_nodes(profile, &tree, &hits, out)?;
    // Ends are rounded, not lengths, so that rounding does not add up.
    let scale = profile.metrics.get(metric.index()).map_or(1.0, |metric| {
        nanoseconds_of(&metric.unit).map_or(1.0, |ns| ns / 1e3) / 10f64.powi(metric.decimals.into())
    });
    let mut passed = 0i128;
    let mut end = 0i64;
    write!(out, "],\"startTime\":0,\"samples\":[")?;
    for (row, &point) in samples.iter().enumerate() {
        separator(row, out)?;
        write!(out, "{}", node(point) + 1)?;
    }
    write!(out, "],\"timeDeltas\":[")?;
    for (row, &point) in samples.iter().enumerate() {
        separator(row, out)?;
        // The time before a sample is how long the one before it lasted.
        let rounded = (passed as f64 * scale).round() as i64;
        write!(out, "{}", rounded - end)?;
        end = rounded;
        passed += i128::from(value(point));
    }
    write!(out, "],\"endTime\":{}}}", (passed as f64 * scale).round() as i64)?;
    Ok(())
}

fn write_nodes(
    profile: &Profile,
    tree: &FrameTree,
    hits: &[u32],
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let mut children = tree.children();
    // Ids count from 1.
    children.iter_mut().flatten().for_each(|child| *child += 1);
    for (row, own_children) in children.iter().enumerate() {
        let name;
        let mut position_ticks = None;
        let call_frame = match tree.frame[row] {
            None => CallFrame {
                function_name: "(root)",
                script_id: "0",
                url: "",
                line_number: -1,
                column_number: -1,
            },
            Some(frame) => {
                name = profile.frame_name(frame);
                let mut place = (profile.place_line(frame), profile.frames.column[frame.index()]);
                // Samples of a function that tells its start have their line beside it; a call
                // has no such place.
                if hits[row] > 0
                    && own_children.is_empty()
                    && let Some(function) = profile.frames.function(frame)
                    && ![0, place.0].contains(&profile.functions.start_line[function.index()])
                {
                    position_ticks = Some([PositionTick { line: place.0, ticks: hits[row] }]);
                    let functions = &profile.functions;
                    place = (
                        functions.start_line[function.index()],
                        functions.start_column[function.index()],
                    );
                }
                CallFrame {
                    function_name: &name,
                    script_id: "0",
                    url: profile.frame_file(frame),
                    // Lines and columns count from 0, so that unknown ones become -1.
                    line_number: i64::from(place.0) - 1,
                    column_number: i64::from(place.1) - 1,
                }
            }
        };
        let id = row as u32 + 1;
        let hit_count = hits[row];
        let node = Node { id, call_frame, hit_count, children: own_children, position_ticks };
        separator(row, out)?;
        json(&node, out)?;
    }
    Ok(())
}

fn separator(index: usize, out: &mut dyn Write) -> Result<(), WriteError> {
    if index > 0 {
        write!(out, ",")?;
    }
    Ok(())
}

fn json(value: &impl Serialize, out: &mut dyn Write) -> Result<(), WriteError> {
    serde_json::to_writer(out, value).map_err(|error| WriteError::Io(error.into()))
}
