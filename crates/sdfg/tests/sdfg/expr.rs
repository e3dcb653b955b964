//! What expressions mean.

use proptest::prelude::*;
use sdfg::expr::{Bindings, Expr, Number, Unknown, Value, parse};

use crate::texts;

fn value(text: &str, symbols: &[(&str, i128)]) -> Result<Value, Unknown> {
    let bindings: Bindings =
        symbols.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    parse(text).unwrap().evaluate(&bindings)
}

fn integer(text: &str, symbols: &[(&str, i128)]) -> i128 {
    value(text, symbols).unwrap().to_integer().unwrap()
}

#[test]
fn what_sympy_prints_is_read() {
    for (text, expected) in [
        ("2*I*J*K", 2 * 8 * 9 * 5),
        ("(I + 4)*(J + 4)*K", 12 * 13 * 5),
        ("ceiling(I/64)", 1),
        ("int_ceil(I, 3)", 3),
        ("int_floor(I, 3)", 2),
        ("int_floor(-I, 3)", -3),
        ("-I**2", -64),
        ("2**3**2", 512),
        ("I // 3 + I % 3", 4),
        ("Mod(-I, 3)", 1),
        ("CMod(-I, 3)", -2),
        ("Min(I, J, K)", 5),
        ("Max(I, Max(J, 12), K)", 12),
        ("Piecewise((I, I > J), (J, True))", 9),
        ("I if I < J else J", 8),
        ("Abs(K - I)", 3),
        ("1 < K <= 5 and not I == J", 1),
        ("(I == 8) or UNKNOWN == 3", 1),
        ("I > 8 or J == 9", 1),
        ("I < J and J < K", 0),
        ("K if I < J < K else J", 9),
        ("log2(I)", 3),
        ("1/2*I + 0.5*I", 8),
        ("1.5e1*K/3", 25),
    ] {
        let symbols = [("I", 8), ("J", 9), ("K", 5), ("UNKNOWN", 0)];
        assert_eq!(integer(text, &symbols), expected, "{text}");
    }
}

#[test]
fn what_later_versions_write_is_read() {
    for (text, expected) in [
        ("$N + 1", 21),
        ("symbol($N, dtype=dace.int64, nonnegative=True)*2i16", 40),
        ("int_ceil(symbol($N, dtype=dace.int64), 7u64)", 3),
        ("SymExpr($N, $N + 32)", 20),
        ("dace.int64($N)", 20),
        ("1/32*$N*8f64", 5),
    ] {
        assert_eq!(integer(text, &[("N", 20)]), expected, "{text}");
    }
    assert_eq!(parse("symbol($N, dtype=dace.int64)"), parse("N"));
}

#[test]
fn polynomials_read_well() {
    for (text, printed) in [
        ("K*J*I*2", "2*I*J*K"),
        ("16*I*J*K + 13*I*K + 13*J*K + 20*K", "K*(16*I*J + 13*I + 13*J + 20)"),
        ("M*N*(2*K + 3)", "M*N*(2*K + 3)"),
        ("N*(4*N**2 + 3*N - 1)/6", "N*(4*N**2 + 3*N - 1)/6"),
        ("I - I", "0"),
        ("-I", "-I"),
        ("1 - N", "1 - N"),
        ("2 - 2*N", "-2*(N - 1)"),
        ("7*(H - 2)*(W - 2)", "7*(H*W - 2*H - 2*W + 4)"),
        ("ceiling(N/64 + 3 + M)", "M + ceiling(N/64) + 3"),
        ("2*N/(M + 1)", "2*N/(M + 1)"),
        ("N/(2*M + 2) + N/(M + 1)", "3*N/(2*(M + 1))"),
        ("Max(N, N + 2, 3, 1)", "Max(N + 2, 3)"),
        ("Piecewise((1, False), (N, M < 2), (3, True))", "Piecewise((N, M < 2), (3, True))"),
        ("not (T <= t)", "t < T"),
        ("(N**7)**10", "N**70"),
        ("(T <= t) == (1 < 0)", "t < T"),
        ("(a < b) == (c < d)", "(a < b) == (c < d)"),
        ("A[i, 2] > 0 and (b or not c)", "0 < A[i, 2] and (b or not c)"),
        ("sqrt(N)*sqrt(N)*oo", "oo*(N**(1/2))**2"),
    ] {
        assert_eq!(parse(text).unwrap().to_string(), printed, "{text}");
    }
}

#[test]
fn huge_exponents_take_no_time() {
    let power = parse("N**2000000001").unwrap();
    for (replaced, expected) in [(-1, Some("-1")), (0, Some("0")), (1, Some("1")), (2, None)] {
        let made = power.substituted(&|_| Some(Expr::integer(replaced)));
        assert_eq!(made.ok().map(|made| made.to_string()).as_deref(), expected);
    }
}

#[test]
fn what_has_no_value_says_why() {
    let unset = Unknown::Unset("N".to_owned());
    assert_eq!(value("N + 1", &[]), Err(unset));
    assert_eq!(value("1/(N - 2)", &[("N", 2)]), Err(Unknown::DivisionByZero));
    assert_eq!(value("N % M", &[("N", 2), ("M", 0)]), Err(Unknown::DivisionByZero));
    assert_eq!(value("N**40", &[("N", 1000)]), Err(Unknown::TooLarge));
    assert_eq!(
        value("A[i] + 1", &[("A", 1), ("i", 2)]),
        Err(Unknown::Function("subscript".into()))
    );
    assert_eq!(value("log(N)", &[("N", 0)]), Err(Unknown::NotANumber));
    assert_eq!(value("Piecewise((1, N > 3))", &[("N", 2)]), Err(Unknown::NoCase));
    let root = value("sqrt(N)", &[("N", 2)]).unwrap();
    assert!((root.to_f64() - 2f64.sqrt()).abs() < 1e-12, "{root:?}");
    let squared = value("sqrt(N)*sqrt(N)", &[("N", 2)]).unwrap();
    assert!((squared.to_f64() - 2.0).abs() < 1e-12, "{squared:?}");
}

#[test]
fn what_is_no_expression_is_refused() {
    let deep = "(".repeat(100_000);
    let huge = "9".repeat(60);
    let long = "1+".repeat(600_000);
    for text in [
        "",
        " ",
        "1 +",
        "(1",
        "1)",
        "f(1,",
        "a b",
        "2x",
        "1..2",
        ".",
        "a[1",
        "symbol($N, dtype=",
        "(1, 2)",
        "\u{0}",
        "a = b",
        "1e999",
        &deep,
        &huge,
        &long,
        "Piecewise(1)",
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.text.len() <= 480, "{error}");
    }
}

fn bindings(n: i128, m: i128, k: i128) -> Bindings {
    [("N", n), ("M", m), ("K", k)].map(|(name, value)| (name.to_owned(), value)).into()
}

proptest! {
    #[test]
    fn what_is_printed_means_the_same(text in texts::values(), n in 1..9i128, m in 1..9i128, k in 1..9i128) {
        let Ok(expr) = parse(&text) else { return Ok(()) };
        let again = parse(&expr.to_string()).unwrap();
        // Quotients of sums have many forms; polynomials have one.
        if !text.contains('/') && !text.contains("int_") {
            prop_assert_eq!(&again, &expr, "{}", expr);
        }
        if let (Ok(a), Ok(b)) = (expr.evaluate(&bindings(n, m, k)), again.evaluate(&bindings(n, m, k))) {
            prop_assert_eq!(a, b, "{} and {}", expr, again);
        }
    }

    #[test]
    fn what_is_printed_is_the_same(text in prop_oneof![texts::polynomials(), texts::conditions()]) {
        let Ok(expr) = parse(&text) else { return Ok(()) };
        let again = parse(&expr.to_string());
        prop_assert_eq!(again.as_ref(), Ok(&expr), "{} is {}", text, expr);
    }

    /// Replacing symbols and evaluating is evaluating with what they are replaced by.
    #[test]
    fn substitution_is_evaluation(text in texts::values(), n in 1..9i128, m in 1..9i128, k in 1..9i128) {
        let of = bindings(n, m, k);
        let Ok(expr) = parse(&text) else { return Ok(()) };
        let by = |name: &str| (name == "N").then(|| Expr::integer(n));
        let Ok(replaced) = expr.substituted(&by) else { return Ok(()) };
        if let (Ok(a), Ok(b)) = (expr.evaluate(&of), replaced.evaluate(&of)) {
            prop_assert_eq!(a, b, "{} and {}", expr, replaced);
        }
    }

    #[test]
    fn no_text_is_too_odd(text in "[-$N(),.*/+%<>=!a-c0-9 \\[\\]]{0,60}") {
        let _ = parse(&text);
    }
}

/// sympy's own values of what it printed.
#[test]
fn values_are_those_of_sympy() {
    let path = samples::testdata("sdfg/expressions.tsv");
    let table = std::fs::read_to_string(path).unwrap();
    let mut compared = 0;
    for line in table.lines() {
        let [symbols, expected, text] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let symbols: Vec<i128> = symbols.split(' ').map(|value| value.parse().unwrap()).collect();
        let value = parse(text).unwrap().evaluate(&bindings(symbols[0], symbols[1], symbols[2]));
        match expected.split_once('/') {
            Some((numerator, denominator)) => {
                let [numerator, denominator] =
                    [numerator, denominator].map(|part| part.parse().unwrap());
                let expected = Value::Exact(Number::new(numerator, denominator));
                assert_eq!(value, Ok(expected), "{text} at {symbols:?}");
            }
            None => assert!(value.is_err(), "{text} at {symbols:?} is {value:?}"),
        }
        compared += 1;
    }
    assert!(compared >= 3000, "{compared}");
}

#[test]
fn a_symbol_has_a_name() {
    for text in ["$5", "$", "$ + 1", "N + $7"] {
        let told = parse(text).unwrap_err();
        assert!(told.message.contains("a symbol without a name"), "{told}");
    }
    assert_eq!(integer("$N5 + _a", &[("N5", 2), ("_a", 3)]), 5);
}

#[test]
fn sums_of_high_powers_are_exact_or_reported_to_be_too_large() {
    let text = "Sum(i**60*ceiling(N/2), (i, 0, N - 1))";
    let found = value(text, &[("N", 3)]);
    // 1 + 2**60, twice.
    let expected = 2 * (1 + (1i128 << 60));
    assert!(found.is_ok_and(|found| found.to_integer() == Some(expected)));
    let many = value(text, &[("N", 1_000_000)]);
    assert!(many.is_err() || matches!(many, Ok(Value::About(_))), "{many:?}");
}
