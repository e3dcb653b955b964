//! What most passes take.

use super::known::Known;
use super::report::Report;
use super::symbols::Symbols;

/// What a pass reads of those before it, and where it reports what is not known.
pub(super) struct Context<'a, 'p> {
    pub(super) known: &'a Known<'p>,
    pub(super) symbols: &'a Symbols,
    pub(super) report: &'a mut Report,
}
