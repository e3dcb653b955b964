//! Frames that open and close become calls.

use super::file::File;
use super::series::Series;
use crate::json::Json;
use crate::{ReadError, ReadOptions, Warnings};

impl Series {
    pub(super) fn events(
        &mut self,
        json: &mut Json,
        file: &mut File,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        self.evented = true;
        let mut count = 0u64;
        json.array()?;
        while json.next_element()? {
            let (mut opens, mut frame, mut at) = (None, None, None);
            json.object()?;
            while let Some(key) = json.next_key()? {
                match key {
                    "type" => {
                        opens = match json.string()? {
                            "O" => Some(true),
                            "C" => Some(false),
                            _ => None,
                        }
                    }
                    "frame" => frame = json.optional(Json::u64)?,
                    "at" => at = json.finite()?,
                    _ => {}
                }
            }
            let at = self.fit(at, warnings);
            let Some(opens) = opens else {
                warnings.add("events", || "events that neither open nor close".to_owned());
                continue;
            };
            self.event(opens, frame, at, file, warnings);
            count += 1;
            if count.is_multiple_of(1024) {
                options.check_memory(file.heap_bytes() + self.heap_bytes())?;
            }
        }
        Ok(())
    }

    fn event(
        &mut self,
        opens: bool,
        frame: Option<u64>,
        at: Option<i64>,
        file: &mut File,
        warnings: &mut Warnings,
    ) {
        let last = self.calls.last();
        let mut at = at.or(last).unwrap_or(0);
        if let Some(last) = last.filter(|&last| at < last) {
            warnings.add("backwards", || {
                format!("\"{}\": times that go back are taken as the time before", self.name)
            });
            at = last;
        }
        match (opens, frame.map(|frame| file.location(frame))) {
            (true, Some(location)) => self.calls.begin(location, at, &mut file.builder),
            (true, None) => {
                warnings.add("no frame", || "events that open no frame are left out".to_owned());
            }
            (false, Some(location)) if !self.calls.is_open(location) => {
                warnings.add("never opened", || {
                    format!("\"{}\": frames that close but were not open", self.name)
                });
            }
            (false, location) => {
                // What was opened later ends with it.
                while let Some(innermost) = self.calls.innermost() {
                    self.calls.end(at);
                    if location.is_none_or(|location| location == innermost) {
                        break;
                    }
                    warnings.add("overlap", || {
                        format!("\"{}\": frames still open end with the one around them", self.name)
                    });
                }
            }
        }
        self.calls.advance(at);
    }

    /// Ends the calls that nothing ended.
    pub(super) fn end_calls(&mut self, warnings: &mut Warnings) {
        let open = self.calls.depth() as u64;
        if open == 0 {
            return;
        }
        warnings.add_many("never closed", open, || {
            format!("\"{}\": frames that never close end with the profile", self.name)
        });
        let end = self.end.and_then(|end| self.fit(Some(end), warnings));
        let end = end.unwrap_or(0).max(self.calls.last().unwrap_or(0));
        while self.calls.depth() > 0 {
            self.calls.end(end);
        }
    }
}
