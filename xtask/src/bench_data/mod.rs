//! `cargo xtask bench-data`: pprof files to measure with.
//!
//! They have the shape of a busy server's profile and the layout of Go's runtime,
//! which writes the samples before the tables that explain them. The same command
//! writes the same bytes everywhere.

pub(crate) mod formats;
pub(crate) mod many;
mod names;
mod program;
mod protobuf;
mod random;
mod stacks;
pub(crate) mod traces;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::workspace;
use program::{Program, Strings};
use protobuf::Message;
use random::Random;
use stacks::Paths;

/// How large a bench file is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "verbatim")]
pub(crate) enum Size {
    /// 25 thousand samples, 3.6 MB raw.
    S,
    /// 300 thousand samples, 36 MB raw.
    K,
    /// 3 million samples, 370 MB raw.
    M,
    /// 9.5 million samples, 1.2 GB raw.
    L,
    /// One million contexts, for measuring interaction.
    #[value(name = "million")]
    Million,
}

impl Size {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::K => "K",
            Self::M => "M",
            Self::L => "L",
            Self::Million => "million",
        }
    }

    fn samples(self) -> usize {
        match self {
            Self::S => 25_000,
            Self::K => 300_000,
            Self::M => 3_000_000,
            Self::L => 9_500_000,
            Self::Million => 130_000,
        }
    }
}

/// How often the stacks of a file occur in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    /// Nearly every stack once, a span number for every sample.
    Distinct,
    /// Every stack ten times on average, in shuffled order, and few spans.
    Repeat,
}

impl Variant {
    pub(crate) const ALL: [Self; 2] = [Self::Distinct, Self::Repeat];

    fn suffix(self) -> &'static str {
        match self {
            Self::Distinct => "",
            Self::Repeat => "-repeat",
        }
    }
}

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Which files to write, with commas between them: S, K, M, L, million.
    #[arg(long, value_delimiter = ',', default_value = "S,K,M,million")]
    sizes: Vec<Size>,
    /// Write files again that exist.
    #[arg(long)]
    force: bool,
    /// Write a trace of ten million events and ten million samples instead.
    #[arg(long)]
    recordings: bool,
}

/// Writes the files that are asked for into `target/bench-data`.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    if options.recordings {
        traces::trace(10_000_000)?;
        traces::samples(10_000_000)?;
        return Ok(());
    }
    write(&options.sizes, options.force)
}

/// Writes the files of these sizes, unless they exist already.
pub(crate) fn write(sizes: &[Size], force: bool) -> anyhow::Result<()> {
    let program = Program::new();
    let paths = Paths::new(&program);
    for &size in sizes {
        for variant in Variant::ALL {
            let [raw, zipped] = files(size, variant);
            if !force && raw.exists() && zipped.exists() {
                continue;
            }
            println!("writing {} and its gzip", raw.display());
            write_profile(size, variant, &program, &paths)
                .with_context(|| format!("cannot write {}", raw.display()))?;
        }
    }
    Ok(())
}

/// The raw and the compressed file of a size and variant.
pub(crate) fn files(size: Size, variant: Variant) -> [PathBuf; 2] {
    let folder = workspace::target().join("bench-data");
    ["pb", "pb.gz"].map(|end| folder.join(format!("{}{}.{end}", size.name(), variant.suffix())))
}

fn write_profile(
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

/// A file has this name until it is complete.
fn partial(path: &Path) -> PathBuf {
    path.with_added_extension("partial")
}

const SAMPLING_PERIOD_NS: u64 = 10_000_000;

fn write_head(profile: &mut Message, strings: &mut Strings) {
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

/// Writes the same bytes raw and compressed, at gzip's usual level.
struct Both {
    raw: BufWriter<File>,
    zipped: BufWriter<GzEncoder<File>>,
}

impl Both {
    fn create(raw: &Path, zipped: &Path) -> io::Result<Self> {
        const BUFFER: usize = 256 * 1024;
        let encoder = GzEncoder::new(File::create(zipped)?, Compression::new(6));
        Ok(Self {
            raw: BufWriter::with_capacity(BUFFER, File::create(raw)?),
            zipped: BufWriter::with_capacity(BUFFER, encoder),
        })
    }

    fn write(&mut self, message: &Message) -> io::Result<()> {
        self.raw.write_all(message.bytes())?;
        self.zipped.write_all(message.bytes())
    }

    fn finish(self) -> io::Result<()> {
        self.raw.into_inner()?;
        self.zipped.into_inner()?.finish()?;
        Ok(())
    }
}
