//! Open dataflow graphs, and one answer a method on them.

mod colours;
mod compare;
mod copies;
mod costs;
mod document;
mod drawing;
mod element;
mod folds;
mod fusions;
mod joined;
mod labels;
mod measured;
mod memory;
mod methods;
mod network;
mod overlay;
mod quantity;
mod roofline;
mod room;
mod scale;
mod scaling;
mod search;
mod simulated;
mod sum;
mod summary;
mod svg;
mod wording;

pub(crate) use colours::ramp_texts;
pub use document::GraphDocument;
pub(crate) use document::KIND;
pub(crate) use methods::GraphCall;
pub(crate) use summary::suggested_sizes;
pub(crate) use wording::label_of;
