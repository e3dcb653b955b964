//! Random expressions over the symbols N, M and K, as text.

use proptest::prelude::*;

/// With all that the grammar has for numbers; they may divide by 0.
pub(crate) fn values() -> impl Strategy<Value = String> {
    numbers(|divisor| divisor.to_owned())
}

/// The same, with a value wherever the symbols are at least 1.
pub(crate) fn defined_values() -> impl Strategy<Value = String> {
    numbers(|divisor| match divisor {
        "N" | "M" | "K" => divisor.to_owned(),
        _ => format!("(Max({divisor}, 0) + N)"),
    })
}

/// Without quotients, which have many forms: with functions that have no value, too.
pub(crate) fn polynomials() -> impl Strategy<Value = String> {
    leaves().prop_recursive(4, 40, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            two.clone().prop_map(|(a, b)| format!("({a} + {b})")),
            two.clone().prop_map(|(a, b)| format!("({a} - {b})")),
            two.clone().prop_map(|(a, b)| format!("({a})*({b})")),
            (inner.clone(), leaves()).prop_map(|(a, b)| format!("({a})**({b})")),
            two.clone().prop_map(|(a, b)| format!("A[{a}, {b}]")),
            two.clone().prop_map(|(a, b)| format!("(({a}) << ({b}))")),
            two.clone().prop_map(|(a, b)| format!("f({a}, {b})")),
            two.clone().prop_map(|(a, b)| format!("Max({a}, {b})")),
            two.clone().prop_map(|(a, b)| format!("({a} if {a} < {b} else oo)")),
            two.prop_map(|(a, b)| format!("({a} == {b})")),
            (inner, 2..4i32).prop_map(|(a, n)| format!("({a})**{n}")),
        ]
    })
}

/// Truths about polynomials.
pub(crate) fn conditions() -> impl Strategy<Value = String> {
    truths(polynomials().boxed())
}

/// Truths about what has a value, and values that hang on them.
pub(crate) fn defined_conditions() -> impl Strategy<Value = String> {
    let truths = truths(defined_values().boxed());
    (truths, defined_values(), defined_values(), any::<bool>()).prop_map(
        |(truth, a, b, is_case)| {
            if is_case {
                format!("Piecewise(({a}, {truth}), ({b}, True))")
            } else {
                format!("({a}) if {truth} else ({b})")
            }
        },
    )
}

fn truths(values: BoxedStrategy<String>) -> impl Strategy<Value = String> {
    let sign = prop::sample::select(vec!["<", "<=", ">", ">=", "==", "!="]);
    let compared = (values.clone(), sign, values);
    let leaf = compared.prop_map(|(a, sign, b)| format!("{a} {sign} {b}"));
    leaf.prop_recursive(3, 12, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            two.clone().prop_map(|(a, b)| format!("({a}) and ({b})")),
            two.clone().prop_map(|(a, b)| format!("({a} or {b})")),
            two.prop_map(|(a, b)| format!("({a}) == ({b})")),
            inner.prop_map(|a| format!("not ({a})")),
        ]
    })
}

fn leaves() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("N".to_owned()),
        Just("M".to_owned()),
        Just("K".to_owned()),
        (0..20i32).prop_map(|n| n.to_string()),
    ]
}

/// `divisor` makes of an expression one that is divided by.
fn numbers(divisor: fn(&str) -> String) -> impl Strategy<Value = String> {
    leaves().prop_recursive(4, 40, 3, move |inner| {
        let two = (inner.clone(), inner.clone());
        let divided = (inner.clone(), inner.clone().prop_map(move |one| divisor(&one)));
        prop_oneof![
            two.clone().prop_map(|(a, b)| format!("({a} + {b})")),
            two.clone().prop_map(|(a, b)| format!("({a} - {b})")),
            two.clone().prop_map(|(a, b)| format!("({a})*({b})")),
            divided.clone().prop_map(|(a, b)| format!("({a})/({b})")),
            two.clone().prop_map(|(a, b)| format!("Min({a}, {b})")),
            two.clone().prop_map(|(a, b)| format!("Max({a}, {b})")),
            divided.clone().prop_map(|(a, b)| format!("int_floor({a}, {b})")),
            divided.clone().prop_map(|(a, b)| format!("int_ceil({a}, {b})")),
            divided.clone().prop_map(|(a, b)| format!("Mod({a}, {b})")),
            divided.prop_map(|(a, b)| format!("({a} // {b} + {a} % {b})")),
            two.prop_map(|(a, b)| format!("Piecewise(({a}, {a} < {b}), ({b}, True))")),
            (inner.clone(), 2..4i32).prop_map(|(a, n)| format!("({a})**{n}")),
            inner.prop_map(|a| format!("(floor({a}) + ceiling({a}) - Abs({a}))")),
        ]
    })
}
