//! The map that just-in-time compilers leave in `/tmp/perf-PID.map`: begin, size and name of functions.

use std::io::{self, BufRead};

use crate::maps::{Mapped, Maps};
use crate::text::{each_line, hexadecimal, word};

/// The functions of one process. A compiler that wrote code over older code wrote its line after.
#[derive(Debug, Default)]
pub struct PerfMap {
    maps: Maps,
    names: Vec<Box<str>>,
    /// Lines that are not a function.
    pub bad_lines: u64,
}

impl PerfMap {
    /// Reads `from`, at most `max_bytes` of names; the rest are counted as bad lines.
    pub fn read(from: impl BufRead, max_bytes: usize) -> io::Result<Self> {
        let mut map = Self::default();
        let mut bytes = 0_usize;
        each_line(from, |line| {
            if line.is_some_and(<[u8]>::is_empty) {
                return;
            }
            let parsed = line.and_then(parse);
            let fits = bytes < max_bytes && map.names.len() < u32::MAX as usize;
            let Some((start, size, name)) = parsed.filter(|_| fits) else {
                map.bad_lines += 1;
                return;
            };
            bytes = bytes.saturating_add(name.len() + ENTRY);
            let (end, module) = (start.saturating_add(size), map.names.len() as u32);
            map.maps.insert(Mapped { start, end, file_offset: 0, module });
            map.names.push(String::from_utf8_lossy(name).into());
        })?;
        Ok(map)
    }

    /// The function at an address, and how far into it that is.
    pub fn at(&self, address: u64) -> Option<(&str, u64)> {
        let mapped = self.maps.find(address)?;
        let offset = (address - mapped.start).wrapping_add(mapped.file_offset);
        Some((self.names.get(mapped.module as usize)?, offset))
    }

    /// How many functions were read.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// About what a function takes besides its name.
const ENTRY: usize = 64;

fn parse(line: &[u8]) -> Option<(u64, u64, &[u8])> {
    let (start, rest) = word(line)?;
    let (size, name) = word(rest)?;
    let name = name.trim_ascii_end();
    let size = hexadecimal(size).filter(|size| *size > 0)?;
    (!name.is_empty()).then_some((hexadecimal(start)?, size, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_lines_take_the_place_and_bad_ones_are_counted() {
        let text = "10 10 old\n18 4 LazyCompile:~f a.js:1\r\n\nx 1 y\n30 0 none\n40 1\n0x50 0x2 z";
        let map = PerfMap::read(text.as_bytes(), usize::MAX).unwrap();
        let at = |address| map.at(address);
        assert_eq!(at(0x17), Some(("old", 7)));
        assert_eq!(at(0x19), Some(("LazyCompile:~f a.js:1", 1)));
        assert_eq!(at(0x1d), Some(("old", 13)));
        assert_eq!((at(0x20), at(0x51)), (None, Some(("z", 1))));
        assert_eq!((map.len(), map.bad_lines), (3, 3));
        let map = PerfMap::read(text.as_bytes(), 1).unwrap();
        assert_eq!((map.len(), map.bad_lines), (1, 5));
    }
}
