//! Conditions that are varied.

use std::collections::BTreeMap;

use toml::{Table, Value};

/// What is varied, and what of all combinations is left out or added.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Matrix {
    /// In the order of the plan, those of one kind together.
    pub factors: Vec<Factor>,
    /// Combinations that are left out: each names levels of some factors.
    pub exclude: Vec<Levels>,
    /// Combinations that are there besides: each names a level of every factor.
    pub include: Vec<Levels>,
}

/// Levels by the name of their factor.
pub type Levels = BTreeMap<String, String>;

/// One condition that is varied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor {
    /// What people call it; no two factors have one name.
    pub name: String,
    /// What it changes.
    pub kind: FactorKind,
    /// What it is in turn, as the plan says it.
    pub levels: Vec<String>,
}

/// What a factor changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactorKind {
    /// Which interpreter runs the command.
    Interpreter,
    /// The version of a package, by its name.
    Requirement,
    /// A variable of the command's environment, by its name.
    Variable,
    /// What stands for `{name}` in the command.
    Parameter,
    /// Which machine runs it.
    Machine,
    /// Which commit of the project runs.
    Revision,
}

impl FactorKind {
    /// For people and programs.
    pub fn name(self) -> &'static str {
        match self {
            FactorKind::Interpreter => "interpreter",
            FactorKind::Requirement => "requirement",
            FactorKind::Variable => "variable",
            FactorKind::Parameter => "parameter",
            FactorKind::Machine => "machine",
            FactorKind::Revision => "revision",
        }
    }
}

impl Matrix {
    /// From the tables of a plan.
    ///
    /// # Errors
    /// Where it is wrong, as `matrix.seconds`, and what is.
    pub(crate) fn new(
        matrix: Table,
        exclude: Vec<Value>,
        include: Vec<Value>,
    ) -> Result<Matrix, (String, String)> {
        let mut factors = vec![];
        for (name, value) in matrix {
            let place = format!("matrix.{name}");
            let kind = match name.as_str() {
                "interpreter" => FactorKind::Interpreter,
                "machine" => FactorKind::Machine,
                "revision" => FactorKind::Revision,
                "requirements" | "environment" => {
                    let kind = match name.as_str() {
                        "requirements" => FactorKind::Requirement,
                        _ => FactorKind::Variable,
                    };
                    let Value::Table(table) = value else {
                        let what = format!("it is a table: [matrix.{name}]");
                        return Err((place, what));
                    };
                    for (name, value) in table {
                        let place = format!("{place}.{name}");
                        factors.push(Factor { levels: levels(&value, &place)?, name, kind });
                    }
                    continue;
                }
                _ => FactorKind::Parameter,
            };
            factors.push(Factor { levels: levels(&value, &place)?, name, kind });
        }
        for (at, factor) in factors.iter().enumerate() {
            if factors[..at].iter().any(|before| before.name == factor.name) {
                let what = format!("two factors are called '{}'", factor.name);
                return Err((format!("matrix.{}", factor.name), what));
            }
        }
        let matrix = Matrix {
            exclude: selections("exclude", exclude)?,
            include: selections("include", include)?,
            factors,
        };
        matrix.check()?;
        Ok(matrix)
    }

    fn check(&self) -> Result<(), (String, String)> {
        for (list, all) in [("exclude", &self.exclude), ("include", &self.include)] {
            for (at, levels) in all.iter().enumerate() {
                for (name, level) in levels {
                    let place = || format!("{list}[{at}].{name}");
                    let factor = self.factors.iter().find(|factor| factor.name == *name);
                    let Some(factor) = factor else {
                        return Err((place(), format!("the matrix has no '{name}'")));
                    };
                    if list == "exclude" && !factor.levels.contains(level) {
                        let levels = factor.levels.join(", ");
                        let what = format!("'{name}' is never '{level}', but {levels}");
                        return Err((place(), what));
                    }
                }
                let missing = self.factors.iter().find(|one| !levels.contains_key(&one.name));
                if let (Some(missing), true) = (missing, list == "include") {
                    let what = format!("it does not say what '{}' is", missing.name);
                    return Err((format!("{list}[{at}]"), what));
                }
            }
        }
        Ok(())
    }
}

fn levels(value: &Value, place: &str) -> Result<Vec<String>, (String, String)> {
    let wrong = |what: &str| (place.to_owned(), what.to_owned());
    let Value::Array(all) = value else {
        return Err(wrong("it is a list of levels, as in [\"0.5\", \"1.0\"]"));
    };
    let levels: Option<Vec<String>> = all.iter().map(text).collect();
    let levels = levels.ok_or_else(|| wrong("a level is a text, a number, true or false"))?;
    if levels.is_empty() {
        return Err(wrong("it has no level"));
    }
    if let Some(twice) = (1..levels.len()).find(|&at| levels[..at].contains(&levels[at])) {
        return Err(wrong(&format!("it has '{}' twice", levels[twice])));
    }
    Ok(levels)
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(bit) => Some(bit.to_string()),
        _ => None,
    }
}

fn selections(list: &str, all: Vec<Value>) -> Result<Vec<Levels>, (String, String)> {
    let one = |(at, value): (usize, Value)| {
        let place = format!("{list}[{at}]");
        let Value::Table(table) = value else {
            return Err((place, format!("it is a table: [[{list}]]")));
        };
        let pairs = table.into_iter().map(|(name, value)| match text(&value) {
            Some(level) => Ok((name, level)),
            None => {
                let what = "a level is a text, a number, true or false".to_owned();
                Err((format!("{place}.{name}"), what))
            }
        });
        let levels: Levels = pairs.collect::<Result<_, _>>()?;
        if levels.is_empty() { Err((place, "it names no level".to_owned())) } else { Ok(levels) }
    };
    all.into_iter().enumerate().map(one).collect()
}
