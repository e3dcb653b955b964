//! Names, lines and inlines against binutils.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::addr2line::{Printed, addr2line, check_against, code_addresses, names_of, ours};
use crate::disk::on_disk;

/// True for the same frames. Binutils differs where it goes on beyond the end of a function, up to the
/// next, and where it takes a file from the table of symbols, which has no folder and no line.
fn agree(ours: &[Printed], theirs: &[Printed]) -> bool {
    let is_beyond = ours.len() == 1 && ours[0].function == "??" && theirs[0].file.is_empty();
    let same = |one: &Printed, other: &Printed| {
        let no_file = one.file.is_empty() && other.line == 0;
        let place = no_file || (&one.file, one.line) == (&other.file, other.line);
        place && one.function == other.function
    };
    is_beyond
        || (ours.len() == theirs.len()
            && ours.iter().zip(theirs).all(|(one, other)| same(one, other)))
}

#[test]
fn c_programs_of_the_corpus_are_as_binutils_says() {
    let Some(folder) = samples::corpus("perf/bin") else { return };
    for name in ["faults", "forkexec", "hot", "migrate", "pingpong", "vdso"] {
        let path = folder.join(name);
        let mut names = names_of(on_disk(), path.to_str().unwrap());
        let addresses = code_addresses(&path, 1);
        let (ours, theirs) = (ours(&mut names, &addresses), addr2line(&path, &addresses));
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert!(agree(ours, theirs), "{name}\n{ours:?}\n{theirs:?}");
        }
        assert_eq!(names.sources().damaged, 0);
    }
}

#[test]
fn inlined_functions_of_the_corpus_are_as_binutils_says() {
    let Some(folder) = samples::corpus("perf/bin") else { return };
    let path = folder.join("inlines");
    let mut names = names_of(on_disk(), path.to_str().unwrap());
    let addresses = code_addresses(&path, 1);
    let (ours, theirs) = (ours(&mut names, &addresses), addr2line(&path, &addresses));
    check_against(&theirs, &ours);
}

/// Names of functions by `nm`, with where they begin.
fn functions_of(binary: &Path) -> BTreeMap<u64, BTreeSet<String>> {
    let output = Command::new("nm").arg(binary).output().unwrap();
    let mut functions: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        if let [address, "t" | "T" | "i", name] = fields[..]
            && let Ok(address) = u64::from_str_radix(address, 16)
        {
            functions.entry(address).or_default().insert(name.to_owned());
        }
    }
    functions
}

#[test]
fn every_function_of_a_static_binary_has_one_of_the_names_that_nm_gives() {
    let Some(path) = samples::corpus("perf/bin/hot_nofp_static") else { return };
    let mut names = names_of(on_disk(), path.to_str().unwrap());
    let functions = functions_of(&path);
    assert!(functions.len() > 1000);
    for (address, aliases) in functions {
        let mut frames = vec![];
        names.at_address(address, &mut frames);
        let name = frames.first().and_then(|frame| frame.name.as_deref());
        assert!(
            name.is_some_and(|name| aliases.contains(name)),
            "{address:#x} {name:?} {aliases:?}"
        );
    }
}

#[test]
fn offsets_in_the_file_are_addresses_by_its_program_headers() {
    let Some(folder) = samples::corpus("perf/bin") else { return };
    // Linked to begin at 0x400000, and to be loaded anywhere.
    for (name, function, bias) in [("hot_nofp_static", "hot_b", 0x40_0000), ("hot", "hot_b", 0)] {
        let path = folder.join(name);
        let functions = functions_of(&path);
        let (address, _) = functions.iter().find(|(_, names)| names.contains(function)).unwrap();
        let mut names = names_of(on_disk(), path.to_str().unwrap());
        let mut frames = vec![];
        names.at(address - bias + 4, &mut frames);
        assert_eq!(frames[0].name.as_deref(), Some(function));
        assert!(frames[0].file.as_deref().unwrap().ends_with("/src/hot.c"));
        frames.clear();
        names.at(u64::MAX, &mut frames);
        assert!(frames.is_empty());
    }
}
