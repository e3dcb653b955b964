//! A recording that is spread over the files of a folder: `data` with header and features, and
//! `data.0`, `data.1`, ... with the records of some processors each.

use std::io::Read;

use crate::error::Error;
use crate::head::Head;
use crate::reader::Reader;
use crate::record::Record;

/// Several files of one recording, read as one, in the order of time.
#[derive(Debug)]
pub struct Parts<R> {
    readers: Vec<Reader<R>>,
}

impl<R: Read> Parts<R> {
    /// The first file has the header, the others records only.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn open(first: R, others: Vec<R>) -> Result<Self, Error> {
        let first = Reader::open(first)?;
        let others = others.into_iter().map(|source| Reader::part(first.head(), source));
        let others: Vec<_> = others.collect();
        let mut readers = vec![first];
        readers.extend(others);
        Ok(Parts { readers })
    }

    /// The next record with what is known by then; none at the end.
    ///
    /// # Errors
    /// As [`Reader::next`].
    #[expect(clippy::should_implement_trait, reason = "records borrow from the reader")]
    pub fn next(&mut self) -> Result<Option<(&Head, Record<'_>)>, Error> {
        match self.earliest()? {
            Some(number) => self.readers[number].next(),
            None => Ok(None),
        }
    }

    /// Gives the next record to `take`: see [`Reader::next_to`].
    ///
    /// # Errors
    /// As [`Reader::next`].
    pub fn next_to<T>(
        &mut self,
        take: impl FnOnce(&Head, Record<'_>) -> T,
    ) -> Result<Option<T>, Error> {
        match self.earliest()? {
            Some(number) => self.readers[number].next_to(take),
            None => Ok(None),
        }
    }

    /// The reader whose turn it is.
    fn earliest(&mut self) -> Result<Option<usize>, Error> {
        if self.readers.len() == 1 {
            return Ok(Some(0));
        }
        let mut earliest: Option<(u64, usize)> = None;
        for (number, reader) in self.readers.iter_mut().enumerate() {
            if let Some(time) = reader.peek_time()?
                && earliest.is_none_or(|(known, _)| time < known)
            {
                earliest = Some((time, number));
            }
        }
        Ok(earliest.map(|(_, number)| number))
    }

    /// Bytes of memory held until records that may be earlier have come.
    pub fn heap_bytes(&self) -> usize {
        self.readers.iter().map(Reader::heap_bytes).sum()
    }

    /// What is known of the recording, with what was counted in all files.
    pub fn into_head(self) -> Head {
        let mut readers = self.readers.into_iter().map(Reader::into_head);
        let mut head = readers.next().unwrap_or_default();
        for other in readers {
            head.counts.add(&other.counts);
        }
        head
    }
}
