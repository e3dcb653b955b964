//! Profiles to merge and to compare: runs of the made-up program that have most in common.
//!
//! Unlike the files of one size each, these hold the locations and functions only that their
//! samples name, as Go's runtime writes them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::both::Both;
use super::files::partial;
use super::profile::{SAMPLING_PERIOD_NS, write_head};
use super::program::{Program, Strings};
use super::protobuf::Message;
use super::random::Random;
use super::stacks::Paths;
use crate::workspace;

/// How many profiles there are to merge.
const MERGED: usize = 100;
/// Samples of each: about 10,000 contexts.
const SAMPLES_OF_MERGED: usize = 1180;
/// Different stacks among which the samples of all of them choose.
const STACKS_OF_MERGED: usize = 30_000;

/// Samples of each of two profiles to compare: about a million contexts.
const SAMPLES_OF_COMPARED: usize = 130_000;
/// Of a hundred samples, so many have another stack in the second one.
const DIFFERENT_PER_CENT: usize = 20;

/// Profiles of 10,000 contexts each, gzipped.
pub(crate) fn merged() -> anyhow::Result<Vec<PathBuf>> {
    let folder = workspace::target().join("bench-data/merged");
    fs::create_dir_all(&folder)?;
    let name = |number| folder.join(format!("{number:02}"));
    write_missing((0..MERGED).map(name).collect(), SAMPLES_OF_MERGED, |file, sample| {
        let mut random = Random::new((1000 + file * SAMPLES_OF_MERGED + sample) as u64);
        random.below(STACKS_OF_MERGED) as u64
    })
}

/// A base and a new profile of a million contexts each, gzipped.
pub(crate) fn compared() -> anyhow::Result<Vec<PathBuf>> {
    let folder = workspace::target().join("bench-data/compared");
    fs::create_dir_all(&folder)?;
    let files = vec![folder.join("base"), folder.join("new")];
    write_missing(files, SAMPLES_OF_COMPARED, |file, sample| {
        let differs = Random::new(sample as u64).chance(DIFFERENT_PER_CENT);
        if differs { (sample + file * SAMPLES_OF_COMPARED) as u64 } else { sample as u64 }
    })
}

/// Writes the files that are not there; `stack` gives the number of a sample's stack by the number
/// of the file and of the sample.
fn write_missing(
    files: Vec<PathBuf>,
    samples: usize,
    stack: impl Fn(usize, usize) -> u64,
) -> anyhow::Result<Vec<PathBuf>> {
    let mut made_up = None;
    let zipped = files.iter().map(|file| file.with_added_extension("pb.gz")).collect();
    for (number, file) in files.iter().enumerate() {
        let [raw, packed] = ["pb", "pb.gz"].map(|end| file.with_added_extension(end));
        if raw.exists() && packed.exists() {
            continue;
        }
        let (program, paths) = made_up.get_or_insert_with(|| {
            let program = Program::new();
            let paths = Paths::new(&program);
            (program, paths)
        });
        let stacks = (0..samples).map(|sample| stack(number, sample));
        write([&raw, &packed], program, paths, stacks)
            .with_context(|| format!("cannot write {}", packed.display()))?;
    }
    Ok(zipped)
}

fn write(
    [raw, zipped]: [&Path; 2],
    program: &Program,
    paths: &Paths,
    stacks: impl Iterator<Item = u64>,
) -> anyhow::Result<()> {
    let mut output = Both::create(&partial(raw), &partial(zipped))?;
    let mut strings = Strings::new();
    let mut profile = Message::default();
    write_head(&mut profile, &mut strings);
    output.write(&profile)?;
    let mut used = BTreeSet::new();
    let [mut ids, mut values, mut sample] = <[Message; 3]>::default();
    for seed in stacks {
        let mut stack = Random::new(100_000 + seed);
        ids.clear();
        let path = paths.pick(&mut stack);
        paths.stack(path, program, &mut stack, &mut ids);
        used.extend(ids.read_elements());
        values.clear();
        values.element(1);
        values.element(SAMPLING_PERIOD_NS);
        sample.clear();
        sample.field(1, ids.bytes());
        sample.field(2, values.bytes());
        profile.clear();
        profile.field(2, sample.bytes());
        output.write(&profile)?;
    }
    profile.clear();
    program.write_tables_of(&mut profile, &mut strings, Some(&used));
    strings.write(&mut profile);
    output.write(&profile)?;
    output.finish()?;
    fs::rename(partial(raw), raw)?;
    fs::rename(partial(zipped), zipped)?;
    Ok(())
}
