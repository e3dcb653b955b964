//! Stack distances against a list that is gone through, and against published counts.

use std::collections::HashSet;

use locality::{Affine, Container, Loop, Method, Nest, Options, Placement, Space, Step, distances};
use proptest::prelude::*;

/// Every access of a nest in program order, as reference and line, by the definition.
fn accesses(nest: &Nest, space: &Space) -> Vec<(usize, u64)> {
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
                    out.push((*number as usize, address as u64 / space.line));
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

/// By reference: distances in the order of its accesses, none of a first touch.
fn by_list(nest: &Nest, space: &Space) -> Vec<Vec<Option<u64>>> {
    let mut stack: Vec<u64> = vec![];
    let mut out = vec![vec![]; nest.references.len()];
    for (reference, line) in accesses(nest, space) {
        let place = stack.iter().position(|&own| own == line);
        out[reference].push(place.map(|place| place as u64));
        if let Some(place) = place {
            stack.remove(place);
        }
        stack.insert(0, line);
    }
    out
}

fn same_as_list(nest: &Nest, space: &Space, depth: u64) {
    let list = by_list(nest, space);
    for skips in [false, true] {
        let options = Options { depth, skips, ..Options::default() };
        let told = distances(nest, space, &options).unwrap();
        for (own, expected) in told.by_reference.iter().zip(&list) {
            assert_eq!(own.total(), expected.len() as u64);
            assert_eq!(own.cold, expected.iter().filter(|one| one.is_none()).count() as u64);
            let far = expected.iter().flatten().filter(|distance| **distance >= depth).count();
            assert_eq!(own.far, far as u64, "beyond {depth}");
            let mut near: Vec<u64> =
                expected.iter().flatten().copied().filter(|one| *one < depth).collect();
            near.sort_unstable();
            let mut counts: Vec<(u64, u64)> = own.counts().collect();
            counts.sort_unstable();
            let flat: Vec<u64> = counts
                .iter()
                .flat_map(|&(distance, count)| std::iter::repeat_n(distance, count as usize))
                .collect();
            assert_eq!(flat, near);
        }
        let distinct: HashSet<u64> =
            accesses(nest, space).into_iter().map(|(_, line)| line).collect();
        assert_eq!(told.lines.iter().sum::<u64>(), distinct.len() as u64);
    }
}

/// A random access: a container, and by dimension a variable (or none), its factor and what is added.
#[derive(Debug, Clone)]
struct Made {
    container: usize,
    indices: Vec<(Option<usize>, i64)>,
}

fn nests() -> impl Strategy<Value = (Nest, Space, u64)> {
    let sizes = prop::collection::vec(1i64..22, 3);
    let access = (0usize..3, prop::collection::vec((prop::option::of(0usize..3), 0i64..3), 2))
        .prop_map(|(container, indices)| Made { container, indices });
    let body = prop::collection::vec(access, 1..5);
    let layout = (prop::collection::vec((0i64..5, any::<bool>(), 0usize..3), 3), 0usize..2);
    let shape = (any::<bool>(), 1i64..3, any::<bool>(), 0i64..3);
    (sizes, body, layout, shape, 1u64..80).prop_map(
        |(sizes, body, (layout, placed), shape, depth)| {
            let (is_triangular, step, has_before, times) = shape;
            // Each variable is below 22, indices below 25.
            let containers: Vec<Container> = layout
                .iter()
                .enumerate()
                .map(|(number, &(padding, is_turned, element))| {
                    let name = ["a", "b", "c"][number];
                    let element = [4, 8, 16][element];
                    let row = 25 + padding;
                    let strides = if is_turned { [1, row] } else { [row, 1] };
                    Container::rows(name, element, &[25, 25]).strided(&strides)
                })
                .collect();
            let placement = [Placement::OwnLines, Placement::Packed][placed];
            let space = Space::new(containers.clone(), placement, 64).unwrap();
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
                nest.refer(&containers, made.container as u32, &indices, false)
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn distances_are_those_of_a_list((nest, space, depth) in nests()) {
        // A list takes long where there are many.
        prop_assume!(nest.accesses() < 60_000);
        same_as_list(&nest, &space, depth);
        same_as_list(&nest, &space, 1 << 20);
    }
}

/// C = beta C + alpha A B over rows of B: HayStack's example.
fn gemm(size: u64, element: u64) -> (Nest, Space) {
    let containers: Vec<Container> =
        ["A", "B", "C"].map(|name| Container::rows(name, element, &[size, size])).into();
    let space = Space::new(containers.clone(), Placement::OwnLines, 64).unwrap();
    let mut nest = Nest { variables: 3, ..Nest::default() };
    let [i, j, k] = [0, 1, 2].map(Affine::variable);
    let mut at = |container, one: &Affine, other: &Affine, is_write| {
        nest.refer(&containers, container, &[one.clone(), other.clone()], is_write)
    };
    let scale = vec![at(2, &i, &j, false), at(2, &i, &j, true)];
    let add =
        vec![at(2, &i, &j, false), at(0, &i, &k, false), at(1, &k, &j, false), at(2, &i, &j, true)];
    let count = size as i64;
    let body = vec![
        Step::Loop(Loop::over(1, count, scale)),
        Step::Loop(Loop::over(2, count, vec![Step::Loop(Loop::over(1, count, add))])),
    ];
    nest.body = vec![Step::Loop(Loop::over(0, count, body))];
    (nest, space)
}

#[test]
fn the_published_counts_of_haystack_are_met() {
    let (nest, space) = gemm(1024, 4);
    assert_eq!(nest.accesses(), 4_297_064_448);
    let depth = 512 * 1024 / 64;
    let told = distances(&nest, &space, &Options { depth, ..Options::default() }).unwrap();
    let all = told.total();
    assert_eq!(all.total(), 4_297_064_448);
    assert_eq!(told.method, Method::Skipped);
    for bytes in [32, 512] {
        let misses = all.misses(bytes * 1024 / 64);
        assert_eq!((misses.cold, misses.capacity), (196_608, 67_043_328), "{bytes} KiB");
    }
    assert!(told.simulated < 40_000_000, "{}", told.simulated);
}

/// Horizontal diffusion as in `hdiff_fused`: 13 reads of the field, one of the coefficient, one write.
fn hdiff(
    [i, j, k]: [i64; 3],
    order: [usize; 3],
    layouts: [[usize; 3]; 2],
    row: u64,
) -> (Nest, Space) {
    let of = |name: &str, sizes: [i64; 3], layout: [usize; 3], multiple: u64| {
        let sizes = sizes.map(|size| size as u64);
        let mut strides = [0i64; 3];
        let mut stride = 1u64;
        for (place, &dimension) in layout.iter().enumerate().rev() {
            strides[dimension] = stride as i64;
            let size = sizes[dimension];
            stride *= if place == 2 { size.next_multiple_of(multiple) } else { size };
        }
        Container::rows(name, 8, &sizes).strided(&strides)
    };
    let containers = vec![
        of("in_field", [i + 4, j + 4, k], layouts[0], row),
        of("out_field", [i, j, k], layouts[1], 1),
        of("coeff", [i, j, k], layouts[1], 1),
    ];
    let space = Space::new(containers.clone(), Placement::OwnLines, 64).unwrap();
    let mut nest = Nest { variables: 3, ..Nest::default() };
    let [vi, vj, vk] = [0, 1, 2].map(Affine::variable);
    // In the order of the tasklet's connectors.
    let reads = [
        (0, 2),
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 0),
        (2, 1),
        (2, 2),
        (2, 3),
        (2, 4),
        (3, 1),
        (3, 2),
        (3, 3),
        (4, 2),
    ];
    let at = [vi.clone(), vj.clone(), vk.clone()];
    let mut body = vec![nest.refer(&containers, 2, &at, false)];
    for (di, dj) in reads {
        let at = [
            vi.clone().plus(&Affine::constant(di)),
            vj.clone().plus(&Affine::constant(dj)),
            vk.clone(),
        ];
        body.push(nest.refer(&containers, 0, &at, false));
    }
    body.push(nest.refer(&containers, 1, &at, true));
    let sizes = [i, j, k];
    for &variable in order.iter().rev() {
        body = vec![Step::Loop(Loop::over(variable as u32, sizes[variable], body))];
    }
    nest.body = body;
    (nest, space)
}

const IJK: [usize; 3] = [0, 1, 2];
const KIJ: [usize; 3] = [2, 0, 1];

#[test]
fn small_hdiff_has_the_known_misses() {
    let variants = [
        (
            IJK,
            [IJK, IJK],
            1,
            [(4, 3200), (8, 3200), (16, 268), (24, 268), (32, 244), (48, 86), (128, 86)],
        ),
        (
            IJK,
            [KIJ, IJK],
            1,
            [(4, 1920), (8, 1920), (16, 1920), (24, 1920), (32, 1242), (48, 90), (128, 90)],
        ),
        (
            KIJ,
            [KIJ, IJK],
            1,
            [(4, 1920), (8, 630), (16, 90), (24, 90), (32, 90), (48, 90), (128, 90)],
        ),
        (
            KIJ,
            [KIJ, IJK],
            8,
            [(4, 1920), (8, 925), (16, 169), (24, 120), (32, 120), (48, 120), (128, 120)],
        ),
    ];
    for (order, layouts, row, expected) in variants {
        let (nest, space) = hdiff([8, 8, 5], order, layouts, row);
        assert_eq!(nest.accesses(), 4800);
        let told = distances(&nest, &space, &Options::default()).unwrap();
        for (lines, misses) in expected {
            assert_eq!(told.misses_of(&nest, 0, lines).all(), misses, "{order:?} {row} {lines}");
        }
    }
}

#[test]
fn full_hdiff_has_the_known_misses() {
    // In millions: of the field in 512 lines, of all in 512 lines and in 16,384.
    let variants = [
        (IJK, [IJK, IJK], 1, [6.59, 9.22, 9.22]),
        (IJK, [KIJ, IJK], 1, [62.91, 65.54, 9.28]),
        (KIJ, [KIJ, IJK], 1, [6.66, 27.63, 22.32]),
        (KIJ, [KIJ, KIJ], 1, [1.35, 3.97, 3.97]),
    ];
    for (order, layouts, row, expected) in variants {
        let (nest, space) = hdiff([256, 256, 160], order, layouts, row);
        let options = Options { depth: 16_384, ..Options::default() };
        let told = distances(&nest, &space, &options).unwrap();
        let all = told.total();
        let own =
            [told.misses_of(&nest, 0, 512).all(), all.misses(512).all(), all.misses(16_384).all()];
        let millions = own.map(|misses| (misses as f64 / 1e4).round() / 100.0);
        assert_eq!(millions, expected, "{order:?} {layouts:?}");
    }
}

#[test]
fn a_stop_is_heeded_and_sizes_are_refused() {
    let (nest, space) = gemm(512, 8);
    let options = Options { skips: false, goes_on: &|_| false, ..Options::default() };
    assert_eq!(distances(&nest, &space, &options).unwrap_err(), locality::Error::Stopped);
    let (nest, _) = gemm(1 << 13, 8);
    assert_eq!(nest.accesses(), 4 * (1u128 << 39) + 2 * (1 << 26));
}
