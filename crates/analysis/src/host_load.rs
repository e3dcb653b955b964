//! Whether runs that are compared had the machine to themselves alike.
//!
//! A program that is slower seems faster where the other one had to share its processors. So of
//! either side is kept what else the machine did, which runs have as notes, and compared as values
//! are: a difference that is shown, or that was measured and is not shown to be smaller, is told
//! beside the changes.

use profile::{FactValue, MemberId, Profile};

use crate::statistics::{Crossing, LEVEL, Shift, Unknown};

/// The note of a run: nanoseconds that all processors of the machine have in its time.
pub const MACHINE: &str = "machine's processor time";
/// The note of a run: nanoseconds that other programs had of them.
pub const OTHERS: &str = "other programs' processor time";
/// The note of a run: nanoseconds that other machines on the same hardware had of them.
pub const STOLEN: &str = "stolen processor time";
/// The note of a run: threads that ran or waited for a processor right before it.
pub const RUNNABLE: &str = "runnable before";
/// The note of a run: the average of the minute before it, as a text with two decimals.
pub const LOAD: &str = "load before";

/// What else a machine did while something ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HostQuantity {
    /// The share of the machine that other programs had.
    Others,
    /// The share of the machine that other machines on the same hardware had.
    Stolen,
    /// How many threads ran or waited for a processor right before.
    Runnable,
}

/// What else machines did during some runs; a value for each run that knows it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HostLoads {
    /// Shares of the machine, from 0 to 1.
    others: Vec<f64>,
    /// The same.
    stolen: Vec<f64>,
    /// Threads.
    runnable: Vec<f64>,
    /// Nanoseconds that the machine had in all runs together.
    machine_ns: f64,
}

/// By how much two sides differ in what else their machines did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostDifference {
    /// What they differ in.
    pub quantity: HostQuantity,
    /// Means of the runs of base and new: shares of the machine from 0 to 1, or threads.
    pub means: [f64; 2],
    /// How many runs of either side know it.
    pub runs: [usize; 2],
}

impl HostQuantity {
    const ALL: [HostQuantity; 3] =
        [HostQuantity::Others, HostQuantity::Stolen, HostQuantity::Runnable];

    /// Differences up to this are none: shares of the machine, or threads.
    fn least(self) -> f64 {
        match self {
            HostQuantity::Others => 0.05,
            HostQuantity::Stolen => 0.01,
            HostQuantity::Runnable => 1.0,
        }
    }
}

/// Kernels keep their accounts in steps: of all runs of a side together, less than this many
/// nanoseconds may be rounding.
const ROUNDING_NS: f64 = 60e6;

impl HostLoads {
    /// Of these members of a profile.
    pub fn new(profile: &Profile, members: impl IntoIterator<Item = MemberId>) -> HostLoads {
        let mut loads = HostLoads::default();
        for member in members {
            let number = |name: &str| match profile.fact(member, name)?.value {
                FactValue::Number(number, _) => Some(number as f64),
                FactValue::Text(_) => None,
            };
            loads.runnable.extend(number(RUNNABLE));
            let Some(machine) = number(MACHINE).filter(|&ns| ns > 0.0) else { continue };
            loads.machine_ns += machine;
            loads.others.extend(number(OTHERS).map(|ns| ns / machine));
            loads.stolen.extend(number(STOLEN).map(|ns| ns / machine));
        }
        loads
    }

    fn add(&mut self, other: &HostLoads) {
        self.others.extend(&other.others);
        self.stolen.extend(&other.stolen);
        self.runnable.extend(&other.runnable);
        self.machine_ns += other.machine_ns;
    }

    fn values(&self, quantity: HostQuantity) -> &[f64] {
        match quantity {
            HostQuantity::Others => &self.others,
            HostQuantity::Stolen => &self.stolen,
            HostQuantity::Runnable => &self.runnable,
        }
    }

    /// Whether a difference of shares may be nothing but the steps of accounts.
    fn is_rounding(&self, quantity: HostQuantity, difference: f64) -> bool {
        quantity != HostQuantity::Runnable && difference.abs() * self.machine_ns < ROUNDING_NS
    }

    /// Whether nothing of it was measured.
    pub fn is_unknown(&self) -> bool {
        HostQuantity::ALL.iter().all(|&quantity| self.values(quantity).is_empty())
    }
}

impl<'a> FromIterator<&'a HostLoads> for HostLoads {
    fn from_iter<T: IntoIterator<Item = &'a HostLoads>>(all: T) -> HostLoads {
        let mut together = HostLoads::default();
        all.into_iter().for_each(|one| together.add(one));
        together
    }
}

/// In what base and new side differ. What a side has not measured is not compared.
pub fn host_differences([base, new]: [&HostLoads; 2]) -> Vec<HostDifference> {
    let of = |quantity: HostQuantity| {
        let sides = [base.values(quantity), new.values(quantity)];
        if sides.iter().any(|values| values.is_empty()) {
            return None;
        }
        let means = sides.map(|values| values.iter().sum::<f64>() / values.len() as f64);
        let measured = means[1] - means[0];
        let shift = Shift::new(sides[0], sides[1]);
        let is_believed = shift.is_some_and(|shift| shift.p_value <= LEVEL);
        let interval = shift.map(|shift| shift.difference);
        let limit = quantity.least().copysign(measured);
        let crossing = Crossing::new(measured, interval, is_believed, limit);
        let is_told = crossing.fails(Unknown::Measured)
            && [base, new].iter().all(|side| !side.is_rounding(quantity, measured));
        is_told.then(|| HostDifference { quantity, means, runs: sides.map(<[f64]>::len) })
    };
    HostQuantity::ALL.into_iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loads(others: &[f64], runnable: &[f64]) -> HostLoads {
        HostLoads {
            others: others.to_vec(),
            stolen: vec![0.0; others.len()],
            runnable: runnable.to_vec(),
            machine_ns: 2e9 * others.len() as f64,
        }
    }

    fn differ(base: &HostLoads, new: &HostLoads) -> Vec<HostQuantity> {
        host_differences([base, new]).into_iter().map(|one| one.quantity).collect()
    }

    #[test]
    fn reports_sides_that_shared_their_machine_otherwise() {
        let busy = loads(&[0.38, 0.36, 0.40], &[2.0, 2.0, 3.0]);
        let calm = loads(&[0.02, 0.03, 0.01], &[0.0, 0.0, 0.0]);
        assert_eq!(differ(&busy, &calm), [HostQuantity::Others, HostQuantity::Runnable]);
        assert_eq!(differ(&calm, &busy), [HostQuantity::Others, HostQuantity::Runnable]);
        let [others, _] = host_differences([&busy, &calm])[..] else { panic!("two") };
        assert!((others.means[0] - 0.38).abs() < 1e-9 && others.runs == [3, 3], "{others:?}");
        assert_eq!(differ(&calm, &calm), []);
        assert_eq!(differ(&busy, &busy), []);
        // One run a side shows nothing: what was measured is told.
        assert_eq!(differ(&loads(&[0.3], &[]), &loads(&[0.0], &[])), [HostQuantity::Others]);
        // Two percent of a machine make no program faster.
        assert_eq!(differ(&loads(&[0.02; 5], &[]), &loads(&[0.0; 5], &[])), []);
    }

    #[test]
    fn what_was_not_measured_is_not_compared_and_rounding_is_no_difference() {
        let busy = loads(&[0.38, 0.36, 0.40], &[]);
        assert_eq!(differ(&busy, &HostLoads::default()), []);
        assert!(HostLoads::default().is_unknown() && !busy.is_unknown());
        // A tick of 10 ms in a run of 30 ms.
        let short = |share| HostLoads { machine_ns: 30e6, ..loads(&[share], &[]) };
        assert_eq!(differ(&short(0.33), &short(0.0)), []);
    }
}
