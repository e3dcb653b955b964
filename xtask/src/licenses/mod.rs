//! Licences, sources and known faults of what Hotframe is made of.

pub(crate) mod advisories;
pub(crate) mod allowed;
mod check;
mod npm;
#[cfg(test)]
mod tests;

pub(crate) use check::check;
