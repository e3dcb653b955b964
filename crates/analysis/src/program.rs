//! Values of the whole program, and of each of its members.

use profile::{MemberId, MetricId};
use work::steps;

use crate::derived::Pair;
use crate::formula::Which;
use crate::{Derived, Filtered};

impl Filtered {
    /// Sum of a metric over what is left.
    pub fn program_total(&self, metric: MetricId) -> i64 {
        if let Some(derived) = self.derived(metric) {
            return self.derived_total(&derived);
        }
        self.summed_total(metric)
    }

    fn summed_total(&self, metric: MetricId) -> i64 {
        let sum: i128 = self.kept_values(metric).map(|(_, value)| i128::from(value)).sum();
        sum.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    /// A formula's value of the program, whose self values are all that there are.
    pub(crate) fn derived_total(&self, derived: &Derived) -> i64 {
        let pair = |total: i64| Pair { own: total, total };
        let summed =
            |metric: Option<MetricId>| metric.map_or(0, |metric| self.summed_total(metric));
        let values: Vec<Pair> = derived.summed_inputs().map(|one| pair(summed(one))).collect();
        let mut parts = vec![];
        if derived.needs_parts() {
            let contexts = 0..self.profile().contexts.len() as u32;
            let points = self.points_of_contexts();
            let sums = points.sums(self.profile(), derived.metrics(), [contexts]);
            parts = sums.into_iter().map(pair).collect();
        }
        derived.value(Which::Total, &values, &parts, self.order())
    }

    /// The value of the whole program in each member that filters leave; [`NO_VALUE`](crate::NO_VALUE)
    /// where a formula has none.
    pub fn totals_of_members(&self, metric: MetricId) -> Vec<(MemberId, i64)> {
        if self.profile().metrics.get(metric.index()).is_some_and(|m| self.profile().adds_up(m)) {
            return self.sums_of_members(metric);
        }
        let pair = |total: i64| Pair { own: total, total };
        let contexts = || std::iter::once(0..self.profile().contexts.len() as u32);
        let points = self.points_of_contexts();
        let derived = self.derived(metric);
        let Some(derived) = derived else {
            let sums = points.sums(self.profile(), &[metric], contexts());
            return self.parts().iter().copied().zip(sums).collect();
        };
        let metrics = derived.metrics();
        let sums = points.sums(self.profile(), metrics, contexts());
        let of_part = |part: usize| {
            let sums = &sums[part * metrics.len()..][..metrics.len()];
            let parts: Vec<Pair> = sums.iter().copied().map(pair).collect();
            let inputs = derived.summed_inputs().zip(&parts);
            let values: Vec<Pair> =
                inputs.map(|(one, value)| one.map_or(Pair::default(), |_| *value)).collect();
            derived.value(Which::Total, &values, &parts, None)
        };
        self.parts()
            .iter()
            .copied()
            .enumerate()
            .map(|(part, member)| (member, of_part(part)))
            .collect()
    }

    /// The same for a metric that was measured and adds up, without a look at contexts.
    fn sums_of_members(&self, metric: MetricId) -> Vec<(MemberId, i64)> {
        let points = &self.profile().points;
        let mut sums = vec![0i64; self.profile().members.len().max(1)];
        let mut cut = self.cut().rows();
        for (point, value) in steps("adding up runs", points.values(metric).enumerate()) {
            if self.keeps_point(point) {
                let value = cut.row(point).map_or(value, |row| row[metric.index()]);
                let sum = &mut sums[points.member(point).index()];
                *sum = sum.saturating_add(value);
            }
        }
        self.parts().iter().map(|&member| (member, sums[member.index()])).collect()
    }
}
