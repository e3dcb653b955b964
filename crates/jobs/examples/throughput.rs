//! How many jobs go through a queue: `throughput ADDRESS [JOBS] [WORKERS]` adds jobs, has workers claim
//! and finish them with nothing between, and collects how they ended.
#![allow(clippy::print_stdout, reason = "a program that prints")]

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
fn main() -> Result<(), jobs::Error> {
    measure::main()
}

#[cfg(target_os = "linux")]
mod measure {
    use std::thread;
    use std::time::{Duration, Instant};

    use jobs::{Connect, Cursor, Error, Job, JobStore, Key, Needs, Offers, Outcome, Worker, open};

    const LEASE: Duration = Duration::from_secs(30);

    pub(crate) fn main() -> Result<(), Error> {
        let mut arguments = std::env::args().skip(1);
        let Some(address) = arguments.next() else {
            return Err(Error::Asked("name a folder or nats://HOST:PORT".to_owned()));
        };
        let mut number =
            |default| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(default);
        let (count, workers) = (number(10_000), number(8));
        let store = open(&address, &Connect::default())?;
        let jobs: Vec<Job> = (0..count).map(job).collect();
        let added = timed(|| store.add(&jobs))?;
        let ran = timed(|| run(&address, workers))?;
        let collected = timed(|| collect(&*store, count))?;
        let a_minute = count as f64 / ran.as_secs_f64() * 60.0;
        println!(
            "{count} jobs, {workers} workers: added in {:.2} s, run in {:.2} s ({a_minute:.0} a minute), \
             collected in {:.2} s",
            added.as_secs_f64(),
            ran.as_secs_f64(),
            collected.as_secs_f64(),
        );
        Ok(())
    }

    fn job(place: u64) -> Job {
        let body = format!("throughput {place}").into_bytes();
        Job {
            key: Key::new(&body),
            batch: "throughput".to_owned(),
            place,
            needs: Needs::none(),
            body,
            measured: false,
        }
    }

    /// Each worker has a store of its own, as processes would.
    fn run(address: &str, workers: u64) -> Result<(), Error> {
        thread::scope(|scope| {
            let threads: Vec<_> =
                (0..workers).map(|nth| scope.spawn(move || work(address, nth))).collect();
            threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Ok(())))
        })
    }

    fn work(address: &str, nth: u64) -> Result<(), Error> {
        let store = open(address, &Connect::default())?;
        let name = format!("worker-{nth}");
        let worker = Worker { name, machine: "here".to_owned(), offers: Offers::none() };
        while let Some(claim) = store.claim(&worker, LEASE)? {
            store.finish(&claim, Outcome::Done { result: vec![], facts: vec![] })?;
        }
        Ok(())
    }

    fn collect(store: &dyn JobStore, count: u64) -> Result<(), Error> {
        let (mut all, mut cursor) = (0, Cursor::START);
        while all < count {
            let (ended, next) = store.ended("throughput", cursor)?;
            if ended.is_empty() {
                return Err(Error::Asked(format!("{all} of {count} ended")));
            }
            (all, cursor) = (all + ended.len() as u64, next);
        }
        Ok(())
    }

    fn timed<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<Duration, Error> {
        let started = Instant::now();
        work()?;
        Ok(started.elapsed())
    }
}
