//! What a profile says of one file of the editor.

use std::sync::Arc;

use session::{Document, NO_VALUE, SourceFunction, SourceIndex};

use super::profiles::Profile;
use crate::text::{Unit, share};

/// A profile that mentions a file.
pub(super) struct Source<'a> {
    /// Of the profile.
    pub(super) path: String,
    pub(super) document: &'a Document,
    pub(super) index: Arc<SourceIndex>,
    pub(super) metric: usize,
    /// Number of the file.
    pub(super) file: u32,
    /// The profile's title and a separator, where several are loaded.
    pub(super) prefix: String,
    /// How values of the metric read.
    pub(super) amounts: Amounts,
}

impl<'a> Source<'a> {
    pub(super) fn new(profile: &'a Profile, file: u32, is_one_of_many: bool) -> Option<Source<'a>> {
        let document = &profile.document;
        let prefix = if is_one_of_many { format!("{}: ", document.title()) } else { String::new() };
        let (metric, index) = (profile.metric, profile.index().ok()?);
        let amounts = Amounts::new(document, metric, index.total());
        let path = profile.path.to_string_lossy().into_owned();
        Some(Source { path, document, index, metric, file, prefix, amounts })
    }

    /// The functions of the file that have a value.
    pub(super) fn functions(&self) -> impl Iterator<Item = SourceFunction<'_>> {
        let has_value = |own, total| (own != 0 || total != 0) && total != NO_VALUE;
        self.index
            .functions(self.file)
            .filter(move |one| has_value(one.self_value, one.total_value))
    }

    /// `self 11.1 % (248 ms) · total 66.8 % (1.50 s)`.
    pub(super) fn self_and_total(&self, own: i64, total: i64) -> String {
        format!("self {} · total {}", self.amounts.text(own), self.amounts.text(total))
    }
}

/// How values of a metric read.
pub(super) struct Amounts {
    unit: Unit,
    /// Values of a formula are no shares of anything.
    whole: Option<i64>,
}

impl Amounts {
    pub(super) fn new(document: &Document, metric: usize, whole: i64) -> Amounts {
        let known = &document.metrics()[metric];
        let whole = (whole != 0 && !document.is_derived(metric)).then_some(whole);
        Amounts { unit: Unit::of(&known.unit, known.decimals), whole }
    }

    /// `11.1 % (248 ms)`.
    pub(super) fn text(&self, value: i64) -> String {
        let text = self.unit.text(value);
        match self.whole {
            Some(whole) if value != 0 && value != NO_VALUE => {
                format!("{} ({text})", share(value, whole))
            }
            _ => text,
        }
    }
}
