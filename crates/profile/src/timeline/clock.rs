//! How times of a member stand on the axis that members share.

use crate::{MemberId, TrackId};

use super::tables::Timeline;

/// A clock that runs faster and slower: between two of its pairs of times evenly, before the first and
/// behind the last as the axis does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clock {
    /// Times of the member and of the axis in nanoseconds; both rise.
    pairs: Vec<[i64; 2]>,
}

/// The clock of the axis.
static EVEN: Clock = Clock { pairs: vec![] };

impl Clock {
    /// The clock of the axis.
    pub fn even() -> &'static Clock {
        &EVEN
    }

    /// A clock by pairs of a time of the member and the one of the axis, in any order. Of pairs that contradict
    /// each other the first by the member's time counts.
    pub fn new(mut pairs: Vec<[i64; 2]>) -> Clock {
        pairs.sort_unstable();
        let mut kept: Vec<[i64; 2]> = vec![];
        for [own, axis] in pairs {
            if kept.last().is_none_or(|last| own > last[0] && axis > last[1]) {
                kept.push([own, axis]);
            }
        }
        Clock { pairs: kept }
    }

    /// Whether it is that of the axis.
    pub fn is_even(&self) -> bool {
        self.pairs.iter().all(|[own, axis]| own == axis)
    }

    /// The pairs, by time.
    pub fn pairs(&self) -> &[[i64; 2]] {
        &self.pairs
    }

    /// Where a time of the member is on the axis.
    pub fn on_axis(&self, own: i64) -> i64 {
        self.mapped(own, 0)
    }

    /// The time of the member at one of the axis.
    pub fn own(&self, on_axis: i64) -> i64 {
        self.mapped(on_axis, 1)
    }

    /// A stretch of the member's time in pieces within which the clock runs evenly, each with where it is on
    /// the axis.
    pub fn pieces(&self, [begin, end]: [i64; 2]) -> impl Iterator<Item = [[i64; 2]; 2]> + '_ {
        let mut next = self.pairs.partition_point(|pair| pair[0] <= begin);
        let mut at = begin;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let until = self.pairs.get(next).map_or(end, |pair| pair[0].min(end));
            next += 1;
            let own = [at, until];
            at = until;
            Some([own, own.map(|time| self.on_axis(time))])
        })
    }

    /// The ends of 64 bits stay, as they stand for no end at all.
    fn mapped(&self, time: i64, from: usize) -> i64 {
        let to = 1 - from;
        let (Some(first), Some(last)) = (self.pairs.first(), self.pairs.last()) else {
            return time;
        };
        if time == i64::MIN || time == i64::MAX {
            return time;
        }
        let beside = |pair: &[i64; 2]| {
            let time = i128::from(time) - i128::from(pair[from]) + i128::from(pair[to]);
            time.clamp(i64::MIN.into(), i64::MAX.into()) as i64
        };
        let behind = self.pairs.partition_point(|pair| pair[from] <= time);
        match behind {
            0 => beside(first),
            _ if behind == self.pairs.len() => beside(last),
            _ => {
                let (one, two) = (self.pairs[behind - 1], self.pairs[behind]);
                let wide = |side: usize| i128::from(two[side]) - i128::from(one[side]);
                let along = i128::from(time) - i128::from(one[from]);
                (i128::from(one[to]) + along * wide(to) / wide(from)) as i64
            }
        }
    }
}

impl Timeline {
    /// The clock of a member.
    pub fn clock(&self, member: MemberId) -> &Clock {
        self.clocks.get(member.index()).unwrap_or(&EVEN)
    }

    /// Where a time of a member is on the axis that members share.
    pub fn on_axis(&self, member: MemberId, time: i64) -> i64 {
        self.clock(member).on_axis(time)
    }

    /// Where a time of a track is on it.
    pub fn track_on_axis(&self, track: TrackId, time: i64) -> i64 {
        self.on_axis(self.tracks[track.index()].member, time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_between_pairs_are_stretched_and_others_move() {
        let clock = Clock::new(vec![[100, 1000], [200, 1400]]);
        let both = [(50, 950), (100, 1000), (125, 1100), (200, 1400), (300, 1500)];
        for (own, axis) in both {
            assert_eq!((clock.on_axis(own), clock.own(axis)), (axis, own));
        }
        assert_eq!(clock.on_axis(i64::MAX), i64::MAX);
        let pieces: Vec<_> = clock.pieces([50, 250]).collect();
        let wanted =
            [[[50, 100], [950, 1000]], [[100, 200], [1000, 1400]], [[200, 250], [1400, 1450]]];
        assert_eq!(pieces, wanted);
        assert_eq!(Clock::default().pieces([3, 5]).collect::<Vec<_>>(), [[[3, 5], [3, 5]]]);
        assert_eq!(clock.on_axis(i64::MAX - 1), i64::MAX);
    }

    #[test]
    fn it_never_goes_back() {
        let clock = Clock::new(vec![[10, 50], [20, 40], [20, 60], [30, 60], [40, 61]]);
        assert_eq!(clock.pairs(), [[10, 50], [20, 60], [40, 61]]);
        let times: Vec<i64> = (0..60).map(|time| clock.on_axis(time)).collect();
        assert!(times.is_sorted());
        assert!(Clock::default().is_even());
    }
}
