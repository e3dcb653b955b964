//! The format, and which of its files one is.

use profile::{Cpu, Machine, MachineId, Profile, ProfileBuilder};

use super::{calls, samples, summary};
use crate::input::stream::Stream;
use crate::json::outline::Outline;
use crate::{About, FolderReader, Format, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "visperf",
    title: "VisPerf's samples (CSV), its runs (a folder with config.json) and its experiments.json",
    extensions: &["visperf.csv", "visperf.json"],
    about: About {
        carries: "of samples every event with its counts, stacks as far as the tool kept them \
                  (three functions), threads by number, processors, times; of a folder all runs as \
                  members, names of threads, how many processors the machine has; of \
                  experiments.json the counts of each event by second, processor and thread, which \
                  are sums, with a member for each run",
        estimates: "",
        skips: "of experiments.json functions (each has the counts of all samples that it is in, \
                so that they do not add up), means by processor, which are of seconds and threads, \
                and ratios, which follow from the counts; its grids, which show one thread of a \
                processor, where there are counts by thread (else they have metrics that say so). \
                The tool itself leaves out modules and addresses",
        checked_against: "sums of the rows by event",
    },
    reader: Some(Reader { sniff, read }),
    folder: Some(FolderReader {
        sniff: calls::sniff,
        read: calls::read,
        // The name says too little: other programs have such files.
        is_part: |_| false,
        siblings: |_| vec![],
    }),
    writer: None,
};

fn sniff(head: &[u8], name: &str) -> Sniff {
    let is_known = match Outline::new(head) {
        Some(outline) => {
            outline.has(&["cpus", "cpu_setup", "events_captured"])
                || name == "config.json" && calls::is_call(&outline)
        }
        None => samples::is_table(head),
    };
    if is_known { Sniff::Yes } else { Sniff::No }
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let head = stream.peek(crate::SNIFF_BYTES)?;
    let Some(outline) = Outline::new(head) else {
        return samples::read(stream, options, warnings);
    };
    if outline.has(&["cpu_labels"]) || outline.has(&["experiments_to_compare"]) {
        return summary::read(stream, options, warnings);
    }
    Err(ReadError::Unsupported {
        found: "a list of VisPerf's runs".to_owned(),
        instead: "open the folder that has it and the CSV files that it names",
    })
}

/// More processors than any machine has.
const MOST_CPUS: i64 = 1 << 14;

/// A machine of which nothing but the number of its processors is known.
pub(super) fn machine(cpus: i64, builder: &mut ProfileBuilder) -> Option<MachineId> {
    let cpus = u32::try_from(cpus).ok().filter(|_| (1..=MOST_CPUS).contains(&cpus))?;
    let cpus = (0..cpus).map(|number| Cpu { number, ..Cpu::default() }).collect();
    builder.machines.push(Machine { cpus, ..Machine::default() });
    Some(MachineId(builder.machines.len() as u32 - 1))
}
