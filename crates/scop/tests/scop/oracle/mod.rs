//! Random statements with conditions and schedules, written as Polly does, and their accesses by the
//! definition.

use proptest::prelude::*;

use crate::walked::Accessed;

/// Factors of iterators and of `n`, and a constant.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    pub(crate) factors: Vec<i64>,
    pub(crate) n: i64,
    pub(crate) constant: i64,
}

#[derive(Debug, Clone)]
pub(crate) struct MadeStatement {
    pub(crate) name: String,
    /// Where each iterator begins and ends.
    pub(crate) bounds: Vec<[i64; 2]>,
    /// Sums that are 0 or more.
    pub(crate) conditions: Vec<Condition>,
    pub(crate) schedule: Vec<Condition>,
    /// Indices into an array that all share.
    pub(crate) index: Condition,
}

#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) statements: Vec<MadeStatement>,
}

impl Condition {
    pub(crate) fn value(&self, at: &[i64], n: i64) -> i64 {
        let sum: i64 = self.factors.iter().zip(at).map(|(factor, at)| factor * at).sum();
        sum + self.n * n + self.constant
    }

    pub(crate) fn holds(&self, at: &[i64], n: i64) -> bool {
        self.value(at, n) >= 0
    }

    fn text(&self) -> String {
        let mut text = self.constant.to_string();
        let named = |place: usize| format!("i{place}");
        let terms = self.factors.iter().enumerate().map(|(place, factor)| (named(place), *factor));
        for (name, factor) in terms.chain([("n".to_owned(), self.n)]) {
            match factor {
                0 => {}
                1.. => text += &format!(" + {factor}{name}"),
                _ => text += &format!(" - {}{name}", -factor),
            }
        }
        text
    }
}

impl Made {
    /// A statement of one loop.
    pub(crate) fn line(name: &str, low: i64, high: i64, second: i64) -> MadeStatement {
        let one = |factor, constant| Condition { factors: vec![factor], n: 0, constant };
        MadeStatement {
            name: name.to_owned(),
            bounds: vec![[low, high]],
            conditions: vec![],
            schedule: vec![one(1, 0), one(0, second)],
            index: one(1, 7),
        }
    }

    pub(crate) fn json(&self) -> String {
        let mut arrays = vec![r#"{"name": "shared", "sizes": ["*"], "type": "i8"}"#.to_owned()];
        let mut statements = vec![];
        for own in &self.statements {
            let name = &own.name;
            let sizes = std::iter::once("\"*\"").chain(own.bounds.iter().skip(1).map(|_| "\"64\""));
            let sizes: Vec<&str> = sizes.collect();
            arrays.push(format!(
                r#"{{"name": "at_{name}", "sizes": [{}], "type": "i8"}}"#,
                sizes.join(", ")
            ));
            let iterators: Vec<String> =
                (0..own.bounds.len()).map(|place| format!("i{place}")).collect();
            let tuple = format!("{name}[{}]", iterators.join(", "));
            let mut conditions: Vec<String> = own
                .bounds
                .iter()
                .zip(&iterators)
                .map(|([low, high], name)| format!("{low} <= {name} <= {high}"))
                .collect();
            let more = own.conditions.iter();
            conditions.extend(more.map(|condition| format!("{} >= 0", condition.text())));
            let schedule: Vec<String> = own.schedule.iter().map(Condition::text).collect();
            statements.push(format!(
                r#"{{"name": "{name}",
  "domain": "[n] -> {{ {tuple} : {} }}", "schedule": "[n] -> {{ {tuple} -> [{}] }}",
  "accesses": [{{"kind": "read", "relation": "[n] -> {{ {tuple} -> shared[{}] }}"}},
    {{"kind": "write", "relation": "[n] -> {{ {tuple} -> at_{name}[{}] }}"}}]}}"#,
                conditions.join(" and "),
                schedule.join(", "),
                own.index.text(),
                iterators.join(", "),
            ));
        }
        let (arrays, statements) = (arrays.join(", "), statements.join(",\n"));
        format!(r#"{{"name": "made", "arrays": [{arrays}], "statements": [{statements}]}}"#)
    }
}

/// All points of the boxes that fulfil the conditions, in the order of time.
pub(crate) fn accesses(made: &Made, n: i64) -> Vec<Accessed> {
    let mut points: Vec<(Vec<i64>, usize, Vec<i64>)> = vec![];
    for (number, own) in made.statements.iter().enumerate() {
        let mut all: Vec<Vec<i64>> = vec![vec![]];
        for [low, high] in &own.bounds {
            let longer = |point: &Vec<i64>| {
                let point = point.clone();
                (*low..=*high).map(move |at| [&point[..], &[at]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        for point in all {
            if own.conditions.iter().all(|condition| condition.holds(&point, n)) {
                let time = own.schedule.iter().map(|time| time.value(&point, n)).collect();
                points.push((time, number, point));
            }
        }
    }
    points.sort();
    // What stands below 0 is shifted.
    let least = |of: &dyn Fn(&MadeStatement, &[i64]) -> Option<i64>| {
        let all = points.iter().filter_map(|(_, own, at)| of(&made.statements[*own], at));
        all.min().unwrap_or(0).min(0)
    };
    let shared = least(&|own, at| Some(own.index.value(at, n)));
    let mut out = vec![];
    for (_, number, point) in &points {
        let own = &made.statements[*number];
        let first = least(&|other, at| (other.name == own.name).then(|| at[0]));
        out.push((*number as u32, 0, own.index.value(point, n) - shared, false));
        let element = point[1..].iter().fold(point[0] - first, |all, at| all * 64 + at);
        out.push((*number as u32, 1, element, true));
    }
    out
}

fn statement(number: usize) -> impl Strategy<Value = MadeStatement> {
    let dimensions = 1usize..4;
    dimensions.prop_flat_map(move |dimensions| {
        let sum = (prop::collection::vec(-2i64..3, dimensions), -1i64..2, -3i64..6)
            .prop_map(|(factors, n, constant)| Condition { factors, n, constant });
        let index = sum.clone();
        (
            prop::collection::vec((0i64..3, 0i64..5), dimensions),
            prop::collection::vec(sum, 0..3),
            Just((0..dimensions).collect::<Vec<usize>>()).prop_shuffle(),
            prop::collection::vec((0u8..8, -1i64..2, 0i64..3, any::<prop::sample::Index>()), 6),
            index,
        )
            .prop_map(move |(bounds, conditions, order, times, index)| {
                let constant =
                    |constant| Condition { factors: vec![0; dimensions], n: 0, constant };
                let mut order = order.into_iter();
                let mut schedule = vec![];
                // A constant and an iterator in turn, some shifted, turned or skewed.
                for (kind, by, number, other) in times {
                    let is_time = schedule.len() % 2 == 1;
                    let Some(one) = (if is_time { order.next() } else { None }) else {
                        schedule.push(constant(number));
                        continue;
                    };
                    let mut time = constant(by);
                    time.factors[one] = if kind == 0 { -1 } else { 1 };
                    if kind == 1 {
                        let other = other.index(dimensions);
                        time.factors[other] += i64::from(other != one);
                    }
                    time.n = i64::from(kind == 2);
                    schedule.push(time);
                }
                MadeStatement {
                    name: format!("S{number}"),
                    bounds: bounds.iter().map(|&(low, length)| [low, low + length]).collect(),
                    conditions,
                    schedule,
                    index,
                }
            })
    })
}

/// Up to four statements, and `n`.
pub(crate) fn made() -> impl Strategy<Value = (Made, i64)> {
    let all = (statement(0), statement(1), statement(2), statement(3));
    (all, 1usize..5, -1i64..6).prop_map(|((one, two, three, four), count, n)| {
        let mut statements = vec![one, two, three, four];
        statements.truncate(count);
        (Made { statements }, n)
    })
}
