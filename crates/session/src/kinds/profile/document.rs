//! An open profile with what was derived from it.

use std::sync::{Arc, Mutex, OnceLock};

use analysis::{
    Collapse, CompleteStacks, DerivedMetrics, Filter, Granularity, LinkedRole, MembersBy, Merge,
    MergeNote, Merged, NodeId, Order, Side, Tag, Tree, complete_stacks, linked_roles, members_by,
    order_members_by_time, unlisted_links,
};
use formats::Warnings;
use profile::{MemberId, MetricId, NamedFormula, Profile, base_name, visible};
use protocol::{ErrorCode, ProtocolError};

use crate::kinds::profile::appearance::Appearance;
use crate::kinds::profile::charts::Charts;
use crate::kinds::profile::collect::{TIME_LOST, loses_time};
use crate::kinds::profile::comparing::{Comparing, Runs, Sides, change_of};
use crate::kinds::profile::correlate::RoleOptions;
use crate::kinds::profile::derived::{Caches, Tests, View};
use crate::kinds::profile::experiment;
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

    /// What was measured, as far as the profile tells: the command of its runs, or the main binary.
    pub fn program(&self) -> Option<&str> {
        let profile = &self.profile;
        let mut commands = (0..profile.members.len() as u32)
            .map(|member| profile.fact_text(MemberId(member), "command"));
        if let Some(Some(first)) = commands.next() {
            return commands.all(|other| other == Some(first)).then_some(first);
        }
        // The first mapping of pprof's profiles is the program.
        let main = profile.modules.first().filter(|_| profile.origin.format == "pprof")?;
        Some(base_name(profile.text(main.name))).filter(|name| !name.is_empty())
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
        if let Some(stacks) = complete_stacks(&self.profile) {
            list.extend(callers_missing(stacks));
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
}

/// What is to be told of stacks that do not go up to where a thread begins, with how many there are.
fn callers_missing(stacks: CompleteStacks) -> Option<(String, u64)> {
    /// Fewer stacks that are cut are usual: signals, exits, the first instructions of functions.
    const FEW: f64 = 0.1;
    /// Fewer samples say nothing.
    const LEAST: u64 = 50;
    let cut = stacks.judged - stacks.whole;
    let share = cut as f64 / stacks.judged.max(1) as f64;
    (cut >= LEAST && share > FEW).then(|| {
        let text = format!(
            "{:.0} % of the stacks do not reach where a thread or the program begins: their callers are \
             missing, since code has no frame pointers or copies of the stack were cut; record with \
             --call-graph dwarf, or compile with -fno-omit-frame-pointer",
            share * 100.0
        );
        (text, cut)
    })
}
