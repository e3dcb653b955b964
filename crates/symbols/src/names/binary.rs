//! The names of one binary.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::debug::{Debug, Named, shared};
use super::frame::Frame;
use super::symbol_table::SymbolTable;
use crate::debug_files::{self, Binary, Found};
use crate::elf::Elf;
use crate::files::Files;
use crate::missing::Missing;

/// Where what is told of a binary comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// The file whose table of symbols is used.
    pub symbols: Option<String>,
    /// True if that has the exported functions alone.
    pub exported_only: bool,
    /// The file whose debug information says what was inlined.
    pub inlines: Option<String>,
    /// The file whose debug information has lines.
    pub lines: Option<String>,
    /// Units whose debug information stands in other files, which are not here. So far, since units are
    /// read when one of their addresses is asked for.
    pub missing_splits: u64,
    /// Units, functions and tables of lines that were damaged or asked for too much work; so far.
    pub damaged: u64,
}

/// The names of one binary.
pub struct Names {
    elf: Elf,
    path: String,
    symbols: Option<SymbolTable>,
    debug: Option<Debug>,
    sources: Sources,
    texts: FxHashSet<Arc<str>>,
}

impl Names {
    /// Looks for the binary as it was recorded and for its debug information. Where it has neither
    /// symbols nor debug information, [`Names::sources`] says so.
    pub fn open(files: &Arc<dyn Files>, binary: &Binary) -> Result<Self, Missing> {
        let found = debug_files::binary(&**files, binary)?;
        if found.elf.is_relocatable {
            let why = "it is an object file or kernel module, which is not linked";
            return Err(Missing::NotElf { path: binary.path.clone(), why });
        }
        let has_debug = |found: &Found| found.elf.has(".debug_info");
        let is_complete = has_debug(&found) && SymbolTable::is_full(&found.elf);
        let separate = if is_complete { None } else { debug_files::separate(&**files, &found) };
        let candidates = || [Some(&found), separate.as_ref()].into_iter().flatten();
        let mut sources = Sources::default();
        let debug = candidates().find(|one| has_debug(one)).map(|one| {
            sources.inlines = Some(one.path.clone());
            sources.lines = one.elf.has(".debug_line").then(|| one.path.clone());
            Debug::open(files, one, &found)
        });
        let full = candidates().find(|one| SymbolTable::is_full(&one.elf));
        let symbols = SymbolTable::new(&full.unwrap_or(&found).elf);
        if symbols.is_some() {
            sources.symbols = Some(full.unwrap_or(&found).path.clone());
            sources.exported_only = full.is_none();
        }
        let Found { elf, path } = found;
        Ok(Self { elf, path, symbols, debug, sources, texts: FxHashSet::default() })
    }

    /// Where names come from.
    pub fn sources(&self) -> Sources {
        let mut sources = self.sources.clone();
        if let Some(debug) = &self.debug {
            sources.damaged = debug.damaged();
            sources.missing_splits = debug.missing_splits();
        }
        sources
    }

    /// The file that has the code: where it was recorded, or in a cache by its build id.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The address that the file states for an offset in it; none if nothing is mapped there.
    pub fn address_of(&self, file_offset: u64) -> Option<u64> {
        self.elf.address_of_offset(file_offset)
    }

    /// Where the function that holds an address begins, and where it has ended, as its symbol says.
    pub fn extent(&self, address: u64) -> Option<Range<u64>> {
        self.symbols.as_ref()?.extent(address)
    }

    /// The linker's name of the function that holds an address.
    pub fn symbol(&self, address: u64) -> Option<String> {
        let name = self.symbols.as_ref()?.at(address)?;
        Some(String::from_utf8_lossy(&name).into_owned())
    }

    /// Appends what stands at an offset of the file: the function and everything that was inlined into
    /// it there, outermost first. Nothing if that is not code, or of no known function. Ask in the order
    /// of addresses, each once: what was read of units is not kept for long.
    pub fn at(&mut self, file_offset: u64, out: &mut Vec<Frame>) {
        if let Some(address) = self.elf.address_of_offset(file_offset) {
            self.at_address(address, out);
        }
    }

    /// The same for an address that the file states.
    pub fn at_address(&mut self, address: u64, out: &mut Vec<Frame>) {
        let first = out.len();
        let symbol = self.symbols.as_ref().and_then(|symbols| symbols.at(address));
        let named = self.debug.as_mut().and_then(|debug| debug.at(address, out));
        let name = match named {
            Some(Named { linkage: Some(_), .. }) => None,
            // The linker's name may say more: `f.constprop.0`, or what a template is made of.
            Some(Named { plain: Some(plain), .. }) => {
                symbol.filter(|symbol| is_mangled(symbol) || contains(symbol, plain.as_bytes()))
            }
            _ => symbol,
        };
        let Some(name) = name else { return };
        let name = Some(shared(&String::from_utf8_lossy(&name), &mut self.texts));
        match out.get_mut(first) {
            Some(frame) => frame.name = name,
            None => out.push(Frame { name, ..Frame::default() }),
        }
    }
}

/// True for names that a C++ or Rust compiler made of types.
fn is_mangled(symbol: &[u8]) -> bool {
    symbol.starts_with(b"_Z") || symbol.starts_with(b"_R")
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && text.windows(part.len()).any(|window| window == part)
}
