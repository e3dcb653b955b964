//! Languages, and what all of them share.

use std::fmt::Write;

use super::names::Names;
use super::{c, dace, numpy};
use crate::change::order_of;
use crate::nest::Affine;
use crate::{Change, Container, Program};

/// What it is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Declarations, indices and loops.
    C,
    /// Arrays of NumPy, and loops.
    Numpy,
    /// Descriptors and maps of DaCe, in Python.
    Dace,
}

/// Layouts and loops of a program that was changed, as text.
pub fn written(program: &Program, changes: &[Change], language: Language) -> String {
    match language {
        Language::C => c::written(program, changes),
        Language::Numpy => numpy::written(program, changes),
        Language::Dace => dace::written(program, changes),
    }
}

/// What a text is, in lines of comments.
pub(super) fn head(changes: &[Change], comment: &str) -> String {
    let mut text = format!("{comment} Layouts and loops, at the sizes that were simulated");
    text.push_str(if changes.is_empty() { ".\n" } else { ", after:\n" });
    for change in changes {
        text.push_str(&format!("{comment}   {change}\n"));
    }
    text
}

pub(super) fn list<T: ToString>(all: impl IntoIterator<Item = T>) -> String {
    all.into_iter().map(|one| one.to_string()).collect::<Vec<String>>().join(", ")
}

/// Elements that a container takes before its base, and in all.
pub(super) fn extent(container: &Container) -> [i128; 2] {
    match container.extent() {
        Some([first, last]) => {
            let before = (-first).max(0);
            [before, before + last + 1]
        }
        None => [0, 0],
    }
}

/// Dimensions in memory, outermost first, and how many elements each takes; none where strides are not those
/// of an array whose rows are padded.
pub(super) fn stored(container: &Container) -> Option<Vec<(usize, i64)>> {
    let order = order_of(&container.strides);
    let mut sizes = vec![];
    for (place, &dimension) in order.iter().enumerate() {
        let size = match place {
            0 => i64::try_from(container.shape[dimension]).ok()?,
            _ => {
                let outer = container.strides[order[place - 1]];
                let own = container.strides[dimension];
                if own <= 0 || outer % own != 0 {
                    return None;
                }
                outer / own
            }
        };
        sizes.push((dimension, size));
    }
    let is_packed = order.last().is_none_or(|&last| container.strides[last] == 1);
    (is_packed && container.offset == 0).then_some(sizes)
}

pub(super) fn sum(affine: &Affine, names: &[String]) -> String {
    let mut text = String::new();
    for &(variable, factor) in &affine.terms {
        let name = &names[variable as usize];
        let sign = match (text.is_empty(), factor < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let _ = match factor.unsigned_abs() {
            1 => write!(text, "{sign}{name}"),
            factor => write!(text, "{sign}{factor} * {name}"),
        };
    }
    match (text.is_empty(), affine.constant) {
        (true, constant) => constant.to_string(),
        (false, 0) => text,
        (false, constant @ 1..) => format!("{text} + {constant}"),
        (false, constant) => format!("{text} - {}", constant.unsigned_abs()),
    }
}

/// The same without variables of loops that are not around: they are 0.
pub(super) fn within(affine: &Affine, inside: &[u32]) -> Affine {
    let mut own = affine.clone();
    own.terms.retain(|(variable, _)| inside.contains(variable));
    own
}

/// The largest or the smallest of some sums.
pub(super) fn bound(all: &[Affine], names: &Names, inside: &[u32], of: &str) -> String {
    let mut texts = all.iter().map(|one| sum(&within(one, inside), &names.variables));
    let first = texts.next().unwrap_or_else(|| "0".to_owned());
    texts.fold(first, |text, next| format!("{of}({text}, {next})"))
}
