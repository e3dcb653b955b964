//! From a form to the text of a plan.

use std::fmt::Write as _;

use protocol::{ProtocolError, RunFactor, RunForm, RunRecorder};

use super::errors::refused;

/// The file that cProfile leaves.
const CPROFILE: &str = "hotframe.pstats";

/// The text of the plan that a form asks for.
pub(super) fn text_of(form: &RunForm) -> Result<String, ProtocolError> {
    let Some(words) = shlex::split(&form.command) else {
        return Err(refused(
            "the command has a quotation mark that is not closed",
            "Put words with spaces in quotation marks.",
        ));
    };
    let (recorder, words) = match form.recorder {
        RunRecorder::Calls => ("python-trace", words),
        RunRecorder::Samples => ("python", words),
        RunRecorder::Time => ("time", words),
        RunRecorder::Cprofile => ("file", under_cprofile(words)?),
    };
    let mut text = format!("name = {}\ncommand = {}\n", quoted(&form.name), list(&words));
    let mut line = |line: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{line}");
    };
    line(format!("recorder = {}", quoted(recorder)));
    if form.recorder == RunRecorder::Cprofile {
        line(format!("file = {}", quoted(CPROFILE)));
    }
    line(format!("runs = {}", form.runs));
    line(format!("timeout_s = {}", form.timeout_s));
    line("isolated = true".to_owned());
    // A package of one version is there in every cell, and no condition.
    let (fixed, varied): (Vec<&RunFactor>, Vec<&RunFactor>) =
        given(&form.requirements).partition(|factor| factor.levels.len() < 2);
    if !fixed.is_empty() {
        let fixed: Vec<String> = fixed.into_iter().map(requirement).collect();
        line(format!("requirements = {}", list(&fixed)));
    }
    let parameters: Vec<&RunFactor> = given(&form.parameters).collect();
    let variables: Vec<&RunFactor> = given(&form.variables).collect();
    if !form.interpreters.is_empty() || !parameters.is_empty() {
        line("\n[matrix]".to_owned());
    }
    if !form.interpreters.is_empty() {
        line(format!("interpreter = {}", list(&form.interpreters)));
    }
    for factor in parameters {
        line(format!("{} = {}", quoted(&factor.name), list(&factor.levels)));
    }
    for (table, factors) in [("requirements", varied), ("environment", variables)] {
        if factors.is_empty() {
            continue;
        }
        line(format!("\n[matrix.{table}]"));
        for factor in factors {
            line(format!("{} = {}", quoted(&factor.name), list(&factor.levels)));
        }
    }
    Ok(text)
}

/// Rows of a form that somebody has filled in.
fn given(factors: &[RunFactor]) -> impl Iterator<Item = &RunFactor> {
    factors.iter().filter(|factor| !factor.name.trim().is_empty())
}

/// As pip writes it.
fn requirement(factor: &RunFactor) -> String {
    let level = factor.levels.first().map_or("", String::as_str).trim();
    match level {
        "" => factor.name.clone(),
        level if level.starts_with(['<', '>', '=', '!', '~']) => format!("{}{level}", factor.name),
        level => format!("{}=={level}", factor.name),
    }
}

fn under_cprofile(mut words: Vec<String>) -> Result<Vec<String>, ProtocolError> {
    let is_python = words.first().is_some_and(|word| word.starts_with("python"));
    if !is_python {
        return Err(refused(
            "cProfile runs in an interpreter, and the command does not begin with one",
            "Begin it with python3.",
        ));
    }
    let inserted = ["-m", "cProfile", "-o", CPROFILE].map(str::to_owned);
    words.splice(1..1, inserted);
    Ok(words)
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

/// As TOML has it: what JSON escapes, TOML escapes alike, and what remains is DEL.
fn quoted(text: &str) -> String {
    let text = serde_json::to_string(text).unwrap_or_default();
    text.replace('\u{7f}', "\\u007f")
}
