//! Two profiles side by side: what became more, what less.

mod change;
mod comparison;
mod scale;
mod sides;
mod significance;

pub use change::{Change, Tag};
pub use comparison::Comparison;
pub use scale::{Normalise, means_of};
pub use sides::Side;
pub use significance::{Groups, Significance};
