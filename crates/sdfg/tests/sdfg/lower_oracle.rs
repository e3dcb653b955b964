//! Loops and accesses of random programs against a run of their JSON, step by step.

use std::collections::BTreeMap;

use locality::{Options, Placement, Space, distances};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sdfg::expr::Bindings;
use sdfg::lower::{LowerError, Part, Wanted, lower};
use sdfg::model::{ContainerKind, EdgeIndex, ElementId, NodeKind, Program, StateIndex};
use sdfg::{Limits, read};
use serde_json::Value as Json;

use crate::brute::{self, nests, random};

/// Elements that each edge moves; whether the program was compared.
fn check(json: &Json, (n, m): (i128, i128)) -> Result<bool, TestCaseError> {
    let at: Bindings = [("N".to_owned(), n), ("M".to_owned(), m)].into();
    let Ok(counted) = brute::run(json, &at, 100_000) else { return Ok(false) };
    let program = read(json.to_string().as_bytes(), &Limits::default()).unwrap();
    let own = match lower(&program, Part::Whole, &Wanted { at, ..Wanted::default() }) {
        Ok(own) => own,
        Err(LowerError::Unset(_) | LowerError::TooLong(_)) => return Ok(false),
        Err(other) => return Err(TestCaseError::fail(format!("{other}\n{json}"))),
    };
    if !own.left_out.is_empty() {
        return Ok(false);
    }
    let Ok(space) = Space::new(own.containers.clone(), Placement::OwnLines, 64) else {
        return Ok(false);
    };
    let told = match distances(&own.nest, &space, &Options::default()) {
        Ok(told) => told,
        // Programs that are made at random leave their containers.
        Err(locality::Error::Outside { .. }) => return Ok(false),
        Err(other) => return Err(TestCaseError::fail(format!("{other}\n{json}"))),
    };
    let mut moved: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    for (number, origin) in own.origins.iter().enumerate() {
        let way = usize::from(own.nest.references[number].is_write);
        moved.entry(key(origin.edge)).or_default()[way] += told.by_reference[number].total();
    }
    for (edge, [reads, writes]) in &moved {
        let theirs = counted.edges.get(edge).copied().unwrap_or(0);
        let ours = i128::from(*reads.max(writes));
        prop_assert!(ours == theirs, "edge {edge}: {ours} and not {theirs} at {n}, {m}\n{json}");
    }
    // What is in memory and moves is touched: registers of this program are one element each.
    for (edge, &theirs) in
        counted.edges.iter().filter(|(edge, _)| counted.innermost.contains(*edge))
    {
        prop_assert!(
            theirs == 0 || moved.contains_key(edge) || is_passed(&program, edge),
            "edge {edge} moves {theirs} and is not touched at {n}, {m}\n{json}"
        );
    }
    Ok(!moved.is_empty())
}

/// As the run calls an edge.
fn key(id: ElementId) -> String {
    format!("{}/{}/{}", id.region, id.block, id.edge)
}

/// Whether what an edge moves is of one element, or is handed to a nested graph or taken from it.
fn is_passed(program: &Program, edge: &str) -> bool {
    (0..program.states.len()).any(|place| {
        let index = StateIndex(place as u32);
        let id = program.id_of_state(index);
        let state = program.state(index);
        let own = state
            .edges
            .iter()
            .enumerate()
            .find(|(number, _)| key(id.with_edge(EdgeIndex(*number as u32))) == edge);
        own.is_some_and(|(_, own)| {
            let ends = [own.source, own.target].map(|end| &state.nodes[end.place()].kind);
            let is_nested = ends.iter().any(|kind| matches!(kind, NodeKind::Nested { .. }));
            let Some(memlet) = &own.memlet else { return false };
            let container = &program.graph_of(index).containers[&memlet.data];
            let is_one = container.shape.iter().all(|size| size.to_string() == "1");
            is_nested || is_one || container.kind == ContainerKind::Scalar
        })
    })
}

#[test]
fn random_programs_touch_what_a_run_moves() {
    all_touch_what_a_run_moves(200, 60, random::program);
}

#[test]
fn nested_programs_touch_what_a_run_moves() {
    all_touch_what_a_run_moves(200, 60, nests::program);
}

#[test]
fn nested_programs_of_whole_containers_touch_what_a_run_moves() {
    all_touch_what_a_run_moves(200, 30, nests::program_of_whole_containers);
}

fn all_touch_what_a_run_moves(cases: u32, least: u32, program: fn(&[u32]) -> Json) {
    let config = ProptestConfig { cases, ..ProptestConfig::default() };
    let compared = std::cell::Cell::new(0);
    let sizes = (0..12i128, 0..9i128);
    let made = TestRunner::new(config).run(&(random::choices(), sizes), |(choices, sizes)| {
        compared.set(compared.get() + u32::from(check(&program(&choices), sizes)?));
        Ok(())
    });
    if let Err(error) = made {
        panic!("{error}");
    }
    assert!(compared.get() > least, "{} of {cases}", compared.get());
}

/// Digits and names of a file changed at random: what is read is lowered or refused, and never more.
#[test]
fn changed_programs_are_lowered_or_refused() {
    let texts: Vec<String> = ["sdfg/sharpen.fused.sdfg", "sdfg/sharpen.sdfg"]
        .map(|path| std::fs::read_to_string(samples::testdata(path)).unwrap())
        .into();
    let config = ProptestConfig { cases: 300, ..ProptestConfig::default() };
    let changes = proptest::collection::vec((any::<u32>(), any::<u8>()), 1..12);
    let ran = std::cell::Cell::new(0);
    let result = TestRunner::new(config).run(&(0..2usize, changes), |(which, changes)| {
        let mut bytes = texts[which].clone().into_bytes();
        for (at, to) in changes {
            let at = at as usize % bytes.len();
            let near = bytes[at..].iter().position(u8::is_ascii_digit).map_or(at, |more| at + more);
            bytes[near] = b"0123456789-+*/(HWi"[usize::from(to) % 18];
        }
        let Ok(program) = read(&bytes[..], &Limits::default()) else { return Ok(()) };
        let at: Bindings = [("H".to_owned(), 9), ("W".to_owned(), 7)].into();
        let Ok(own) = lower(&program, Part::Whole, &Wanted { at, ..Wanted::default() }) else {
            return Ok(());
        };
        let Ok(space) = Space::new(own.containers.clone(), Placement::OwnLines, 64) else {
            return Ok(());
        };
        if space.lines < 1 << 20 && own.nest.accesses() < 1 << 24 {
            let told = distances(&own.nest, &space, &Options::default());
            ran.set(ran.get() + u32::from(told.is_ok()));
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(ran.get() > 30, "{} are simulated", ran.get());
}
