//! An open profile with what was derived from it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use analysis::{DerivedMetrics, Merge, MergeNote, Merged, Side, order_members_by_time};
use formats::Warnings;
use profile::{MetricId, NamedFormula, Profile};

use crate::kept::Kept;
use crate::kinds::profile::document::comparing::Comparing;
use crate::kinds::profile::document::titles::{merged_title, short_names};

/// An open profile.
#[derive(Debug)]
pub struct ProfileDocument {
    pub(in crate::kinds::profile) title: String,
    pub(in crate::kinds::profile) profile: Arc<Profile>,
    pub(in crate::kinds::profile) warnings: Warnings,
    pub(in crate::kinds::profile) inputs: usize,
    pub(in crate::kinds::profile) notes: Vec<MergeNote>,
    pub(in crate::kinds::profile) metrics: Arc<DerivedMetrics>,
    pub(in crate::kinds::profile) comparing: Option<Comparing>,
    kept: RwLock<Arc<Kept>>,
    /// Whether others have the same answers: metrics of its own end that.
    is_again: AtomicBool,
}

impl ProfileDocument {
    /// `merged` may be one profile as it was read.
    pub(crate) fn new(title: &str, mut merged: Merged, warnings: Warnings) -> ProfileDocument {
        merged.profile.origin.warnings = warnings.list();
        let mut document = ProfileDocument {
            title: title.to_owned(),
            profile: Arc::new(merged.profile),
            warnings,
            inputs: merged.inputs,
            notes: merged.notes,
            metrics: Arc::default(),
            comparing: None,
            kept: RwLock::default(),
            is_again: AtomicBool::new(false),
        };
        for NamedFormula { name, formula } in document.profile.origin.formulas.clone() {
            // Files may call several metrics the same.
            if let Err(error) = document.define_alike(&[(&*name, &*formula)]) {
                let told = format!("the metric {formula:?} of the profile cannot be used: {error}");
                document.warnings.add("formula", || told);
            }
        }
        document
    }

    /// The metric of the comparison that a metric of the document is a side or a formula of.
    pub(crate) fn compared_metric(&self, metric: MetricId) -> MetricId {
        Side::metric_of(self.base_metric(metric))
    }

    /// Answers about it that are kept.
    pub(crate) fn kept(&self) -> Arc<Kept> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same document for somebody else, who has its answers until one of them defines a metric.
    pub fn again(&self) -> ProfileDocument {
        ProfileDocument {
            title: self.title.clone(),
            profile: self.profile.clone(),
            warnings: self.warnings.clone(),
            inputs: self.inputs,
            notes: self.notes.clone(),
            metrics: Arc::new((*self.metrics).clone()),
            comparing: self.comparing.clone(),
            kept: RwLock::new(self.kept()),
            is_again: AtomicBool::new(true),
        }
    }

    /// Before a metric is added: answers name metrics by their numbers.
    pub(super) fn answer_alone(&self) {
        if self.is_again.swap(false, Ordering::Relaxed) {
            *self.kept.write().unwrap_or_else(PoisonError::into_inner) = Arc::default();
        }
    }

    /// File name without folders.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The profile.
    pub fn profile(&self) -> &Arc<Profile> {
        &self.profile
    }

    /// Documents as one, whose members they are, by the names of what they were read from.
    pub(crate) fn of_documents(
        documents: &[Arc<ProfileDocument>],
        names: &[String],
    ) -> ProfileDocument {
        let mut merge = Merge::default();
        let mut warnings = Warnings::default();
        for (document, title) in documents.iter().zip(short_names(names)) {
            merge.add(title, &document.profile);
            warnings.add_all(title, &document.warnings);
        }
        let mut merged = merge.finish();
        order_members_by_time(&mut merged.profile);
        merged.notes.extend(documents.iter().flat_map(|one| one.notes.iter().cloned()));
        ProfileDocument::new(&merged_title(names), merged, warnings)
    }

    /// The same document with another profile that has its metrics.
    pub(in crate::kinds::profile) fn with_profile(
        &self,
        profile: Profile,
        warnings: Warnings,
    ) -> ProfileDocument {
        ProfileDocument {
            title: self.title.clone(),
            profile: Arc::new(profile),
            warnings,
            inputs: self.inputs,
            notes: self.notes.clone(),
            metrics: self.metrics.clone(),
            comparing: self.comparing.clone(),
            kept: RwLock::default(),
            is_again: AtomicBool::new(false),
        }
    }

    pub(crate) fn reader_warnings(&self) -> &Warnings {
        &self.warnings
    }

    /// How many profiles became this one; 1 for a profile that came alone.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// What the merge could not reconcile, where several profiles became one.
    pub fn merge_notes(&self) -> &[MergeNote] {
        &self.notes
    }
}
