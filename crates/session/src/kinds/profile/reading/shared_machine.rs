//! What is said where the runs of two sides shared their machines with others otherwise.

use analysis::{HostDifference, HostLoads, HostQuantity, host_differences};
use profile::{MemberId, Profile};

use crate::kinds::profile::reading::failed_runs::SIDES;

/// Sentences about what else machines did during the runs of base and new side, where it differs, or
/// where only one side knows it.
pub(crate) fn host_notes([base, new]: [&HostLoads; 2]) -> Vec<String> {
    let [is_base_unknown, is_new_unknown] = [base, new].map(HostLoads::is_unknown);
    if is_base_unknown != is_new_unknown {
        let side = SIDES[usize::from(is_new_unknown)];
        return vec![format!(
            "what else the machine did during the runs of {side} was not measured: whether both sides \
             had the same processor time is not known"
        )];
    }
    host_differences([base, new]).iter().map(sentence).collect()
}

/// What is known of runs that have samples; of all, where none has.
pub(crate) fn loads_of(profile: &Profile) -> HostLoads {
    let mut has_point = vec![false; profile.members.len()];
    for point in 0..profile.points.len() {
        if let Some(has) = has_point.get_mut(profile.points.member(point).index()) {
            *has = true;
        }
    }
    let is_any = has_point.contains(&true);
    let members = (0..).map(MemberId).zip(has_point);
    HostLoads::new(profile, members.filter(|(_, has)| *has || !is_any).map(|(member, _)| member))
}

fn sentence(of: &HostDifference) -> String {
    let worse = usize::from(of.means[1] > of.means[0]);
    let (more, less) = (SIDES[worse], SIDES[1 - worse]);
    let [most, least] = [of.means[worse], of.means[1 - worse]];
    let few = if of.runs.contains(&1) { " (1 run on a side)" } else { "" };
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    match of.quantity {
        HostQuantity::Others => format!(
            "the runs of {more} had less processor time: other programs used {} of the machine during \
             {more} and {} during {less}{few}",
            percent(most),
            percent(least)
        ),
        HostQuantity::Stolen => format!(
            "the runs of {more} had less processor time: other machines took {} of this one during \
             {more} and {} during {less}{few}",
            percent(most),
            percent(least)
        ),
        HostQuantity::Runnable => format!(
            "the machine was busier when the runs of {more} began: {most:.1} threads ran or waited \
             before {more} and {least:.1} before {less}{few}"
        ),
    }
}
