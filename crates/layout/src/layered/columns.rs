//! Where a tall drawing is cut into columns that stand side by side.
//!
//! ```text
//! 1   1 +-> 3
//! |   | |   |
//! 2   2 |   4      what leads from the foot of a column to the head of the next
//! |   +-+          goes up between them, each edge on a lane of its own
//! 3
//! |
//! 4
//! ```

use super::cut::Cut;
use super::graph::Spacing;

/// Between neighbouring lanes, where there are few.
const LANE: f64 = 10.0;
/// Between neighbouring lanes, however many there are.
const NARROWEST_LANE: f64 = 4.0;
/// Lanes that need more room than this together are narrower.
const WIDE: f64 = 240.0;
/// What is lower is looked at as it is.
const LEAST_HEIGHT: f64 = 1000.0;
/// So many times taller than its place a drawing is cut.
const MUCH_TALLER: f64 = 1.8;
/// So many times larger it is to be seen then, at least.
const WORTH_IT: f64 = 1.25;
/// And so many times larger with another column.
const ANOTHER: f64 = 1.03;
/// Columns, at most.
const MOST: usize = 100;
/// More columns without a gain, after which the best stand.
const PATIENCE: usize = 4;
/// Numbers of columns, around the one that seems best, that are tried each way.
const TRIED: usize = 2;
/// Slots of a drawing in which they are.
const MOST_TO_TRY: usize = 10_000;
/// How far from where it would be even a cut may be, as a share of a column.
const REACH: f64 = 0.25;
/// A cut is moved so far to have an edge less across it.
const FOR_AN_EDGE: f64 = 60.0;

/// A drawing before it is cut.
#[derive(Clone, Copy)]
pub(super) struct Strip<'s> {
    pub(super) cut: &'s Cut,
    pub(super) layers: &'s [Vec<u32>],
    pub(super) heights: &'s [f64],
    /// The middle of every slot.
    pub(super) x: &'s [f64],
    pub(super) spacing: Spacing,
}

/// Columns and where slots stand in each.
pub(super) struct Columns {
    /// The first layer of every column.
    pub(super) starts: Vec<usize>,
    /// The middle of every slot, of each column by itself.
    pub(super) x: Vec<f64>,
}

impl Strip<'_> {
    /// The columns that are seen largest in a place of an aspect (width over height), where columns
    /// are worth it. `place` tells the middles of slots.
    pub(super) fn columns(&self, aspect: f64, place: impl Fn(&Cut) -> Vec<f64>) -> Option<Columns> {
        let tops = self.tops();
        let lanes = self.lanes();
        let scale = |(width, height): (f64, f64)| (aspect / width).min(1.0 / height);
        let extents = self.extents();
        let (width, height) = self.size(&[0], &tops, &lanes, &extents);
        if height < LEAST_HEIGHT || height * aspect < MUCH_TALLER * width {
            return None;
        }
        // What columns would be as wide as they are now, about.
        let mut ways: Vec<Vec<usize>> = vec![];
        let (mut most, mut best) = (0.0, 0);
        for count in 2..=MOST.min(self.layers.len() / 2) {
            let Some(starts) = divided(&tops, &lanes, count) else { break };
            let seen = scale(self.size(&starts, &tops, &lanes, &extents));
            if seen >= most * ANOTHER {
                (most, best) = (seen, ways.len());
            }
            ways.push(starts);
            if ways.len() > best + PATIENCE {
                break;
            }
        }
        let tried = if self.x.len() <= MOST_TO_TRY { TRIED } else { 0 };
        let least = scale((width, height)) * WORTH_IT;
        let mut found: Option<(f64, Columns)> = None;
        let from = best.saturating_sub(tried);
        for starts in ways.into_iter().take(best + tried + 1).skip(from) {
            let mut cut = self.cut.clone();
            cut.part(self.layers, &starts);
            let x = place(&cut);
            let extents = Strip { x: &x, ..*self }.extents();
            let seen = scale(self.size(&starts, &tops, &lanes, &extents));
            let to_beat = found.as_ref().map_or(least, |found| found.0 * ANOTHER);
            if seen >= to_beat {
                found = Some((seen, Columns { starts, x }));
            }
        }
        found.map(|(_, columns)| columns)
    }

    /// The upper side of every layer, and the lower side of all.
    fn tops(&self) -> Vec<f64> {
        let mut tops = vec![0.0];
        let mut bottom = 0.0;
        for height in self.heights {
            bottom += height + self.spacing.along;
            tops.push(bottom);
        }
        tops
    }

    /// By layer, the edges that come into it from above.
    fn lanes(&self) -> Vec<usize> {
        let above = |&slot: &u32| self.cut.above[slot as usize].len();
        self.layers.iter().map(|layer| layer.iter().map(above).sum()).collect()
    }

    /// The left and the right side of every layer.
    fn extents(&self) -> Vec<(f64, f64)> {
        self.layers.iter().map(|layer| self.extent(layer)).collect()
    }

    fn extent(&self, layer: &[u32]) -> (f64, f64) {
        let sides = layer.iter().map(|&slot| {
            let half = self.cut.slots[slot as usize].width / 2.0;
            (self.x[slot as usize] - half, self.x[slot as usize] + half)
        });
        sides.fold(NOTHING, together)
    }

    /// The size of the drawing when it is cut.
    fn size(
        &self,
        starts: &[usize],
        tops: &[f64],
        lanes: &[usize],
        extents: &[(f64, f64)],
    ) -> (f64, f64) {
        let (mut width, mut height) = (0.0, 0.0f64);
        for (column, &start) in starts.iter().enumerate() {
            let end = starts.get(column + 1).copied().unwrap_or(extents.len());
            let (left, right) = extents[start..end].iter().copied().fold(NOTHING, together);
            let lanes = [start, end].map(|layer| lanes.get(layer).copied().unwrap_or(0));
            width += right - left;
            if column > 0 {
                width += gutter(lanes[0], self.spacing);
            }
            let ways = if column > 0 { bank(lanes[0]) } else { 0.0 } + bank(lanes[1]);
            height = height.max(tops[end] - tops[start] + ways);
        }
        (width, height)
    }
}

const NOTHING: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);

fn together(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.max(b.1))
}

/// Between neighbours of so many lanes.
pub(super) fn lane(lanes: usize) -> f64 {
    LANE.min((WIDE / lanes.max(1) as f64).max(NARROWEST_LANE))
}

/// Room between two columns with so many lanes.
pub(super) fn gutter(lanes: usize, spacing: Spacing) -> f64 {
    2.0 * spacing.across + lane(lanes) * lanes as f64
}

/// Before the first of the lanes above or below a column.
pub(super) const SHORE: f64 = LANE;

/// Room for so many lanes above or below a column.
pub(super) fn bank(lanes: usize) -> f64 {
    2.0 * SHORE + lane(lanes) * lanes as f64
}

/// The first layers of so many columns about as tall as each other, cut where few edges are.
fn divided(tops: &[f64], lanes: &[usize], count: usize) -> Option<Vec<usize>> {
    let each = tops[tops.len() - 1] / count as f64;
    let mut starts = vec![0];
    for column in 1..count {
        let even = each * column as f64;
        // No column has one layer only.
        let first = starts[column - 1] + 2;
        let last = lanes.len().checked_sub(2)?;
        if first > last {
            return None;
        }
        let all = &tops[first..=last];
        let from = first + all.partition_point(|&top| top < even - REACH * each);
        let to = first + all.partition_point(|&top| top <= even + REACH * each);
        let off = |start: usize| (tops[start] - even).abs();
        let worth = |start: usize| off(start) + FOR_AN_EDGE * lanes[start] as f64;
        let best = (from..to).min_by(|&a, &b| worth(a).total_cmp(&worth(b)));
        // Where no layer begins near, the next one.
        starts.push(best.unwrap_or(from.min(last)));
    }
    Some(starts)
}
