//! The start of a recording.
//!
//! ```text
//! "PERFILE2"  size u64  attr size u64  {offset, size} of attrs, data, event types  features 256 bits
//! "PERFILE2"  size u64 = 16                                                      a pipe: records follow
//! ```

use std::io::Read;

use crate::ByteOrder;
use crate::arena::Arena;
use crate::attr::Attr;
use crate::bytes::Bytes;
use crate::error::Error;
use crate::head::Head;
use crate::reader::{At, Reader, byte_order};

/// Size of the header of a pipe.
const PIPE: u64 = 16;
/// Size of the header of a file.
const FILE: u64 = 104;
/// Bytes that may stand before the records of a file.
const MOST_BEFORE: u64 = 64 << 20;

/// Whether bytes start as a recording does.
pub fn is_recording(head: &[u8]) -> bool {
    head.first_chunk::<8>().is_some_and(|magic| byte_order(magic).is_some() || is_first(magic))
}

/// Whether it is of the first version, up to perf of Linux 3.5. Those have the same bytes in either byte
/// order, of which the size of the header tells.
fn is_first(magic: &[u8; 8]) -> bool {
    magic == b"PERFFILE"
}

fn order_by_size(size: &[u8]) -> Option<ByteOrder> {
    let orders = [ByteOrder::Little, ByteOrder::Big];
    let size_in = |order| Bytes::new(size, order).u64();
    orders.into_iter().find(|&order| matches!(size_in(order), Some(PIPE | FILE)))
}

impl<R: Read> Reader<R> {
    /// Starts to read a recording: a file, or what was written into a pipe.
    ///
    /// # Errors
    /// If the header is damaged.
    pub fn open(mut source: R) -> Result<Self, Error> {
        let mut file = Arena::default();
        let is_there = file.fill(PIPE, &mut source)?;
        let magic = file.from(0).first_chunk::<8>();
        let order = magic.and_then(|magic| {
            if is_first(magic) { order_by_size(file.from(8)) } else { byte_order(magic) }
        });
        let Some(order) = order.filter(|_| is_there) else {
            return Err(Error::malformed(0, "it has no perf header"));
        };
        let mut head = Head::new(order, false);
        let size = Bytes::new(&file.get(0, 16)[8..], order).u64().unwrap_or_default();
        if size == PIPE {
            head.is_pipe = true;
            let at = At { file: PIPE, end: u64::MAX, ..At::default() };
            return Ok(Reader::new(head, source, file, at));
        }
        if !file.fill(FILE, &mut source)? {
            return Err(Error::malformed(8, "the header is cut short"));
        }
        let mut header = Bytes::new(&file.get(0, FILE as usize)[16..], order);
        let mut word = || header.u64().unwrap_or_default();
        let attr_size = word();
        let (attrs, attrs_size) = (word(), word());
        let (data, data_size) = (word(), word());
        let (types, types_size) = (word(), word());
        let features = [word(), word(), word(), word()];
        // Only a recorder that did not end leaves the size open.
        head.is_unfinished = data_size == 0;
        let end = match data_size {
            0 => u64::MAX,
            size => data.saturating_add(size),
        };
        if !(FILE..=MOST_BEFORE).contains(&data) {
            let reason = format!("the header says that records start at byte {data}");
            return Err(Error::malformed(40, reason));
        }
        if !file.fill(data, &mut source)? {
            return Err(Error::malformed(40, "the file ends before its first record"));
        }
        let before = file.get(0, data as usize);
        let part = |at: u64, size: u64| {
            before.get(usize::try_from(at).ok()?..)?.get(..usize::try_from(size).ok()?)
        };
        let events =
            part(attrs, attrs_size).and_then(|bytes| events(bytes, attr_size, &part, order));
        let Some(events) = events else {
            return Err(Error::malformed(24, "the list of events is damaged"));
        };
        for (attr, ids) in events {
            head.add_event(attr, ids);
        }
        let mut types = Bytes::new(part(types, types_size).unwrap_or_default(), order);
        // A number and a name of 64 bytes.
        while let Some((config, name)) = types.u64().zip(types.take(64)) {
            let name = crate::bytes::lossy(Bytes::new(name, order).text());
            head.event_types.push((config, name));
        }
        let at = At { file: data, end, features, ..At::default() };
        Ok(Reader::new(head, source, file, at))
    }

    /// Starts to read one of the further files of a folder (`data.0`), which hold records only.
    pub fn part(of: &Head, source: R) -> Self {
        let mut head = Head::new(of.order, true);
        for event in &of.events {
            head.add_event(event.attr.clone(), event.ids.clone());
        }
        let at = At { end: u64::MAX, ..At::default() };
        Reader::new(head, source, Arena::default(), at)
    }
}

fn events<'a>(
    bytes: &[u8],
    attr_size: u64,
    part: &impl Fn(u64, u64) -> Option<&'a [u8]>,
    order: ByteOrder,
) -> Option<Vec<(Attr, Vec<u64>)>> {
    // Each entry ends with where the counters of its event stand.
    let attr_size = usize::try_from(attr_size).ok().filter(|&size| size >= 64 + 16)?;
    let entries = bytes.chunks_exact(attr_size);
    entries
        .map(|entry| {
            let (attr, ids) = entry.split_at(attr_size - 16);
            let attr = Attr::parse(Bytes::new(attr, order))?;
            let mut ids = Bytes::new(ids, order);
            let ids = part(ids.u64()?, ids.u64()?)?;
            let mut ids = Bytes::new(ids, order);
            Some((attr, std::iter::from_fn(|| ids.u64()).collect()))
        })
        .collect()
}
