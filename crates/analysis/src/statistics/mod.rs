//! What is said of a handful to thousands of numbers: the values of a context in the members of a
//! profile, or in two groups of them.
//!
//! | question | answer |
//! |---|---|
//! | how do the values spread? | [`Sample`], [`Summary`], [`Histogram`], [`Fences`] |
//! | do they rise or fall from member to member? | [`Times::trend`], [`Times::theil_sen`] |
//! | do two groups of runs differ, by how much, and what can be said of it? | [`Shift`], [`Verdict`] |
//! | what is one number for all of them? | [`Figure`] |
//! | by how much? | [`bootstrap`] |
//! | which of many such findings are to be believed? | [`false_discovery`] |
//!
//! Members that lack a context count as zeros. [`Sample`] and [`Times::trend`] take them as a
//! number, so that a context costs what the members that have it cost, and not what all do: a
//! hundred thousand contexts over a thousand members are looked through while someone waits.
//!
//! No answer is infinite or not a number: where there is none, it is `None`. Where chance is
//! needed, a seed is given, and the same seed gives the same answer.

mod bootstrap;
mod centre;
mod false_discovery;
mod figure;
mod gate;
mod histogram;
mod kept;
mod mann_whitney;
mod normal;
mod outliers;
mod permutation;
mod random;
mod sample;
mod shift;
mod student;
mod trend;

pub use bootstrap::{Interval, bootstrap};
pub use centre::Centre;
pub use false_discovery::false_discovery;
pub use figure::Figure;
pub use gate::{Crossing, Unknown};
pub use histogram::{Bins, Histogram};
pub use kept::{Kept, kept};
pub use mann_whitney::{MOST_DIVISIONS, MannWhitney, Method, mann_whitney};
pub use outliers::Fences;
pub use permutation::{Permutation, permutation};
pub use sample::{Sample, Summary};
pub use shift::{LEVEL, MARGIN, Reason, Shift, Verdict};
pub use student::{student_quantile, student_two_sided};
pub use trend::{Direction, Times, Trend};
