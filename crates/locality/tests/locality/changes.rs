//! What changes do, and what they refuse, against the definition.

use std::collections::BTreeMap;

use locality::{
    Affine, Change, ChangeError, Container, Loop, Nest, Options, Program, Space, Step, apply,
    distances, is_parallel,
};
use proptest::prelude::*;

use crate::known::{IJK, KIJ, hdiff, matmul};
use crate::nests::nests;

fn program((nest, space): (Nest, Space), names: &[&str]) -> Program {
    Program {
        containers: space.containers,
        nest,
        variables: names.iter().map(|&name| name.to_owned()).collect(),
        is_whole: true,
    }
}

fn changed(program: &Program, changes: &[&str]) -> Result<Program, ChangeError> {
    let changes: Vec<Change> = changes.iter().map(|one| one.parse().unwrap()).collect();
    apply(program, &|_| None, &changes).map(|done| done.program)
}

fn histograms(program: &Program) -> Vec<locality::Histogram> {
    let space = Space::new(program.containers.clone(), Default::default(), 64).unwrap();
    distances(&program.nest, &space, &Options::default()).unwrap().by_reference
}

/// Every access of a program: its reference and the element.
fn all(nest: &Nest) -> Vec<(u32, i64)> {
    accesses_with_begins(nest)
        .into_iter()
        .map(|(reference, element, _)| (reference, element))
        .collect()
}

/// The same, and whether it is the first after a loop began an iteration.
fn accesses_with_begins(nest: &Nest) -> Vec<(u32, i64, bool)> {
    fn go(nest: &Nest, steps: &[Step], values: &mut Vec<i64>, out: &mut Vec<(u32, i64, bool)>) {
        for (place, step) in steps.iter().enumerate() {
            match step {
                Step::Access(one) => {
                    let element = nest.references[*one as usize].element.value(values);
                    out.push((*one, element, place == 0));
                }
                Step::Loop(one) => {
                    let begins = one.begin.iter().map(|bound| bound.value(values));
                    let ends = one.end.iter().map(|bound| bound.value(values));
                    let (mut at, end) = if one.step > 0 {
                        (begins.max().unwrap(), ends.min().unwrap())
                    } else {
                        (begins.min().unwrap(), ends.max().unwrap())
                    };
                    while (one.step > 0 && at < end) || (one.step < 0 && at > end) {
                        values[one.variable as usize] = at;
                        go(nest, &one.body, values, out);
                        at += one.step;
                    }
                    values[one.variable as usize] = 0;
                }
            }
        }
    }
    let mut out = vec![];
    go(nest, &nest.body, &mut vec![0; nest.variables as usize], &mut out);
    out
}

/// What is in elements in the end, and what each reference read: each write leaves what was read before in
/// its iteration, and how often it wrote.
fn outcome(program: &Program) -> (BTreeMap<(u32, i64), u64>, Vec<u64>) {
    let mut memory: BTreeMap<(u32, i64), u64> = BTreeMap::new();
    let count = program.nest.references.len();
    let (mut read, mut seen) = (vec![0u64; count], 0u64);
    for (reference, element, is_first) in accesses_with_begins(&program.nest) {
        if is_first {
            seen = 0;
        }
        let one = &program.nest.references[reference as usize];
        let place = (one.container, element);
        if one.is_write {
            let old = memory.get(&place).copied().unwrap_or(element as u64);
            let new = old.rotate_left(7).wrapping_mul(31).wrapping_add(seen).wrapping_add(1);
            memory.insert(place, new);
            seen = 0;
        } else {
            let value = memory.get(&place).copied().unwrap_or(element as u64 * 7);
            seen = seen.wrapping_mul(5).wrapping_add(value);
            // Iterations may come in any order; what each reads may not change.
            read[reference as usize] = read[reference as usize].wrapping_add(value ^ (value << 9));
        }
    }
    (memory, read)
}

#[test]
fn changes_of_the_tuned_program_are_those_that_it_is_made_of() {
    let sizes = [8, 8, 5];
    let plain = program(hdiff(sizes, IJK, [IJK, IJK], 1), &["i", "j", "k"]);
    for (changes, layouts, row, order) in [
        (&["permute in_field 2,0,1"][..], [KIJ, IJK], 1, IJK),
        (&["permute in_field 2,0,1", "order k,i,j"], [KIJ, IJK], 1, KIJ),
        (&["order k,i,j", "pad in_field 8", "permute in_field 2,0,1"], [KIJ, IJK], 8, KIJ),
        (
            &[
                "permute in_field 2,0,1",
                "permute out_field 2,0,1",
                "permute coeff 2,0,1",
                "order k,i,j",
            ],
            [KIJ, KIJ],
            1,
            KIJ,
        ),
    ] {
        let own = changed(&plain, changes).unwrap();
        let known = program(hdiff(sizes, order, layouts, row), &["i", "j", "k"]);
        assert_eq!(histograms(&own), histograms(&known), "{changes:?}");
    }
}

/// A product in tiles, written down by hand.
#[test]
fn tiles_are_loops_over_tiles() {
    for (size, tile) in [(16i64, 4i64), (17, 5)] {
        let plain = program(matmul(size as u64, 0), &["i", "j", "k"]);
        let tiled = format!("tile i,j,k {tile},{tile},{tile}");
        let own = changed(&plain, &[&tiled]).unwrap();
        assert_eq!(own.variables[3..], ["i_tile", "j_tile", "k_tile"]);
        let mut known = vec![];
        let starts = || (0..size).step_by(tile as usize);
        let within = |start: i64| start..(start + tile).min(size);
        for (ii, jj, kk) in starts()
            .flat_map(|ii| starts().flat_map(move |jj| starts().map(move |kk| (ii, jj, kk))))
        {
            for i in within(ii) {
                for j in within(jj) {
                    for k in within(kk) {
                        known.extend([(0, i * size + k), (1, k * size + j), (2, i * size + j)]);
                    }
                }
            }
        }
        assert_eq!(all(&own.nest), known);
        // Tiles of an inner loop stay around it until they are ordered.
        let own = changed(&plain, &[&format!("tile k {tile}"), "order k_tile,i,j,k"]).unwrap();
        let turned = |ii: i64| (0..size).flat_map(move |i| (0..size).map(move |j| (ii, i, j)));
        let mut known = vec![];
        for (kk, i, j) in starts().flat_map(turned) {
            for k in within(kk) {
                known.extend([(0, i * size + k), (1, k * size + j), (2, i * size + j)]);
            }
        }
        assert_eq!(all(&own.nest), known);
    }
}

/// a[i][j] = a[i - 1][j + 1]: the loops cannot be turned around.
fn skewed(size: i64) -> Program {
    let containers = vec![Container::rows("a", 8, &[size as u64 + 2, size as u64 + 2])];
    let mut nest = Nest { variables: 2, ..Nest::default() };
    let at =
        |variable: u32, more: i64| Affine::variable(variable).plus(&Affine::constant(1 + more));
    let body = vec![
        nest.refer(&containers, 0, &[at(0, -1), at(1, 1)], false),
        nest.refer(&containers, 0, &[at(0, 0), at(1, 0)], true),
    ];
    nest.body = vec![Step::Loop(Loop::over(0, size, vec![Step::Loop(Loop::over(1, size, body))]))];
    let variables = vec!["i".to_owned(), "j".to_owned()];
    Program { containers, nest, variables, is_whole: true }
}

#[test]
fn reports_what_would_be_turned_around() {
    let own = skewed(6);
    let refused = changed(&own, &["order j,i"]).unwrap_err();
    let ChangeError::Dependence { dependence, .. } = &refused else { panic!("{refused}") };
    let values = |one: &locality::Instance| {
        let all: Vec<i64> = one.iteration.iter().map(|(_, value)| *value).collect();
        all
    };
    let (first, second) = (values(&dependence.first), values(&dependence.second));
    // It is written in one iteration and read in the next of i and the one before of j.
    assert!(dependence.first.is_write && !dependence.second.is_write);
    assert_eq!([first[0] + 1, first[1] - 1], second[..]);
    assert_eq!(dependence.indices, Some(vec![first[0] + 1, first[1] + 1]));
    assert!(refused.to_string().contains("order j,i is refused: a["), "{refused}");
    // Tiles of one loop alone keep the order; of both they do not.
    assert!(changed(&own, &["tile i 2"]).is_ok());
    assert!(changed(&own, &["tile i,j 2,2"]).is_err());
    assert!(is_parallel(&own, 0).is_some());
    assert!(is_parallel(&own, 1).is_none(), "a row is read and another is written");
}

#[test]
fn sizes_that_are_too_large_are_decided_or_looked_at_smaller() {
    let large = skewed(4000);
    let refused = changed(&large, &["order j,i"]).unwrap_err().to_string();
    assert!(refused.contains("would change places"), "{refused}");
    // Of tiles that depends on their sizes.
    let tile = ["tile i,j 4,4".parse::<Change>().unwrap()];
    let refused = apply(&large, &|_| None, &tile).unwrap_err().to_string();
    assert!(refused.contains("choose smaller sizes"), "{refused}");
    let order: Change = "order j,i".parse().unwrap();
    let small = |most| Some(skewed(9)).filter(|own| own.nest.accesses() <= most);
    assert!(matches!(
        apply(&large, &small, std::slice::from_ref(&order)),
        Err(ChangeError::Dependence { .. })
    ));
    // A product has rows of its own and sums along the last.
    let product = |size| program(matmul(size, 0), &["i", "j", "k"]);
    let turned: Change = "order j,i".parse().unwrap();
    let done = apply(&product(1000), &|_| None, &[turned]).unwrap();
    assert_eq!(done.notes, [""; 0], "each of its iterations has elements of its own");
    let turned: Change = "order k,i,j".parse().unwrap();
    let mut plain = product(1000);
    let done = apply(&plain, &|_| None, std::slice::from_ref(&turned)).unwrap();
    assert_eq!(done.notes, [""; 0], "each element has its sums in their order");
    // What combines may do so in any order, and registers may not be known.
    plain.nest.references[2].combines = Some(0);
    assert!(apply(&plain, &|_| None, std::slice::from_ref(&turned)).is_ok());
    let Step::Loop(outer) = &mut plain.nest.body[0] else { panic!() };
    outer.unseen = vec!["sum".into()];
    let refused = apply(&plain, &|_| None, &[turned]).unwrap_err().to_string();
    assert!(refused.contains("sum is not an array here"), "{refused}");
}

/// Two loops, the second reading what the first wrote some elements away.
fn pair(away: i64, size: i64) -> Program {
    let containers = ["a", "b"].map(|name| Container::rows(name, 8, &[size as u64 + 8])).to_vec();
    let mut nest = Nest { variables: 2, ..Nest::default() };
    let at =
        |variable: u32, more: i64| [Affine::variable(variable).plus(&Affine::constant(4 + more))];
    let first = nest.refer(&containers, 0, &at(0, 0), true);
    let second = vec![
        nest.refer(&containers, 0, &at(1, away), false),
        nest.refer(&containers, 1, &at(1, 0), true),
    ];
    nest.body =
        vec![Step::Loop(Loop::over(0, size, vec![first])), Step::Loop(Loop::over(1, size, second))];
    let variables = vec!["i".to_owned(), "j".to_owned()];
    Program { containers, nest, variables, is_whole: true }
}

#[test]
fn loops_are_fused_if_nothing_is_read_before_it_is_written() {
    for away in [-3, -1, 0] {
        let own = changed(&pair(away, 20), &["fuse i,j"]).unwrap();
        assert_eq!(own.nest.body.len(), 1);
        assert_eq!(outcome(&own), outcome(&pair(away, 20)));
    }
    let refused = changed(&pair(1, 20), &["fuse i,j"]).unwrap_err().to_string();
    assert!(refused.contains("a[5] is written at i = 1 and only then read at j = 0"), "{refused}");
    assert!(changed(&pair(0, 20), &["fuse i"]).is_err());
}

#[test]
fn views_and_indices_that_leave_their_dimension_are_not_laid_out_anew() {
    let mut own = program(matmul(8, 0), &["i", "j", "k"]);
    own.nest.references[1].indices = None;
    let refused = changed(&own, &["permute B 1,0"]).unwrap_err().to_string();
    assert!(refused.contains("B is seen as something"), "{refused}");
    let mut own = program(matmul(8, 0), &["i", "j", "k"]);
    let shifted = Affine::variable(1).plus(&Affine::constant(1));
    own.nest.references[1].indices = Some(vec![Affine::variable(2), shifted]);
    let refused = changed(&own, &["permute B 1,0"]).unwrap_err().to_string();
    assert!(refused.contains("go beyond a dimension"), "{refused}");
}

fn change() -> impl Strategy<Value = Change> {
    let name = || "[^\\s,]{1,8}";
    let names = || prop::collection::vec(name(), 1..4);
    prop_oneof![
        (name(), prop::collection::vec(0usize..9, 1..5))
            .prop_map(|(container, order)| Change::Permute { container, order }),
        (name(), 1u64..).prop_map(|(container, multiple)| Change::Pad { container, multiple }),
        (name(), 1u64..).prop_map(|(container, bytes)| Change::Align { container, bytes }),
        (name(), 1u64..).prop_map(|(container, bytes)| Change::Element { container, bytes }),
        names().prop_map(Change::Order),
        prop::collection::vec((name(), 1u64..), 1..4).prop_map(|all| {
            let (loops, sizes) = all.into_iter().unzip();
            Change::Tile { loops, sizes }
        }),
        (name(), name()).prop_map(|(first, second)| Change::Fuse { first, second }),
    ]
}

proptest! {
    #[test]
    fn changes_are_read_as_they_are_written(change in change()) {
        prop_assert_eq!(change.to_string().parse(), Ok(change));
    }

    #[test]
    fn no_text_breaks_the_reader(text in "(permute|pad|order|tile|fuse|x)? ?\\PC{0,12} ?[0-9,a-c]{0,6}") {
        if let Ok(change) = text.parse::<Change>() {
            prop_assert_eq!(change.to_string().parse(), Ok(change));
        }
    }

    /// What is allowed computes the same; what is refused for a dependence has two accesses that conflict.
    #[test]
    fn changes_of_loops_keep_what_is_computed(
        (nest, space, _) in nests(),
        which in 0usize..5,
        size in 1u64..7,
    ) {
        let own = program((nest, space), &["i", "j", "k", "t"]);
        let text = match which {
            0 => "order j,i".to_owned(),
            1 => format!("tile i,j {size},{size}"),
            2 => format!("tile j {size}"),
            3 => "order i,t".to_owned(),
            _ => format!("tile i {}", size * 2),
        };
        match changed(&own, &[&text]) {
            Ok(done) => {
                prop_assert_eq!(outcome(&own), outcome(&done), "{}", text);
                let sorted = |program: &Program| {
                    let mut all = all(&program.nest);
                    all.sort_unstable();
                    all
                };
                prop_assert_eq!(sorted(&own), sorted(&done));
            }
            Err(ChangeError::Dependence { dependence, .. }) => {
                prop_assert!(dependence.first.is_write || dependence.second.is_write);
                // Both are there, in this order, and touch the element.
                let position = |one: &locality::Instance| {
                    let mut values = [0i64; 4];
                    for (name, value) in &one.iteration {
                        values[own.variables.iter().position(|own| own == name).unwrap()] = *value;
                    }
                    let reference = &own.nest.references[one.reference as usize];
                    prop_assert_eq!(reference.element.value(&values), dependence.element);
                    let path: Vec<u32> = one
                        .iteration
                        .iter()
                        .map(|(name, _)| own.variables.iter().position(|own| own == name).unwrap() as u32)
                        .collect();
                    let place = instances(&own.nest, one.reference, &path)
                        .into_iter()
                        .find(|(_, at)| {
                            at.iter().zip(&one.iteration).all(|(at, (_, value))| at == value)
                        });
                    prop_assert!(place.is_some());
                    Ok(place.unwrap().0)
                };
                prop_assert!(position(&dependence.first)? < position(&dependence.second)?);
            }
            Err(ChangeError::NoLoops { .. }) => {}
            Err(other) => prop_assert!(false, "{}", other),
        }
    }

    #[test]
    fn layouts_keep_elements_apart((nest, space, _) in nests(), turned in any::<bool>(), row in 1u64..40) {
        let own = program((nest, space), &["i", "j", "k", "t"]);
        let order = if turned { "permute a 1,0" } else { "permute a 0,1" };
        let done = changed(&own, &[order, &format!("pad a {row}")]).unwrap();
        let (before, after) = (all(&own.nest), all(&done.nest));
        let mut to = BTreeMap::new();
        for (one, other) in before.iter().zip(&after) {
            prop_assert_eq!(one.0, other.0);
            let container = own.nest.references[one.0 as usize].container;
            prop_assert_eq!(*to.entry((container, one.1)).or_insert(other.1), other.1);
        }
    }
}

/// Where a reference is among all accesses, each time, with values of variables.
fn instances(nest: &Nest, reference: u32, path: &[u32]) -> Vec<(usize, Vec<i64>)> {
    // Elements that tell variables: each is one of their number.
    let mut numbered = nest.clone();
    let mut found: Vec<(usize, Vec<i64>)> = vec![];
    for (place, &variable) in path.iter().enumerate() {
        numbered.references[reference as usize].element = Affine::variable(variable);
        let own = all(&numbered).into_iter().enumerate().filter(|(_, (one, _))| *one == reference);
        for (number, (at, (_, value))) in own.enumerate() {
            if place == 0 {
                found.push((at, vec![]));
            }
            found[number].1.push(value);
        }
    }
    found
}

/// a[i][j] = a[i - 1000][j + 1]: at smaller sizes nothing depends on anything, at these it does.
fn far(size: i64) -> Program {
    let containers = vec![Container::rows("a", 8, &[size as u64, size as u64])];
    let mut nest = Nest { variables: 2, ..Nest::default() };
    let at = |variable: u32, more: i64| Affine::variable(variable).plus(&Affine::constant(more));
    let body = vec![
        nest.refer(&containers, 0, &[at(1, -1000), at(0, 1)], false),
        nest.refer(&containers, 0, &[at(1, 0), at(0, 0)], true),
    ];
    let inner = Loop { begin: vec![Affine::constant(1000)], ..Loop::over(1, size, body) };
    nest.body = vec![Step::Loop(Loop::over(0, size - 1, vec![Step::Loop(inner)]))];
    let variables = vec!["j".to_owned(), "i".to_owned()];
    Program { containers, nest, variables, is_whole: true }
}

/// What smaller sizes do not show is decided at these.
#[test]
fn what_depends_on_something_far_away_keeps_its_order() {
    let own = far(4000);
    let change = ["order i,j".parse::<Change>().unwrap()];
    let error = apply(&own, &|_| Some(far(1400)), &change).unwrap_err().to_string();
    assert!(error.contains("elements of a would change places"), "{error}");
    // What tiles of these sizes do is not decided, and what smaller sizes show is not a proof.
    let tile = ["tile j,i 8,8".parse::<Change>().unwrap()];
    let done = apply(&own, &|_| Some(far(1400)), &tile).unwrap();
    let note = "not proven: dependences were checked at smaller sizes only, 1119200 accesses";
    assert!(done.notes[0].contains(note), "{:?}", done.notes);
    // Where nothing depends on anything it is allowed, and nothing is left to say.
    let mut own = far(4000);
    own.nest.references[0].indices.as_mut().unwrap()[1] = Affine::variable(0);
    own.nest.references[0].element = Affine::variable(1)
        .times(4000)
        .plus(&Affine::variable(0))
        .plus(&Affine::constant(-4_000_000));
    let done = apply(&own, &|_| panic!("it is decided at these sizes"), &change).unwrap();
    assert_eq!(done.notes, Vec::<String>::new());
}
