//! Things as marks on two logarithmic axes.
//!
//! ```text
//!      no x |                ____/_
//!     +-----+---------------/---/--+ 1
//!     |  o  |   o    .     /   /   |      diagonals: equal products
//!     |  o  |     O    .  /   /    |
//!     |     |    .       /   /     |
//!     +-----+-----------/---/------+ 0
//!           | o  .   o             |      no y
//!           +----------------------+
//!           0                      1
//! ```
//! Positions are shares of the plot, from its left and lower edge, so that they hold at any size.

/// A thing to place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScatterThing {
    /// What counts to the right; 0 or less stands in a strip of its own.
    pub x: f64,
    /// The same upwards; of no meaning where `x` is 0 or less.
    pub y: f64,
    /// What the area of its mark stands for, not below 0.
    pub weight: f64,
}

/// Where a mark stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// On both axes.
    Plot,
    /// In the strip of those without an `x`, one below the other.
    NoX,
    /// In the strip of those with an `x` and without a `y`.
    NoY,
}

/// A thing that was placed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScatterMark {
    /// Its place in the list of things.
    pub thing: usize,
    /// Where it stands.
    pub zone: Zone,
    /// From the left; half without an `x`.
    pub x: f64,
    /// From the bottom; half without a `y`.
    pub y: f64,
    /// Radius as a share of that of the heaviest: areas are weights.
    pub radius: f64,
}

/// A logarithmic axis over whole powers of ten.
#[derive(Debug, Clone, PartialEq)]
pub struct LogScale {
    /// The value at 0, a power of ten.
    pub from: f64,
    /// The value at 1, a larger power of ten.
    pub to: f64,
}

/// A line of equal products of `x` and `y` through the plot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Diagonal {
    /// The product.
    pub product: f64,
    /// Its upper end: on the left or the upper edge.
    pub begin: [f64; 2],
    /// Its lower end.
    pub end: [f64; 2],
}

/// Marks with their axes.
#[derive(Debug, Clone, PartialEq)]
pub struct ScatterLayout {
    /// The heaviest first, so that later ones lie above them.
    pub marks: Vec<ScatterMark>,
    /// To the right.
    pub across: LogScale,
    /// Upwards.
    pub up: LogScale,
    /// From the smallest product to the largest.
    pub diagonals: Vec<Diagonal>,
}

impl LogScale {
    /// Whole powers of ten around all of `values` that are above 0.
    fn around(values: impl Iterator<Item = f64>) -> LogScale {
        let logs = values.filter(|&value| value > 0.0 && value.is_finite()).map(f64::log10);
        let (least, most) = logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), log| {
            (least.min(log), most.max(log))
        });
        if least > most {
            return LogScale { from: 1.0, to: 10.0 };
        }
        // Powers of ten may come out a little beside themselves.
        let low = (least + 1e-9).floor();
        let high = (most - 1e-9).ceil().max(low + 1.0);
        LogScale { from: 10f64.powf(low), to: 10f64.powf(high) }
    }

    /// Where a value above 0 stands.
    pub fn at(&self, value: f64) -> f64 {
        (value / self.from).log10() / (self.to / self.from).log10()
    }
}

/// Places the `most` heaviest of things.
pub fn scatter(things: &[ScatterThing], most: usize) -> ScatterLayout {
    let mut order: Vec<usize> = (0..things.len()).collect();
    order.sort_by(|&a, &b| things[b].weight.total_cmp(&things[a].weight).then(a.cmp(&b)));
    order.truncate(most);
    let zone = |thing: &ScatterThing| match thing {
        ScatterThing { x, .. } if !is_above(*x) => Zone::NoX,
        ScatterThing { y, .. } if !is_above(*y) => Zone::NoY,
        _ => Zone::Plot,
    };
    let shown = || order.iter().map(|&thing| &things[thing]);
    let across = LogScale::around(shown().filter(|thing| zone(thing) != Zone::NoX).map(|t| t.x));
    let up = LogScale::around(shown().filter(|thing| zone(thing) == Zone::Plot).map(|t| t.y));
    let heaviest = shown().map(|thing| thing.weight).fold(0.0, f64::max);
    let without_x = shown().filter(|thing| zone(thing) == Zone::NoX).count() as f64;
    let mut rank = 0.0;
    let marks = order.iter().map(|&index| {
        let thing = &things[index];
        let zone = zone(thing);
        let (x, y) = match zone {
            Zone::Plot => (across.at(thing.x), up.at(thing.y)),
            Zone::NoY => (across.at(thing.x), 0.5),
            Zone::NoX => {
                rank += 1.0;
                (0.5, 1.0 - (rank - 0.5) / without_x)
            }
        };
        let share = if heaviest > 0.0 { thing.weight.max(0.0) / heaviest } else { 0.0 };
        ScatterMark { thing: index, zone, x, y, radius: share.sqrt() }
    });
    let marks = marks.collect();
    let diagonals = diagonals(&across, &up);
    ScatterLayout { marks, across, up, diagonals }
}

fn is_above(value: f64) -> bool {
    value > 0.0 && value.is_finite()
}

/// Lines through every power of ten that has a product inside of the plot.
fn diagonals(across: &LogScale, up: &LogScale) -> Vec<Diagonal> {
    let log = |value: f64| value.log10().round();
    let (left, right, low, high) = (log(across.from), log(across.to), log(up.from), log(up.to));
    let (first, last) = ((left + low) as i32 + 1, (right + high) as i32 - 1);
    let line = |power: i32| {
        let power = f64::from(power);
        // x + y = power, in logarithms.
        let begin = left.max(power - high);
        let end = right.min(power - low);
        let at = |x: f64| [(x - left) / (right - left), (power - x - low) / (high - low)];
        Diagonal { product: 10f64.powf(power), begin: at(begin), end: at(end) }
    };
    (first..=last).map(line).collect()
}
