//! The machine that a recording was made on.

use perfdata::Features;
use profile::{Cpu, Machine};

/// A machine with more processors is taken for a mistake of the file.
const MOST_CPUS: u32 = 1 << 16;

/// The machine as far as the header tells; none if it tells nothing.
pub(super) fn of(features: &Features) -> Option<Machine> {
    let machine = Machine {
        name: features.host.clone(),
        kernel: features.kernel.clone(),
        architecture: features.arch.clone(),
        processor: features.cpu_name.clone(),
        memory_bytes: features.memory_kib.unwrap_or(0).saturating_mul(1024),
        cpus: cpus(features),
    };
    (machine != Machine::default()).then_some(machine)
}

fn cpus(features: &Features) -> Vec<Cpu> {
    let topology = &features.topology;
    let available = features.cpus.map_or(0, |(available, _)| available);
    let listed = topology.cores.iter().chain(&topology.sockets).flat_map(|list| numbers(list));
    let most = listed.chain(available.checked_sub(1)).max();
    let Some(most) = most.filter(|&most| most < MOST_CPUS) else { return vec![] };
    let mut cpus: Vec<Cpu> = (0..=most).map(|number| Cpu { number, ..Cpu::default() }).collect();
    let mut put = |lists: &mut dyn Iterator<Item = (u32, &str)>, of: fn(&mut Cpu, u32)| {
        for (place, list) in lists {
            for number in numbers(list) {
                if let Some(cpu) = cpus.get_mut(number as usize) {
                    of(cpu, place);
                }
            }
        }
    };
    fn texts(lists: &[String]) -> impl Iterator<Item = (u32, &str)> {
        (0..).zip(lists.iter().map(String::as_str))
    }
    put(&mut texts(&topology.cores), |cpu, core| cpu.core = Some(core));
    put(&mut texts(&topology.sockets), |cpu, socket| cpu.socket = Some(socket));
    let mut nodes = features.numa.iter().map(|node| (node.number, node.cpus.as_str()));
    put(&mut nodes, |cpu, node| cpu.node = Some(node));
    // A cache has one entry for each that there is of its level.
    let data = features.caches.iter().filter(|cache| cache.kind != "Instruction");
    let last = data.clone().map(|cache| cache.level).max();
    let mut last = (0..).zip(data.filter(|c| Some(c.level) == last).map(|c| c.cpus.as_str()));
    put(&mut last, |cpu, cache| cpu.cache = Some(cache));
    // Of units of that name are those of hybrid machines, which name their processors.
    for pmu in features.pmus.iter().filter(|pmu| !pmu.cpus.is_empty()) {
        for number in numbers(&pmu.cpus) {
            if let Some(cpu) = cpus.get_mut(number as usize) {
                cpu.kind.clone_from(&pmu.name);
            }
        }
    }
    // Where each processor is tells sockets too, by their own numbers.
    for (cpu, place) in cpus.iter_mut().zip(&topology.cpus) {
        if let Ok(socket) = u32::try_from(place.socket) {
            cpu.socket = Some(socket);
        }
    }
    cpus
}

/// The numbers of a list such as `0-3,8`; what cannot be read is left out.
fn numbers(list: &str) -> impl Iterator<Item = u32> + '_ {
    list.trim().split(',').flat_map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let range = first.trim().parse::<u32>().ok().zip(last.trim().parse::<u32>().ok());
        let (first, last) = range.unwrap_or((1, 0));
        first..=last.min(MOST_CPUS)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use perfdata::{Cache, CpuTopology, NumaNode};

    #[test]
    fn processors_are_where_lists_say() {
        let texts = |lists: &[&str]| lists.iter().map(|&list| list.to_owned()).collect();
        let cache = |level: u32, cpus: &str| Cache {
            level,
            line_size: 64,
            sets: 1,
            ways: 1,
            kind: "Unified".into(),
            size: String::new(),
            cpus: cpus.into(),
        };
        let node = |number: u32, cpus: &str| NumaNode {
            number,
            total_kib: 0,
            free_kib: 0,
            cpus: cpus.into(),
        };
        let mut features = Features::default();
        features.cpus = Some((4, 4));
        features.topology = CpuTopology {
            cores: texts(&["0,2", "1,3"]),
            sockets: texts(&["0,2", "1,3"]),
            ..CpuTopology::default()
        };
        features.caches = vec![cache(2, "0"), cache(3, "0,2"), cache(3, "1,3")];
        features.numa = vec![node(0, "0,2"), node(1, "1,3")];
        let cpus = cpus(&features);
        let told: Vec<_> = cpus.iter().map(|c| (c.core, c.cache, c.socket, c.node)).collect();
        let [one, other] = [0, 1].map(|n| (Some(n), Some(n), Some(n), Some(n)));
        assert_eq!(told, [one, other, one, other]);
    }

    #[test]
    fn lists_that_make_no_sense_are_left_out() {
        assert_eq!(numbers("0-3,8,x,9-").collect::<Vec<_>>(), [0, 1, 2, 3, 8]);
        let mut features = Features::default();
        features.cpus = Some((u32::MAX, 1));
        assert_eq!(cpus(&features), []);
    }
}
