//! The kernel's symbols as it tells them in `/proc/kallsyms`.

use std::io::{self, BufRead};

use crate::text::{each_line, hexadecimal, word};

/// What may follow the last symbol of a module or of the kernel.
const MAX_SIZE: u64 = 4 << 20;
/// About what a symbol takes besides its name.
const ENTRY: usize = 24;

/// The functions of a kernel and its modules, by address.
#[derive(Debug, Default)]
pub struct Kallsyms {
    /// By address; those without a name end the one before.
    symbols: Vec<Symbol>,
    /// All names, one after the other.
    names: String,
    /// Names of modules, in brackets in the file.
    modules: Vec<Box<str>>,
    /// Lines that are not a symbol.
    pub bad_lines: u64,
    /// Symbols without their address: the kernel hides addresses from users without rights.
    pub hidden: u64,
}

#[derive(Debug)]
struct Symbol {
    address: u64,
    /// 0 for what is not a function, 1 for local functions, 2 for those that others call.
    rank: u8,
    name: std::ops::Range<u32>,
    /// One more than the index of its module; 0 for the kernel's own.
    module: u32,
}

impl Kallsyms {
    /// Reads `from`, at most `max_bytes`; the rest are counted as bad lines.
    pub fn read(from: impl BufRead, max_bytes: usize) -> io::Result<Self> {
        let mut all = Self::default();
        let mut last_module: Option<(Box<[u8]>, u32)> = None;
        let max_bytes = max_bytes.min(u32::MAX as usize);
        each_line(from, |line| {
            if line.is_some_and(<[u8]>::is_empty) {
                return;
            }
            let used = all.names.len() + (all.symbols.len() + all.modules.len()) * ENTRY;
            let parsed = line.and_then(parse).filter(|_| used < max_bytes);
            let Some((address, kind, name, module)) = parsed else {
                all.bad_lines += 1;
                return;
            };
            if address == 0 {
                all.hidden += u64::from(kind != b'a' && kind != b'A');
                return;
            }
            let rank = match kind {
                b'T' => 2,
                b't' | b'w' | b'W' => 1,
                _ => 0,
            };
            let module = match (module, &last_module) {
                (None, _) => 0,
                (Some(module), Some((last, number))) if **last == *module => *number,
                (Some(module), _) => {
                    all.modules.push(String::from_utf8_lossy(module).into());
                    let number = u32::try_from(all.modules.len()).unwrap_or(0);
                    last_module = Some((module.into(), number));
                    number
                }
            };
            let begin = all.names.len() as u32;
            if rank > 0 {
                all.names.push_str(&String::from_utf8_lossy(name));
            }
            let name = begin..u32::try_from(all.names.len()).unwrap_or(begin);
            all.symbols.push(Symbol { address, rank, name, module });
        })?;
        // Of several at one address the best, and of those the first.
        all.symbols.sort_by_key(|symbol| (symbol.address, std::cmp::Reverse(symbol.rank)));
        all.symbols.dedup_by_key(|symbol| symbol.address);
        Ok(all)
    }

    /// The function at an address and its module; none for the kernel's own.
    pub fn at(&self, address: u64) -> Option<(&str, Option<&str>)> {
        let after = self.symbols.partition_point(|symbol| symbol.address <= address);
        let symbol = self.symbols[..after].last()?;
        if symbol.rank == 0 || address - symbol.address >= MAX_SIZE {
            return None;
        }
        let name = self.names.get(symbol.name.start as usize..symbol.name.end as usize)?;
        let module = (symbol.module as usize).checked_sub(1);
        Some((name, module.and_then(|module| self.modules.get(module)).map(|name| &**name)))
    }

    /// How many addresses are known.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }
}

type Line<'a> = (u64, u8, &'a [u8], Option<&'a [u8]>);

/// `ffffffff81000000 T _stext`, with `[module]` after it.
fn parse(line: &[u8]) -> Option<Line<'_>> {
    let (address, rest) = word(line)?;
    let (kind, rest) = word(rest)?;
    let (name, rest) = word(rest)?;
    let module = rest.trim_ascii_end();
    let module =
        if module.is_empty() { None } else { Some(module.strip_prefix(b"[")?.strip_suffix(b"]")?) };
    let [kind] = kind else { return None };
    Some((hexadecimal(address)?, *kind, name, module))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
ffffffff81000000 T _text
ffffffff81000000 T _stext
0000000000000000 A fixed_percpu_data
ffffffff81000100 t do_one
ffffffff81000200 D some_data
ffffffffc0000000 t helper\t[nf_tables]
ffffffffc0000040 T nft_do_chain\t[nf_tables]
ffffffffc0010000 t bpf_prog_12\t[bpf]
nonsense
ffffffffc0010000 t broken [bpf
";

    #[test]
    fn functions_go_up_to_the_next_symbol() {
        let kernel = Kallsyms::read(TEXT.as_bytes(), usize::MAX).unwrap();
        let at = |address| kernel.at(address);
        assert_eq!(at(0xffff_ffff_8100_00ff), Some(("_text", None)));
        assert_eq!(at(0xffff_ffff_8100_0100), Some(("do_one", None)));
        assert_eq!(at(0xffff_ffff_8100_0200), None);
        assert_eq!(at(0xffff_ffff_c000_003f), Some(("helper", Some("nf_tables"))));
        assert_eq!(at(0xffff_ffff_c000_0041), Some(("nft_do_chain", Some("nf_tables"))));
        assert_eq!(at(0xffff_ffff_c001_0001), Some(("bpf_prog_12", Some("bpf"))));
        assert_eq!((at(0xffff_ffff_d000_0000), at(1)), (None, None));
        assert_eq!((kernel.len(), kernel.bad_lines, kernel.hidden), (6, 2, 0));
    }

    #[test]
    fn hidden_addresses_are_counted() {
        let text = "0000000000000000 T _text\n0000000000000000 t do_one\n";
        let kernel = Kallsyms::read(text.as_bytes(), usize::MAX).unwrap();
        assert!(kernel.is_empty());
        assert_eq!(kernel.hidden, 2);
    }

    #[test]
    fn no_more_is_kept_than_requested() {
        let kernel = Kallsyms::read(TEXT.as_bytes(), 30).unwrap();
        assert_eq!((kernel.len(), kernel.bad_lines), (1, 8));
    }
}
