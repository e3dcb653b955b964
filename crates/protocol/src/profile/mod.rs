//! Methods on profiles: their parameters, results and columns.

mod details;
mod distribution;
mod export;
mod flame;
mod functions;
mod nodes;
mod pairs;
mod rows;
mod search;
mod span_statistics;
mod summary;
mod timeline;
mod together;
mod views;

pub use details::*;
pub use distribution::*;
pub use export::*;
pub use flame::*;
pub use functions::*;
pub use nodes::*;
pub use pairs::*;
pub use rows::*;
pub use search::*;
pub use span_statistics::*;
pub use summary::*;
pub use timeline::*;
pub use together::*;
pub use views::*;
