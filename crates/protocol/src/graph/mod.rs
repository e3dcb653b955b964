//! Methods on dataflow graphs: their parameters, results and columns.

mod compare;
mod drawing;
mod element;
mod fusion;
mod measure;
mod memory;
mod overlay;
mod scaling;
mod search;
mod summary;

pub use compare::*;
pub use drawing::*;
pub use element::*;
pub use fusion::*;
pub use measure::*;
pub use memory::*;
pub use overlay::*;
pub use scaling::*;
pub use search::*;
pub use summary::*;
