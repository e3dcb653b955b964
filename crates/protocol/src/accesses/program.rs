//! Which accesses are meant, and the caches that they go through.

use serde::{Deserialize, Serialize};

use crate::SymbolSetting;

/// A part of a document, how it is laid out and how it is run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesProgram {
    /// A dataflow graph, loops, or recorded accesses.
    pub document: u32,
    /// The element of a graph; none for all of the document.
    pub element: Option<u32>,
    /// Of recorded accesses: arrays at addresses, as `--range` writes them.
    pub ranges: Vec<String>,
    /// Values of symbols; others are as suggested.
    pub symbols: Vec<SymbolSetting>,
    /// Changes of layout and loops, done in turn, as `hotframe sdfg simulate --what-if` writes them.
    pub changes: Vec<String>,
    /// Which thread does which iterations, as `--schedule` writes it; empty for one thread.
    pub schedule: String,
    /// Whether a write that combines reads first, instead of counting once.
    pub combining_reads: bool,
    /// Whether containers stand right behind each other, instead of each on lines of its own.
    pub packed: bool,
    /// Bytes of a cache line, a power of two.
    pub line: u32,
}

/// Which line of a set gives way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LineReplacement {
    /// The one that was used least recently.
    #[default]
    Lru,
    /// What a tree of bits points at.
    Plru,
    /// The one that came first.
    Fifo,
}

/// What levels have of each other's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LevelInclusion {
    /// Whatever was not replaced.
    #[default]
    None,
    /// A level has all lines of those before it.
    Inclusive,
    /// A line is in one level.
    Exclusive,
}

/// A cache.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CacheLevel {
    /// Its bytes.
    pub size: f64,
    /// Ways of a set; none where a line may stand anywhere.
    pub ways: Option<u32>,
}

/// Caches one behind the other, the nearest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccessesCaches {
    /// At least one.
    pub levels: Vec<CacheLevel>,
    /// Which line gives way.
    pub replacement: LineReplacement,
    /// What levels have of each other's lines.
    pub inclusion: LevelInclusion,
    /// Whether writes go through to memory, instead of when their line is replaced.
    pub writes_through: bool,
    /// Whether a write that misses does not bring its line.
    pub writes_around: bool,
    /// Whether a miss of the first level brings the next line, too.
    pub prefetches_next: bool,
    /// So many levels, the nearest, each thread of a schedule has of its own. They are not kept coherent.
    pub private: u32,
}
