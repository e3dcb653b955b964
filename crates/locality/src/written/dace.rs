//! DaCe, in Python: a graph is in `sdfg`.

use std::fmt::Write;

use super::language::{extent, head, list};
use crate::{Change, Container, Program};

pub(super) fn written(program: &Program, changes: &[Change]) -> String {
    let mut text = head(changes, "#");
    text.push_str("# The graph is in sdfg; what calls it hands over arrays of these strides.\n\nimport dace\n\n");
    for container in &program.containers {
        descriptor(container, &mut text);
    }
    loops(changes, &mut text);
    text
}

fn descriptor(container: &Container, text: &mut String) {
    let name = format!("sdfg.arrays[{:?}]", container.name);
    let [before, count] = extent(container);
    let _ = writeln!(text, "{name}.strides = [{}]", list(&container.strides));
    let _ = writeln!(text, "{name}.total_size = {count}");
    let start = before + i128::from(container.offset);
    if start != 0 {
        let _ = writeln!(text, "{name}.start_offset = {start}");
    }
    if container.alignment > 1 {
        let _ = writeln!(text, "{name}.alignment = {}", container.alignment);
    }
}

fn loops(changes: &[Change], text: &mut String) {
    let quoted = |names: &[String]| list(names.iter().map(|name| format!("{name:?}")));
    for change in changes {
        let _ = match change {
            Change::Order(order) => writeln!(
                text,
                "for node, _ in sdfg.all_nodes_recursive():\n    if isinstance(node, dace.nodes.MapEntry) \
                 and sorted(node.map.params) == sorted([{names}]):\n        places = \
                 [node.map.params.index(name) for name in [{names}]]\n        node.map.range = \
                 dace.subsets.Range([node.map.range[at] for at in places])\n        node.map.params = [{names}]",
                names = quoted(order)
            ),
            Change::Tile { loops, sizes } => writeln!(
                text,
                "from dace.transformation.dataflow import MapTiling\nfor node, state in \
                 list(sdfg.all_nodes_recursive()):\n    if isinstance(node, dace.nodes.MapEntry) and \
                 node.map.params == [{}]:\n        MapTiling.apply_to(state.parent, map_entry=node, \
                 options={{\"tile_sizes\": ({},)}})",
                quoted(loops),
                list(sizes)
            ),
            Change::Fuse { first, second } => {
                writeln!(
                    text,
                    "# maps of {first:?} and {second:?} become one by dace.transformation.dataflow.MapFusion"
                )
            }
            Change::Element { container, bytes } => {
                writeln!(text, "# sdfg.arrays[{container:?}].dtype = a type of {bytes} bytes")
            }
            _ => Ok(()),
        };
    }
}
