//! Tables that refer to each other by ids of the file become those of the profile.

use hashbrown::HashMap;
use profile::{
    FunctionId, Location, LocationId, Metric, MetricId, Module, ModuleId, Points, Profile,
    ProfileBuilder, StringId,
};

use super::file::NAME;
use super::raw::{RawLocation, RawProfile, RawString};
use super::snapshots::split_snapshots;
use crate::graph::id_index::IdIndex;
use crate::readers::pprof::stack_worker::Contexts;
use crate::{Place, ReadError, Warnings};

impl RawProfile {
    /// Joins the tables.
    pub(super) fn join(
        mut self,
        stacks: Contexts,
        end: Place,
        warnings: &mut Warnings,
    ) -> Result<Profile, ReadError> {
        self.builder.contexts = stacks.tree;
        self.builder.points.context = stacks.of_samples;
        let malformed = |reason: String| ReadError::Malformed { format: NAME, place: end, reason };
        if self.strings.is_empty()
            && !(self.builder.points.is_empty() && self.sample_types.is_empty())
        {
            return Err(ReadError::Truncated {
                format: NAME,
                place: end,
                reason: "before its string table".to_owned(),
            });
        }
        if !self.first_string_empty {
            let first = self.builder.strings.get(self.strings[0]);
            return Err(malformed(format!(
                "string 0 is {first:?}; the specification wants it empty"
            )));
        }
        let types = self.sample_types.len();
        if self.builder.points.is_empty() {
            self.builder.points = Points::new(types);
        }
        if types != self.builder.points.metrics() {
            let values = self.builder.points.metrics();
            return Err(malformed(format!(
                "samples have {values} values, but {types} sample types are declared"
            )));
        }

        self.resolve(self.largest_label_string)?;
        let modules = self.join_modules(warnings)?;
        let functions = self.join_functions(warnings)?;
        self.join_locations(&stacks.interner.locations, &modules, &functions, warnings);
        drop(stacks.interner);
        self.join_metrics()?;
        let origin = &mut self.builder.origin;
        origin.format = NAME.to_owned();
        let drop_frames = self.resolve(self.drop_frames)?;
        let keep_frames = self.resolve(self.keep_frames)?;
        let doc_url = self.resolve(self.doc_url)?;
        let comments =
            self.comments.iter().map(|&raw| self.resolve(raw)).collect::<Result<Vec<_>, _>>()?;
        let text = |id| self.builder.strings.get(id).to_owned();
        let (drop_frames, keep_frames, doc_url) =
            (text(drop_frames), text(keep_frames), text(doc_url));
        let comments = comments.into_iter().map(text).collect();
        let origin = &mut self.builder.origin;
        origin.drop_frames = drop_frames;
        origin.keep_frames = keep_frames;
        origin.doc_url = doc_url;
        origin.comments = comments;

        let strings = self.strings;
        let mut builder = self.builder;
        builder.labels.map_strings(|raw| strings.get(raw.index()).copied().unwrap_or_default());
        split_snapshots(&mut builder);
        Ok(builder.finish())
    }

    fn resolve(&self, raw: RawString) -> Result<StringId, ReadError> {
        match usize::try_from(raw.index).ok().and_then(|index| self.strings.get(index)) {
            Some(&id) => Ok(id),
            // A profile with nothing in it may have no strings at all.
            None if raw.index == 0 => Ok(StringId::EMPTY),
            None => Err(ReadError::Malformed {
                format: NAME,
                place: Place(raw.place),
                reason: format!(
                    "string {} is named, but the string table has {} entries,",
                    raw.index as i64,
                    self.strings.len()
                ),
            }),
        }
    }

    fn join_metrics(&mut self) -> Result<(), ReadError> {
        let text = |this: &Self, raw| -> Result<String, ReadError> {
            Ok(this.builder.strings.get(this.resolve(raw)?).to_owned())
        };
        let mut metrics = vec![];
        for raw in &self.sample_types {
            metrics.push(Metric::new(text(self, raw.kind)?, text(self, raw.unit)?));
        }
        let default_type = text(self, self.default_type)?;
        let named = metrics.iter().position(|m| !default_type.is_empty() && m.name == default_type);
        let period_type = match self.period_type {
            Some(raw) => Some((text(self, raw.kind)?, text(self, raw.unit)?)),
            None => None,
        };
        let origin = &mut self.builder.origin;
        origin.default_metric = MetricId(named.unwrap_or(metrics.len().saturating_sub(1)) as u32);
        origin.default_metric_named = named.is_some();
        origin.period_type =
            period_type.filter(|(kind, unit)| !kind.is_empty() || !unit.is_empty());
        self.builder.metrics = metrics;
        Ok(())
    }

    /// Modules by their ids in the file.
    fn join_modules(
        &mut self,
        warnings: &mut Warnings,
    ) -> Result<HashMap<u64, ModuleId>, ReadError> {
        let mut modules = HashMap::new();
        for (row, raw) in std::mem::take(&mut self.mappings).into_iter().enumerate() {
            let module = Module {
                name: self.resolve(raw.name)?,
                build_id: self.resolve(raw.build_id)?,
                ..raw.module
            };
            self.builder.modules.push(module);
            if modules.insert(raw.id, ModuleId(row as u32)).is_some() {
                warnings.add("mapping twice", || {
                    format!("mapping {} is defined twice; the last counts", raw.id)
                });
            }
        }
        Ok(modules)
    }

    /// Functions by their ids in the file.
    fn join_functions(
        &mut self,
        warnings: &mut Warnings,
    ) -> Result<HashMap<u64, FunctionId>, ReadError> {
        let mut functions = HashMap::new();
        for raw in std::mem::take(&mut self.functions) {
            let (name, system, file) =
                (self.resolve(raw.name)?, self.resolve(raw.system_name)?, self.resolve(raw.file)?);
            let start_line = line_number(raw.start_line, warnings);
            let id = self.builder.functions.push(name, system, file, start_line);
            if functions.insert(raw.id, id).is_some() {
                warnings.add("function twice", || {
                    format!("function {} is defined twice; the last counts", raw.id)
                });
            }
        }
        Ok(functions)
    }

    fn join_locations(
        &mut self,
        used: &IdIndex,
        modules: &HashMap<u64, ModuleId>,
        functions: &HashMap<u64, FunctionId>,
        warnings: &mut Warnings,
    ) {
        let raw_locations = std::mem::take(&mut self.locations);
        let mut rows = HashMap::new();
        for (row, raw) in raw_locations.iter().enumerate() {
            if rows.insert(raw.id, row).is_some() {
                warnings.add("location twice", || {
                    format!("location {} is defined twice; the last counts", raw.id)
                });
            }
        }
        let mut frames: Vec<(Option<FunctionId>, u32, u32)> = vec![];
        let mut push =
            |builder: &mut ProfileBuilder, raw: &RawLocation, warnings: &mut Warnings| {
                frames.clear();
                for entry in self.lines[raw.lines.0..raw.lines.1].iter().rev() {
                    let function = functions.get(&entry.function).copied();
                    if function.is_none() && entry.function != 0 {
                        warnings.add("function missing", || {
                            format!(
                                "location {} names function {}, which is not defined",
                                raw.id, entry.function
                            )
                        });
                    }
                    let (line, column) =
                        (line_number(entry.line, warnings), line_number(entry.column, warnings));
                    frames.push((function, line, column));
                }
                let module = modules.get(&raw.mapping).copied();
                if module.is_none() && raw.mapping != 0 {
                    warnings.add("mapping missing", || {
                        format!(
                            "location {} names mapping {}, which is not defined",
                            raw.id, raw.mapping
                        )
                    });
                }
                let location = Location {
                    module,
                    address: raw.address,
                    folded: raw.folded,
                    ..Location::default()
                };
                builder.push_location(location, &frames)
            };
        for (number, &id) in used.ids().iter().enumerate() {
            let pushed = match rows.get(&id) {
                Some(&row) => push(&mut self.builder, &raw_locations[row], warnings),
                None => {
                    warnings.add("location missing", || {
                        format!("a sample names location {id}, which is not defined; it shows as [missing location {id}]")
                    });
                    let function =
                        self.builder.function(&format!("[missing location {id}]"), "", 0);
                    self.builder.push_location(Location::default(), &[(Some(function), 0, 0)])
                }
            };
            debug_assert_eq!(pushed, LocationId(number as u32));
        }
        for (row, raw) in raw_locations.iter().enumerate() {
            if rows.get(&raw.id) == Some(&row) && used.find(raw.id).is_none() {
                push(&mut self.builder, raw, warnings);
            }
        }
    }
}

/// A line or column; what does not fit 32 bits is unknown.
fn line_number(value: u64, warnings: &mut Warnings) -> u32 {
    u32::try_from(value).unwrap_or_else(|_| {
        warnings.add("line number", || {
            format!("line or column {} is out of range and shows as unknown", value as i64)
        });
        0
    })
}
