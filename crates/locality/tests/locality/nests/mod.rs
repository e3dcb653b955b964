//! Random nests, and their accesses by the definition.

use locality::{Affine, Container, Loop, Nest, Placement, Space, Step};
use proptest::prelude::*;

/// Every access of a nest in program order, as reference and line, by the definition: an element that
/// crosses lines is accessed in each of them.
pub(crate) fn accesses(nest: &Nest, space: &Space) -> Vec<(usize, u64)> {
    fn walk(
        nest: &Nest,
        space: &Space,
        steps: &[Step],
        values: &mut Vec<i64>,
        out: &mut Vec<(usize, u64)>,
    ) {
        for step in steps {
            match step {
                Step::Access(number) => {
                    let reference = &nest.references[*number as usize];
                    let container = reference.container as usize;
                    let element = reference.element.value(values);
                    let bytes = space.containers[container].element as i64;
                    let address = space.bases[container] + element * bytes;
                    let last = address + bytes - 1;
                    for line in address as u64 / space.line..=last as u64 / space.line {
                        out.push((*number as usize, line));
                    }
                }
                Step::Loop(one) => {
                    let begin = one.begin.iter().map(|bound| bound.value(values)).max().unwrap();
                    let end = one.end.iter().map(|bound| bound.value(values)).min().unwrap();
                    let old = values[one.variable as usize];
                    let mut at = begin;
                    while at < end {
                        values[one.variable as usize] = at;
                        walk(nest, space, &one.body, values, out);
                        at += one.step;
                    }
                    values[one.variable as usize] = old;
                }
            }
        }
    }
    let mut out = vec![];
    walk(nest, space, &nest.body, &mut vec![0; nest.variables as usize], &mut out);
    out
}

/// A random access: a container, and by dimension a variable (or none), its factor and what is added.
#[derive(Debug, Clone)]
struct Made {
    container: usize,
    indices: Vec<(Option<usize>, i64)>,
}

pub(crate) fn nests() -> impl Strategy<Value = (Nest, Space, u64)> {
    made(&[4, 8, 16], &[64])
}

/// The same with elements of which half may cross lines.
pub(crate) fn nests_across_lines() -> impl Strategy<Value = (Nest, Space, u64)> {
    made(&[4, 8, 16, 12, 24, 100], &[64, 64, 32, 8, 4])
}

/// With elements and lines of some of these sizes.
fn made(
    elements: &'static [u64],
    lines: &'static [u64],
) -> impl Strategy<Value = (Nest, Space, u64)> {
    let sizes = prop::collection::vec(1i64..22, 3);
    let access = (0usize..3, prop::collection::vec((prop::option::of(0usize..3), 0i64..3), 2))
        .prop_map(|(container, indices)| Made { container, indices });
    let body = prop::collection::vec(access, 1..5);
    let layouts = (0i64..5, any::<bool>(), prop::sample::select(elements));
    let layout = (prop::collection::vec(layouts, 3), 0usize..2, prop::sample::select(lines));
    let shape = (any::<bool>(), 1i64..3, any::<bool>(), 0i64..3);
    (sizes, body, layout, shape, 1u64..80).prop_map(
        |(sizes, body, (layout, placed, line), shape, depth)| {
            let (is_triangular, step, has_before, times) = shape;
            // Each variable is below 22, indices below 25.
            let containers: Vec<Container> = layout
                .iter()
                .enumerate()
                .map(|(number, &(padding, is_turned, element))| {
                    let name = ["a", "b", "c"][number];
                    let row = 25 + padding;
                    let strides = if is_turned { [1, row] } else { [row, 1] };
                    Container::rows(name, element, &[25, 25]).strided(&strides)
                })
                .collect();
            let placement = [Placement::OwnLines, Placement::Packed][placed];
            let space = Space::new(containers.clone(), placement, line).unwrap();
            let mut nest = Nest { variables: 4, ..Nest::default() };
            let mut own = |made: &Made| {
                let indices: Vec<Affine> = made
                    .indices
                    .iter()
                    .map(|&(variable, more)| {
                        let start = variable.map_or(Affine::default(), |variable| {
                            Affine::variable(variable as u32)
                        });
                        start.plus(&Affine::constant(more))
                    })
                    .collect();
                let is_write = indices.len() + made.container == 3;
                nest.refer(&containers, made.container as u32, &indices, is_write)
            };
            let split = body.len() / 2;
            let inner: Vec<Step> = body[split..].iter().map(&mut own).collect();
            let outer: Vec<Step> = body[..split].iter().map(&mut own).collect();
            let mut middle = outer;
            let mut innermost = Loop::over(2, sizes[2], inner);
            innermost.step = step;
            if is_triangular {
                innermost.begin.push(Affine::variable(1));
            }
            middle.push(Step::Loop(innermost));
            let whole = Loop::over(0, sizes[0], vec![Step::Loop(Loop::over(1, sizes[1], middle))]);
            let mut body = vec![];
            if has_before {
                let element =
                    nest.refer(&containers, 0, &[Affine::constant(3), Affine::variable(1)], true);
                body.push(Step::Loop(Loop::over(1, 20, vec![element])));
            }
            body.push(match times {
                0 => Step::Loop(whole),
                // The same again and again.
                times => Step::Loop(Loop::over(3, times * 12, vec![Step::Loop(whole)])),
            });
            nest.body = body;
            (nest, space, depth)
        },
    )
}
