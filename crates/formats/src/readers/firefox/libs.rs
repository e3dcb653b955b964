//! Libraries.

use profile::{ModuleId, ProfileBuilder};

use super::processed::{number, text};
use crate::ReadError;
use crate::json::Json;
use crate::numbers::decimal::Decimal;

/// A library and where it was mapped.
#[derive(Default)]
pub(super) struct Lib {
    pub(super) module: Option<ModuleId>,
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) name: String,
}

pub(super) fn libs(
    json: &mut Json,
    builder: &mut ProfileBuilder,
) -> Result<Vec<Option<ModuleId>>, ReadError> {
    Ok(mapped_libs(json, builder)?.into_iter().map(|lib| lib.module).collect())
}

/// The list of libraries at the cursor.
pub(super) fn mapped_libs(
    json: &mut Json,
    builder: &mut ProfileBuilder,
) -> Result<Vec<Lib>, ReadError> {
    let mut libs = vec![];
    if !json.try_array()? {
        return Ok(libs);
    }
    while json.next_element()? {
        let mut lib = Lib::default();
        let (mut path, mut debug, mut code) = (String::new(), String::new(), String::new());
        if json.try_object()? {
            while let Some(key) = json.next_key()? {
                match key {
                    "name" => lib.name = text(json)?,
                    "path" => path = text(json)?,
                    "breakpadId" => debug = text(json)?,
                    "codeId" => code = text(json)?,
                    "start" => lib.start = address(json)?,
                    "end" => lib.end = address(json)?,
                    _ => {}
                }
            }
        }
        let name = if path.is_empty() { &lib.name } else { &path };
        lib.module = builder.module(name);
        if let Some(module) = lib.module {
            let id = if code.is_empty() { &debug } else { &code };
            builder.modules[module.index()].build_id = builder.strings.intern(id);
        }
        libs.push(lib);
    }
    Ok(libs)
}

fn address(json: &mut Json) -> Result<u64, ReadError> {
    let number = number(json)?.and_then(Decimal::to_whole);
    Ok(number.and_then(|number| u64::try_from(number).ok()).unwrap_or(0))
}
