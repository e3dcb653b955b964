//! Work that is shared out.

use std::ops::Range;

/// More parts than that gain little where memory is what one waits for.
#[cfg(not(target_family = "wasm"))]
const MOST_PARTS: usize = 8;

/// Less than so much is done sooner than a thread begins.
const LEAST_WORK: usize = 1 << 16;

/// Does work over `count` places in parts, one a processor, where there is much; `weight` is how much it
/// is in all. Results are in the order of the parts. Nobody sees it while it is done: it must be short.
pub fn parts<T: Send>(
    count: usize,
    weight: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let parts = if weight < LEAST_WORK { 1 } else { processors().min(count) };
    if parts <= 1 {
        return vec![work(0..count)];
    }
    let part = |number: usize| count * number / parts..count * (number + 1) / parts;
    shared_out(parts, &|number| work(part(number)))
}

#[cfg(not(target_family = "wasm"))]
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MOST_PARTS)
}

#[cfg(target_family = "wasm")]
fn processors() -> usize {
    1
}

#[cfg(not(target_family = "wasm"))]
fn shared_out<T: Send>(parts: usize, work: &(impl Fn(usize) -> T + Sync)) -> Vec<T> {
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..parts).map(|part| scope.spawn(move || work(part))).collect();
        let mut done = vec![work(0)];
        for other in others {
            match other.join() {
                Ok(result) => done.push(result),
                Err(fault) => std::panic::resume_unwind(fault),
            }
        }
        done
    })
}

#[cfg(target_family = "wasm")]
fn shared_out<T: Send>(parts: usize, work: &(impl Fn(usize) -> T + Sync)) -> Vec<T> {
    (0..parts).map(work).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_done_once_and_in_order() {
        for (count, weight) in [(0, 0), (1, 1 << 20), (7, 7), (7, 1 << 20), (100_000, 1 << 20)] {
            let done: Vec<usize> = parts(count, weight, |part| part.collect::<Vec<_>>()).concat();
            assert_eq!(done, (0..count).collect::<Vec<_>>());
        }
    }
}
