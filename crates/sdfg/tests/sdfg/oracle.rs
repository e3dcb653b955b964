//! Costs against a run of the program, one step after the other.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sdfg::cost::{AtMost, Certainty, Costs, Excess, Rules};
use sdfg::expr::{Bindings, Expr, Value};
use sdfg::model::{EdgeIndex, Program, StateIndex};
use serde_json::Value as Json;

use crate::brute::{self, nests, random};
use crate::graphs;

/// Sizes for all free symbols.
fn sizes(names: &[&str], base: i128) -> Bindings {
    names.iter().enumerate().map(|(at, name)| ((*name).to_owned(), base + at as i128)).collect()
}

#[test]
fn recorded_programs_move_what_a_run_counts() {
    let mut compared = 0;
    let mut wrong = vec![];
    for (name, json) in graphs::texts() {
        let json: Json = serde_json::from_slice(&json).unwrap();
        let program = sdfg::read(json.to_string().as_bytes(), &sdfg::Limits::default()).unwrap();
        let costs = Costs::new(&program, Rules::Exact);
        let root = program.root().unwrap();
        let names: Vec<&str> = root.symbols.keys().map(|name| &**name).collect();
        for base in [1, 4] {
            let at = sizes(&names, base);
            let Ok(counted) = brute::run(&json, &at, 15_000) else { continue };
            compared += 1;
            let moved = costs.total.moved.evaluate(&at);
            if moved.as_ref().ok().and_then(|value| value.to_integer()) != Some(counted.moved)
                && costs.total.at_most.moved.is_none()
            {
                wrong.push(format!(
                    "{name} at {base}: moved {} = {moved:?} and not {}",
                    costs.total.moved, counted.moved
                ));
            }
            if let (Ok(Value::Exact(moved)), Some(_)) = (moved, costs.total.at_most.moved) {
                assert!(moved.to_integer() >= counted.moved, "{name} at {base}");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 40, "{compared}");
}

fn value(expr: &Expr, at: &Bindings) -> Result<i128, String> {
    let value = expr.evaluate(at).map_err(|error| format!("{expr}: {error}"))?;
    value.to_integer().ok_or_else(|| format!("{expr} is not a whole number"))
}

/// Where costs say that they are exact, they are what a run counts; else they are not less.
fn check(json: &Json, setting: (i128, i128)) -> Result<bool, TestCaseError> {
    let program = sdfg::read(json.to_string().as_bytes(), &sdfg::Limits::default()).unwrap();
    let costs = Costs::new(&program, Rules::Exact);
    let at = Bindings::from([("N".to_owned(), setting.0), ("M".to_owned(), setting.1)]);
    let Ok(counted) = brute::run(json, &at, 100_000) else { return Ok(false) };
    let total = &costs.total;
    let at_most = total.at_most;
    for (what, ours, counted, excess) in [
        ("work", &total.work, counted.work, at_most.work),
        ("moved", &total.moved, counted.moved, at_most.moved),
    ] {
        let certainty = costs.certainty(ours, excess);
        if certainty == Certainty::Unknown && changes(&costs) {
            return Ok(false);
        }
        // Nothing in these programs is left to data; some end where no condition holds.
        let is_told = matches!(
            certainty,
            Certainty::Exact
                | Certainty::AtMost(Excess::EarlyExit | Excess::Branches | Excess::Code)
        );
        prop_assert!(is_told, "{what} {certainty:?} {ours} of {json}");
        let ours = value(ours, &at);
        let is_right = match (&ours, certainty) {
            (Ok(ours), Certainty::Exact) => *ours == counted,
            (Ok(ours), _) => *ours >= counted,
            (Err(_), _) => false,
        };
        prop_assert!(
            is_right,
            "{what} {ours:?} and not {counted} at {setting:?} {certainty:?}\n{}\n{json}",
            total.work
        );
    }
    check_every(&program, &costs, &at, counted.every)?;
    let distinct = &costs.distinct.total;
    let ours = value(&distinct.bytes, &at);
    let is_right = match &ours {
        Ok(ours) if distinct.excess.is_none() => *ours == counted.distinct,
        Ok(ours) => *ours >= counted.distinct,
        // Several boxes together are counted cell by cell, up to a limit.
        Err(_) => false,
    };
    prop_assert!(
        is_right || setting.0.min(setting.1) < 1,
        "distinct {ours:?} and not {} at {setting:?}: {} {:?}\n{json}",
        counted.distinct,
        distinct.bytes,
        distinct.excess
    );
    if at_most != AtMost::default() {
        return Ok(true);
    }
    for (place, state) in program.states.iter().enumerate() {
        let index = StateIndex(place as u32);
        let id = program.id_of_state(index);
        let id = format!("{}/{}", id.region, id.block);
        let runs = counted.states.get(&id).copied().unwrap_or(0);
        let ours = value(costs.times.states[place].as_ref().unwrap(), &at);
        prop_assert!(
            ours == Ok(runs),
            "runs of {id}: {ours:?} and not {runs} at {setting:?}\n{json}"
        );
        for edge in 0..state.edges.len() {
            let Some(all) = costs.edge_in_all(&program, index, EdgeIndex(edge as u32)) else {
                continue;
            };
            let id = format!("{id}/{edge}");
            if !counted.innermost.contains(&id) {
                continue;
            }
            let moved = counted.edges.get(&id).copied().unwrap_or(0);
            let ours = value(&all.elements, &at);
            prop_assert!(
                ours == Ok(moved),
                "edge {id}: {ours:?} and not {moved} at {setting:?}\n{json}"
            );
        }
    }
    Ok(true)
}

/// What a run of opaque code costs, for the tests.
const OPAQUE_COST: i128 = 7;

/// Code that nobody can look into costs something unknown each time that it runs; the rest is known.
fn check_opaque(json: &Json, setting: (i128, i128)) -> Result<bool, TestCaseError> {
    let program = sdfg::read(json.to_string().as_bytes(), &sdfg::Limits::default()).unwrap();
    let costs = Costs::new(&program, Rules::Exact);
    let mut at = Bindings::from([("N".to_owned(), setting.0), ("M".to_owned(), setting.1)]);
    let Ok(counted) = brute::run(json, &at, 100_000) else { return Ok(false) };
    if changes(&costs) {
        return Ok(false);
    }
    at.extend(costs.unknowns.keys().map(|name| (name.to_string(), OPAQUE_COST)));
    let total = &costs.total;
    let certainty = costs.certainty(&total.work, total.at_most.work);
    if counted.opaque > 0 {
        prop_assert_eq!(certainty, Certainty::Unknown, "{} of {}", total.work, json);
    }
    let wanted = counted.work + OPAQUE_COST * counted.opaque;
    let ours = value(&total.work, &at);
    let is_right = match (&ours, total.at_most.work) {
        (Ok(ours), None) => *ours == wanted,
        (Ok(ours), Some(_)) => *ours >= wanted,
        (Err(_), _) => false,
    };
    prop_assert!(is_right, "work {ours:?} and not {wanted}: {}\n{json}", total.work);
    // A value that code gets is read once, whatever the code does.
    let certainty = costs.certainty(&total.moved, total.at_most.moved);
    prop_assert!(certainty != Certainty::Unknown, "{} of {json}", total.moved);
    let ours = value(&total.moved, &at);
    let is_right = match (&ours, certainty) {
        (Ok(ours), Certainty::Exact) => *ours == counted.moved,
        (Ok(ours), _) => *ours >= counted.moved,
        (Err(_), _) => false,
    };
    prop_assert!(is_right, "moved {ours:?} and not {}: {}\n{json}", counted.moved, total.moved);
    Ok(counted.opaque > 0)
}

/// Whether a symbol that is set several times holds different values where it is used: what such a
/// program costs is told as unknown.
fn changes(costs: &Costs) -> bool {
    costs.unknowns.values().any(|one| one.why.contains("changes as the program runs"))
}

/// The same with every operation counted: it changes the work, and nothing else.
fn check_every(
    program: &Program,
    costs: &Costs,
    at: &Bindings,
    counted: i128,
) -> Result<(), TestCaseError> {
    let every = Costs::new(program, Rules::Every);
    let work = value(&every.total.work, at);
    let is_right = match (&work, every.certainty(&every.total.work, every.total.at_most.work)) {
        (Ok(work), Certainty::Exact) => *work == counted,
        (Ok(work), _) => *work >= counted,
        (Err(_), _) => false,
    };
    prop_assert!(is_right, "every operation: {work:?} and not {counted}: {}", every.total.work);
    prop_assert_eq!(&every.total.moved, &costs.total.moved);
    prop_assert_eq!(&every.executions, &costs.executions);
    Ok(())
}

#[test]
fn a_loop_that_ends_where_no_condition_holds_keeps_what_is_behind_it_from_running() {
    let choices = [
        7030354, 2486419272, 402063394, 0, 8413, 0, 683112109, 0, 3752003628, 147580860, 0,
        225665368, 0, 2679387556, 136845656, 1710064719, 133596313, 286233628,
    ];
    for setting in [(1, 1), (9, 9), (11, 2)] {
        assert!(check(&random::program(&choices), setting).unwrap());
    }
}

#[test]
fn random_programs_cost_what_a_run_counts() {
    all_cost_what_a_run_counts(samples::cases(200, 4000), random::program);
}

#[test]
fn nested_programs_cost_what_a_run_counts() {
    all_cost_what_a_run_counts(samples::cases(150, 1500), nests::program);
}

#[test]
fn nested_programs_of_whole_containers_cost_what_a_run_counts() {
    let cases = samples::cases(100, 1000);
    all_cost_what_a_run_counts(cases, nests::program_of_whole_containers);
}

#[test]
fn opaque_code_costs_something_each_time_it_runs() {
    let cases = samples::cases(150, 3000);
    let compared = compared(cases, |choices, sizes| {
        check_opaque(&random::program_with_opaque_code(choices), sizes)
    });
    // In many there is none, or it is never reached.
    assert!(compared > cases / 8, "{compared}");
}

fn all_cost_what_a_run_counts(cases: u32, program: fn(&[u32]) -> Json) {
    let compared = compared(cases, |choices, sizes| check(&program(choices), sizes));
    assert!(compared > cases * 2 / 3, "{compared}");
}

/// How many of some random programs were compared.
fn compared(
    cases: u32,
    check: impl Fn(&[u32], (i128, i128)) -> Result<bool, TestCaseError>,
) -> u32 {
    let config = ProptestConfig { cases, ..ProptestConfig::default() };
    let compared = std::cell::Cell::new(0);
    let sizes = (0..12i128, 0..9i128);
    let made = TestRunner::new(config).run(&(random::choices(), sizes), |(choices, sizes)| {
        compared.set(compared.get() + u32::from(check(&choices, sizes)?));
        Ok(())
    });
    if let Err(error) = made {
        panic!("{error}");
    }
    compared.get()
}
