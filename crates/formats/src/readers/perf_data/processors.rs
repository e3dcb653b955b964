//! Which processors were recorded.

use std::collections::BTreeSet;

use perfdata::Features;
use profile::Machine;

/// Whether some processors were not recorded: perf was asked for others (`-C 0-3`).
pub(super) fn are_left_out(features: &Features) -> bool {
    let Some(requested) = requested(&features.command) else { return false };
    features.cpus.is_none_or(|(_, online)| requested.len() < online as usize)
}

/// Marks those of a machine that were not recorded.
pub(super) fn mark_left_out(features: &Features, machine: &mut Machine) {
    let Some(requested) = requested(&features.command) else { return };
    for cpu in &mut machine.cpus {
        cpu.is_left_out = !requested.contains(&cpu.number);
    }
}

/// The processors that a command of perf asks for; none where it asks for all.
fn requested(command: &[String]) -> Option<BTreeSet<u32>> {
    let own = command.iter().take_while(|argument| *argument != "--");
    let mut own = own.map(String::as_str);
    let mut found = None;
    while let Some(argument) = own.next() {
        let list = match argument {
            "-C" | "--cpu" => own.next(),
            _ => argument.strip_prefix("--cpu=").or_else(|| argument.strip_prefix("-C")),
        };
        found = list.and_then(numbers).or(found);
    }
    found
}

/// `0-2,5` in full; none of what is no such list.
fn numbers(list: &str) -> Option<BTreeSet<u32>> {
    /// More processors than any machine has.
    const MOST: u32 = 1 << 16;
    let mut all = BTreeSet::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        all.extend(first..=last.min(MOST));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_those_of_perfs_own_options() {
        let requested = |line: &str| {
            let command: Vec<String> = line.split(' ').map(str::to_owned).collect();
            requested(&command).map(|all| all.into_iter().collect::<Vec<u32>>())
        };
        for line in ["perf record -C 0-2,5", "perf record --cpu=0-2,5", "perf record -C0-2,5 x"] {
            assert_eq!(requested(line), Some(vec![0, 1, 2, 5]), "{line}");
        }
        for line in ["perf record -a", "perf record -- make -C 1", "perf record make -C there"] {
            assert_eq!(requested(line), None, "{line}");
        }
    }
}
