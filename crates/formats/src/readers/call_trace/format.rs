//! The entry of call traces in the list of formats.

use calltrace::MAGIC;

use super::read;
use crate::{About, Format, Reader, Sniff};

pub(crate) const FORMAT: Format = Format {
    name: "calls",
    title: "Hotframe call trace",
    extensions: &["calls"],
    about: About {
        carries: "every traced call as a span on its thread's track, with self time and a count; \
                  generators and coroutines as one call with the stretches in which it runs; tasks of \
                  asyncio on tracks of their own, running and waiting; threads and processes on one \
                  axis; where events were lost and which functions were switched off after which call",
        estimates: "time and calls of functions of Python after they were switched off, by samples that were \
                    taken meanwhile: each stands for the time around it, moved from what called the function; \
                    corrected time, which leaves out what tracing a call cost when that was measured; a \
                    call whose end was not seen ends with the one around it",
        skips: "nothing",
        checked_against: "programs that count their own calls; cProfile's counts of the same run",
    },
    reader: Some(Reader { sniff, read: read::read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    if head.starts_with(&MAGIC[..15]) { Sniff::Yes } else { Sniff::No }
}
