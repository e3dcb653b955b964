//! What a profile says of itself.

#![allow(
    clippy::collapsible_match,
    reason = "a guard cannot borrow the reader that the key is borrowed from"
)]

use profile::{ProfileBuilder, StringId};

use super::markers::Schemas;
use super::processed::{number, text};
use crate::ReadError;
use crate::json::Json;
use crate::numbers::decimal::Decimal;

/// What the file says of itself.
#[derive(Default)]
pub(super) struct Meta {
    /// Milliseconds since 1970.
    pub(super) start: Option<Decimal>,
    pub(super) categories: Vec<StringId>,
    pub(super) cpu_unit: String,
    pub(super) product: String,
    pub(super) version: String,
    pub(super) comments: Vec<String>,
    /// Milliseconds.
    pub(super) interval: Option<Decimal>,
    pub(super) schemas: Schemas,
}

impl Meta {
    pub(super) fn read(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
    ) -> Result<(), ReadError> {
        if !json.try_object()? {
            return Ok(());
        }
        while let Some(key) = json.next_key()? {
            match key {
                "startTime" => self.start = number(json)?,
                "interval" => self.interval = number(json)?,
                "product" => self.product = text(json)?,
                "markerSchema" => self.schemas.read(json, builder)?,
                "misc" | "importedFrom" | "oscpu" | "CPUName" => {
                    let key = if key == "misc" { "revision" } else { "" };
                    let value = text(json)?;
                    match (key, value.strip_prefix("rv:")) {
                        ("revision", Some(version)) => version.clone_into(&mut self.version),
                        _ if !value.is_empty() => self.comments.push(value),
                        _ => {}
                    }
                }
                "sampleUnits" => {
                    if json.try_object()? {
                        while let Some(key) = json.next_key()? {
                            if key == "threadCPUDelta" {
                                self.cpu_unit = text(json)?;
                            }
                        }
                    }
                }
                "categories" => {
                    if json.try_array()? {
                        while json.next_element()? {
                            let mut name = StringId::EMPTY;
                            if json.try_object()? {
                                while let Some(key) = json.next_key()? {
                                    if key == "name" {
                                        name = builder.strings.intern(&text(json)?);
                                    }
                                }
                            }
                            self.categories.push(name);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Tells the origin what it knows.
    pub(super) fn tell(&self, builder: &mut ProfileBuilder) {
        let origin = &mut builder.origin;
        let words = [self.product.as_str(), self.version.as_str()];
        let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
        origin.producer = words.join(" ");
        origin.comments.clone_from(&self.comments);
        origin.time_ns = self.start.and_then(|start| start.to_scaled(6)).unwrap_or(0);
        if let Some(interval) = self.interval.and_then(|interval| interval.to_scaled(6)) {
            origin.period = interval;
            origin.period_type = Some(("wall".into(), "nanoseconds".into()));
        }
    }
}
