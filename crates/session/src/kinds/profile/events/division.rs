//! How time is divided into bins.

use analysis::{BinAxis, EventBins, HeatGrid, LEAST_SAMPLES};

/// How time is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Division {
    /// Into bins of so many nanoseconds.
    Width(i64),
    /// Into so many bins at most, whose width is a round number of a millisecond at least; fewer where
    /// most would have too few samples to say something.
    Most(usize),
    /// Each run into so many equal parts.
    Progress(usize),
    /// Each run into so many equal parts at most; fewer where most would have too few samples to say
    /// something.
    MostParts(usize),
}

/// More bins than a picture has room for.
pub const MOST_BINS: usize = 10_000;

/// Bins are not made so wide that there are fewer, for want of samples.
const LEAST_BINS: usize = 20;

/// How many parts of runs there are where that many are too many.
const PARTS: [usize; 3] = [50, 25, LEAST_BINS];

impl Division {
    /// Fewer bins, if these have too few samples each.
    pub(super) fn wider(self, bins: &EventBins, axis: BinAxis) -> Option<Division> {
        let (Division::Most(_) | Division::MostParts(_)) = self else { return None };
        let mean = bins.mean_samples().filter(|mean| *mean < LEAST_SAMPLES as f64)?;
        // Half as many again, for they differ.
        let fewer = axis.bins() as f64 * mean / (1.5 * LEAST_SAMPLES as f64);
        let fewer = (fewer as usize).max(LEAST_BINS);
        if fewer >= axis.bins() {
            return None;
        }
        Some(match self {
            // Parts are round shares.
            Division::MostParts(_) => {
                let round = PARTS.into_iter().find(|parts| *parts <= fewer);
                Division::MostParts(round.unwrap_or(LEAST_BINS))
            }
            _ => Division::Most(fewer),
        })
    }

    pub(super) fn axis(self, [begin, end]: [i64; 2], origin: i64) -> Result<BinAxis, String> {
        let wide = end.saturating_sub(begin).saturating_add(1).max(1);
        let cell = match self {
            Division::Progress(bins) | Division::MostParts(bins)
                if (1..=MOST_BINS).contains(&bins) =>
            {
                return Ok(BinAxis::Progress(bins));
            }
            Division::Progress(_) | Division::MostParts(_) => {
                return Err(format!("progress has 1 to {MOST_BINS} parts"));
            }
            Division::Width(width) if width > 0 => width,
            Division::Width(_) => return Err("a bin is a nanosecond wide at least".to_owned()),
            Division::Most(bins) => round_width(wide, bins.clamp(1, MOST_BINS)),
        };
        // Bins stand at round times, whatever part of time is chosen.
        let begin = begin - (begin - origin).rem_euclid(cell);
        let cells = (end.saturating_sub(begin) / cell).saturating_add(1);
        match usize::try_from(cells) {
            Ok(cells) if cells <= MOST_BINS => Ok(BinAxis::Time(HeatGrid { begin, cell, cells })),
            _ => Err(format!("these are {cells} bins: {MOST_BINS} is the most")),
        }
    }
}

/// The smallest width of 1, 2 or 5 times a power of ten, a millisecond at least, of which so many cover
/// a length.
fn round_width(length: i64, bins: usize) -> i64 {
    let mut width = 1_000_000i64;
    // One more where the first bin begins before the length does.
    let least = length / i64::try_from(bins).unwrap_or(i64::MAX).max(2).saturating_sub(1);
    for factor in [2, 5, 10].iter().cycle() {
        if width >= least {
            break;
        }
        let decade = 10i64.pow(width.ilog10());
        width = decade.saturating_mul(*factor);
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_round() {
        for (length, bins, width) in [
            (1, 100, 1_000_000),
            (100_000_000, 101, 1_000_000),
            (101_000_000, 101, 2_000_000),
            (1_000_000_000, 101, 10_000_000),
            (2_100_000_000, 101, 50_000_000),
            (60_000_000_000, 400, 200_000_000),
        ] {
            assert_eq!(round_width(length, bins), width, "{length} in {bins}");
        }
    }

    #[test]
    fn bins_stand_at_round_times_of_the_recording() {
        let axis = Division::Most(100).axis([1_503_000_007, 2_500_000_007], 7).unwrap();
        let BinAxis::Time(grid) = axis else { panic!() };
        assert_eq!((grid.begin - 7) % grid.cell, 0);
        assert!(grid.begin <= 1_503_000_007);
        assert!(grid.begin + grid.cell * grid.cells as i64 > 2_500_000_007);
        assert!(Division::Width(1).axis([0, 1_000_000], 0).is_err());
        assert!(Division::Progress(0).axis([0, 1], 0).is_err());
    }
}
