//! What recorded accesses do in caches.

use locality::{
    Access, AtElement, Cache, Caches, EachTraced, Error, Line, Replacement, Traced, Tracing, Wanted,
};
use protocol::*;

use super::super::part;
use super::super::run::{MOST_EACH, Ran, fits_cells, goes_on};
use super::document::RecordedDocument;
use super::{recorded_accesses, result, seen_notes};
use crate::Call;

/// So often it is asked whether to go on.
const ASK_EVERY: u64 = 1 << 14;

impl RecordedDocument {
    /// What its accesses do, each or in sum.
    pub(in super::super) fn run(
        &self,
        params: &AccessesRunParams,
        caches: &Caches,
        call: &dyn Call,
    ) -> Result<Ran, ProtocolError> {
        let regions = self.regions(&params.program)?;
        let line = u64::from(params.program.line);
        if caches.private > 0 {
            return Err(part::bad(
                "a recorded trace does not distinguish threads: all share the caches",
            ));
        }
        if !line.is_power_of_two() {
            return Err(not_simulated(Error::Line(line)));
        }
        let touches = self.recording.touches(line);
        let is_each =
            touches <= params.each.min(MOST_EACH).into() && fits_cells(&regions.containers);
        let wanted = Wanted { watched: None, depth: params.depth.into(), is_each };
        let tracing =
            Tracing::new(&regions.containers, line, caches, wanted).map_err(not_simulated)?;
        let Traced { outcome, seen, each, .. } = self.through(tracing, line, call)?;
        let mut notes = self.known.notes.clone();
        notes.extend(seen_notes(&seen, self.recording.instructions(), self.has_ended));
        notes.extend(result::regions_notes(&regions));
        let own = recorded_accesses(&regions.containers, notes);
        let bases = regions.containers.iter().map(|own| own.base.unwrap_or(0) as f64).collect();
        let ran =
            Ran { own, bases, outcome, columns: AccessesRunColumns::default(), has_each: is_each };
        Ok(match each {
            None => ran,
            Some(EachTraced { replay, counts, lines }) => {
                let is_wide = counts.iter().any(|&count| count != 1);
                let lines = lines.into_iter().map(|line| line as f64).collect();
                ran.with(replay, if is_wide { counts } else { vec![] }, lines)
            }
        })
    }

    /// What happens at each element of a container in a cache of so many lines, and its shape.
    pub(in super::super) fn elements(
        &self,
        params: &AccessesElementsParams,
        lines: u64,
        call: &dyn Call,
    ) -> Result<(Vec<AtElement>, Vec<u64>), ProtocolError> {
        let regions = self.regions(&params.program)?;
        let line = u64::from(params.program.line);
        let number = params.container as usize;
        let Some(own) = regions.containers.get(number) else {
            return Err(part::bad(format!("there is no container {number}")));
        };
        let size = lines.saturating_mul(line);
        let level = Cache { size, ways: None, replacement: Replacement::Lru };
        let wanted = Wanted { watched: Some(number), ..Wanted::default() };
        let tracing = Tracing::new(&regions.containers, line, &Caches::new(vec![level]), wanted)
            .map_err(not_simulated)?;
        let watched = self.through(tracing, line, call)?.watched;
        Ok((watched.map(|watched| watched.elements).unwrap_or_default(), own.shape.clone()))
    }

    fn through(
        &self,
        mut tracing: Tracing,
        line: u64,
        call: &dyn Call,
    ) -> Result<Traced, ProtocolError> {
        let mut done = 0u64;
        for step in self.recording.lines() {
            done += 1;
            if done.is_multiple_of(ASK_EVERY)
                && !goes_on(call, done.into(), self.recording.count().into())
            {
                return Err(not_simulated(Error::Stopped));
            }
            tracing.begin_step();
            let (Line::Data(access) | Line::Modify(access)) = step else { continue };
            tracing.access(access).map_err(not_simulated)?;
            if matches!(step, Line::Modify(_)) {
                let writes = Access { is_write: true, ..access };
                tracing.access(writes).map_err(not_simulated)?;
            }
        }
        Ok(tracing.finish(line))
    }
}

/// Why a recording is not simulated, with what to do about a recording.
pub(super) fn not_simulated(error: Error) -> ProtocolError {
    let message = match &error {
        Error::TooMany { count, most } => format!(
            "elements of this container are accessed more than {most} times ({count} by then), too many to list \
             one by one: record a shorter run"
        ),
        Error::Elements { container, count, most } => format!(
            "{container} has {count} elements: at most this many are shown one by one: {most}; give it a range with larger elements"
        ),
        Error::References { count, most } => {
            format!("{count} arrays and regions are accessed: {most} is the limit; name fewer")
        }
        _ => return part::not_simulated(error),
    };
    ProtocolError { message, ..part::not_simulated(error) }
}
