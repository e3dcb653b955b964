//! Numbers as formats write them, and how values of a metric combine.

pub(crate) mod combining;
pub(crate) mod decimal;
pub(crate) mod hexadecimal;
pub(crate) mod scale;
pub(crate) mod whole_unit;
