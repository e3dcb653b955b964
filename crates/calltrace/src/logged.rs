//! Values of a program that were asked for.

use crate::varint;

/// Values at a call of a function, or at its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Logged {
    /// The thread's number here.
    pub thread: u32,
    /// When, in ticks.
    pub ticks: u64,
    /// The function's number.
    pub function: u32,
    /// Whether it was left: by a return, a yield or an exception.
    pub leaves: bool,
    /// Names and values as an object of JSON, all of them texts.
    pub values: String,
}

impl Logged {
    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        let Logged { thread, ticks, function, leaves, values } = self;
        for number in [(*thread).into(), *ticks, (*function).into(), u64::from(*leaves)] {
            varint::put(bytes, number);
        }
        varint::put(bytes, values.len() as u64);
        bytes.extend(values.as_bytes());
    }

    pub(crate) fn take(bytes: &mut &[u8]) -> Option<Logged> {
        let thread = varint::take(bytes)?.try_into().ok()?;
        let ticks = varint::take(bytes)?;
        let function = varint::take(bytes)?.try_into().ok()?;
        let leaves = varint::take(bytes)? != 0;
        let length = usize::try_from(varint::take(bytes)?).ok()?;
        let (values, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        let values = String::from_utf8_lossy(values).into_owned();
        Some(Logged { thread, ticks, function, leaves, values })
    }
}
