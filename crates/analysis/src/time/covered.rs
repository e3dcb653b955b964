//! How much time a run has, where samples are all that tells of it.

use profile::Profile;
use work::steps;

use super::cut::Length;
use super::notes::recorded_times;

/// By member, from when to when what it recorded stands for its time.
///
/// A sample stands for the time since the one before it, so that `n` samples stand for `n` stretches of
/// time, of which `n - 1` are between them. So where a sample is the last that happened, a run is longer
/// than what is between its ends by the time between two samples on average.
pub(crate) fn covered_times(profile: &Profile) -> Vec<Option<[i64; 2]>> {
    let mut all = recorded_times(profile);
    let length = Length::new(profile);
    let points = &profile.points;
    // By member, how many times there are, and the last one.
    let mut times: Vec<(i64, Option<i64>)> = vec![(0, None); all.len()];
    let mut before = vec![None; all.len()];
    for point in steps("counting samples", 0..points.len()) {
        let Some(time) = points.time(point) else { continue };
        let member = points.member(point).index();
        if member >= all.len() || length.of_point(points, point) > 0 {
            continue;
        }
        let (count, last) = &mut times[member];
        *count += i64::from(before[member].replace(time) != Some(time));
        *last = (*last).max(Some(time));
    }
    for (ends, (count, last_sample)) in all.iter_mut().zip(times) {
        if let Some([first, last]) = ends
            && count > 1
            && last_sample == Some(*last)
        {
            *last = last.saturating_add(last.saturating_sub(*first) / (count - 1));
        }
    }
    all
}
