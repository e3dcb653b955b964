//! Comparisons for the command line.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use analysis::formula::quantity_of;
use analysis::statistics::{Reason, Verdict};
use analysis::{
    AlignBy, Change, Comparison, FrameKey, MergeNote, Merged, NodeId, Normalise, Shape, Side,
    Significance, Tag, Tree, distinct_names, formula,
};
use formats::Warnings;
use profile::{FrameId, Metric, MetricId, visible};
use protocol::{ErrorCode, ProtocolError};

use crate::kinds::profile::compare::normalised::normalised;
use crate::kinds::profile::compare::tests_of_runs::{Tested, function_tests};
use crate::kinds::profile::convert;
use crate::kinds::profile::document::comparing::CompareOptions;
use crate::kinds::profile::document::comparing::{ChosenSide, Comparing, Runs};
use crate::kinds::profile::pictures::flame_svg::flame_svg;
use crate::kinds::profile::reading::aligned::align_members;
use crate::kinds::profile::reading::failed_runs::{SIDES, without_failed};
use crate::kinds::profile::reading::shared_machine::{host_notes, loads_of};
use crate::kinds::profile::trees::report::{row_of, row_of_key, total_of};
use crate::kinds::profile::trees::views::{filtered_profile, flat_by, frame_keys, tree_of};
use crate::{ProfileDocument, ReportPlace, ReportRow, ReportShape, SvgOptions, ViewOptions};

/// A base and a new profile, compared.
#[derive(Debug)]
pub struct Compared {
    /// The union of both; its metrics are those of both, in threes: see [`Side`].
    pub document: ProfileDocument,
    /// The metrics that both have in all, then those by formula.
    pub metrics: Vec<Metric>,
    /// By metric of a formula, the metrics of the document that are its sides.
    formulas: Vec<[MetricId; 3]>,
    /// Why the runs of both sides may not be alike: sentences that are among the warnings of the document.
    pub doubts: Vec<String>,
    /// Whether runs that failed are left out of a side.
    pub left_out: bool,
}

/// What rows of a comparison, or siblings in a tree of it, are ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ChangeOrder {
    /// The size of the change: of self values in lists, of totals in trees.
    #[default]
    Change,
    /// Self value in the new profile, largest first.
    Own,
    /// Total value in the new profile, largest first.
    Total,
    /// Name.
    Name,
}

impl ChangeOrder {
    /// What comes before the size of the change.
    fn first<N>(self, own: Change, total: Change, name: impl FnOnce() -> N) -> (Option<N>, i64) {
        match self {
            ChangeOrder::Change => (None, 0),
            ChangeOrder::Own => (None, own.new),
            ChangeOrder::Total => (None, total.new),
            ChangeOrder::Name => (Some(name()), 0),
        }
    }
}

/// One row of a comparison.
#[derive(Debug, Clone)]
pub struct ChangeRow {
    /// Name and place; its values are those of both sides together.
    pub row: ReportRow,
    /// Self values.
    pub own: Change,
    /// Total values.
    pub total: Change,
    /// The kind of change of the total.
    pub tag: Tag,
    /// That of the self value. Runs are asked for functions, not for the nodes of trees.
    pub own_tag: Tag,
    /// What the tests of the runs gave, of the self value and of the total, where there were some.
    pub tests: [Option<Significance>; 2],
    /// What can be said of the change of the total.
    pub verdict: Verdict,
    /// That of the self value.
    pub own_verdict: Verdict,
    /// Self and total values in [`ViewOptions::more_metrics`].
    pub more: Vec<(Change, Change)>,
}

/// By metric of both, whether each side measured it.
fn common(metrics: &[Metric], sides: [&ProfileDocument; 2]) -> Vec<bool> {
    let has = |side: &ProfileDocument, metric: &Metric| {
        let is_same = |own: &Metric| {
            let is_unit = own.unit == metric.unit || quantity_of(1.0, &own.unit, metric).is_some();
            is_unit && own.name == metric.name
        };
        side.profile().metrics.iter().any(is_same)
    };
    metrics.iter().map(|metric| sides.iter().all(|side| has(side, metric))).collect()
}

fn nothing_in_common(sides: [&ProfileDocument; 2], titles: &[String; 2]) -> ProtocolError {
    let list = |side: &ProfileDocument| {
        let metrics = side.profile().metrics.iter();
        let metrics = metrics.map(|metric| match metric.unit.as_str() {
            "" => metric.name.clone(),
            unit => format!("{} ({unit})", metric.name),
        });
        let all: Vec<String> = metrics.collect();
        if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
    };
    let [base, new] = sides.map(list);
    let message = format!(
        "{} and {} have no metric in common: the base has {base}; the new side has {new}",
        titles[0], titles[1]
    );
    ProtocolError::new(ErrorCode::BadRequest, visible(&message).into_owned())
        .with_hint("Compare profiles of one kind, such as two of processor time.")
}

/// The same by hand, where a side that is one recording may be called as it is, too.
fn with_sides(by: &AlignBy, sides: &[String; 2], members: [usize; 2]) -> AlignBy {
    let AlignBy::Hand(all) = by else { return by.clone() };
    let number = |name: &str| match sides.iter().position(|side| side == name) {
        Some(0) if members[0] == 1 && sides[0] != sides[1] => "#1".to_owned(),
        Some(1) if members[1] == 1 && sides[0] != sides[1] => format!("#{}", members[0] + 1),
        _ => name.to_owned(),
    };
    AlignBy::Hand(all.iter().map(|(name, time)| (number(name), *time)).collect())
}

impl Compared {
    /// Compares two open profiles. One that became of several is as many runs of one program,
    /// whose mean is compared.
    pub fn new(
        base: &ProfileDocument,
        new: &ProfileDocument,
        how: &CompareOptions,
    ) -> Result<Compared, ProtocolError> {
        Compared::called([base, new].map(|side| side.title().to_owned()), base, new, how)
    }

    /// The same; tells what the sides are called.
    pub(crate) fn called(
        sides: [String; 2],
        base: &ProfileDocument,
        new: &ProfileDocument,
        how: &CompareOptions,
    ) -> Result<Compared, ProtocolError> {
        let CompareOptions { rules, normalise, .. } = how;
        let [left_of_base, left_of_new] = if how.with_failed {
            [None, None]
        } else {
            let [in_base, in_new] = SIDES;
            [without_failed(base, in_base)?, without_failed(new, in_new)?]
        };
        let base = left_of_base.as_ref().map_or(base, |left| &left.document);
        let new = left_of_new.as_ref().map_or(new, |left| &left.document);
        let comparison = Comparison::matched(base.profile(), new.profile(), *rules)
            .scaled([base.inputs(), new.inputs()], &Normalise::Absolute)
            .map_err(convert::filter_error)?;
        let Comparison { mut profile, metrics, notes, groups, mut matches, frames } = comparison;
        matches.sort_by(|a, b| a.new.cmp(&b.new));
        let title = sides.join(" → ");
        // Which metric which side has is told below; which of its runs, by the notes of that side.
        let mut notes = notes;
        notes.retain(|note| !matches!(note, MergeNote::Absent { .. }));
        let notes = [notes, base.merge_notes().to_vec(), new.merge_notes().to_vec()].concat();
        let mut warnings = Warnings::default();
        for (side, title) in [base, new].into_iter().zip(&sides) {
            warnings.add_all(title, side.reader_warnings());
        }
        let failed = [&left_of_base, &left_of_new].into_iter().flatten();
        let mut doubts: Vec<String> = failed.map(|left| left.note.clone()).collect();
        let left_out = !doubts.is_empty();
        let loads = [base, new].map(|side| loads_of(side.profile()));
        doubts.extend(host_notes(loads.each_ref()));
        // Those of one kind are counted, and each of these says something else.
        let kinds = ["doubt", "second doubt", "third doubt", "fourth doubt", "fifth doubt"];
        for (kind, doubt) in kinds.into_iter().zip(&doubts) {
            warnings.add(kind, || doubt.clone());
        }
        if groups.members != groups.runs && groups.members[0] != groups.members[1] {
            let [of_base, of_new] = groups.members;
            let told = format!(
                "the sum of {of_base} profiles is compared with the sum of {of_new}; give each run \
                 as a file of its own to compare means"
            );
            warnings.add("members", || told);
        }
        if let Some(by) = &how.align {
            let by = with_sides(by, &sides, groups.members);
            align_members(&mut profile, &by, &mut warnings);
        }
        let is_common = common(&metrics, [base, new]);
        if !metrics.is_empty() {
            let Some(first) = is_common.iter().position(|&common| common) else {
                return Err(nothing_in_common([base, new], &sides));
            };
            let default = Side::metric_of(profile.origin.default_metric);
            if !is_common[default.index()] {
                profile.origin.default_metric = Side::Both.of(MetricId(first as u32));
            }
            let left: Vec<&str> = (metrics.iter().zip(&is_common))
                .filter(|(_, common)| !**common)
                .map(|(metric, _)| metric.name.as_str())
                .collect();
            if !left.is_empty() {
                let told = format!("only one side has {}: not compared", left.join(", "));
                warnings.add("metrics", || told);
            }
        }
        let merged = Merged { profile, inputs: base.inputs() + new.inputs(), notes };
        let mut comparing = Comparing::new(sides, metrics, groups, how, matches);
        comparing.frames = Arc::new(frames);
        comparing.is_common = is_common;
        let mut document = ProfileDocument::new(&title, merged, warnings).comparing(comparing);
        if *normalise != Normalise::Absolute {
            document = normalised(&Arc::new(document), normalise)?;
        }
        let metrics = document.comparison().map_or(vec![], |comparing| comparing.metrics.clone());
        Ok(Compared { document, metrics, formulas: vec![], doubts, left_out })
    }

    /// The same, of parts that were chosen.
    pub(in crate::kinds::profile) fn choosing(mut self, sides: [ChosenSide; 2]) -> Compared {
        self.document = self.document.choosing(sides);
        self
    }

    /// Defines a metric by a formula over those of both and gives its number among
    /// [`Compared::metrics`].
    pub fn define_metric(&mut self, name: &str, text: &str) -> Result<MetricId, ProtocolError> {
        let measured = self.metrics.len() - self.formulas.len();
        let comparing = self.document.comparison().ok_or_else(|| self.document.no_comparison())?;
        let sides = comparing.sides_of(text, self.document.profile());
        let (formula, [base, new]) = sides.map_err(|error| {
            let known: Vec<String> = distinct_names(&self.metrics[..measured])
                .iter()
                .map(|metric| formula::quoted(&metric.name))
                .collect();
            ProtocolError::new(ErrorCode::BadFormula, error.to_string())
                .with_hint(format!("The metrics are {}.", known.join(", ")))
        })?;
        let sides = [base.clone(), new.clone(), format!("({base}) + ({new})")];
        let mut metrics = [MetricId(0); 3];
        metrics.copy_from_slice(
            &self.document.define_alike(&sides.each_ref().map(|side| ("", &**side)))?,
        );
        let defined = self.document.metrics().swap_remove(metrics[0].index());
        let name = if name.is_empty() { formula.to_string() } else { name.to_owned() };
        self.metrics.push(Metric { name, ..defined });
        self.formulas.push(metrics);
        Ok(MetricId(self.metrics.len() as u32 - 1))
    }

    /// Whether both sides have a metric.
    pub fn is_common(&self, metric: MetricId) -> bool {
        let comparing = self.document.comparison();
        let known = comparing.and_then(|of| of.is_common.get(metric.index()));
        known.copied().unwrap_or(true)
    }

    /// The metric of the document that is a side of one of [`Compared::metrics`].
    pub(in crate::kinds::profile) fn side(&self, metric: MetricId, side: Side) -> MetricId {
        let measured = self.metrics.len() - self.formulas.len();
        match metric.index().checked_sub(measured) {
            None => side.of(metric),
            Some(formula) => self.formulas[formula][side as usize],
        }
    }

    /// The metric to show first, among [`Compared::metrics`].
    pub fn default_metric(&self) -> MetricId {
        Side::metric_of(self.document.profile().origin.default_metric)
    }

    /// Whether values of a metric add up, so that changes have a share of the whole one.
    pub fn adds_up(&self, metric: MetricId) -> bool {
        !self.document.is_derived(self.side(metric, Side::Both))
    }

    fn is_formula(&self, metric: MetricId) -> bool {
        metric.index() + self.formulas.len() >= self.metrics.len()
    }

    /// The options for one side of the metric.
    fn sided(&self, options: &ViewOptions, side: Side) -> ViewOptions {
        ViewOptions { metric: self.side(options.metric, side), ..options.clone() }
    }

    /// The flame graph of both sides, as wide as either, as SVG.
    pub fn svg(
        &self,
        shape: ReportShape,
        options: &ViewOptions,
        look: &SvgOptions,
    ) -> Result<String, ProtocolError> {
        flame_svg(&self.document, shape, &self.sided(options, Side::Both), look)
    }

    /// Changes of self and total of a node.
    fn changes(&self, tree: &mut Tree, metric: MetricId, node: NodeId) -> (Change, Change) {
        let (base, base_total) = tree.values(node, self.side(metric, Side::Base));
        let (new, new_total) = tree.values(node, self.side(metric, Side::New));
        (Change { base, new }, Change { base: base_total, new: new_total })
    }

    /// The `limit` nodes with the largest changes that are found from the root, always with the
    /// nodes above them.
    fn most_changed(&self, tree: &mut Tree, metric: MetricId, limit: usize) -> HashSet<u32> {
        let mut chosen = HashSet::new();
        let mut open = BinaryHeap::new();
        let mut node = NodeId::ROOT;
        loop {
            for child in tree.children(node) {
                let (_, total) = self.changes(tree, metric, NodeId(child));
                open.push((total.difference().unsigned_abs(), total.both(), Reverse(child)));
            }
            match open.pop() {
                Some((.., Reverse(next))) if chosen.len() < limit => {
                    chosen.insert(next);
                    node = NodeId(next);
                }
                _ => return chosen,
            }
        }
    }

    /// Whether changes are told from noise by the runs on both sides.
    pub fn is_tested(&self, options: &ViewOptions) -> bool {
        let filtered = filtered_profile(&self.document, &options.filters, options.drop_frames);
        let comparing = self.document.comparison().zip(filtered.ok());
        comparing.is_some_and(|(of, filtered)| of.groups.can_test(filtered.parts()))
    }

    /// What the runs say of the totals of both; none where there are no runs to test, or a formula is
    /// compared.
    pub fn total_test(&self, options: &ViewOptions) -> Result<Option<Significance>, ProtocolError> {
        let Some(comparing) = self.document.comparison() else { return Ok(None) };
        // Totals that were made equal are.
        if self.is_formula(options.metric) || comparing.normalise == Normalise::Total {
            return Ok(None);
        }
        let tree = tree_of(&self.document, Shape::TopDown, &self.sided(options, Side::Both));
        let mut tree = tree.map_err(convert::filter_error)?;
        let parts = tree.filtered().parts().to_vec();
        if !comparing.groups.can_test(&parts) {
            return Ok(None);
        }
        let both = Side::Both.of(options.metric);
        let sums = tree.member_sums(NodeId::ROOT, &[both]).total;
        let whole = std::iter::once(((), sums));
        Ok(comparing.groups.test(&parts, options.metric, whole).remove(&()))
    }

    /// What can be said of something that was tested, or was not.
    pub fn verdict(&self, test: Option<&Significance>) -> Verdict {
        let runs = match test {
            Some(test) => Runs::Tested(Some(test)),
            None => Runs::Untested,
        };
        let unsaid = Verdict::Unknown(Reason::Untested);
        self.document.comparison().map_or(unsaid, |comparing| comparing.verdict(runs))
    }

    /// How many runs each side has, base first; 1 where they cannot be told apart.
    pub fn runs(&self) -> [usize; 2] {
        let groups = self.document.comparison().map(|of| &of.groups);
        groups.filter(|groups| groups.are_members()).map_or([1, 1], |groups| groups.runs)
    }

    /// The totals of both, as filtered; `options.metric` is a metric of both.
    pub fn total(&self, options: &ViewOptions) -> Result<Change, ProtocolError> {
        let of = |side: Side| total_of(&self.document, &self.sided(options, side));
        let change = Change { base: of(Side::Base)?, new: of(Side::New)? };
        // Of equal totals nothing but rounding is left.
        let is_rounding = self.document.comparison().is_some_and(|one| one.is_rounding(change));
        Ok(if is_rounding { Change { new: change.base, ..change } } else { change })
    }

    /// Functions in an order, where that does not tell by the size of the change of their self
    /// values (then of their totals, then by self value and name), at most `limit` of them; also how
    /// many there are.
    pub fn flat_report(
        &self,
        options: &ViewOptions,
        order: ChangeOrder,
        limit: usize,
    ) -> Result<(Vec<ChangeRow>, usize), ProtocolError> {
        let (rows, count) = self.flat_rows(options, order, limit)?;
        Ok((rows.into_iter().map(|(_, row)| row).collect(), count))
    }

    /// The same with the key of each row.
    pub(in crate::kinds::profile) fn flat_rows(
        &self,
        options: &ViewOptions,
        order: ChangeOrder,
        limit: usize,
    ) -> Result<(Vec<(FrameKey, ChangeRow)>, usize), ProtocolError> {
        let flat = |side| {
            flat_by(&self.document, &self.sided(options, side)).map_err(convert::filter_error)
        };
        let (base, new) = (flat(Side::Base)?, flat(Side::New)?);
        let keys = frame_keys(&self.document, options.granularity);
        let profile = self.document.profile();
        let own = |key: FrameKey| Change { base: base.of(key).0, new: new.of(key).0 };
        let total = |key: FrameKey| Change { base: base.of(key).1, new: new.of(key).1 };
        let is_empty = |change: Change| change == Change::default();
        let mut found: Vec<FrameKey> =
            keys.all().filter(|&key| !is_empty(own(key)) || !is_empty(total(key))).collect();
        let size = |change: Change| Reverse(change.difference().unsigned_abs());
        found.sort_by_cached_key(|&key| {
            let (own, total) = (own(key), total(key));
            let name = || keys.name(profile, key);
            let (by_name, by_value) = order.first(own, total, name);
            let by_change = (size(own), size(total), Reverse(own.both()));
            (by_name, Reverse(by_value), by_change, name())
        });
        let count = found.len();
        found.truncate(limit);
        let tests = if self.is_formula(options.metric) {
            None
        } else {
            function_tests(&self.document, options, options.metric, &total)?
        };
        let mut more = vec![];
        for &metric in &options.more_metrics {
            let of = ViewOptions { metric, ..options.clone() };
            let flat = |side| {
                flat_by(&self.document, &self.sided(&of, side)).map_err(convert::filter_error)
            };
            more.push((flat(Side::Base)?, flat(Side::New)?));
        }
        let rows = found.into_iter().map(|key| {
            let (own, total) = (own(key), total(key));
            let row = row_of_key(&self.document, &keys, key, own.both(), total.both());
            let is_estimated = base.is_estimated(key) || new.is_estimated(key);
            let row = ReportRow { is_estimated, ..row };
            let more = more.iter().map(|(base, new)| {
                let (base, new) = (base.of(key), new.of(key));
                (Change { base: base.0, new: new.0 }, Change { base: base.1, new: new.1 })
            });
            let more = more.collect();
            (key, ChangeRow { more, ..self.change_row(row, own, total, tests.as_ref(), key) })
        });
        Ok((rows.collect(), count))
    }

    /// The nodes of a tree with the largest changes, at most `limit`, siblings in an order: each row
    /// is given with the names from the outermost down to it. Also tells how many subtrees the
    /// limit leaves out.
    pub fn tree_report(
        &self,
        shape: ReportShape,
        options: &ViewOptions,
        order: ChangeOrder,
        limit: usize,
        mut each: impl FnMut(&ChangeRow, &[String]) -> std::io::Result<()>,
    ) -> Result<std::io::Result<usize>, ProtocolError> {
        let tree = tree_of(&self.document, shape.into(), &self.sided(options, Side::Both));
        let mut tree = tree.map_err(convert::filter_error)?;
        let metric = options.metric;
        let groups = self.document.comparison().map(|comparing| &comparing.groups);
        let groups = groups.filter(|_| !self.is_formula(metric));
        let tests = groups.and_then(|groups| groups.significance(&mut tree, metric));
        let tests = tests.map(|total| Tested { own: None, total });
        let chosen = (limit < usize::MAX).then(|| self.most_changed(&mut tree, metric, limit));
        let mut path: Vec<String> = vec![];
        let mut open = vec![NodeId::ROOT];
        let mut left_out = 0;
        while let Some(node) = open.pop() {
            let children = tree.children(node).map(NodeId);
            let all = children.len();
            let mut kept: Vec<NodeId> = children
                .filter(|child| chosen.as_ref().is_none_or(|chosen| chosen.contains(&child.0)))
                .collect();
            if node != NodeId::ROOT {
                let depth = tree.node(node).depth - 1;
                path.truncate(depth as usize);
                path.push(tree.name(node).into_owned());
                let (own, total) = self.changes(&mut tree, metric, node);
                let frame = tree.node(node).frame.map(FrameId);
                let name = tree.name(node).into_owned();
                let row = row_of(&self.document, name, frame, own.both(), total.both(), depth);
                let place = ReportPlace::from(tree.place(node));
                let row = ReportRow { label: tree.label(node).into_owned(), place, ..row };
                let row = self.change_row(row, own, total, tests.as_ref(), node);
                let more = options.more_metrics.iter();
                let more = more.map(|&metric| self.changes(&mut tree, metric, node)).collect();
                let row = ChangeRow { more, ..row };
                if let Err(error) = each(&row, &path) {
                    return Ok(Err(error));
                }
            }
            left_out += all - kept.len();
            // The last is taken first.
            kept.sort_by_cached_key(|&child| {
                let (own, total) = self.changes(&mut tree, metric, child);
                let name = || tree.name(child).into_owned();
                let (by_name, by_value) = order.first(own, total, name);
                let by_change = (total.difference().unsigned_abs(), total.both());
                (Reverse(by_name), by_value, by_change, Reverse(child.0))
            });
            open.extend(kept);
        }
        Ok(Ok(left_out))
    }

    fn change_row<T: Eq + Hash>(
        &self,
        row: ReportRow,
        own: Change,
        total: Change,
        tests: Option<&Tested<T>>,
        thing: T,
    ) -> ChangeRow {
        let comparing = self.document.comparison();
        let tag = |change: Change, tests: Option<&HashMap<T, Significance>>| {
            let runs = Runs::new(tests, &thing);
            comparing.map_or(change.tag(0.0), |comparing| comparing.tag(change, runs))
        };
        let verdict = |tests: Option<&HashMap<T, Significance>>| {
            let unsaid = Verdict::Unknown(Reason::Untested);
            comparing.map_or(unsaid, |comparing| comparing.verdict(Runs::new(tests, &thing)))
        };
        let of_total = tests.map(|tests| &tests.total);
        let of_own = tests.and_then(|tests| tests.own.as_ref());
        let test = |tests: Option<&HashMap<T, Significance>>| tests?.get(&thing).copied();
        ChangeRow {
            row,
            own,
            total,
            tag: tag(total, of_total),
            own_tag: tag(own, of_own),
            tests: [test(of_own), test(of_total)],
            verdict: verdict(of_total),
            own_verdict: verdict(of_own),
            more: vec![],
        }
    }
}
