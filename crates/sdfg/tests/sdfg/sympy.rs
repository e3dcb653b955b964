//! Values of random expressions, as we read them and as we print them, against sympy.

#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::io::Write as _;
use std::process::{Command, Stdio};

use proptest::strategy::{Strategy, ValueTree as _};
use proptest::test_runner::TestRunner;
use sdfg::expr::{Bindings, Number, Unknown, Value, parse};

use crate::texts;

/// Expressions that are compared.
const COUNT: usize = 300;
/// Longer expressions take sympy too long.
const LONGEST: usize = 400;
/// Values of N, M and K.
const SETTINGS: [[i128; 3]; 5] = [[1, 1, 1], [2, 7, 3], [5, 5, 9], [40, 3, 8], [64, 100, 17]];

#[test]
fn random_expressions_have_sympys_values() {
    let has_sympy = Command::new("python3").args(["-c", "import sympy"]).output();
    if !has_sympy.is_ok_and(|output| output.status.success()) {
        eprintln!("notice: there is no python3 with sympy, nothing is compared with it");
        return;
    }
    let mut runner = TestRunner::default();
    let numbers = texts::defined_values().boxed();
    let truths = texts::defined_conditions().boxed();
    let mut asked = vec![];
    while asked.len() < 2 * COUNT {
        let strategy = if asked.len() % 4 == 0 { &truths } else { &numbers };
        let text = strategy.new_tree(&mut runner).unwrap().current();
        if text.len() >= LONGEST {
            continue;
        }
        let printed = parse(&text).unwrap().to_string();
        asked.extend([text, printed]);
    }
    let answers = sympy(&asked);
    let mut compared = 0;
    for ([text, printed], [of_text, of_printed]) in
        asked.as_chunks::<2>().0.iter().zip(answers.as_chunks::<2>().0)
    {
        assert_eq!(of_text, of_printed, "{text} and {printed}");
        let expr = parse(text).unwrap();
        for (setting, told) in SETTINGS.iter().zip(of_text.split(' ')) {
            let names = ["N", "M", "K"].map(str::to_owned);
            let at: Bindings = names.into_iter().zip(*setting).collect();
            match expr.evaluate(&at) {
                Err(Unknown::TooLarge) => continue,
                ours => assert_eq!(ours, Ok(exact(told)), "{text} at {setting:?}: {told}"),
            }
            compared += 1;
        }
    }
    assert!(compared > COUNT * SETTINGS.len() * 9 / 10, "{compared}");
}

fn exact(told: &str) -> Value {
    let (numerator, denominator) = told.split_once('/').unwrap_or_else(|| panic!("{told}"));
    let [numerator, denominator] = [numerator, denominator].map(|part| part.parse().unwrap());
    Value::Exact(Number::new(numerator, denominator))
}

/// sympy's values of expressions, a line for each.
fn sympy(texts: &[String]) -> Vec<String> {
    let settings = SETTINGS.map(|setting| setting.map(|one| one.to_string()).join(" ")).join(";");
    let mut python = Command::new("python3")
        .args(["-c", include_str!("sympy.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // It answers when it has read everything.
    let mut input = python.stdin.take().unwrap();
    write!(input, "{settings}\n{}", texts.join("\n")).unwrap();
    drop(input);
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success(), "sympy failed");
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<String> = answers.lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), texts.len());
    answers
}
