//! gprof2dot's own JSON: call chains with costs, as `memray transform gprof2dot` and memtrail write
//! them. Unlike a drawing, it has whole call paths.

use profile::{
    Label, LabelSetId, LabelValue, Location, LocationId, Metric, MetricId, Place, Point, Points,
    Profile, ProfileBuilder,
};

use crate::graph::id_index::IdIndex;
use crate::graph::path::Path;
use crate::input::stream::Stream;
use crate::json::Json;
use crate::json::outline::Outline;
use crate::numbers::decimal::Decimal;
use crate::numbers::scale::Scale;
use crate::{About, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "gprof2dot-json",
    title: "gprof2dot's JSON (memray, memtrail)",
    extensions: &["gprof2dot.json"],
    about: About {
        carries: "call paths, all costs (decimals stay exact), functions, modules or files, \
                  processes as labels",
        checked_against: "memray's CSV of the same recording",
        ..About::NONE
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    let Some(outline) = Outline::new(head) else { return Sniff::No };
    let is_chain = outline.at(&["events", "0", "callchain"]).is_some();
    let has_costs = outline.has(&["version", "costs"]) || outline.has(&["costs", "functions"]);
    if is_chain || has_costs { Sniff::Yes } else { Sniff::No }
}

fn read(
    stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let mut json = Json::new(stream, FORMAT.name)?;
    let mut is_one = false;
    let mut reading = ChainParser::default();
    json.object()?;
    while let Some(key) = json.next_key()? {
        match key {
            "version" => {
                let version = json.any_text()?;
                // The only one so far; what changes in others is not known.
                if !matches!(version.as_str(), "0" | "") {
                    warnings.add("version", || format!("version {version} is read as version 0"));
                }
            }
            "costs" => reading.costs(&mut json)?,
            "functions" => reading.functions(&mut json, options)?,
            "events" => {
                is_one = true;
                reading.events(&mut json, options, warnings)?;
            }
            _ => {}
        }
    }
    json.finish()?;
    ReadError::unless(is_one, FORMAT.name, "list of \"events\"")?;
    Ok(reading.finish(warnings))
}

#[derive(Default)]
struct ChainParser {
    builder: ProfileBuilder,
    /// What the file says of its costs.
    costs: Vec<Metric>,
    /// One a metric, once there are events.
    scales: Vec<Scale>,
    functions: Vec<Function>,
    /// The functions of stacks, by the number of their location.
    used: IdIndex,
    /// The innermost function of each event, if any function has a process.
    innermost: Vec<u32>,
}

#[derive(Default)]
struct Function {
    name: String,
    module: String,
    process: String,
}

/// Stands for 'no function'.
const NOBODY: u32 = u32::MAX;

/// More costs an event are not kept.
const MOST_COSTS: usize = 64;

/// Digits after the point that are kept; more are rounded.
const MOST_DECIMALS: u8 = 9;

impl ChainParser {
    fn costs(&mut self, json: &mut Json) -> Result<(), ReadError> {
        if !json.try_array()? {
            return Ok(());
        }
        while json.next_element()? {
            let mut metric = Metric::default();
            if json.try_object()? {
                while let Some(key) = json.next_key()? {
                    match key {
                        "description" => metric.name = json.any_text()?,
                        "unit" => metric.unit = unit(json.any_text()?),
                        _ => {}
                    }
                }
            }
            if self.costs.len() < MOST_COSTS {
                self.costs.push(metric);
            }
        }
        Ok(())
    }

    fn functions(&mut self, json: &mut Json, options: &ReadOptions) -> Result<(), ReadError> {
        if !json.try_array()? {
            return Ok(());
        }
        let mut held = 0;
        while json.next_element()? {
            let mut function = Function::default();
            if json.try_object()? {
                while let Some(key) = json.next_key()? {
                    match key {
                        "name" => function.name = json.any_text()?,
                        "module" => function.module = json.any_text()?,
                        "process" => function.process = json.any_text()?,
                        _ => {}
                    }
                }
            }
            let Function { name, module, process } = &function;
            held += name.len() + module.len() + process.len() + size_of::<Function>();
            self.functions.push(function);
            options.check_memory(self.builder.heap_bytes() + held)?;
        }
        Ok(())
    }

    fn events(
        &mut self,
        json: &mut Json,
        options: &ReadOptions,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        if !json.try_array()? {
            return Ok(());
        }
        let mut path = Path::default();
        let (mut chain, mut costs): (Vec<u32>, Vec<Option<Decimal>>) = (vec![], vec![]);
        while json.next_element()? {
            chain.clear();
            costs.clear();
            if json.try_object()? {
                while let Some(key) = json.next_key()? {
                    match key {
                        "callchain" => self.chain(json, &mut chain, options)?,
                        "cost" => read_costs(json, &mut costs)?,
                        _ => {}
                    }
                }
            }
            path.start();
            for &number in chain.iter().rev() {
                path.step(&mut self.builder.contexts, LocationId(number));
            }
            if self.scales.is_empty() {
                let count = self.costs.len().max(costs.len()).max(1);
                self.scales = vec![Scale::up_to(MOST_DECIMALS); count];
                self.builder.points = Points::new(count);
            }
            let mut values = [0; MOST_COSTS];
            for (metric, cost) in costs.iter().enumerate() {
                let Some(scale) = self.scales.get_mut(metric) else {
                    warnings.add("costs", || "events with more costs than the first".to_owned());
                    break;
                };
                let Some(scaled) = cost.and_then(|cost| scale.fit(cost, warnings)) else {
                    warnings.add("numbers", || "costs that are not numbers of 64 bits".to_owned());
                    continue;
                };
                values[metric] = scaled.value;
                if let Some(factor) = scaled.grown {
                    self.builder.points.scale(MetricId(metric as u32), factor);
                }
            }
            let point = Point { context: path.context(), ..Point::default() };
            self.builder.points.push_point(point, &values[..self.scales.len()]);
            self.innermost.push(chain.first().copied().unwrap_or(NOBODY));
            if self.builder.points.len().is_multiple_of(1024) {
                let held = self.used.heap_bytes() + self.innermost.capacity() * 4;
                options.check_memory(self.builder.heap_bytes() + held)?;
            }
        }
        Ok(())
    }

    /// Functions from the innermost out, by the numbers of their locations.
    fn chain(
        &mut self,
        json: &mut Json,
        chain: &mut Vec<u32>,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        if !json.try_array()? {
            return Ok(());
        }
        while json.next_element()? {
            chain.push(self.used.number(json.u64()?));
            if chain.len().is_multiple_of(1 << 16) {
                options.check_memory(self.used.heap_bytes() + chain.capacity() * 4)?;
            }
        }
        Ok(())
    }

    fn finish(mut self, warnings: &mut Warnings) -> Profile {
        let builder = &mut self.builder;
        FORMAT.name.clone_into(&mut builder.origin.format);
        let count = match self.scales.len() {
            0 => self.costs.len().max(1),
            count => count,
        };
        if self.scales.is_empty() {
            builder.points = Points::new(count);
        }
        self.costs.resize_with(count, Metric::default);
        for (index, metric) in self.costs.iter_mut().enumerate() {
            if metric.name.is_empty() {
                metric.name =
                    if index == 0 { "cost".into() } else { format!("cost {}", index + 1) };
            }
            if metric.unit.is_empty() {
                "count".clone_into(&mut metric.unit);
            }
            metric.decimals = self.scales.get(index).map_or(0, |scale| scale.decimals);
        }
        builder.metrics = self.costs;
        for &id in self.used.ids() {
            let function = usize::try_from(id).ok().and_then(|id| self.functions.get(id));
            let unknown;
            let place = match function {
                Some(Function { name, module, .. }) if is_source(module) => {
                    Place { function: name, file: module, ..Place::default() }
                }
                Some(Function { name, module, .. }) => {
                    Place { function: name, module, ..Place::default() }
                }
                None => {
                    warnings.add("functions", || format!("function {id} is not in the table"));
                    unknown = format!("function {id}");
                    Place { function: &unknown, ..Place::default() }
                }
            };
            // Equal functions are one, but a location each: stacks name them by number.
            let module = builder.module(place.module);
            let function = builder.function(place.function, place.file, 0);
            let location = Location { module, ..Location::default() };
            builder.push_location(location, &[(Some(function), 0, 0)]);
        }
        if self.functions.iter().any(|function| !function.process.is_empty()) {
            label_processes(builder, &self.functions, &self.used, &self.innermost);
        }
        self.builder.finish()
    }
}

fn read_costs(json: &mut Json, costs: &mut Vec<Option<Decimal>>) -> Result<(), ReadError> {
    if !json.try_array()? {
        return Ok(());
    }
    while json.next_element()? {
        let cost = json.any_number()?;
        if costs.len() < MOST_COSTS {
            costs.push(cost);
        }
    }
    Ok(())
}

/// Whether a module is a source file: memray gives that in its stead.
fn is_source(module: &str) -> bool {
    module.ends_with(".py") || module.starts_with('<')
}

/// A unit written out.
fn unit(word: String) -> String {
    match word.as_str() {
        "ns" => "nanoseconds".into(),
        "us" | "µs" | "\u{3bc}s" => "microseconds".into(),
        "ms" => "milliseconds".into(),
        "s" => "seconds".into(),
        "B" => "bytes".into(),
        _ => word,
    }
}

/// Labels the events with the processes of their innermost functions.
fn label_processes(
    builder: &mut ProfileBuilder,
    functions: &[Function],
    used: &IdIndex,
    innermost: &[u32],
) {
    let key = builder.strings.intern("process");
    let mut labels = Vec::with_capacity(used.ids().len());
    for &id in used.ids() {
        let function = usize::try_from(id).ok().and_then(|id| functions.get(id));
        let process = function.map_or("", |function| function.process.as_str());
        labels.push(if process.is_empty() {
            LabelSetId(0)
        } else {
            let value = LabelValue::Text(builder.strings.intern(process));
            builder.labels.add(&[Label { key, value }])
        });
    }
    let plain = std::mem::take(&mut builder.points);
    builder.points = Points::new(plain.metrics());
    for (row, &function) in innermost.iter().enumerate() {
        let labels = labels.get(function as usize).copied().unwrap_or(LabelSetId(0));
        builder.points.push(plain.context[row], labels, plain.row(row));
    }
}
