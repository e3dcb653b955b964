//! What is to be written in a program for a change: layouts and loops as text.
//!
//! Sizes are those that were simulated; whoever writes a program puts its own in their place. What is written
//! is a plan for people: accesses are told as comments, for what is computed with them is not known here.

use std::fmt::Write;

use crate::change::order_of;
use crate::nest::{Affine, Nest, Step};
use crate::{Change, Container, Program};

/// What it is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Declarations, indices and loops.
    C,
    /// Arrays of NumPy.
    Numpy,
    /// Descriptors and maps of DaCe, in Python.
    Dace,
}

/// Layouts and loops of a program that was changed, as text.
pub fn written(program: &Program, changes: &[Change], language: Language) -> String {
    let (comment, mut text) = match language {
        Language::C => ("//", String::new()),
        _ => ("#", String::new()),
    };
    for change in changes {
        let _ = writeln!(text, "{comment} {change}");
    }
    for container in &program.containers {
        match language {
            Language::C => c_container(container, &mut text),
            Language::Numpy => numpy_container(container, &mut text),
            Language::Dace => dace_container(container, &mut text),
        }
    }
    match language {
        Language::C => c_steps(program, &program.nest.body, 0, &mut text),
        Language::Numpy => loops(program, changes, "# loops, outermost first:", &mut text),
        Language::Dace => dace_loops(changes, &mut text),
    }
    text
}

/// A name as languages have it.
fn identifier(name: &str) -> String {
    let mut own: String =
        name.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect();
    if own.is_empty() || own.starts_with(|one: char| one.is_ascii_digit()) {
        own.insert(0, '_');
    }
    own
}

fn list<T: ToString>(all: impl IntoIterator<Item = T>) -> String {
    all.into_iter().map(|one| one.to_string()).collect::<Vec<String>>().join(", ")
}

/// Elements that a container takes, from its base.
fn total(container: &Container) -> i128 {
    container.extent().map_or(0, |[_, last]| last + 1)
}

/// Dimensions in memory, outermost first, and how many elements each takes; none where strides are not those
/// of an array whose rows are padded.
fn stored(container: &Container) -> Option<Vec<(usize, i64)>> {
    let order = order_of(&container.strides);
    let mut sizes = vec![];
    for (place, &dimension) in order.iter().enumerate() {
        let size = match place {
            0 => i64::try_from(container.shape[dimension]).ok()?,
            _ => {
                let outer = container.strides[order[place - 1]];
                let own = container.strides[dimension];
                if own <= 0 || outer % own != 0 {
                    return None;
                }
                outer / own
            }
        };
        sizes.push((dimension, size));
    }
    let is_packed = order.last().is_none_or(|&last| container.strides[last] == 1);
    (is_packed && container.offset == 0).then_some(sizes)
}

fn c_type(element: u64) -> &'static str {
    match element {
        1 => "int8_t",
        2 => "int16_t",
        4 => "float",
        8 => "double",
        16 => "double _Complex",
        _ => "unsigned char",
    }
}

fn c_container(container: &Container, text: &mut String) {
    let name = identifier(&container.name);
    let kind = c_type(container.element);
    let bytes = total(container) * i128::from(container.element);
    let alignment = container.alignment.next_power_of_two().max(64);
    let bytes = bytes.max(1).unsigned_abs().next_multiple_of(alignment.into());
    let _ = writeln!(
        text,
        "{kind} *{name} = aligned_alloc({alignment}, {bytes}); // {} bytes an element",
        container.element
    );
    let parameters: Vec<String> = (0..container.shape.len()).map(|at| format!("d{at}")).collect();
    let terms = parameters.iter().zip(&container.strides).map(|(own, stride)| match stride {
        1 => format!("({own})"),
        stride => format!("({own}) * {stride}L"),
    });
    let mut terms: Vec<String> = terms.collect();
    if container.offset != 0 {
        terms.push(format!("{}L", container.offset));
    }
    if !parameters.is_empty() {
        let _ = writeln!(
            text,
            "#define {}({}) {name}[{}]",
            name.to_uppercase(),
            parameters.join(", "),
            terms.join(" + ")
        );
    }
}

fn sum(affine: &Affine, names: &[String]) -> String {
    let mut text = String::new();
    for &(variable, factor) in &affine.terms {
        let name = identifier(&names[variable as usize]);
        let sign = match (text.is_empty(), factor < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let _ = match factor.unsigned_abs() {
            1 => write!(text, "{sign}{name}"),
            factor => write!(text, "{sign}{factor} * {name}"),
        };
    }
    match (text.is_empty(), affine.constant) {
        (true, constant) => constant.to_string(),
        (false, 0) => text,
        (false, constant @ 1..) => format!("{text} + {constant}"),
        (false, constant) => format!("{text} - {}", constant.unsigned_abs()),
    }
}

/// The largest or the smallest of some sums.
fn bound(all: &[Affine], names: &[String], of: &str) -> String {
    let mut texts = all.iter().map(|one| sum(one, names));
    let first = texts.next().unwrap_or_else(|| "0".to_owned());
    texts.fold(first, |text, next| format!("{of}({text}, {next})"))
}

fn c_steps(program: &Program, steps: &[Step], depth: usize, text: &mut String) {
    let space = "  ".repeat(depth);
    let names = &unique(&program.variables);
    for step in steps {
        match step {
            Step::Access(number) => {
                let _ =
                    writeln!(text, "{space}// {}", access(&program.nest, *number, program, names));
            }
            Step::Loop(one) => {
                let name = identifier(&names[one.variable as usize]);
                let (first, last, is) = match one.step {
                    1.. => ("MAX", "MIN", "<"),
                    _ => ("MIN", "MAX", ">"),
                };
                let (begin, end) = (bound(&one.begin, names, first), bound(&one.end, names, last));
                let _ = writeln!(
                    text,
                    "{space}for (long {name} = {begin}; {name} {is} {end}; {name} += {}) {{",
                    one.step
                );
                c_steps(program, &one.body, depth + 1, text);
                let _ = writeln!(text, "{space}}}");
            }
        }
    }
}

/// Names that are each of one variable.
fn unique(names: &[String]) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let own = |(place, name): (usize, &String)| {
        let name = identifier(name);
        if seen.insert(name.clone()) { name } else { format!("{name}_{place}") }
    };
    names.iter().enumerate().map(own).collect()
}

fn access(nest: &Nest, number: u32, program: &Program, names: &[String]) -> String {
    let one = &nest.references[number as usize];
    let container = identifier(&program.containers[one.container as usize].name);
    let way = if one.is_write { "writes" } else { "reads" };
    match &one.indices {
        Some(indices) if !indices.is_empty() => {
            let all = list(indices.iter().map(|index| sum(index, names)));
            format!("{way} {}({all})", container.to_uppercase())
        }
        _ => format!("{way} {container}[{}]", sum(&one.element, names)),
    }
}

fn numpy_type(element: u64) -> &'static str {
    match element {
        1 => "np.int8",
        2 => "np.int16",
        4 => "np.float32",
        8 => "np.float64",
        16 => "np.complex128",
        _ => "np.uint8",
    }
}

fn numpy_container(container: &Container, text: &mut String) {
    let name = identifier(&container.name);
    let kind = numpy_type(container.element);
    let Some(stored) = stored(container) else {
        let _ = writeln!(
            text,
            "{name} = np.lib.stride_tricks.as_strided(np.zeros({}, {kind}), ({},), ({},))",
            total(container),
            list(&container.shape),
            list(
                container
                    .strides
                    .iter()
                    .map(|stride| i128::from(*stride) * i128::from(container.element))
            )
        );
        return;
    };
    if stored.is_empty() {
        let _ = writeln!(text, "{name} = np.zeros((), {kind})");
        return;
    }
    let sizes = list(stored.iter().map(|(_, size)| size));
    // Where each dimension of the array is among those in memory.
    let place =
        |dimension: usize| stored.iter().position(|(own, _)| *own == dimension).unwrap_or(0);
    let back: Vec<usize> = (0..stored.len()).map(place).collect();
    let parts = container.shape.iter().map(|size| format!(":{size}"));
    let _ =
        writeln!(text, "{name}_memory = np.zeros(({sizes},), {kind})  # as it stands in memory");
    let _ = writeln!(
        text,
        "{name} = {name}_memory.transpose({})[{}]  # by the same indices as before; fill it with {name}[...] = old",
        list(back),
        list(parts)
    );
}

fn dace_container(container: &Container, text: &mut String) {
    let name = format!("sdfg.arrays[{:?}]", container.name);
    let _ = writeln!(text, "{name}.strides = [{}]", list(&container.strides));
    let _ = writeln!(text, "{name}.total_size = {}", total(container));
    if container.alignment > 1 {
        let _ = writeln!(text, "{name}.alignment = {}", container.alignment);
    }
}

fn dace_loops(changes: &[Change], text: &mut String) {
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
                "# MapTiling with tile_sizes=({},) on the map of {}",
                list(sizes),
                quoted(loops)
            ),
            Change::Fuse { first, second } => {
                writeln!(text, "# MapFusion of the maps of {first:?} and {second:?}")
            }
            Change::Element { container, bytes } => {
                writeln!(text, "# sdfg.arrays[{container:?}].dtype = a type of {bytes} bytes")
            }
            _ => Ok(()),
        };
    }
}

/// Loops by name, as they stand in each other.
fn loops(program: &Program, changes: &[Change], title: &str, text: &mut String) {
    if !changes.iter().any(|change| change.container().is_none()) {
        return;
    }
    let _ = writeln!(text, "{title}");
    fn go(program: &Program, steps: &[Step], depth: usize, text: &mut String) {
        for step in steps {
            let Step::Loop(one) = step else { continue };
            let (name, names) = (&program.variables[one.variable as usize], &program.variables);
            let (begin, end) = (bound(&one.begin, names, "max"), bound(&one.end, names, "min"));
            let _ = writeln!(
                text,
                "# {}for {name} in range({begin}, {end}, {}):",
                "    ".repeat(depth),
                one.step
            );
            go(program, &one.body, depth + 1, text);
        }
    }
    go(program, &program.nest.body, 0, text);
}
