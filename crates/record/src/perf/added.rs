//! What a recording that was made before tells of itself.

use std::path::Path;

use perfdata::attr::flag;

use super::events::CLOCKS;
use super::facts;
use crate::manifest::{Event, Events, Sampling, Tool};
use crate::recorder::Origin;
use crate::{Error, Machine};

pub(super) fn origin(file: &Path) -> Result<Origin, Error> {
    let (_, head) = facts::read(file)?;
    let of_event = |event: &perfdata::Event| {
        let (name, period) = (event.name(), event.attr.period);
        let sampling = if event.attr.is(flag::FREQ) {
            Sampling::Frequency(u32::try_from(period).unwrap_or(u32::MAX))
        } else {
            Sampling::Period(period)
        };
        let base = name.split([':', '/']).next().unwrap_or(&name);
        let is_time = CLOCKS.contains(&base);
        Event { sampling: Some(sampling), set: None, is_time, name }
    };
    let mut opened: Vec<Event> = vec![];
    for event in head.events.iter().map(of_event) {
        if !opened.iter().any(|other| other.name == event.name) {
            opened.push(event);
        }
    }
    let features = head.features;
    Ok(Origin {
        tool: Tool { name: super::recorder::NAME.to_owned(), version: features.version },
        events: Events { opened, not_supported: vec![] },
        machine: Machine {
            host: features.host,
            kernel: features.kernel,
            architecture: features.arch,
            cpus: features.cpus.map_or(0, |(_, online)| online),
            processor: features.cpu_name,
            memory_bytes: features.memory_kib.unwrap_or(0).saturating_mul(1024),
            ..Machine::default()
        },
    })
}
