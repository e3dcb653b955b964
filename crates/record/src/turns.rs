//! The order in which runs are made that will be compared.
//!
//! ```text
//! round 1  A B C     as they were told
//! round 2  C B A     the one before, backwards
//! round 3  B A C     drawn
//! round 4  C A B     the one before, backwards
//! ```
//! A side is never run to its end before another one begins, or whatever the machine does meanwhile is
//! taken for what the sides differ in. A machine that becomes slower steadily meets all sides alike,
//! since every second round goes backwards. What comes and goes at regular times meets no side more
//! often than another, since rounds are drawn: a fixed or a rotating order can fall in step with it.

/// Which side runs, and which of its runs that is, from 0: each side as often as `runs` says. The same
/// runs have the same order each time.
pub fn turns(runs: &[usize]) -> Vec<(usize, usize)> {
    let mut random = Random(0x5EED);
    let mut order: Vec<usize> = (0..runs.len()).collect();
    let mut turns = Vec::with_capacity(runs.iter().sum());
    for round in 0..runs.iter().copied().max().unwrap_or(0) {
        match round {
            0 => {}
            round if round % 2 == 0 => random.shuffle(&mut order),
            _ => order.reverse(),
        }
        let has_more = order.iter().filter(|&&side| round < runs[side]);
        turns.extend(has_more.map(|&side| (side, round)));
    }
    turns
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Fisher and Yates.
    fn shuffle(&mut self, all: &mut [usize]) {
        for last in (1..all.len()).rev() {
            all.swap(last, (self.next() % (last as u64 + 1)) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_side_has_its_turn_in_every_round() {
        let all = turns(&[4, 4, 4]);
        for (number, round) in all.chunks(3).enumerate() {
            let mut sides: Vec<usize> = round.iter().map(|&(side, _)| side).collect();
            sides.sort_unstable();
            assert_eq!(sides, [0, 1, 2]);
            assert!(round.iter().all(|&(_, run)| run == number));
        }
        for two in all.chunks(6) {
            let backwards = two[3..].iter().rev().map(|&(side, _)| side);
            assert!(two[..3].iter().map(|&(side, _)| side).eq(backwards));
        }
        let first: Vec<usize> = all[..3].iter().map(|&(side, _)| side).collect();
        assert_eq!(first, [0, 1, 2]);
        assert_eq!(all, turns(&[4, 4, 4]));
        assert_eq!(turns(&[3]), [(0, 0), (0, 1), (0, 2)]);
        assert_eq!(turns(&[]), []);
    }

    #[test]
    fn a_side_with_fewer_runs_has_them_first() {
        let all = turns(&[1, 3]);
        assert_eq!(all.len(), 4);
        assert!(all[..2].contains(&(0, 0)) && all[..2].contains(&(1, 0)));
        assert_eq!(all[2..], [(1, 1), (1, 2)]);
    }

    /// Disturbances that come every so many runs meet both of two sides, whatever the number is.
    #[test]
    fn no_side_is_in_step_with_what_comes_and_goes() {
        let all = turns(&[500, 500]);
        for period in 2..=12 {
            for phase in 0..period {
                let hit = all.iter().skip(phase).step_by(period);
                let (first, count) = hit.fold((0, 0), |(first, all), &(side, _)| {
                    (first + usize::from(side == 0), all + 1)
                });
                let share = first as f64 / f64::from(count);
                assert!((0.35..=0.65).contains(&share), "{period}, {phase}: {share}");
            }
        }
    }
}
