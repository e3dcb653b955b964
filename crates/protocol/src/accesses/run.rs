//! What accesses do in caches.

use serde::{Deserialize, Serialize};

use super::{AccessesCaches, AccessesProgram};
use crate::columns::columns;

/// Parameters of [`crate::Request::AccessesRun`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesRunParams {
    /// Which accesses.
    pub program: AccessesProgram,
    /// Through which caches.
    pub caches: AccessesCaches,
    /// Tells every access where there are no more than so many; 0 for sums alone.
    pub each: u32,
    /// Distances are followed up to so many lines, and to the largest cache; what is forgotten sooner repeats
    /// sooner, so that large programs take less time.
    pub depth: u32,
}

/// Result of [`crate::Request::AccessesRun`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesRunResult {
    /// What is accessed.
    pub containers: Vec<AccessedContainer>,
    /// Places in the program that access.
    pub references: Vec<AccessReference>,
    /// Variables of loops.
    pub variables: Vec<String>,
    /// All accesses, in the first level.
    pub totals: AccessTotals,
    /// Levels of caches, the nearest first.
    pub levels: Vec<LevelTotals>,
    /// Lines that were driven out, by whom and of whom, those of most lines first.
    pub evictions: Vec<LineEvictions>,
    /// How numbers came about: `exact`.
    pub method: String,
    /// Touches that were simulated one by one; what repeats them was counted.
    pub simulated: f64,
    /// Whether columns tell every access.
    pub has_each: bool,
    /// What was taken for granted.
    pub notes: Vec<String>,
    /// Parts that are left out, and why; numbers are at least so large then.
    pub left_out: Vec<LeftOutPart>,
    /// How distances up to which lines were followed; further ones are counted as beyond.
    pub depth: f64,
}

/// A container, as it is laid out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessedContainer {
    /// Its name.
    pub name: String,
    /// Bytes of an element.
    pub element: f64,
    /// Elements by dimension, outermost first.
    pub shape: Vec<f64>,
    /// By dimension, elements from one to the next.
    pub strides: Vec<f64>,
    /// Elements from the base to the one whose indices are all 0.
    pub offset: f64,
    /// Address of the base.
    pub base: f64,
    /// What its accesses do in the first level.
    pub totals: AccessTotals,
}

/// A place that accesses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessReference {
    /// The number of its container.
    pub container: u32,
    /// Whether it writes.
    pub is_write: bool,
    /// Where it is and what it does, for people.
    pub origin: String,
    /// The edge of the graph whose data moves, an element; none for loops.
    pub edge: Option<u32>,
    /// Numbers of the variables of loops around it, outermost first.
    pub loops: Vec<u32>,
    /// What it does in the first level; lines are those of its container and 0 here.
    pub totals: AccessTotals,
}

/// Accesses, and what they miss.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessTotals {
    /// How often a level was asked.
    pub accesses: f64,
    /// Lines that were touched.
    pub lines: f64,
    /// First touches of a line in the whole run.
    pub cold: f64,
    /// What a cache misses besides that has as many lines, which may stand anywhere, and gives way to what
    /// was used least recently.
    pub capacity: f64,
    /// What is missed more; below 0 where sets keep what that one would not.
    pub conflict: f64,
    /// Misses in bytes of lines.
    pub bytes: f64,
}

/// What a level does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LevelTotals {
    /// Its bytes.
    pub size: f64,
    /// Ways of a set; none where a line may stand anywhere.
    pub ways: Option<u32>,
    /// What it was asked and missed.
    pub totals: AccessTotals,
}

/// Lines of one container that another drove out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LineEvictions {
    /// Which level, from 0.
    pub level: u32,
    /// The reference whose access drove lines out.
    pub by: u32,
    /// The one that had touched them last.
    pub of: u32,
    /// How many lines.
    pub lines: f64,
}

/// A part that is not simulated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LeftOutPart {
    /// Which.
    pub what: String,
    /// Why.
    pub why: String,
}

columns! {
    /// Columns of [`crate::Request::AccessesRun`]. Those of single accesses are in their order, and
    /// empty where not each is told.
    AccessesRunColumns {
        /// By access, its reference.
        reference: u32,
        /// By access, its element: the place of its indices in row-major order.
        element: u32,
        /// By access, its line.
        line: u32,
        /// By access, how many other lines were touched since its line was last; 4294967295 at first touch.
        distance: u32,
        /// By access, a bit a level from the lowest: whether that level was asked and missed.
        missed: u8,
        /// By access, the line that it drove out of the first level; 4294967295 for none.
        victim: u32,
        /// By access, how many elements it touches, from its own on: 0 behind the end of a container; empty
        /// where each touches one.
        elements: u32,
        /// By line, its place among all lines of the address space; empty where its number is that.
        place: f64,
        /// The first access of each iteration; of recorded accesses each is one, which reads, writes, or both.
        start: u32,
        /// By iteration, values of all variables.
        value: f64,
        /// By pair of a container and a distance that occurred, the container.
        histogram_container: u32,
        /// By pair, the distance in lines; infinite for first touches, -1 for what is beyond what was
        /// followed.
        histogram_distance: f64,
        /// By pair, how often.
        histogram_count: f64,
    }
}
