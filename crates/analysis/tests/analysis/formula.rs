//! Formulas: what they give, in which unit, what is wrong with others and where.

use analysis::formula::{Formula, Input, Problem, Which};
use profile::{Metric, MetricId};
use proptest::prelude::*;

/// Name, unit, decimals, and the value that a node has of it; of `none` it has none.
const METRICS: [(&str, &str, u8, i64); 14] = [
    ("cycles", "count", 0, 8000),
    ("instructions", "count", 0, 12000),
    ("cache-misses:u", "events", 0, 30),
    ("time", "nanoseconds", 0, 2_000_000_000),
    ("wait", "ms", 1, 5000),
    ("alloc", "bytes", 0, 4096),
    ("pool", "KiB", 0, 2),
    ("uops", "uops", 0, 100),
    ("clock", "cycles/second", 0, 3),
    ("odd `name\\", "", 0, 7),
    ("twice", "", 0, 1),
    ("twice", "", 0, 2),
    ("none", "count", 0, 0),
    ("größe", "bytes", 0, 1),
];

fn metrics() -> Vec<Metric> {
    METRICS
        .map(|(name, unit, decimals, _)| Metric {
            name: name.into(),
            unit: unit.into(),
            decimals,
            ..Metric::default()
        })
        .into()
}

fn compiled(text: &str) -> Formula {
    Formula::new(text, &metrics()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn value(formula: &Formula) -> Option<f64> {
    let value = |input: &Input| {
        let (name, .., value) = METRICS[input.metric.index()];
        (name != "none").then_some(value)
    };
    let values: Vec<_> = formula.inputs().iter().map(value).collect();
    formula.evaluate(&values, &[], None)
}

#[test]
fn formulas_give_values_in_units() {
    let known: &[(&str, Option<f64>, &str)] = &[
        ("1", Some(1.0), ""),
        (" 1 + 2*3 - 4/2 ", Some(5.0), ""),
        ("(1 + 2) * 3", Some(9.0), ""),
        ("8 / 2 / 2 - 1 - 1", Some(0.0), ""),
        ("--2 - -3", Some(5.0), ""),
        ("-2 * -.5e1", Some(10.0), ""),
        ("2 < 1", Some(0.0), ""),
        ("(2 >= 2) + (1 != 2) + (1 == 1) + (1 <= 0) + (2 > 1) + (1 < 2)", Some(5.0), ""),
        ("-0", Some(0.0), ""),
        ("cycles", Some(8000.0), "count"),
        ("instructions / cycles", Some(1.5), ""),
        ("ratio(instructions, cycles)", Some(1.5), ""),
        ("per_thousand(`cache-misses:u`, instructions)", Some(2.5), ""),
        ("per_thousand(\"cache-misses:u\", instructions)", Some(2.5), ""),
        ("2 * cycles + 1", Some(16001.0), "count"),
        ("1 + cycles", Some(8001.0), "count"),
        ("cycles / 0", None, "count"),
        ("cycles / (cycles - 8000)", None, ""),
        ("1e308 * 10", None, ""),
        ("max(1e308 * 10, 1)", None, ""),
        ("none", None, "count"),
        ("none + cycles", None, "count"),
        ("min(none, 1)", None, "count"),
        ("min(3, 1, 2)", Some(1.0), ""),
        ("max(3, cycles)", Some(8000.0), "count"),
        ("abs(-cycles)", Some(8000.0), "count"),
        ("time", Some(2e9), "nanoseconds"),
        ("time + wait", Some(2.5e9), "nanoseconds"),
        ("wait", Some(5e8), "nanoseconds"),
        ("wait / time", Some(0.25), ""),
        ("wait > 499 ms", Some(1.0), ""),
        ("time - 1.5s", Some(5e8), "nanoseconds"),
        ("max(wait - time, 0)", Some(0.0), "nanoseconds"),
        ("0 + time", Some(2e9), "nanoseconds"),
        ("time / cycles", Some(250_000.0), "nanoseconds/count"),
        ("time * time", Some(4.0), "seconds^2"),
        ("1 / time", Some(0.5), "1/second"),
        ("cycles / time", Some(4000.0), "count/second"),
        ("alloc / time", Some(2048.0), "bytes/second"),
        ("time / alloc", Some(2.0 / 4096.0), "seconds/byte"),
        ("alloc + pool", Some(6144.0), "bytes"),
        ("ratio(pool, alloc)", Some(0.5), ""),
        ("größe + 1 KiB", Some(1025.0), "bytes"),
        ("`cache-misses:u` * 64 bytes", Some(1920.0), "bytes"),
        ("uops / cycles", Some(0.0125), "uops/count"),
        ("uops > 99 uops", Some(1.0), ""),
        ("clock", Some(3.0), "cycles/second"),
        ("clock * time", Some(6.0), "cycles"),
        ("clock - 3 cycles / 1 s", Some(0.0), "cycles/second"),
        ("`odd \\`name\\\\`", Some(7.0), "count"),
        ("self(time) / total(time)", Some(1.0), ""),
        ("mean_of(cycles)", None, "count"),
    ];
    for &(text, expected, unit) in known {
        let formula = compiled(text);
        assert_eq!(value(&formula), expected, "{text}");
        assert_eq!(formula.unit().to_string(), unit, "{text}");
        assert_eq!(formula.unit().is_ratio(), unit.is_empty(), "{text}");
        let again = compiled(&formula.to_string());
        assert_eq!((again.to_string(), again.unit()), (formula.to_string(), formula.unit()));
        assert_eq!(value(&again), expected, "{text} as {again}");
    }
}

#[test]
fn errors_name_the_place_and_what_to_do() {
    let known: &[(&str, &str, &str)] = &[
        ("", "", "an empty formula (at byte 0): write one such as `instructions / cycles`"),
        (
            "1 +",
            "",
            "found the end, expected a number, a metric, a function or a bracket (at byte 3): add what is missing",
        ),
        (
            "1 time",
            "time",
            "time is not a unit (at byte 2): write `* time` to multiply, or a unit such as ns, ms, s, bytes, KiB",
        ),
        (
            "time time",
            "time",
            "found the name \"time\", expected an operator or the end (at byte 5): put an operator before it, or quote all of the name",
        ),
        (
            "(1",
            "",
            "found the end, expected an operator or a closing bracket (at byte 2): add what is missing",
        ),
        (
            "1)",
            ")",
            "found `)`, expected an operator or the end (at byte 1): add what is missing before it",
        ),
        ("1 = 2", "=", "`=` has no meaning in a formula (at byte 2): write == to compare"),
        ("1 < 2 < 3", "<", "a comparison of a comparison (at byte 6): put one of them in brackets"),
        ("1e999", "1e999", "1e999 is too large for a number (at byte 0): write one below 1e308"),
        (
            "größe + `time",
            "`time",
            "a quoted name without its closing ` (at byte 10): close it with `, and write \\` for one in the name",
        ),
        ("cylces / 2", "cylces", "there is no metric \"cylces\" (at byte 0): did you mean cycles?"),
        (
            "2 * cache-misses",
            "cache",
            "there is no metric \"cache\" (at byte 4): did you mean `cache-misses:u`?",
        ),
        (
            "zzzzz",
            "zzzzz",
            "there is no metric \"zzzzz\" (at byte 0): see the list of what there is",
        ),
        ("twice", "twice", "there are 2 metrics \"twice\" (at byte 0): give them different names"),
        ("1 + maxx(1)", "maxx", "there is no function maxx (at byte 4): did you mean max?"),
        ("max()", "max", "max of 0 values (at byte 0): give it one or more"),
        ("1 + ratio(1)", "ratio", "ratio of 1 values (at byte 4): give it two: of what, to what"),
        ("abs(1, 2)", "abs", "abs of 2 values (at byte 0): give it one"),
        (
            "self(1)",
            "1",
            "found the number 1, expected the name of a metric (at byte 5): put an operator before it, or take it out",
        ),
        (
            "mean_of(1 + mean_of(time))",
            "mean_of",
            "an aggregate inside another aggregate (at byte 12): one is enough: a part has no parts",
        ),
        (
            "alloc + time",
            "+",
            "bytes and nanoseconds cannot be added (at byte 6): multiply or divide them instead",
        ),
        (
            "alloc * 2 - time * time",
            "-",
            "bytes and seconds^2 cannot be subtracted (at byte 10): multiply or divide them instead",
        ),
        (
            "time > 5",
            ">",
            "nanoseconds and a bare number cannot be compared (at byte 5): write the number with its unit, such as `5 ms` or `64 bytes`",
        ),
        (
            "time + 0 * 1",
            "+",
            "nanoseconds and a bare number cannot be added (at byte 5): write the number with its unit, such as `5 ms` or `64 bytes`",
        ),
        (
            "max(time, alloc)",
            "max",
            "nanoseconds and bytes cannot be compared (at byte 0): multiply or divide them instead",
        ),
        (
            "ratio(alloc, time)",
            "ratio",
            "bytes and nanoseconds cannot be put in a ratio of two metrics that measure the same (at byte 0): multiply or divide them instead",
        ),
    ];
    for &(text, part, message) in known {
        let error = Formula::new(text, &metrics()).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(&text[error.place.clone()], part, "{text}");
    }
}

#[test]
fn size_has_limits() {
    let problem = |text: &str| Formula::new(text, &metrics()).unwrap_err().problem;
    let deep = |depth: usize| "(".repeat(depth) + "1" + &")".repeat(depth);
    assert_eq!(value(&compiled(&deep(Formula::MAX_DEPTH))), Some(1.0));
    assert_eq!(problem(&deep(Formula::MAX_DEPTH + 1)), Problem::TooDeep);
    assert_eq!(problem(&"abs(".repeat(200)), Problem::TooDeep);
    let long = "1".to_owned() + &"+1".repeat((Formula::MAX_TOKENS - 1) / 2);
    assert_eq!(value(&compiled(&long)), Some(500.0));
    assert_eq!(problem(&(long.clone() + "+1")), Problem::TooLong);
    assert_eq!(problem(&" ".repeat(Formula::MAX_BYTES + 1)), Problem::TooLong);
    let signs = "-".repeat(Formula::MAX_TOKENS - 1) + "1";
    assert_eq!(value(&compiled(&signs)), Some(-1.0));
}

#[test]
fn sums_of_metrics_are_exact() {
    let metric = |name: &str| Metric {
        name: name.into(),
        unit: "count".into(),
        decimals: 0,
        ..Metric::default()
    };
    let metrics = [metric("a"), metric("b"), metric("c")];
    let values = [Some(i64::MAX), Some(1), Some(i64::MAX)];
    let formula = Formula::new("a + b - c", &metrics).unwrap();
    assert_eq!(formula.evaluate(&values, &[], None), Some(1.0));
    let formula = Formula::new("-(a - c) - b + a + c + a + a", &metrics).unwrap();
    assert_eq!(formula.metrics(), [0, 1, 2].map(MetricId));
    assert_eq!(
        formula.evaluate(&[values[0], values[2], values[1]], &[], None),
        Some(4.0 * 2f64.powi(63))
    );
    let tenths = Metric { decimals: 1, ..metric("tenths") };
    let formula = Formula::new("tenths + tenths + tenths", &[tenths]).unwrap();
    assert_eq!(formula.evaluate(&[Some(1)], &[], None), Some(0.3));
}

#[test]
fn means_are_of_parts() {
    let ratio = compiled("instructions / cycles");
    let mean = compiled("mean_of(instructions / cycles)");
    assert!(!ratio.needs_parts() && mean.needs_parts());
    // Parts of ratios 2, 1 and none; together 5 / 4.
    let parts = [Some(2), Some(1), Some(3), Some(3), Some(0), Some(0)];
    let node = [Some(5), Some(4)];
    assert_eq!(ratio.evaluate(&node, &parts, None), Some(1.25));
    assert_eq!(mean.evaluate(&node, &parts, None), Some(1.5));
    assert_eq!(mean.evaluate(&node, &[], None), None);
    let spread = compiled("instructions / cycles - mean_of(instructions / cycles)");
    assert_eq!(spread.evaluate(&node, &parts, None), Some(-0.25));
}

#[test]
fn inputs_say_which_value() {
    let formula = compiled("total(time) - self(time) + time + total(time)");
    let input = |which| Input { metric: MetricId(3), which };
    assert_eq!(
        formula.inputs(),
        [input(Which::Total), input(Which::SelfValue), input(Which::Column)]
    );
    assert_eq!(formula.evaluate(&[Some(10), Some(4), Some(1)], &[], None), Some(17.0));
    assert_eq!(formula.evaluate(&[Some(10)], &[], None), None);
}

/// A formula as a tree, over metrics `a`, `b c` and `d` of counts.
#[derive(Debug, Clone)]
enum Tree {
    Number(f64),
    Metric(usize),
    Negate(Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Call(&'static str, Vec<Tree>),
}

const NAMES: [&str; 3] = ["a", "b c", "d"];

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (0i32..20).prop_map(|n| Tree::Number(f64::from(n) / 4.0)),
        (0.0..1e20).prop_map(Tree::Number),
        (0usize..3).prop_map(Tree::Metric),
        (0usize..3).prop_map(Tree::Metric),
    ];
    let tree = leaf.prop_recursive(6, 40, 3, |inner| {
        let signs = vec!["+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!="];
        let sign = proptest::sample::select(signs);
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            inner.clone().prop_map(|a| Tree::Negate(a.into())),
            (sign, pair.clone()).prop_map(|(s, (a, b))| Tree::Binary(s, a.into(), b.into())),
            inner.clone().prop_map(|a| Tree::Call("abs", vec![a])),
            pair.clone().prop_map(|(a, b)| Tree::Call("ratio", vec![a, b])),
            pair.prop_map(|(a, b)| Tree::Call("per_thousand", vec![a, b])),
            proptest::collection::vec(inner.clone(), 1..4).prop_map(|v| Tree::Call("min", v)),
            proptest::collection::vec(inner, 1..4).prop_map(|v| Tree::Call("max", v)),
        ]
    });
    let mean = |tree| Tree::Call("mean_of", vec![tree]);
    prop_oneof![
        3 => tree.clone(),
        1 => (tree.clone(), tree).prop_map(move |(a, b)| Tree::Binary("+", mean(a).into(), b.into())),
    ]
}

impl Tree {
    /// With every bracket there can be.
    fn text(&self) -> String {
        match self {
            Tree::Number(number) => format!("({number:?})"),
            Tree::Metric(metric) => format!("`{}`", NAMES[*metric]),
            Tree::Negate(inner) => format!("(-{})", inner.text()),
            Tree::Binary(sign, a, b) => format!("({}{sign}{})", a.text(), b.text()),
            Tree::Call(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(Tree::text).collect();
                format!("{name}({})", arguments.join(","))
            }
        }
    }

    fn value(&self, values: [i64; 3], parts: &[[i64; 3]]) -> Option<f64> {
        let of = |tree: &Tree| tree.value(values, parts);
        let value = match self {
            Tree::Number(number) => *number,
            Tree::Metric(metric) => values[*metric] as f64,
            Tree::Negate(inner) => -of(inner)?,
            Tree::Binary(sign, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                match *sign {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" => a / b,
                    "<" => f64::from(a < b),
                    "<=" => f64::from(a <= b),
                    ">" => f64::from(a > b),
                    ">=" => f64::from(a >= b),
                    "==" => f64::from(a == b),
                    _ => f64::from(a != b),
                }
            }
            Tree::Call("mean_of", inner) => {
                let means: Vec<f64> =
                    parts.iter().filter_map(|part| inner[0].value(*part, &[])).collect();
                means.iter().sum::<f64>() / means.len() as f64
            }
            Tree::Call(name, arguments) => {
                let values: Option<Vec<f64>> = arguments.iter().map(of).collect();
                let values = values?;
                match *name {
                    "abs" => values[0].abs(),
                    "ratio" => values[0] / values[1],
                    "per_thousand" => 1000.0 * values[0] / values[1],
                    "min" => values.iter().copied().fold(f64::INFINITY, f64::min),
                    _ => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                }
            }
        };
        value.is_finite().then_some(value)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn values_are_those_of_the_tree(
        tree in tree(),
        values in proptest::array::uniform3(-9i64..1000),
        parts in proptest::collection::vec(proptest::array::uniform3(-3i64..9), 0..5),
    ) {
        let metric = |name: &str| Metric { name: name.into(), ..Metric::default() };
        let metrics = NAMES.map(metric);
        let formula = match Formula::new(&tree.text(), &metrics) {
            Ok(formula) => formula,
            Err(error) => return Err(TestCaseError::fail(format!("{}: {error}", tree.text()))),
        };
        let printed = formula.to_string();
        let again = Formula::new(&printed, &metrics).unwrap();
        prop_assert_eq!(again.to_string(), printed);
        let expected = tree.value(values, &parts);
        for formula in [formula, again] {
            let of = |values: &[i64; 3]| -> Vec<Option<i64>> {
                formula.inputs().iter().map(|input| Some(values[input.metric.index()])).collect()
            };
            // A part without inputs has no row.
            prop_assume!(!formula.needs_parts() || !formula.inputs().is_empty());
            let rows: Vec<Option<i64>> = parts.iter().flat_map(of).collect();
            prop_assert_eq!(formula.evaluate(&of(&values), &rows, None), expected);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(
        pieces in proptest::collection::vec(
            proptest::sample::select(vec![
                "time", "alloc", "cycles", "größe", "1", "2.5 ms", "0", "1e", "1e9", ".", "(", ")", ",", "+", "-",
                "*", "/", "<", "==", "=", "min(", "mean_of(", "self(", "per_thousand(", "`", "\"", "\\", " ", "é", "ms", "\u{2003}",
            ]),
            0..12,
        ),
        values in proptest::collection::vec(proptest::option::of(any::<i64>()), 0..4),
    ) {
        let text = pieces.concat();
        match Formula::new(&text, &metrics()) {
            Ok(formula) => {
                let value = formula.evaluate(&values, &values, None);
                prop_assert!(value.is_none_or(f64::is_finite));
                let again = compiled(&formula.to_string());
                prop_assert_eq!(again.unit(), formula.unit());
                prop_assert_eq!(again.evaluate(&values, &values, None), value);
            }
            Err(error) => {
                prop_assert!(text.get(error.place.clone()).is_some(), "{error}");
            }
        }
    }
}

/// What two equal profiles make of a formula, by what one does: 2, 1, 4 or half of it, or something
/// else.
#[test]
fn formulas_grow_with_the_number_of_profiles_or_do_not() {
    let known = [
        ("cycles / 2", Some(1)),
        ("-(cycles + 3 * cycles)", Some(1)),
        ("max(cycles - instructions, 0)", Some(1)),
        ("abs(cycles) * instructions / cycles", Some(1)),
        ("sum_of(cycles * instructions)", Some(1)),
        ("instructions / cycles", Some(0)),
        ("per_thousand(instructions, cycles) + 5", Some(0)),
        ("(cycles > instructions) * 7", Some(0)),
        ("mean_of(cycles)", Some(0)),
        ("percentile_of(cycles * cycles, 95)", Some(0)),
        ("7", Some(0)),
        ("0 * cycles", Some(0)),
        ("cycles * instructions", Some(2)),
        ("1 / cycles", Some(-1)),
        ("cycles + 1", None),
        ("max(cycles - 5, 0)", None),
        ("cycles > 5", None),
        ("cycles + mean_of(cycles)", None),
    ];
    for (text, degree) in known {
        assert_eq!(compiled(text).degree(|_| 1), degree, "{text}");
    }
    // Of what does not grow itself.
    assert_eq!(compiled("cycles / 2").degree(|_| 0), Some(0));
}
