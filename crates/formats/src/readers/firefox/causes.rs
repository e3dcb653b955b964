//! The stacks that markers tell of, as texts: what asked for a layout, what started a request.

use hashbrown::HashMap;
use profile::{ContextId, Location, ProfileBuilder, StringId};

use super::frames::Stack;
use crate::json::Json;
use crate::{ReadError, Warnings};

/// Frames of one stack that are told: the innermost.
const MOST_FRAMES: usize = 16;
/// More different stacks of one thread are left out.
const MOST_STACKS: usize = 1 << 14;
/// Cells of a row that are looked at.
const MOST_CELLS: usize = 16;

/// Reads the place among the stacks at the cursor: `{"stack": 3}` in processed profiles, a whole profile
/// of one sample in others.
pub(super) fn read(json: &mut Json) -> Result<Option<u32>, ReadError> {
    let mut found = None;
    if !json.try_object()? {
        return Ok(None);
    }
    while let Some(key) = json.next_key()? {
        match key {
            "stack" => found = place(json)?,
            "samples" => found = of_samples(json)?.or(found),
            _ => {}
        }
    }
    Ok(found)
}

fn place(json: &mut Json) -> Result<Option<u32>, ReadError> {
    let number = json.any_number()?.and_then(crate::numbers::decimal::Decimal::to_whole);
    Ok(number.and_then(|number| u32::try_from(number).ok()))
}

/// `{"schema": {"stack": 0}, "data": [[3, 1.5]]}`, in any order.
fn of_samples(json: &mut Json) -> Result<Option<u32>, ReadError> {
    let (mut column, mut cells) = (None, vec![]);
    if !json.try_object()? {
        return Ok(None);
    }
    while let Some(key) = json.next_key()? {
        match key {
            "schema" => column = of_schema(json)?,
            "data" => first_row(json, &mut cells)?,
            _ => {}
        }
    }
    Ok(column.and_then(|column| cells.get(column as usize).copied().flatten()))
}

fn of_schema(json: &mut Json) -> Result<Option<u32>, ReadError> {
    let mut column = None;
    if json.try_object()? {
        while let Some(key) = json.next_key()? {
            if key == "stack" {
                column = place(json)?;
            }
        }
    }
    Ok(column)
}

fn first_row(json: &mut Json, cells: &mut Vec<Option<u32>>) -> Result<(), ReadError> {
    if !json.try_array()? {
        return Ok(());
    }
    let mut is_first = true;
    while json.next_element()? {
        if !std::mem::take(&mut is_first) || !json.try_array()? {
            continue;
        }
        while json.next_element()? {
            if cells.len() < MOST_CELLS {
                cells.push(place(json)?);
            }
        }
    }
    Ok(())
}

/// Texts of the stacks of a thread.
pub(super) struct Causes<'a> {
    pub(super) stacks: &'a [Stack],
    texts: HashMap<u32, StringId>,
}

impl<'a> Causes<'a> {
    pub(super) fn new(stacks: &'a [Stack]) -> Causes<'a> {
        Causes { stacks, texts: HashMap::new() }
    }

    /// The names of a stack's functions from the outermost that is told on; nothing for one that is not
    /// there, or beyond bounds.
    pub(super) fn text(
        &mut self,
        stack: u32,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) -> Option<StringId> {
        if let Some(&known) = self.texts.get(&stack) {
            return Some(known);
        }
        let Some(found) = self.stacks.get(stack as usize) else {
            warnings.add("causes", || "stacks of markers that are not in the table".to_owned());
            return None;
        };
        if self.texts.len() >= MOST_STACKS {
            warnings.add("more causes", || {
                format!("stacks of markers beyond {MOST_STACKS} of one thread are left out")
            });
            return None;
        }
        let mut names = vec![];
        let mut at = found.context;
        while at != ContextId::ROOT && names.len() <= MOST_FRAMES {
            let (caller, location) = builder.contexts.node(at);
            let (place, frames) = builder.place_of(location);
            names.extend(frames.into_iter().rev().map(|(function, ..)| match function {
                Some(function) => {
                    builder.strings.get(builder.functions.name[function.index()]).to_owned()
                }
                None => unnamed(place, builder),
            }));
            at = caller;
        }
        if names.len() > MOST_FRAMES {
            names.truncate(MOST_FRAMES);
            names.push("…".to_owned());
        }
        names.reverse();
        let text = builder.strings.intern(&names.join(" > "));
        self.texts.insert(stack, text);
        Some(text)
    }
}

/// As frames without a name are called: by their module and address.
fn unnamed(place: Location, builder: &ProfileBuilder) -> String {
    let module = place.module.map(|module| builder.modules[module.index()].name);
    let module = module.map_or("", |name| profile::base_name(builder.strings.get(name)));
    format!("{module}+{:#x}", place.address)
}
