//! Functions, code, call paths, labels and points: the tables that every profile has.

use profile::{
    FunctionId, Label, LabelSetId, LabelValue, Location, LocationId, LocationKind, MemberId,
    MetricId, ModuleId, Point, RoleId, ThreadId,
};

use super::columns::{
    Columns, Fault, MOST_DEFAULT_ROWS, check_count, fault, narrow, optional_row, row,
};
use super::read::Tables;
use super::schema::{contexts, function_totals, functions, label_sets, locations, points};
use crate::wire::unzigzag;

impl Tables {
    pub(super) fn functions(&mut self, columns: &Columns) -> Result<(), Fault> {
        columns.expect(functions::NAME, columns.count, "name")?;
        columns.expect(functions::SYSTEM_NAME, columns.count, "system_name")?;
        columns.expect(functions::FILE, columns.count, "file")?;
        columns.expect(functions::START_LINE, columns.count, "start_line")?;
        columns.expect(functions::START_COLUMN, columns.count, "start_column")?;
        check_count(columns)?;
        for row in 0..columns.count {
            let text = |field| self.string(columns.get(field, row));
            let name = text(functions::NAME)?;
            let system_name = text(functions::SYSTEM_NAME)?;
            let file = text(functions::FILE)?;
            let start_line = narrow(columns.get(functions::START_LINE, row), "line")?;
            let function = self.builder.functions.push(name, system_name, file, start_line);
            self.builder.functions.start_column[function.index()] =
                narrow(columns.get(functions::START_COLUMN, row), "column")?;
        }
        Ok(())
    }

    pub(super) fn locations(&mut self, columns: &Columns) -> Result<(), Fault> {
        let count = columns.count;
        columns.expect(locations::KIND, count, "kind")?;
        columns.expect(locations::MODULE_PLUS_1, count, "module_plus_1")?;
        columns.expect(locations::ADDRESS_DELTA, count, "address_delta")?;
        columns.expect(locations::FOLDED, count, "folded")?;
        columns.expect(locations::FRAME_COUNT, count, "frame_count")?;
        columns.expect(locations::INSTRUCTION, count, "instruction")?;
        check_count(columns)?;
        let one_each = columns.by_field[locations::FRAME_COUNT as usize].is_empty();
        let frame_count = if one_each { count } else { columns.sum(locations::FRAME_COUNT) };
        columns.expect(locations::FRAME_FUNCTION_PLUS_1, frame_count, "frame_function_plus_1")?;
        columns.expect(locations::FRAME_LINE, frame_count, "frame_line")?;
        columns.expect(locations::FRAME_COLUMN, frame_count, "frame_column")?;
        if frame_count > MOST_DEFAULT_ROWS.max(count)
            && columns.by_field[locations::FRAME_FUNCTION_PLUS_1 as usize].is_empty()
        {
            return fault(format!("{frame_count} frames without a function"));
        }
        let mut address = 0u64;
        let mut next_frame = 0;
        let mut frames = vec![];
        for index in 0..count {
            address =
                address.wrapping_add_signed(unzigzag(columns.get(locations::ADDRESS_DELTA, index)));
            let kind = columns.get(locations::KIND, index);
            let Some(&kind) = LocationKind::ALL.get(kind as usize) else {
                return fault(format!("the kind of a location is {kind}"));
            };
            let modules = self.builder.modules.len();
            let module = columns.get(locations::MODULE_PLUS_1, index);
            let module = optional_row(module, modules, "modules")?.map(ModuleId);
            let own_frames =
                if one_each { 1 } else { columns.get(locations::FRAME_COUNT, index) as usize };
            if own_frames == 0 {
                return fault("a location has no frame");
            }
            frames.clear();
            for frame in next_frame..next_frame + own_frames {
                let functions = self.builder.functions.len();
                let function = columns.get(locations::FRAME_FUNCTION_PLUS_1, frame);
                let function = optional_row(function, functions, "functions")?.map(FunctionId);
                let line = narrow(columns.get(locations::FRAME_LINE, frame), "line")?;
                let column = narrow(columns.get(locations::FRAME_COLUMN, frame), "column")?;
                frames.push((function, line, column));
            }
            next_frame += own_frames;
            let folded = columns.get(locations::FOLDED, index) != 0;
            let instruction = self.string(columns.get(locations::INSTRUCTION, index))?;
            let location = Location { kind, module, address, folded, instruction };
            self.builder.push_location(location, &frames);
        }
        Ok(())
    }

    pub(super) fn contexts(&mut self, columns: &Columns) -> Result<(), Fault> {
        columns.expect(contexts::PARENT_DISTANCE, columns.count, "parent_distance")?;
        columns.expect(contexts::LOCATION, columns.count, "location")?;
        check_count(columns)?;
        let places = self.builder.location_count();
        for index in 0..columns.count {
            let own = self.contexts.len() as u64 + 1;
            let distance = columns.get(contexts::PARENT_DISTANCE, index);
            if distance == 0 || distance > own {
                return fault(format!("the parent of context {own} is {distance} rows before it"));
            }
            let parent = self.context(own - distance)?;
            let place = row(columns.get(contexts::LOCATION, index), places, "locations")?;
            self.contexts.push(self.builder.contexts.child(parent, LocationId(place)));
        }
        Ok(())
    }

    pub(super) fn label_sets(&mut self, columns: &Columns) -> Result<(), Fault> {
        columns.expect(label_sets::LABEL_COUNT, columns.count, "label_count")?;
        let labels = columns.sum(label_sets::LABEL_COUNT);
        columns.expect(label_sets::KEY, labels, "key")?;
        columns.expect(label_sets::UNIT_PLUS_1, labels, "unit_plus_1")?;
        columns.expect(label_sets::VALUE, labels, "value")?;
        check_count(columns)?;
        if columns.by_field[label_sets::KEY as usize].len() < labels {
            return fault("labels have no keys");
        }
        let mut next = 0;
        let mut set = vec![];
        for index in 0..columns.count {
            let own = columns.get(label_sets::LABEL_COUNT, index) as usize;
            if own == 0 {
                return fault("a label set is empty: only set 0 is");
            }
            set.clear();
            for label in next..next + own {
                let key = self.string(columns.get(label_sets::KEY, label))?;
                let value = unzigzag(columns.get(label_sets::VALUE, label));
                let value = match columns.get(label_sets::UNIT_PLUS_1, label) {
                    0 => LabelValue::Text(self.string(value as u64)?),
                    unit => LabelValue::Number(value, self.string(unit - 1)?),
                };
                set.push(Label { key, value });
            }
            next += own;
            self.builder.labels.push(&set);
            self.label_sets += 1;
        }
        Ok(())
    }

    pub(super) fn points(&mut self, columns: &Columns) -> Result<(), Fault> {
        let count = columns.count;
        columns.expect(points::CONTEXT_DELTA, count, "context_delta")?;
        columns.expect(points::CONTEXT_PLACE, count, "context_place")?;
        columns.expect(points::LABEL_SET, count, "label_set")?;
        columns.expect(points::TIMED, count, "timed")?;
        columns.expect(points::THREAD_PLUS_1, count, "thread_plus_1")?;
        columns.expect(points::CPU_PLUS_1, count, "cpu_plus_1")?;
        columns.expect(points::MEMBER, count, "member")?;
        columns.expect(points::LINK_COUNT, count, "link_count")?;
        let partly_timed = !columns.by_field[points::TIMED as usize].is_empty();
        let times = if partly_timed { columns.sum(points::TIMED) } else { count };
        columns.expect(points::TIME_DELTA, times, "time_delta")?;
        let has_times = !columns.by_field[points::TIME_DELTA as usize].is_empty();
        let links = columns.sum(points::LINK_COUNT);
        columns.expect(points::LINK_ROLE, links, "link_role")?;
        columns.expect(points::LINK_CONTEXT, links, "link_context")?;
        let metrics = self.builder.metrics.len();
        if columns.values.len() > metrics {
            return fault(format!("{} metrics have values, not {metrics}", columns.values.len()));
        }
        if let Some(odd) = columns.values.iter().find(|c| !c.is_empty() && c.len() != count) {
            return fault(format!("a metric has {} values, not {count}", odd.len()));
        }
        check_count(columns)?;

        let frequent = &columns.by_field[points::FREQUENT_CONTEXT as usize];
        let has_places = !columns.by_field[points::CONTEXT_PLACE as usize].is_empty();
        let mut at = 0i64;
        let mut time = 0i64;
        let (mut next_time, mut next_link) = (0, 0);
        let mut own_links = vec![];
        let mut own_values = vec![0; metrics];
        for index in 0..count {
            let labels = columns.get(points::LABEL_SET, index);
            let labels = LabelSetId(row(labels, self.label_sets + 1, "label sets")?);
            let is_timed = has_times && (!partly_timed || columns.get(points::TIMED, index) != 0);
            if is_timed {
                time = time.wrapping_add(unzigzag(columns.get(points::TIME_DELTA, next_time)));
                next_time += 1;
            }
            let thread = columns.get(points::THREAD_PLUS_1, index);
            let thread = optional_row(thread, self.builder.threads.len(), "threads")?.map(ThreadId);
            let cpu = match columns.get(points::CPU_PLUS_1, index) {
                0 => None,
                plus_1 => Some(narrow(plus_1 - 1, "processor")?),
            };
            let members = self.builder.members.len().max(1);
            let member = MemberId(row(columns.get(points::MEMBER, index), members, "members")?);
            own_links.clear();
            let own = columns.get(points::LINK_COUNT, index) as usize;
            for link in next_link..next_link + own {
                let roles = self.builder.roles.len();
                let role = RoleId(row(columns.get(points::LINK_ROLE, link), roles, "roles")?);
                own_links.push((role, self.context(columns.get(points::LINK_CONTEXT, link))?));
            }
            next_link += own;
            for (value, column) in own_values.iter_mut().zip(&columns.values) {
                *value = column.get(index).map_or(0, |&value| unzigzag(value));
            }
            let context = if has_places {
                let place = columns.get(points::CONTEXT_PLACE, index);
                frequent[row(place, frequent.len(), "frequent contexts")? as usize]
            } else {
                at = at.wrapping_add(unzigzag(columns.get(points::CONTEXT_DELTA, index)));
                at as u64
            };
            let context = self.context(context)?;
            if own > 0 && !own_links.iter().any(|&(_, linked)| linked == context) {
                return fault("a point's context is not among its linked ones");
            }
            let time = is_timed.then_some(time);
            let links = own_links.as_slice();
            let point = Point { context, labels, time, thread, cpu, member, links };
            self.builder.points.push_point(point, &own_values);
        }
        Ok(())
    }

    pub(super) fn function_totals(&mut self, columns: &Columns) -> Result<(), Fault> {
        let count = columns.count;
        columns.expect(function_totals::FUNCTION, count, "function")?;
        columns.expect(function_totals::MEMBER, count, "member")?;
        let metrics: Vec<MetricId> = columns.by_field[function_totals::METRIC as usize]
            .iter()
            .map(|&metric| row(metric, self.builder.metrics.len(), "metrics").map(MetricId))
            .collect::<Result<_, _>>()?;
        let values = count.saturating_mul(metrics.len());
        columns.expect(function_totals::VALUE, values, "value")?;
        check_count(columns)?;
        let totals = &self.builder.function_totals;
        if !totals.is_empty() && totals.metrics != metrics {
            return fault("stored totals have other metrics than those of the block before");
        }
        self.builder.function_totals.metrics = metrics;
        let width = self.builder.function_totals.metrics.len();
        let mut own = vec![];
        for index in 0..count {
            let functions = self.builder.functions.len();
            let function = columns.get(function_totals::FUNCTION, index);
            let function = FunctionId(row(function, functions, "functions")?);
            let members = self.builder.members.len().max(1);
            let member = columns.get(function_totals::MEMBER, index);
            let member = MemberId(row(member, members, "members")?);
            if !self.totals_seen.insert((function, member)) {
                return fault(format!("function {} has two stored totals", function.0));
            }
            own.clear();
            let cells = index * width..(index + 1) * width;
            own.extend(cells.map(|cell| unzigzag(columns.get(function_totals::VALUE, cell))));
            self.builder.function_totals.push(function, member, &own);
        }
        Ok(())
    }
}
