//! Stretches of time.

/// Stretches of time in nanoseconds, sorted and apart from each other: of each the begin belongs to it,
/// the end does not. The last one may end at `i64::MAX`, which then belongs to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Intervals(Vec<[i64; 2]>);

impl Intervals {
    /// All of time.
    pub fn all() -> Intervals {
        Intervals(vec![[i64::MIN, i64::MAX]])
    }

    /// What some of them cover; those that end where they begin cover nothing.
    pub fn new(mut stretches: Vec<[i64; 2]>) -> Intervals {
        stretches.retain(|[begin, end]| begin < end);
        stretches.sort_unstable();
        let mut all: Vec<[i64; 2]> = vec![];
        for [begin, end] in stretches {
            match all.last_mut() {
                Some(last) if begin <= last[1] => last[1] = last[1].max(end),
                _ => all.push([begin, end]),
            }
        }
        Intervals(all)
    }

    /// What both cover.
    pub fn and(&self, other: &Intervals) -> Intervals {
        let mut all = vec![];
        let (mut own, mut others) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some(&&one), Some(&&two)) = (own.peek(), others.peek()) {
            let (begin, end) = (one[0].max(two[0]), one[1].min(two[1]));
            if begin < end {
                all.push([begin, end]);
            }
            if one[1] <= two[1] {
                own.next();
            } else {
                others.next();
            }
        }
        Intervals(all)
    }

    /// What one of both covers.
    pub fn or(&self, other: &Intervals) -> Intervals {
        Intervals::new(self.0.iter().chain(&other.0).copied().collect())
    }

    /// Whether an instant is in one of them.
    pub fn contains(&self, time: i64) -> bool {
        let behind = self.0.partition_point(|[begin, _]| *begin <= time);
        behind.checked_sub(1).is_some_and(|place| {
            let end = self.0[place][1];
            time < end || end == i64::MAX
        })
    }

    /// The parts of them between two times.
    pub fn between(&self, begin: i64, end: i64) -> impl Iterator<Item = [i64; 2]> + '_ {
        let first = self.0.partition_point(|stretch| stretch[1] <= begin);
        self.0[first..].iter().take_while(move |stretch| stretch[0] < end).filter_map(
            move |stretch| {
                let clipped = [stretch[0].max(begin), stretch[1].min(end)];
                (clipped[0] < clipped[1]).then_some(clipped)
            },
        )
    }

    /// How many nanoseconds of them are between two times.
    pub fn length_between(&self, begin: i64, end: i64) -> i64 {
        self.between(begin, end)
            .fold(0, |sum: i64, [begin, end]| sum.saturating_add(end.saturating_sub(begin)))
    }

    /// All of them, by time.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = [i64; 2]> + '_ {
        self.0.iter().copied()
    }

    /// Whether nothing is covered.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
