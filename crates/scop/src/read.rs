//! The JSON.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::ReadError;
use crate::isl::{Relation, Sum, Wrong, relation};
use crate::size::{element, size};

const MOST_STATEMENTS: usize = 4096;

/// How much a file may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Most bytes of JSON. Memory stays within about 100 times as much.
    pub max_size: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_size: 16 << 20 }
    }
}

/// Loops as Polly exported them.
#[derive(Debug, Clone)]
pub struct Scop {
    /// What Polly calls the region.
    pub name: String,
    /// What must have a value.
    pub parameters: Vec<String>,
    /// What is accessed; what has no dimension is not in it.
    pub arrays: Vec<Array>,
    /// What is done.
    pub statements: Vec<Statement>,
    /// Which parameters the loops are right for; nothing where it is not expressed.
    pub(crate) context: Option<Relation>,
}

/// An array.
#[derive(Debug, Clone)]
pub struct Array {
    /// What it is called.
    pub name: String,
    /// Bytes of an element.
    pub element: u64,
    /// By dimension, outermost first.
    pub sizes: Vec<Size>,
}

/// Elements of a dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Size {
    /// The file does not say.
    Unknown,
    /// A constant and multiples of parameters.
    Sum {
        /// What is added.
        constant: i128,
        /// Parameters and factors.
        terms: Vec<(String, i128)>,
    },
    /// Something else.
    Other(String),
}

/// A statement.
#[derive(Debug, Clone)]
pub struct Statement {
    /// What it is called.
    pub name: String,
    /// In their order.
    pub accesses: Vec<Access>,
    /// Its iterations, or why they are not expressed.
    pub(crate) domain: Result<Relation, String>,
    /// When they are, or why that is not expressed.
    pub(crate) schedule: Result<Relation, String>,
}

/// An access of a statement.
#[derive(Debug, Clone)]
pub struct Access {
    /// Whether it writes.
    pub is_write: bool,
    /// The array's number; none of a scalar, which is in a register.
    pub array: Option<u32>,
    /// Which elements, or why that is not expressed.
    pub(crate) relation: Result<Relation, String>,
}

#[derive(Deserialize)]
struct RawScop {
    #[serde(default)]
    name: String,
    #[serde(default)]
    context: Option<String>,
    arrays: Vec<RawArray>,
    statements: Vec<RawStatement>,
}

#[derive(Deserialize)]
struct RawArray {
    name: String,
    sizes: Vec<String>,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct RawStatement {
    name: String,
    domain: String,
    schedule: String,
    accesses: Vec<RawAccess>,
}

#[derive(Deserialize)]
struct RawAccess {
    kind: String,
    relation: String,
}

/// Whether bytes are JSON whose top level has arrays and statements.
pub fn is_scop(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Outline {
        #[serde(rename = "arrays")]
        _arrays: Vec<IgnoredAny>,
        #[serde(rename = "statements")]
        _statements: Vec<IgnoredAny>,
    }
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
        && serde_json::from_slice::<Outline>(bytes).is_ok()
}

/// Reads what Polly's `-polly-export-jscop` wrote.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Scop, ReadError> {
    if bytes.len() > limits.max_size {
        return Err(ReadError::TooLarge(limits.max_size));
    }
    let raw: RawScop = serde_json::from_slice(bytes)?;
    if raw.statements.len() > MOST_STATEMENTS {
        return Err(ReadError::TooMany(raw.statements.len(), MOST_STATEMENTS));
    }
    let mut arrays: Vec<Array> = vec![];
    for array in raw.arrays {
        let place = format!("array {}", array.name);
        let wrong = |why: &str| ReadError::Wrong { place: place.clone(), why: why.to_owned() };
        if arrays.iter().any(|own| own.name == array.name) {
            return Err(wrong("it is there twice"));
        }
        if array.sizes.len() > 16 {
            return Err(wrong("more than 16 dimensions"));
        }
        let element = element(&array.kind).ok_or_else(|| {
            wrong(&format!("how many bytes an element of type \"{}\" has is not known", array.kind))
        })?;
        let sizes = array.sizes.iter().map(|text| match size(text) {
            _ if text == "*" => Size::Unknown,
            Some(Sum { constant, terms }) => {
                Size::Sum { constant, terms: terms.into_iter().collect() }
            }
            None => Size::Other(text.clone()),
        });
        arrays.push(Array { element, sizes: sizes.collect(), name: array.name });
    }
    let mut parameters: Vec<String> = vec![];
    let mut know = |relation: &Result<Relation, String>| {
        for name in relation.iter().flat_map(|relation| &relation.parameters) {
            if !parameters.contains(name) {
                parameters.push(name.clone());
            }
        }
    };
    let mut statements: Vec<Statement> = vec![];
    for statement in raw.statements {
        let place = format!("statement {}", statement.name);
        if statements.iter().any(|own| own.name == statement.name) {
            let why = "it is there twice".to_owned();
            return Err(ReadError::Wrong { place, why });
        }
        let domain = expressed(&statement.domain, || format!("{place}, domain"))?;
        let schedule = expressed(&statement.schedule, || format!("{place}, schedule"))?;
        know(&domain);
        know(&schedule);
        let mut accesses = vec![];
        for (number, raw) in statement.accesses.iter().enumerate() {
            let place = || format!("{place}, access {}", number + 1);
            let access = access(raw, &arrays, place)?;
            know(&access.relation);
            accesses.push(access);
        }
        statements.push(Statement { name: statement.name, accesses, domain, schedule });
    }
    let context = raw.context.as_deref().map(|text| expressed(text, || "context".to_owned()));
    let context = context.transpose()?.and_then(Result::ok);
    Ok(Scop { name: raw.name, parameters, arrays, statements, context })
}

/// A text that is a set or a map, or why it is none that is expressed.
fn expressed(
    text: &str,
    place: impl Fn() -> String,
) -> Result<Result<Relation, String>, ReadError> {
    match relation(text) {
        Ok(relation) => Ok(Ok(relation)),
        Err(Wrong::Unexpressed(what)) => Ok(Err(format!("{what} are not expressed"))),
        Err(Wrong::Text(why)) => Err(ReadError::Text { place: place(), why }),
    }
}

fn access(
    raw: &RawAccess,
    arrays: &[Array],
    place: impl Fn() -> String,
) -> Result<Access, ReadError> {
    let wrong = |why: String| ReadError::Wrong { place: place(), why };
    let is_write = match &*raw.kind {
        "read" => false,
        "write" | "may_write" | "must_write" => true,
        other => return Err(wrong(format!("it is of kind \"{other}\", and not read or write"))),
    };
    let relation = expressed(&raw.relation, &place)?;
    // What is not expressed has a name still.
    let text = raw.relation.rsplit("->").next().unwrap_or_default().trim_start();
    let written = text.split('[').next().unwrap_or_default().trim();
    let (name, dimensions) = match &relation {
        Ok(relation) => {
            let mut tuples = relation.pieces.iter().map(|piece| &piece.output);
            let Some(first) = tuples.next() else {
                return Ok(Access { is_write, array: None, relation: Ok(relation.clone()) });
            };
            let Some(first) = first else { return Err(wrong("it is not a map".to_owned())) };
            let is_other = |tuple: &Option<crate::isl::Tuple>| {
                tuple.as_ref().is_none_or(|tuple| {
                    tuple.name != first.name || tuple.entries.len() != first.entries.len()
                })
            };
            if tuples.any(is_other) {
                return Err(wrong("its pieces are of different arrays".to_owned()));
            }
            (&*first.name, Some(first.entries.len()))
        }
        Err(_) if text[written.len()..].trim_start().starts_with("[]") => (written, Some(0)),
        Err(_) => (written, None),
    };
    if dimensions == Some(0) {
        return Ok(Access { is_write, array: None, relation });
    }
    let Some(number) = arrays.iter().position(|array| array.name == name) else {
        return Err(wrong(format!("there is no array {name}")));
    };
    let expected = arrays[number].sizes.len();
    match dimensions {
        Some(found) if found != expected => {
            Err(wrong(format!("{found} indices of {name}, which has {expected} dimensions")))
        }
        _ => Ok(Access { is_write, array: Some(number as u32), relation }),
    }
}
