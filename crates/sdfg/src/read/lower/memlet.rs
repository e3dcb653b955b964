//! What edges carry: containers, subsets, volumes.

use super::Lowering;
use crate::model::{Dimension, Memlet, Subset};
use crate::read::raw;

impl Lowering {
    pub(super) fn memlet(&mut self, raw: raw::EdgeContent) -> Option<Box<Memlet>> {
        let data = self.name(raw.data.as_deref()?);
        let legacy = raw.num_accesses.filter(|count| &*count.text != "-1");
        Some(Box::new(Memlet {
            data,
            subset: raw.subset.map(|subset| self.subset(subset)),
            other_subset: raw.other_subset.map(|subset| self.subset(subset)),
            volume: match raw.volume.or(legacy) {
                Some(volume) => self.expression(&volume.text),
                None => self.number(0),
            },
            is_dynamic: raw.dynamic.unwrap_or(false),
            wcr: raw.wcr.0.map(|wcr| self.name(&wcr)),
        }))
    }

    fn subset(&mut self, mut raw: raw::Subset) -> Subset {
        let mut several = raw.subset_list.take().unwrap_or_default().into_iter();
        if let Some(first) = several.next() {
            raw = first;
        }
        let dimensions = self.dimensions(raw);
        Subset { dimensions, further: several.map(|one| self.dimensions(one)).collect() }
    }

    pub(super) fn dimensions(&mut self, raw: raw::Subset) -> Vec<Dimension> {
        let one = self.expression("1");
        let indices = raw.indices.into_iter().flatten();
        let mut all: Vec<Dimension> = vec![];
        for index in indices {
            let start = self.expression(&index.text);
            all.push(Dimension {
                end: start.clone(),
                start,
                step: one.clone(),
                tile: one.clone(),
                approximate_end: None,
            });
        }
        for range in raw.ranges.into_iter().flatten() {
            let approximate_end = match range.end.approximate.as_deref() {
                Some(text) => Some(self.expression(text)),
                None => second_of_pair(&range.end.text).map(|text| self.expression(text)),
            };
            let mut or_one = |text: Option<raw::Text>| match text {
                Some(text) => self.expression(&text.text),
                None => one.clone(),
            };
            all.push(Dimension {
                step: or_one(range.step),
                tile: or_one(range.tile),
                start: or_one(Some(range.start)),
                end: or_one(Some(range.end)),
                approximate_end,
            });
        }
        all
    }
}

/// The bound in `SymExpr(value, bound)`, as 2.x writes what 1.x has as an object.
fn second_of_pair(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix("SymExpr(")?.strip_suffix(')')?;
    let mut open = 0usize;
    for (place, c) in inner.char_indices() {
        match c {
            '(' | '[' => open += 1,
            ')' | ']' => open = open.checked_sub(1)?,
            ',' if open == 0 => return Some(&inner[place + 1..]),
            _ => {}
        }
    }
    None
}
