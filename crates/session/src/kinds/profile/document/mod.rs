//! An open profile: the data, its settings and what is kept of answers. Answers themselves are functions in
//! the other folders.

pub(super) mod comparing;
pub(super) mod facts;
pub(super) mod filter_effects;
pub(super) mod metrics;
pub(super) mod profile_document;
pub(super) mod sided;
pub(super) mod switched_off;
pub(super) mod titles;
pub(super) mod track_titles;
pub(super) mod view;
