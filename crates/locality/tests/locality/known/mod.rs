//! Programs whose misses are known.

use locality::{Affine, Container, Loop, Nest, Placement, Space, Step};

/// C = beta C + alpha A B over rows of B: HayStack's example.
pub(crate) fn gemm(size: u64, element: u64) -> (Nest, Space) {
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

/// Horizontal diffusion as in `hdiff_fused`: 13 reads of the field, one of the coefficient, one write.
pub(crate) fn hdiff(
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

pub(crate) const IJK: [usize; 3] = [0, 1, 2];
pub(crate) const KIJ: [usize; 3] = [2, 0, 1];

/// C += A B with loops over rows, columns and what is summed; rows are padded by some elements.
pub(crate) fn matmul(size: u64, padding: u64) -> (Nest, Space) {
    let row = (size + padding) as i64;
    let container = |name| Container::rows(name, 8, &[size, size]).strided(&[row, 1]);
    let containers: Vec<Container> = ["A", "B", "C"].map(container).into();
    let space = Space::new(containers.clone(), Placement::OwnLines, 64).unwrap();
    let mut nest = Nest { variables: 3, ..Nest::default() };
    let [i, j, k] = [0, 1, 2].map(Affine::variable);
    let mut at = |container, one: &Affine, other: &Affine, is_write| {
        nest.refer(&containers, container, &[one.clone(), other.clone()], is_write)
    };
    let body = vec![at(0, &i, &k, false), at(1, &k, &j, false), at(2, &i, &j, true)];
    let count = size as i64;
    let body = (0..3u32)
        .rev()
        .fold(body, |body, variable| vec![Step::Loop(Loop::over(variable, count, body))]);
    nest.body = body;
    (nest, space)
}
