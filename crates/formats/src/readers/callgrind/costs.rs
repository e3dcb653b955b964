//! Lines of costs go to their functions and calls.

use profile::{Location, LocationId, Place};

use super::FORMAT;
use super::positions::{Positions, position};
use super::reading::{Call, CallgrindParser, Here, Owner};
use crate::graph::call_graph::Node;
use crate::numbers::decimal::Decimal;
use crate::numbers::hexadecimal::number;
use crate::numbers::scale::Scaled;
use crate::text::lines::Line;
use crate::{ReadError, Warnings};

/// A cost as a file has it: Cachegrind may write a point for 0, xdebug memory that was freed, below 0 or as a
/// number without a sign that begins anew there, pprofile times with a fraction.
fn cost(word: &str, line: u64, warnings: &mut Warnings) -> Option<Decimal> {
    if word == "." {
        return Some(Decimal::whole(0));
    }
    if let Some(size) = word.strip_prefix('-')
        && let Some(size) = number(size)
    {
        return 0i64.checked_sub_unsigned(size).map(Decimal::whole);
    }
    let Some(value) = number(word) else { return Decimal::parse_local(word) };
    let whole = i64::try_from(value).unwrap_or_else(|_| {
        warnings.add("wrapped cost", || {
            format!("line {line}: {word} is taken for {}, as xdebug writes it", value.cast_signed())
        });
        value.cast_signed()
    });
    Some(Decimal::whole(whole))
}

impl CallgrindParser {
    /// A line of positions and costs.
    pub(super) fn costs(
        &mut self,
        text: &str,
        line: Line<'_>,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let Some(events) = self.header.events.as_ref().map(Vec::len) else {
            return Err(ReadError::Malformed {
                format: FORMAT.name,
                place: line.place,
                reason: format!("costs before the events on line {}", line.number),
            });
        };
        // A part starts anew with its positions.
        self.part();
        let mut words = text.split_ascii_whitespace();
        for column in 0..self.positions.count {
            match words.next().and_then(|word| position(word, self.positions.last[column])) {
                Some(found) => self.positions.last[column] = found,
                None => {
                    self.skip(line, warnings);
                    return Ok(());
                }
            }
        }
        if std::mem::take(&mut self.after_jump) {
            return Ok(());
        }
        self.values.clear();
        for (index, word) in words.enumerate() {
            if index == events {
                self.calls.call = None;
                self.skip(line, warnings);
                return Ok(());
            }
            let cost = cost(word, line.number, warnings);
            let Some(event) = self.header.events.as_mut().and_then(|all| all.get_mut(index)) else {
                continue;
            };
            if event.is_ratio {
                continue;
            }
            let scaled = cost.and_then(|cost| event.scale.fit(cost, warnings));
            // The others of the line are sound.
            let Some(Scaled { value, grown }) = scaled else {
                warnings.add("cost", || {
                    format!("line {}: a cost that is not a number is left out: {word}", line.number)
                });
                self.values.push(0);
                continue;
            };
            let (unit, decimals) = (event.unit, event.scale.decimals);
            if let Some(factor) = grown {
                self.grow(self.values.len(), factor, decimals);
            }
            self.values.push(value.saturating_mul(unit));
        }
        self.values.resize(self.builder.metrics.len() - 1, 0);
        let place = self.place();
        let location = self.location(place, line, warnings);
        let call = self.calls.call.take();
        let callee = call.map(|Call { count, callee }| (count, self.node(callee)));
        let values = std::mem::take(&mut self.values);
        let graph = &mut self.part().graph;
        match callee {
            Some((count, callee)) => {
                graph.add_calls(place.node, location, callee, count, &values);
            }
            None => graph.add_self(place.node, location, &values),
        }
        self.values = values;
        Ok(())
    }

    /// Where the positions are, in a function.
    fn location(&mut self, place: Here, line: Line<'_>, warnings: &mut Warnings) -> LocationId {
        let Positions { address, line: line_column, .. } = self.positions;
        let address = address.map_or(0, |column| self.positions.last[column]);
        let at = line_column.map_or(0, |column| self.positions.last[column]);
        let at = u32::try_from(at).unwrap_or_else(|_| {
            warnings.add("lines", || format!("line {}: there is no source line {at}", line.number));
            0
        });
        let location = Location { module: place.module, address, ..Location::default() };
        self.builder.location(location, &[(Some(place.function), at, 0)])
    }

    /// Costs of a metric have more digits behind the point from here on.
    fn grow(&mut self, metric: usize, factor: i64, decimals: u8) {
        self.builder.metrics[metric].decimals = decimals;
        for part in &mut self.parts {
            part.graph.scale(metric, factor);
        }
    }

    fn place(&mut self) -> Here {
        if let Some(here) = self.place {
            return here;
        }
        let node = self.node(self.here);
        let texts = &self.names.texts;
        let function =
            self.builder.function(texts.get(self.here.function), texts.get(self.line_file), 0);
        let module = self.builder.module(texts.get(self.here.object));
        *self.place.insert(Here { node, function, module })
    }

    fn node(&mut self, owner: Owner) -> Node {
        if let Some(&known) = self.part().nodes.get(&owner) {
            return known;
        }
        let texts = &self.names.texts;
        let entry = self.builder.place(&Place {
            function: texts.get(owner.function),
            file: texts.get(owner.file),
            module: texts.get(owner.object),
            ..Place::default()
        });
        let part = self.part();
        let node = part.graph.function(entry);
        part.nodes.insert(owner, node);
        node
    }
}
