//! What was measured of a graph, by element.

use std::collections::{BTreeMap, HashMap};

use protocol::{GraphMeasurement, GraphMetric, WarningInfo};
use sdfg::outline::Element;

/// A report or profile that was joined.
#[derive(Debug, Clone)]
pub(super) struct Joined {
    /// Its number among the open documents.
    pub(super) number: u32,
    pub(super) title: String,
    pub(super) metrics: Vec<GraphMetric>,
    /// By element, one value a metric; no number where there is none.
    pub(super) values: HashMap<Element, Vec<f64>>,
    /// How elements were found, where that is worth saying.
    pub(super) notes: HashMap<Element, String>,
    /// How often elements were timed, where that is told.
    pub(super) counts: HashMap<Element, u64>,
    pub(super) warnings: BTreeMap<String, u64>,
}

impl Joined {
    pub(super) fn measurement(&self) -> GraphMeasurement {
        let warnings = self.warnings.iter();
        GraphMeasurement {
            title: self.title.clone(),
            metrics: self.metrics.clone(),
            elements: self.values.len() as f64,
            warnings: warnings
                .map(|(message, &count)| WarningInfo {
                    message: message.clone(),
                    count: count as f64,
                })
                .collect(),
        }
    }

    pub(super) fn value(&self, element: Element, metric: &str) -> Option<f64> {
        let place = self.metrics.iter().position(|one| one.name == metric)?;
        self.values.get(&element).map(|all| all[place]).filter(|value| value.is_finite())
    }
}
