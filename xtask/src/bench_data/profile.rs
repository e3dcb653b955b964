//! A profile as pprof writes it.

use std::fs;

use super::both::Both;
use super::files::{files, partial};
use super::program::{Program, Strings};
use super::protobuf::Message;
use super::random::Random;
use super::size::{Size, Variant};
use super::stacks::Paths;

pub(super) fn write_profile(
    size: Size,
    variant: Variant,
    program: &Program,
    paths: &Paths,
) -> anyhow::Result<()> {
    let [raw, zipped] = files(size, variant);
    if let Some(folder) = raw.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut output = Both::create(&partial(&raw), &partial(&zipped))?;
    let mut strings = Strings::new();
    let mut profile = Message::default();
    write_head(&mut profile, &mut strings);
    output.write(&profile)?;
    write_samples(size.samples(), variant, program, paths, &mut strings, &mut output)?;
    profile.clear();
    program.write_tables(&mut profile, &mut strings);
    strings.write(&mut profile);
    output.write(&profile)?;
    output.finish()?;
    fs::rename(partial(&raw), raw)?;
    fs::rename(partial(&zipped), zipped)?;
    Ok(())
}

pub(super) const SAMPLING_PERIOD_NS: u64 = 10_000_000;

pub(super) fn write_head(profile: &mut Message, strings: &mut Strings) {
    let mut value_type = |profile: &mut Message, field, name: &str, unit: &str| {
        profile.message(field, |message| {
            message.number(1, strings.intern(name));
            message.number(2, strings.intern(unit));
        });
    };
    value_type(profile, 1, "samples", "count");
    value_type(profile, 1, "cpu", "nanoseconds");
    profile.number(9, 1_790_000_000_000_000_000);
    profile.number(10, 60_000_000_000);
    value_type(profile, 11, "cpu", "nanoseconds");
    profile.number(12, SAMPLING_PERIOD_NS);
}

const THREADS: usize = 24;
const FIRST_SPAN: u64 = 1_000_000;

fn write_samples(
    samples: usize,
    variant: Variant,
    program: &Program,
    paths: &Paths,
    strings: &mut Strings,
    output: &mut Both,
) -> anyhow::Result<()> {
    let thread_key = strings.intern("thread");
    let span_key = strings.intern("span");
    let threads: Vec<u64> =
        (0..THREADS).map(|thread| strings.intern(&format!("worker-{thread:02}"))).collect();
    let mut random = Random::new(4);
    // A thread stays for some samples on one path before it takes up other work.
    let mut busy_with: Vec<usize> = (0..THREADS).map(|_| paths.pick(&mut random)).collect();

    let [mut ids, mut values, mut label, mut sample, mut profile] = <[Message; 5]>::default();
    for number in 0..samples {
        ids.clear();
        let (thread, span) = match variant {
            Variant::Distinct => {
                let thread = random.skewed(THREADS);
                if random.chance(40) {
                    busy_with[thread] = paths.pick(&mut random);
                }
                paths.stack(busy_with[thread], program, &mut random, &mut ids);
                (thread, number as u64)
            }
            Variant::Repeat => {
                let mut stack = Random::new(5 + random.below(samples / 10) as u64);
                let path = paths.pick(&mut stack);
                paths.stack(path, program, &mut stack, &mut ids);
                (stack.below(THREADS), random.below(64) as u64)
            }
        };
        let count = 1 + random.below(8) as u64 / 7;
        values.clear();
        values.element(count);
        values.element(count * SAMPLING_PERIOD_NS);

        sample.clear();
        sample.field(1, ids.bytes());
        sample.field(2, values.bytes());
        label.clear();
        label.number(1, thread_key);
        label.number(2, threads[thread]);
        sample.field(3, label.bytes());
        label.clear();
        label.number(1, span_key);
        label.number(3, FIRST_SPAN + span);
        sample.field(3, label.bytes());

        profile.clear();
        profile.field(2, sample.bytes());
        output.write(&profile)?;
    }
    Ok(())
}
