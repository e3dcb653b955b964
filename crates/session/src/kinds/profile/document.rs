//! An open profile with what was derived from it.

use std::sync::{Arc, Mutex, OnceLock};

use analysis::{
    Collapse, Derived, DerivedMetrics, Filter, Granularity, LinkedRole, MembersBy, Merge,
    MergeNote, Merged, NodeId, Order, Side, Tag, Tree, linked_roles, members_by,
    order_members_by_time, unlisted_links,
};
use formats::Warnings;
use profile::{Metric, MetricId, NamedFormula, Profile, visible};
use protocol::{ErrorCode, ProtocolError};

use analysis::formula::{self, FormulaError, Problem};

use crate::kinds::profile::appearance::Appearance;
use crate::kinds::profile::charts::Charts;
use crate::kinds::profile::collect::{TIME_LOST, loses_time};
use crate::kinds::profile::comparing::{Comparing, Runs, Sides, change_of};
use crate::kinds::profile::correlate::RoleOptions;
use crate::kinds::profile::derived::{Caches, Tests, View};
use crate::kinds::profile::experiment;
use crate::kinds::profile::sided::Sided;
use crate::kinds::profile::source_places::SourcePlaces;
use crate::kinds::profile::titles::{merged_title, short_names};

/// An open profile.
#[derive(Debug)]
pub struct ProfileDocument {
    pub(super) title: String,
    pub(super) profile: Arc<Profile>,
    pub(super) warnings: Warnings,
    pub(super) inputs: usize,
    pub(super) notes: Vec<MergeNote>,
    pub(super) metrics: Arc<DerivedMetrics>,
    pub(super) comparing: Option<Comparing>,
    roles: OnceLock<Vec<LinkedRole>>,
    appearance: OnceLock<Appearance>,
    pub(super) source_places: OnceLock<Arc<SourcePlaces>>,
    pub(super) derived: Mutex<Caches>,
    charts: Charts,
    pub(super) experiment: experiment::Known,
}

/// How to look at a profile.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ViewOptions {
    /// The metric.
    pub metric: MetricId,
    /// Metrics that reports tell beside it.
    pub more_metrics: Vec<MetricId>,
    /// What makes frames equal.
    pub granularity: Granularity,
    /// Filters, in order.
    pub filters: Vec<Filter>,
    /// Order of siblings.
    pub order: Order,
    /// Which recursion is one frame.
    pub collapse: Collapse,
    /// Whether the profile's own `drop_frames` counts.
    pub drop_frames: bool,
    /// Which of the contexts that points join is looked at; none for the points' own.
    pub role: Option<RoleOptions>,
}

impl Default for ViewOptions {
    fn default() -> Self {
        ViewOptions {
            metric: MetricId(0),
            more_metrics: vec![],
            granularity: Granularity::Function,
            filters: vec![],
            order: Order::Value,
            collapse: Collapse::None,
            drop_frames: true,
            role: None,
        }
    }
}

/// More derived metrics make no sense, and each of them may be kept for every view.
const MOST_DERIVED: usize = 200;

/// Most members that a page can make: each of them is an entry of its lists.
const MOST_SPLIT: usize = 10_000;

impl ProfileDocument {
    /// `merged` may be one profile as it was read.
    pub(crate) fn new(title: &str, mut merged: Merged, warnings: Warnings) -> ProfileDocument {
        merged.profile.origin.warnings = warnings.told();
        let mut document = ProfileDocument {
            title: title.to_owned(),
            profile: Arc::new(merged.profile),
            warnings,
            inputs: merged.inputs,
            notes: merged.notes,
            metrics: Arc::default(),
            comparing: None,
            roles: OnceLock::new(),
            appearance: OnceLock::new(),
            source_places: OnceLock::new(),
            derived: Mutex::default(),
            charts: Charts::default(),
            experiment: experiment::Known::default(),
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

    /// Defines those of the formulas whose metrics the profile has; what else is wrong with one is
    /// a warning.
    pub fn define_fitting(&mut self, formulas: &[NamedFormula]) {
        // A number alone would fit, but has no values to stand on.
        let formulas = if self.profile.metrics.is_empty() { &[] } else { formulas };
        for NamedFormula { name, formula } in formulas {
            let problem = match Derived::new(name, formula, &self.profile) {
                Ok(_) => self.define_metric(name, formula).err().map(|error| error.to_string()),
                Err(FormulaError { problem: Problem::UnknownMetric { .. }, .. }) => None,
                Err(error) => Some(error.to_string()),
            };
            if let Some(problem) = problem {
                let told = || format!("the metric {formula:?} of the settings: {problem}");
                self.warnings.add("formula", told);
            }
        }
    }

    /// Whether the values of a metric do not add up: it is worked out by a formula, or says that it
    /// combines in another way.
    pub fn is_derived(&self, metric: MetricId) -> bool {
        self.profile.metrics.get(metric.index()).is_none_or(|metric| !self.profile.adds_up(metric))
    }

    /// The metrics: those that were measured, then the derived ones.
    pub fn metrics(&self) -> Vec<Metric> {
        let derived = self.metrics.all();
        let derived = derived.iter().map(|derived| derived.metric().clone());
        self.profile.metrics.iter().cloned().chain(derived).collect()
    }

    /// All of [`ProfileDocument::metrics`].
    pub fn metric_ids(&self) -> impl Iterator<Item = MetricId> + use<> {
        let count = self.profile.metrics.len() + self.metrics.all().len();
        (0..count as u32).map(MetricId)
    }

    /// By metric, the text of its formula if it is a derived one.
    pub fn formulas(&self) -> Vec<Option<String>> {
        let measured = self.profile.metrics.iter().map(|_| None);
        let derived = self.metrics.all();
        let derived =
            derived.iter().map(|derived| derived.formula().map(|formula| formula.to_string()));
        measured.chain(derived).collect()
    }

    /// The formulas that were defined and that the profile itself does not name.
    pub(crate) fn defined(&self) -> Vec<NamedFormula> {
        let made = self.made_metrics() - self.profile.metrics.len();
        let derived = self.metrics.all().into_iter().skip(made);
        let named = derived.filter_map(|derived| {
            let formula = derived.formula()?.to_string();
            Some(NamedFormula { name: derived.metric().name.clone(), formula })
        });
        named
            .filter(|one| !self.profile.origin.formulas.iter().any(|own| own.name == one.name))
            .collect()
    }

    /// How many metrics there are without anybody asking for them: the measured ones, and of a comparison
    /// change and ratio of each.
    pub(crate) fn made_metrics(&self) -> usize {
        let compared = self.comparing.as_ref().map_or(0, |of| 2 * of.metrics.len());
        self.profile.metrics.len() + compared
    }

    /// Defines a metric; one that is there already stays the same. Of a comparison the formula may name
    /// metrics as both sides have them: either side has its values then, and the metric is the change.
    /// A name that another metric has is refused.
    pub fn define_metric(&self, name: &str, formula: &str) -> Result<MetricId, ProtocolError> {
        let sided = self.comparing.as_ref().and_then(|of| of.by_side(name, formula, &self.profile));
        match &sided {
            Some(Sided { defined, asked }) => {
                let defined = defined.each_ref().map(|(name, text)| (&**name, &**text));
                self.refuse_taken(&defined)?;
                Ok(self.define_alike(&defined)?[*asked])
            }
            None => {
                self.refuse_taken(&[(name, formula)])?;
                let defined = self.define_alike(&[(name, formula)]);
                Ok(defined.map_err(|error| self.refused_by_side(formula).unwrap_or(error))?[0])
            }
        }
    }

    /// What is wrong with a formula whose metrics both sides of a comparison have.
    fn refused_by_side(&self, formula: &str) -> Option<ProtocolError> {
        match self.comparing.as_ref()?.sides_of(formula, &self.profile).err()? {
            FormulaError { problem: Problem::UnknownMetric { .. }, .. } => None,
            error => Some(ProtocolError::new(ErrorCode::BadFormula, error.to_string())),
        }
    }

    /// Refuses names that metrics with other values have.
    fn refuse_taken(&self, defined: &[(&str, &str)]) -> Result<(), ProtocolError> {
        let known = self.metrics();
        for &(name, formula) in defined.iter().filter(|(name, _)| !name.is_empty()) {
            let is_same = || {
                let derived = Derived::new(name, formula, &self.profile);
                derived.is_ok_and(|derived| self.metrics.contains(&derived))
            };
            if known.iter().any(|metric| metric.name == name) && !is_same() {
                let message = format!("another metric is called {}", visible(name));
                return Err(ProtocolError::new(ErrorCode::BadFormula, message)
                    .with_hint("Choose another name for what the formula gives."));
            }
        }
        Ok(())
    }

    /// The same of several, by name and formula, whose values have the same decimals, so that they can be
    /// compared.
    pub(crate) fn define_alike(
        &self,
        defined: &[(&str, &str)],
    ) -> Result<Vec<MetricId>, ProtocolError> {
        if self.profile.metrics.is_empty() {
            let message = format!("{} has no metrics that a formula could be of", self.title);
            return Err(ProtocolError::new(ErrorCode::BadFormula, message));
        }
        let derived = |&(name, formula): &(&str, &str)| Derived::new(name, formula, &self.profile);
        let derived: Result<Vec<Derived>, _> = defined.iter().map(derived).collect();
        let derived = derived.map_err(|error| {
            let known: Vec<String> = analysis::distinct_names(&self.profile.metrics)
                .iter()
                .map(|metric| formula::quoted(&metric.name))
                .collect();
            ProtocolError::new(ErrorCode::BadFormula, error.to_string())
                .with_hint(format!("The metrics are {}.", visible(&known.join(", "))))
        })?;
        // Asked for by its text alone, a formula is the metric that has it, whatever that is called.
        if let [("", _)] = defined
            && let Some(text) = derived[0].formula().map(ToString::to_string)
            && let Some(number) = self.formulas().iter().position(|one| one.as_ref() == Some(&text))
        {
            return Ok(vec![MetricId(number as u32)]);
        }
        // A comparison has change and ratio of each metric without being asked.
        let own = self.comparing.as_ref().map_or(0, |of| 2 * of.metrics.len());
        let decimals = derived.iter().map(|one| one.metric().decimals).min().unwrap_or_default();
        let add = |derived: Derived| {
            let derived = derived.with_decimals(decimals);
            if self.metrics.all().len() >= MOST_DERIVED + own && !self.metrics.contains(&derived) {
                let message = format!("a profile has at most {MOST_DERIVED} derived metrics");
                return Err(ProtocolError::new(ErrorCode::Limit, message));
            }
            let number = self.profile.metrics.len() + self.metrics.add(derived);
            Ok(MetricId(number as u32))
        };
        derived.into_iter().map(add).collect()
    }

    /// The measured metric that stands for a metric where values must add up.
    pub fn base_metric(&self, metric: MetricId) -> MetricId {
        match metric.index().checked_sub(self.profile.metrics.len()) {
            None => metric,
            Some(place) => self.metrics.get(place).map_or(MetricId(0), |derived| derived.base()),
        }
    }

    /// The metric of the comparison that a metric of the document is a side or a formula of.
    pub(crate) fn compared_metric(&self, metric: MetricId) -> MetricId {
        Side::metric_of(self.base_metric(metric))
    }

    /// The metrics in which the changes that a metric of a comparison shows are: both sides of a formula
    /// by side, otherwise of the metric that it is a side of, or that its formula names first.
    pub(crate) fn compared_sides(&self, metric: MetricId) -> Sides {
        let compared = Sides::of(self.compared_metric(metric));
        if metric.index() < self.made_metrics() {
            return compared;
        }
        let formula = self.formulas().get(metric.index()).cloned().flatten();
        let sides = self
            .comparing
            .as_ref()
            .zip(formula)
            .and_then(|(of, formula)| of.formula_sides(&formula, self));
        sides.unwrap_or(Sides { compared: None, ..compared })
    }

    /// The kinds of change of nodes of a view, if it is one of a comparison; by the sides of `metric`.
    pub(crate) fn tags(
        &self,
        view: &View,
        tree: &mut Tree,
        metric: MetricId,
        nodes: impl Iterator<Item = NodeId>,
    ) -> Option<Vec<Tag>> {
        let comparing = self.comparing.as_ref()?;
        let sides = self.compared_sides(metric);
        let tests = self.significance(view, tree, sides);
        let tag =
            |node: NodeId| comparing.tag(change_of(tree, node, sides), Runs::of(tests, &node));
        Some(nodes.map(tag).collect())
    }

    /// The tests of the nodes of a comparison's view; none where there are no runs to test, and of formulas.
    pub(crate) fn significance<'a>(
        &self,
        view: &'a View,
        tree: &mut Tree,
        sides: Sides,
    ) -> Option<&'a Tests> {
        let metric = sides.compared?;
        let groups = &self.comparing.as_ref()?.groups;
        view.significance.get_or_init(|| groups.significance(tree, metric)).as_ref()
    }

    /// How its parts look.
    pub(crate) fn appearance(&self) -> &Appearance {
        self.appearance.get_or_init(|| Appearance::of(&self.profile))
    }

    /// What was worked out of its timeline.
    pub(crate) fn charts(&self) -> &Charts {
        &self.charts
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

    /// The same profile with other members. Metrics keep their numbers, and those that are defined on
    /// one of the two are there in the other.
    pub(crate) fn split_members(&self, by: &MembersBy) -> Result<ProfileDocument, ProtocolError> {
        if self.comparing.is_some() {
            let message = format!("{} is a comparison, whose members are its runs", self.title);
            return Err(ProtocolError::new(ErrorCode::BadRequest, message)
                .with_hint("Compare profiles that have the members already."));
        }
        let profile = members_by(&self.profile, by).ok_or_else(|| {
            let message = format!("no sample of {} has a {}", self.title, visible(&by.to_string()));
            let known: Vec<String> =
                MembersBy::choices(&self.profile).iter().map(MembersBy::argument).collect();
            let hint = if known.is_empty() {
                "Its samples tell nothing that members could be made of.".to_owned()
            } else {
                format!("Members can be made of: {}.", visible(&known.join(", ")))
            };
            ProtocolError::new(ErrorCode::BadRequest, message).with_hint(hint)
        })?;
        if profile.members.len() > MOST_SPLIT {
            let count = profile.members.len();
            let message = format!("{by} would make {count} members, and {MOST_SPLIT} are shown");
            return Err(ProtocolError::new(ErrorCode::Limit, message)
                .with_hint("A filter on the label shows one of its values."));
        }
        let mut warnings = self.warnings.clone();
        if loses_time(&self.profile, &profile) {
            warnings.add("members time", || TIME_LOST.to_owned());
        }
        Ok(ProfileDocument {
            title: format!("{}, by {by}", self.title),
            ..self.with_profile(profile, warnings)
        })
    }

    /// The same document with another profile that has its metrics.
    pub(super) fn with_profile(&self, profile: Profile, warnings: Warnings) -> ProfileDocument {
        ProfileDocument {
            title: self.title.clone(),
            profile: Arc::new(profile),
            warnings,
            inputs: self.inputs,
            notes: self.notes.clone(),
            metrics: self.metrics.clone(),
            comparing: self.comparing.clone(),
            roles: OnceLock::new(),
            appearance: OnceLock::new(),
            source_places: OnceLock::new(),
            derived: Mutex::default(),
            charts: Charts::default(),
            experiment: experiment::Known::default(),
        }
    }

    /// What [`ProfileDocument::split_members`] can make members of.
    pub(crate) fn splits(&self) -> Vec<MembersBy> {
        match self.comparing {
            Some(_) => vec![],
            None => MembersBy::choices(&self.profile),
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

    /// What readers repaired or skipped and what a merge left out, as message and count.
    pub fn warnings(&self) -> Vec<(String, u64)> {
        let mut list: Vec<_> = self.warnings.iter().map(|w| (w.message.clone(), w.count)).collect();
        list.extend(self.notes.iter().map(|note| (note.to_string(), note.count())));
        for metric in self.profile.metric_ids() {
            if self.profile.metric_total(metric).1 {
                let text = format!(
                    "values of {} add up to more than 64 bits hold; sums stop at the limit, and what is \
                     worked out from those is wrong",
                    self.profile.metric(metric).name
                );
                list.push((text, 1));
            }
        }
        if self.profile.origin.estimated_paths {
            // Of several formats some may record paths.
            let format = &self.profile.origin.format;
            let who = if format.contains(", ") { "a profile" } else { format };
            let text = format!(
                "call paths are estimates: {who} records callers and callees, so a function's cost \
                 is divided among its callers' paths in proportion"
            );
            list.push((text, 1));
        }
        if let unlisted @ 1.. = unlisted_links(&self.profile, self.roles()) {
            let text = "contexts that points join have no view: only the first 4 of a role and 16 \
                        in all are told apart";
            list.push((text.to_owned(), unlisted));
        }
        if !self.profile.origin.drop_frames.is_empty()
            && let Ok(filtered) = self.filtered(&[], true)
        {
            let pattern = &self.profile.origin.drop_frames;
            match (filtered.drop_frames_error(), filtered.hidden_contexts()) {
                (Some(error), _) => list.push((format!("drop_frames is ignored: {error}"), 1)),
                (None, 0) => {}
                (None, hidden) => list.push((
                    format!(
                        "the profile asks to fold frames that match {pattern} into their callers \
                         (drop_frames)"
                    ),
                    hidden as u64,
                )),
            }
        }
        list
    }

    /// The roles of the contexts that points join; empty where every point has one context.
    pub fn roles(&self) -> &[LinkedRole] {
        self.roles.get_or_init(|| linked_roles(&self.profile))
    }

    /// Keys of labels, in the order of first use.
    pub fn label_keys(&self) -> Vec<String> {
        let mut seen = std::collections::HashSet::new();
        let labels = self.profile.label_sets.all_labels();
        let keys = labels.map(|label| label.key).filter(|key| seen.insert(*key));
        keys.map(|key| self.profile.text(key).to_owned()).collect()
    }

    /// How many threads the profile tells apart, by its threads or else by its labels; 0 where
    /// neither tells anything.
    pub fn threads(&self) -> u32 {
        if !self.profile.threads.is_empty() {
            return self.profile.threads.len() as u32;
        }
        const KEYS: [&str; 5] = ["thread_id", "tid", "thread", "thread id", "thread_name"];
        let known = self.label_keys();
        let Some(key) = KEYS.iter().find(|key| known.iter().any(|known| known == *key)) else {
            return 0;
        };
        let labels = self.profile.label_sets.all_labels();
        let of_key = labels.filter(|label| self.profile.text(label.key) == *key);
        of_key.map(|label| label.value).collect::<std::collections::HashSet<_>>().len() as u32
    }

    /// The metric of a comparison that is both sides of the one with a name or number in the profiles.
    pub fn both_sides_named(&self, name: &str) -> Option<MetricId> {
        let metrics = &self.comparison()?.metrics;
        let at = match name.parse::<usize>() {
            Ok(number) => (number < metrics.len()).then_some(number)?,
            Err(_) => metrics.iter().position(|metric| metric.name.eq_ignore_ascii_case(name))?,
        };
        Some(Side::Both.of(MetricId(at as u32)))
    }

    /// The metric of a name or number, as pprof takes them: `inuse_space` also means `space`.
    pub fn metric_named(&self, name: &str) -> Option<MetricId> {
        let metrics = self.metrics();
        if let Ok(number) = name.parse::<usize>() {
            return (number < metrics.len()).then_some(MetricId(number as u32));
        }
        let short = name.strip_prefix("inuse_").unwrap_or(name);
        let called = |name: &str| metrics.iter().position(|metric| metric.name == name);
        called(name).or_else(|| called(short)).map(|index| MetricId(index as u32))
    }
}
