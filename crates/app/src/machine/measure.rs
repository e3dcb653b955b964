//! What this machine can do at most, measured.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::{Duration, Instant};

use pulp::{Arch, Simd, WithSimd};

/// Rounds of each measurement; the best one counts, as others were disturbed.
pub(crate) const ROUNDS: usize = 12;

/// How long a round lasts at least.
const ROUND: Duration = Duration::from_millis(120);

/// Bytes a second between memory and all processors: McCalpin's STREAM triad, `a[i] = b[i] + s*c[i]`
/// over doubles, by threads that each have arrays of their own.
///
/// Counted is what the program reads and writes, 24 bytes a step, as the costs of a graph do.
/// Memory may move a third more: before ordinary stores a processor fetches what they overwrite
/// (write-allocate).
pub(super) fn bandwidth(threads: usize, goes_on: &(dyn Fn(usize) -> bool + Sync)) -> Option<f64> {
    /// Bytes of an array: far more than the share of a thread in any cache.
    const AT_LEAST: usize = 16 << 20;
    /// Bytes of one array of all threads together.
    const TOGETHER: usize = 256 << 20;
    const SIZE: usize = size_of::<f64>();
    let length = AT_LEAST.max(TOGETHER / threads) / SIZE;
    // Each thread touches its arrays first, so that they are in the memory next to it.
    let arrays = || (vec![0.0; length], vec![1.0; length], vec![2.0; length]);
    best(threads, goes_on, arrays, |(a, b, c)| {
        let factor = black_box(3.0);
        for ((a, b), c) in a.iter_mut().zip(b.iter()).zip(c.iter()) {
            *a = *b + factor * *c;
        }
        black_box(a);
        (3 * SIZE * length) as f64
    })
}

/// Operations on doubles a second of all processors: as many independent chains of `x*b + c` as hide
/// how long one takes, in the widest vectors that the processor has. A fused operation counts as
/// two, as it does in the costs of a graph.
pub(super) fn operations(threads: usize, goes_on: &(dyn Fn(usize) -> bool + Sync)) -> Option<f64> {
    let arch = Arch::new();
    best(threads, goes_on, || (), |()| arch.dispatch(Chains))
}

struct Chains;

impl WithSimd for Chains {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        /// Fills two units that take four to five cycles each, and leaves registers for `b` and `c`.
        const CHAINS: usize = 12;
        /// A fraction of a millisecond.
        const STEPS: usize = 100_000;
        let (b, c) = (simd.splat_f64s(black_box(0.999)), simd.splat_f64s(black_box(0.001)));
        let mut chains = [simd.splat_f64s(black_box(1.0)); CHAINS];
        for _ in 0..STEPS {
            for one in &mut chains {
                *one = simd.mul_add_e_f64s(*one, b, c);
            }
        }
        black_box(chains.map(|one| simd.reduce_sum_f64s(one)));
        (STEPS * CHAINS * S::F64_LANES * 2) as f64
    }
}

/// The most that all threads together did in a second of a round. `run` is repeated as long as a
/// round lasts, and gives how much it did. `goes_on` is asked after each round, by its number; none where it
/// says no.
fn best<S>(
    threads: usize,
    goes_on: &(dyn Fn(usize) -> bool + Sync),
    prepare: impl Fn() -> S + Sync,
    run: impl Fn(&mut S) -> f64 + Sync,
) -> Option<f64> {
    let start = Barrier::new(threads);
    let is_stopped = AtomicBool::new(false);
    let rounds = Mutex::new(vec![Round::default(); ROUNDS]);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (start, rounds, prepare, run) = (&start, &rounds, &prepare, &run);
            let is_stopped = &is_stopped;
            scope.spawn(move || {
                let mut state = prepare();
                for round in 0..ROUNDS {
                    start.wait();
                    // Set before the first thread waits, so that all see it here.
                    if is_stopped.load(Ordering::Relaxed) {
                        break;
                    }
                    let from = Instant::now();
                    let mut amount = 0.0;
                    while from.elapsed() < ROUND {
                        amount += run(&mut state);
                    }
                    let to = Instant::now();
                    let mut rounds = rounds.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    rounds[round].add(amount, from, to);
                    if thread == 0 && !goes_on(round) {
                        is_stopped.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let rounds = rounds.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let best = rounds.iter().map(Round::rate).fold(0.0, f64::max);
    (!is_stopped.into_inner()).then_some(best)
}

/// What all threads did at once.
#[derive(Debug, Clone, Copy, Default)]
struct Round {
    amount: f64,
    /// From when the first began to when the last ended.
    span: Option<(Instant, Instant)>,
}

impl Round {
    fn add(&mut self, amount: f64, from: Instant, to: Instant) {
        self.amount += amount;
        let (first, last) = self.span.unwrap_or((from, to));
        self.span = Some((first.min(from), last.max(to)));
    }

    fn rate(&self) -> f64 {
        let seconds = self.span.map_or(f64::INFINITY, |(from, to)| (to - from).as_secs_f64());
        self.amount / seconds
    }
}
