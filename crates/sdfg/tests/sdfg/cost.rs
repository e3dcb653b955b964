//! Costs by our own rules, on small programs.

use sdfg::cost::{AtMost, Certainty, Costs, Excess, Rules};
use sdfg::expr::{Bindings, Expr, Value};
use sdfg::model::{NodeIndex, NodeKind, Program, RegionIndex};
use sdfg::{Limits, read};

use crate::graphs;

fn program(regions: &str) -> Program {
    let text = format!(r#"{{"type":"SDFG","attributes":{{"name":"g"}},{regions}}}"#);
    read(text.as_bytes(), &Limits::default()).expect("a graph")
}

/// A state with one tasklet.
fn state(code: &str, language: &str) -> String {
    format!(
        r#"{{"type":"SDFGState","label":"s","edges":[],"nodes":[{{"type":"Tasklet","label":"t",
        "attributes":{{"code":{{"string_data":{},"language":"{language}"}}}}}}]}}"#,
        serde_json::to_string(code).expect("a text")
    )
}

fn edge(from: usize, to: usize, assignments: &str, condition: &str) -> String {
    format!(
        r#"{{"src":"{from}","dst":"{to}","attributes":{{"data":{{"type":"InterstateEdge",
        "attributes":{{"assignments":{{{assignments}}},"condition":{{"string_data":"{condition}"}}}}}}}}}}"#
    )
}

fn total(program: &Program) -> (String, String) {
    let costs = Costs::new(program, Rules::Exact);
    (costs.total.work.to_string(), costs.total.depth.to_string())
}

#[track_caller]
fn check_tasklet(code: &str, language: &str, work: &str, depth: &str) {
    let state = state(code, language);
    let program = program(&format!(r#""nodes":[{state}],"edges":[]"#));
    assert_eq!(total(&program), (work.to_owned(), depth.to_owned()), "{code}");
}

#[test]
fn python_is_counted_as_dace_counts() {
    check_tasklet("b = a + 1", "Python", "1", "1");
    check_tasklet("c = (a + b) * (a - b)", "Python", "3", "2");
    check_tasklet("x = a + b\ny = x * x", "Python", "2", "2");
    check_tasklet("b = -a", "Python", "1", "1");
    check_tasklet("b = math.exp(a) + max(a, 0)", "Python", "2", "2");
    check_tasklet("b = dace.float64(a)", "Python", "0", "0");
    check_tasklet("b = a + 1 if c < d * e else a", "Python", "2", "2");
    check_tasklet("b[i + 1] = a[2 * i]", "Python", "2", "1");
    check_tasklet("b += a", "Python", "1", "1");
    check_tasklet("if a > 0:\n    b = a * 2\nelse:\n    b = a + a * a", "Python", "2", "2");
    check_tasklet("for i in range(3):\n    b = a", "Python", "t_work", "t_depth");
    check_tasklet("b = a @ c", "Python", "t_work", "t_depth");
    check_tasklet("not even Python", "Python", "t_work", "t_depth");
}

/// Operations, and whether a run may have fewer.
#[track_caller]
fn check_choice(code: &str, language: &str, rules: Rules, work: u32, is_most: bool) {
    let state = state(code, language);
    let total = Costs::new(&program(&format!(r#""nodes":[{state}],"edges":[]"#)), rules).total;
    let found = (total.work.to_string(), total.at_most.work);
    assert_eq!(found, (work.to_string(), is_most.then_some(Excess::Code)), "{code}");
}

#[test]
fn of_branches_in_code_the_most_expensive_one_counts() {
    let python = |code, rules, work, is_most| check_choice(code, "Python", rules, work, is_most);
    let (exact, every) = (Rules::Exact, Rules::Every);
    python("b = a * 2 if a > 0 else a * 3 * 4", exact, 2, true);
    python("b = a * 2 if a > 0 else a * 3 * 4", every, 4, true);
    python("b = a * 2 if a > 0 else a + 4", exact, 1, false);
    python("b = a * 2 if a > 0 else a * 3 * 4", Rules::Dace2, 3, false);
    python("b = a if a > 0 else 0", every, 2, false);
    python("b = a > 0 and a * c > 1", exact, 1, true);
    python("b = a * c > 0 and a > 1", exact, 1, false);
    python("b = a < c < d", every, 2, true);
    let both = "b = 0\nif a > 0:\n    b = a * 2\n    c = b + 1\nelif a + 1 > 0:\n    b = a + 2\n";
    // The first branch, or both tests and the second.
    python(both, exact, 2, true);
    python("if a > 0:\n    b = a * 2\nd = b + 1", exact, 2, true);
    python("if a > 0:\n    b = a * 2\nelse:\n    b = a + 2\nd = b + 1", exact, 2, false);
    check_choice("b = a > 0 ? a * 2 : 0;", "CPP", exact, 1, true);
    check_choice("b = a * 2 + 1;", "CPP", exact, 2, false);
    check_tasklet(
        "if a > c * d:\n    b = a * 2\nelse:\n    b = a + 2\nd = b + 1",
        "Python",
        "3",
        "3",
    );
    check_tasklet("b = [a for a in c]", "Python", "t_work", "t_depth");
    // A lambda does not say how often it is called.
    check_tasklet("f = lambda x: x * x\nb = f(a) + f(a)", "Python", "t_work", "t_depth");
    check_tasklet("auto f = [](double x) { return x * x; }; b = f(a);", "CPP", "t_work", "t_depth");
    check_tasklet("b = c[i] * p[2];", "CPP", "1", "1");
}

#[test]
fn cpp_is_counted_from_its_text() {
    check_tasklet("b = a + 1; // + 2", "CPP", "1", "1");
    check_tasklet("double t = a * *p; b = std::sin(t) / 2.0e-3;", "CPP", "3", "3");
    check_tasklet("b += a[i + 1]; s = \"a + b\";", "CPP", "2", "2");
    check_tasklet("for (int q = 0; q < 3; ++q) { b += a; }", "CPP", "t_work", "t_depth");
}

#[test]
fn functions_that_nobody_knows_cost_what_nobody_knows() {
    for (code, language) in [
        ("b = LAPACKE_dpotrf(a, 3)", "Python"),
        ("numpy_outer(a, b, c)", "Python"),
        ("b = LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', N, a, N);", "CPP"),
    ] {
        check_tasklet(code, language, "t_work", "t_depth");
    }
    check_tasklet("b = f(a) + 1", "Python", "t_work + 1", "t_depth + 1");
    // Functions of numbers are none.
    check_tasklet("b = erf(a)", "Python", "0", "0");
    check_tasklet("b = std::erf(a) + fmax(a, 0);", "CPP", "1", "1");
    check_tasklet("if (a > 0) { b = exp(a) + std::max(a, double(2)); }", "CPP", "2", "2");
}

#[track_caller]
fn check_every(code: &str, language: &str, work: u32, depth: u32) {
    let state = state(code, language);
    let program = program(&format!(r#""nodes":[{state}],"edges":[]"#));
    let total = Costs::new(&program, Rules::Every).total;
    let found = (total.work.to_string(), total.depth.to_string());
    assert_eq!(found, (work.to_string(), depth.to_string()), "{code}");
}

#[test]
fn every_operation_of_python_counts() {
    check_every("b = (a + 1) * -c", "Python", 3, 2);
    check_every("b = max(a, 0)", "Python", 1, 1);
    check_every("b = min(a, c + 1, d)", "Python", 3, 3);
    check_every("b = a < c", "Python", 1, 1);
    check_every("b = a < c <= d", "Python", 2, 2);
    check_every("b = a and c or not d", "Python", 3, 2);
    check_every("b = a if c > 0 else d * 2", "Python", 3, 3);
    check_every("b = dace.float32(int(numpy.float64(a)))", "Python", 0, 0);
    check_every("b = abs(floor(numpy.sign(a)))", "Python", 3, 3);
    check_every("if a >= 0:\n    b = a\nelse:\n    b = 0", "Python", 1, 1);
    check_every("b[i + 1] = a[2 * i] == 1", "Python", 3, 2);
    check_every("b = max()", "Python", 1, 1);
}

#[test]
fn every_operation_of_cpp_counts() {
    check_every("b = a < 0 ? 0 : a;", "CPP", 2, 2);
    check_every("b = max(a, double(0)) + std::abs(c);", "CPP", 3, 3);
    check_every("b = static_cast<float>(a) * dace::math::pow<double, 2>(c);", "CPP", 2, 2);
    check_every("if (a >= 0 && c != 1 || !d) { b = a << 1 >> 2; }", "CPP", 7, 7);
    check_every("p->x = a < b && c > (d);", "CPP", 3, 3);
    // By the other rules a template is none of these either.
    check_tasklet("b = exp<double>(a) + (a < c);", "CPP", "2", "2");
}

#[test]
fn rectifiers_and_maxima_of_rows_are_operations() {
    for version in ["dace-1.0.2", "dace-2.0.0b1"] {
        let program = graphs::ours(&format!("{version}/glance"));
        let [exact, every] = [Rules::Exact, Rules::Every].map(|rules| Costs::new(&program, rules));
        let found = |name: &str| {
            let mut all = program.states.iter().enumerate().flat_map(|(state, one)| {
                (0..one.nodes.len()).map(move |node| (state, node, &*one.nodes[node].label))
            });
            let (state, node, _) = all.find(|(.., label)| label.starts_with(name)).expect(name);
            [&exact, &every].map(|costs| costs.nodes[state][node].work.to_string())
        };
        assert_eq!(found("_numpy_maximum__map"), ["0", "B*D*H*T"], "{version}");
        let reductions = program.states.iter().enumerate().flat_map(|(state, one)| {
            (0..one.nodes.len()).map(move |node| (state, node, &one.nodes[node].kind))
        });
        let maxima: Vec<[String; 2]> = reductions
            .filter(|(.., kind)| match kind {
                NodeKind::Library(library) => {
                    library.wcr.as_ref().is_some_and(|wcr| wcr.contains("max("))
                }
                _ => false,
            })
            .map(|(state, node, _)| {
                [&exact, &every].map(|costs| costs.nodes[state][node].work.to_string())
            })
            .collect();
        assert_eq!(maxima, [["0", "B*H*T**2"]], "{version}");
        assert_eq!(exact.total.moved, every.total.moved);
    }
}

#[test]
fn hostile_code_is_no_danger() {
    for code in
        ["-".repeat(60_000) + "a", "a".to_owned() + &"+a".repeat(30_000), "(".repeat(60_000)]
    {
        let state = state(&format!("b = {code}"), "Python");
        let program = program(&format!(r#""nodes":[{state}],"edges":[]"#));
        Costs::new(&program, Rules::Exact);
    }
}

#[test]
fn loops_between_states_multiply() {
    let states = [
        state("b = a", "Python"),
        state("", "Python"),
        state("b = a * a", "Python"),
        state("b = a", "Python"),
    ];
    let edges = [
        edge(0, 1, r#""i":"2""#, "1"),
        edge(1, 2, "", "(i < N)"),
        edge(2, 1, r#""i":"i + 3""#, "1"),
        edge(1, 3, "", "(not (i < N))"),
    ];
    let all = format!(r#""nodes":[{}],"edges":[{}]"#, states.join(","), edges.join(","));
    let program = program(&all);
    assert_eq!(total(&program).0, "floor(N/3)");
    let costs = Costs::new(&program, Rules::Exact);
    let at = Bindings::from([("N".to_owned(), 9)]);
    let runs =
        |state: usize| costs.executions[state].evaluate(&at).ok().and_then(Value::to_integer);
    assert_eq!([runs(0), runs(1), runs(2), runs(3)], [Some(1), Some(4), Some(3), Some(1)]);
}

fn loop_region(variable: &str, from: &str, to: &str, inside: &str, more: &str) -> String {
    format!(
        r#"{{"type":"LoopRegion","label":"l","attributes":{{"loop_variable":"{variable}",{more}
        "init_statement":"{variable} = {from}","loop_condition":"{variable} < {to}",
        "update_statement":"{variable} = {variable} + 1"}},"nodes":[{inside}],"edges":[]}}"#
    )
}

#[test]
fn triangular_loops_are_summed() {
    let inner = loop_region("j", "i", "N", &state("b = a + a", "Python"), "");
    let outer = loop_region("i", "0", "N", &inner, "");
    let program = program(&format!(r#""nodes":[{outer}],"edges":[]"#));
    let costs = Costs::new(&program, Rules::Exact);
    for (size, expected) in [(1, 1), (2, 3), (10, 55), (1000, 500_500)] {
        let at = Bindings::from([("N".to_owned(), size)]);
        assert_eq!(costs.total.work.evaluate(&at), Ok(Value::Exact(expected.into())));
        assert_eq!(costs.executions[0].evaluate(&at), Ok(Value::Exact(expected.into())));
    }
}

#[test]
fn loops_that_data_ends_have_a_named_number_of_iterations() {
    let one = loop_region("i", "0", "A[0]", &state("b = a * a", "Python"), "");
    let program = program(&format!(r#""nodes":[{one}],"edges":[]"#));
    let costs = Costs::new(&program, Rules::Exact);
    assert_eq!(costs.total.work.to_string(), "l_iterations");
    let unknown = &costs.unknowns["l_iterations"];
    assert_eq!((unknown.least.as_ref(), &unknown.most), (Some(&Expr::integer(0)), &None));
    let inverted = loop_region("i", "0", "A[0]", &state("b = a", "Python"), r#""inverted":true,"#);
    let program = self::program(&format!(r#""nodes":[{inverted}],"edges":[]"#));
    let unknown = &Costs::new(&program, Rules::Exact).unknowns["l_iterations"];
    assert_eq!(unknown.least, Some(Expr::integer(1)));
    assert!(unknown.to_string().ends_with("; at least 1"), "{unknown}");
}

/// Edges that data decides: what they move at most, if there is a bound.
#[track_caller]
fn check_dynamic_edge(target: &str, subset: &str, most: Option<&str>) {
    let container = |shape: &str| {
        format!(r#"{{"type":"Array","attributes":{{"dtype":"float64","shape":[{shape}]}}}}"#)
    };
    let text = format!(
        r#"{{"type":"SDFG","attributes":{{"name":"g","_arrays":{{"A":{},"B":{}}}}},"nodes":[{{"type":"SDFGState",
        "label":"s","nodes":[{{"type":"AccessNode","attributes":{{"data":"A"}}}},{target}],
        "edges":[{{"src":"0","dst":"1","attributes":{{"data":{{"type":"Memlet","attributes":
        {{"data":"A","volume":"0","dynamic":true,"subset":{subset}}}}}}}}}]}}],"edges":[]}}"#,
        container(r#""N","M""#),
        container(r#""N*M""#),
    );
    let program = read(text.as_bytes(), &Limits::default()).expect("a graph");
    let costs = Costs::new(&program, Rules::Exact);
    let unknown = &costs.unknowns["A_elements"];
    assert_eq!(unknown.least, Some(Expr::integer(0)));
    assert_eq!(unknown.most.as_ref().map(|most| most.to_string()).as_deref(), most, "{unknown}");
}

#[test]
fn copies_that_data_decides_are_bounded_by_what_they_name() {
    let copy = r#"{"type":"AccessNode","attributes":{"data":"B"}}"#;
    let code = r#"{"type":"Tasklet","label":"t","attributes":{"code":{"string_data":"pass","language":"Python"}}}"#;
    let rows = r#"{"type":"Range","ranges":[{"start":"0","end":"2","step":"1","tile":"1"},
        {"start":"0","end":"M-1","step":"1","tile":"1"}]}"#;
    check_dynamic_edge(copy, "null", Some("M*N"));
    check_dynamic_edge(copy, rows, Some("3*M"));
    // Code may want an element again and again.
    check_dynamic_edge(code, rows, None);
}

#[test]
fn inverted_loops_run_at_least_once() {
    let one = loop_region("i", "0", "N", &state("b = a * a", "Python"), r#""inverted":true,"#);
    let program = program(&format!(r#""nodes":[{one}],"edges":[]"#));
    let work = Costs::new(&program, Rules::Exact).total.work;
    for (size, expected) in [(0, 1), (1, 1), (7, 7)] {
        let at = Bindings::from([("N".to_owned(), size)]);
        assert_eq!(work.evaluate(&at), Ok(Value::Exact(expected.into())));
    }
}

#[test]
fn of_branches_the_largest_counts() {
    let branch = |code: &str| {
        format!(r#"{{"type":"ControlFlowRegion","nodes":[{}],"edges":[]}}"#, state(code, "Python"))
    };
    let (small, large) = (branch("b = a + a"), branch("b = a * a * a"));
    let choice = format!(
        r#"{{"type":"ConditionalBlock","label":"c","branches":[["a[0] > 0",{small}],[null,{large}]]}}"#
    );
    let whole = program(&format!(r#""nodes":[{choice}],"edges":[]"#));
    assert_eq!(total(&whole), ("2".to_owned(), "2".to_owned()));
}

/// A loop of 10 iterations, in the first four of which one branch runs, in the others the other one.
#[test]
fn branches_by_sizes_are_reached_as_often_as_their_conditions_hold() {
    let branch = |label: &str, code: &str| {
        let state = state(code, "Python");
        format!(r#"{{"type":"ControlFlowRegion","label":"{label}","nodes":[{state}],"edges":[]}}"#)
    };
    let (first, other) = (branch("first", "b = a + a"), branch("other", "b = a * a * a"));
    let choice = format!(
        r#"{{"type":"ConditionalBlock","label":"c","branches":[["i < K",{first}],[null,{other}]]}}"#
    );
    let code = |text: &str| format!(r#"{{"string_data":"{text}","language":"Python"}}"#);
    let program = program(&format!(
        r#""nodes":[{{"type":"LoopRegion","label":"l","nodes":[{choice}],"edges":[],"attributes":
        {{"loop_variable":"i","init_statement":{},"loop_condition":{},"update_statement":{}}}}}],
        "edges":[]"#,
        code("i = 0"),
        code("i < 10"),
        code("i = i + 1")
    ));
    let costs = Costs::new(&program, Rules::Exact);
    let value =
        |expr: Option<&Expr>| expr.unwrap().evaluate(&[("K".to_owned(), 4)].into()).unwrap();
    let region = |label: &str| {
        let place = program.regions.iter().position(|region| &*region.label == label).unwrap();
        let in_all = costs.region_in_all(RegionIndex(place as u32));
        let times = value(costs.times.regions[place].as_ref());
        (times.to_f64(), value(in_all.as_ref().map(|cost| &cost.work)).to_f64())
    };
    assert_eq!([region("first"), region("other")], [(4.0, 4.0), (6.0, 12.0)]);
    let conditional = costs.differing.conditionals.values().next().unwrap();
    let work = value(conditional.in_all.as_ref().map(|cost| &cost.work));
    assert_eq!((work.to_f64(), costs.certainty(&costs.total.work, None)), (16.0, Certainty::Exact));
    assert!(conditional.is_certain && costs.total.at_most.work.is_none());
}

/// What goes into an exit in each iteration goes out of it: an exit moves what leaves it.
#[test]
fn exits_move_what_leaves_them() {
    for (name, program) in
        graphs::all(&["dace-1.0.2/glance.expanded", "dace-2.0.0b1/glance.expanded"], &[])
    {
        let costs = Costs::new(&program, Rules::Exact);
        let mut seen = 0;
        for (place, state) in program.states.iter().enumerate() {
            for (node, one) in state.nodes.iter().enumerate().filter(|(_, one)| one.kind.is_exit())
            {
                let all = state.edges.iter().zip(&costs.edges[place]);
                let leaving = all.filter(|(edge, _)| edge.source == NodeIndex(node as u32));
                let bytes = leaving.filter_map(|(_, moved)| Some(moved.as_ref()?.bytes.clone()));
                let bytes = Expr::sum(bytes.collect::<Vec<Expr>>()).unwrap();
                assert_eq!(costs.nodes[place][node].moved, bytes, "{name} {}", one.label);
                seen += 1;
            }
        }
        assert!(seen > 5, "{name}");
    }
}

#[test]
fn jumps_into_loops_are_unknown_and_end() {
    let states: Vec<String> = (0..3).map(|_| state("b = a + a", "Python")).collect();
    let edges = [
        edge(0, 1, "", "x > 0"),
        edge(0, 2, "", "x <= 0"),
        edge(1, 2, "", "1"),
        edge(2, 1, "", "1"),
    ];
    let all = format!(r#""nodes":[{}],"edges":[{}]"#, states.join(","), edges.join(","));
    let program = program(&all);
    assert_eq!(total(&program).0, "2*s_iterations + 1");
}

#[test]
fn long_chains_and_many_branches_end() {
    let count = 20_000;
    let states: Vec<String> = (0..count).map(|_| state("b = a + a", "Python")).collect();
    let edges: Vec<String> = (1..count).map(|to| edge(to - 1, to, "", "1")).collect();
    let all = format!(r#""nodes":[{}],"edges":[{}]"#, states.join(","), edges.join(","));
    assert_eq!(total(&program(&all)).0, count.to_string());
}

/// Runs the state machine of the outermost graph, and counts how often each block is reached.
fn runs(program: &Program, mut at: Bindings) -> Vec<u64> {
    let region = program.region(program.root().expect("a graph").region);
    let mut counts = vec![0; region.blocks.len()];
    let mut block = region.start;
    let mut steps = 0;
    while let Some(here) = block {
        counts[here.place()] += 1;
        steps += 1;
        assert!(steps < 1_000_000, "the program does not end");
        let mut ways = region.edges.iter().filter(|edge| edge.source == here);
        let taken = ways.find(|edge| match &edge.condition {
            None => true,
            Some(condition) => condition.evaluate(&at).expect("a value").to_f64() != 0.0,
        });
        for (name, value) in taken.iter().flat_map(|edge| &edge.assignments) {
            let value = value.evaluate(&at).expect("a value").to_integer().expect("a number");
            at.insert(name.to_string(), value);
        }
        block = taken.map(|edge| edge.target);
    }
    counts
}

#[test]
fn executions_are_those_of_a_run() {
    let ours = ["dace-1.0.2/phases", "dace-1.0.2/phases.long", "dace-1.0.2/heat"];
    let corpus = [
        "dace-1.0.2/many_states_200",
        "dace-1.0.2/many_states_600",
        "synthetic/synth_500x10",
        "synthetic/synth_100x10_v2",
        "dace-0.14.4/jacobi2d",
    ];
    for (name, program) in graphs::all(&ours, &corpus) {
        let at = Bindings::from([("T".to_owned(), 3), ("N".to_owned(), 10)]);
        let told = runs(&program, at.clone());
        assert!(told.iter().any(|&count| count > 1), "{name} has no loop");
        let costs = Costs::new(&program, Rules::Exact);
        let root = program.root().expect("a graph").region;
        for (state, count) in program.states.iter().zip(&costs.executions) {
            if state.region == root {
                let count = count.evaluate(&at).ok().and_then(Value::to_integer);
                let told = i128::from(told[state.block.place()]);
                assert_eq!(count, Some(told), "{name}: {}", state.label);
            }
        }
    }
}

#[test]
fn tiles_change_nothing_but_the_order() {
    for (tiled, plain, work) in [
        ("dace-1.0.2/fade.tiled", "dace-1.0.2/fade", "2*H*W"),
        ("dace-2.0.0b1/fade.tiled", "dace-2.0.0b1/fade", "2*H*W"),
    ] {
        let [tiled, plain] =
            [tiled, plain].map(|name| Costs::new(&graphs::ours(name), Rules::Exact));
        assert_eq!(tiled.total.work.to_string(), work);
        assert_eq!(tiled.total.work, plain.total.work);
        assert_eq!(tiled.total.moved, plain.total.moved);
        assert_eq!(tiled.total.at_most, AtMost::default());
    }
    // By DaCe's rules the last tile counts as a whole one, which it says.
    let program = graphs::ours("dace-1.0.2/fade.tiled");
    assert!(Costs::new(&program, Rules::Dace1).total.at_most.work.is_some());
}

#[test]
fn a_depth_has_no_needless_maximum() {
    for (_, program) in graphs::all(&["dace-1.0.2/glance"], &["dace-1.0.2/encoder"]) {
        let depth = Costs::new(&program, Rules::Exact).total.depth.to_string();
        assert!(!depth.contains("Max(0"), "{depth}");
    }
}
