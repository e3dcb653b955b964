//! Schedules against threads that take turns.

use locality::{
    Affine, Cache, Caches, Container, Loop, Nest, Options, Outcome, Placement, Program,
    Replacement, Schedule, ScheduleError, Space, Step, deal,
};
use proptest::prelude::*;

use crate::known::{IJK, hdiff, matmul};

/// A loop from a number on, by a step, around accesses of rows, which has an inner loop that its variable
/// bounds.
fn rows(begin: i64, count: i64, step: i64) -> Program {
    let containers = vec![Container::rows("a", 8, &[200, 300])];
    let mut nest = Nest { variables: 2, ..Nest::default() };
    let [i, j] = [0, 1].map(Affine::variable);
    let first = nest.refer(&containers, 0, &[i.clone(), Affine::constant(0)], true);
    let second = nest.refer(&containers, 0, &[i.clone(), j], true);
    let inner = Loop { end: vec![i], ..Loop::over(1, 0, vec![second]) };
    let body = vec![first, Step::Loop(inner)];
    let end = vec![Affine::constant(begin + count * step)];
    let own = Loop { begin: vec![Affine::constant(begin)], end, step, ..Loop::over(0, 0, body) };
    nest.body = vec![Step::Loop(own)];
    let variables = vec!["i".to_owned(), "j".to_owned()];
    Program { containers, nest, variables, is_whole: true }
}

/// Every access: the thread, the reference as it was, and the element.
fn all(program: &Program, threads: &[u32], original: &[u32]) -> Vec<(u32, u32, i64)> {
    fn go(
        (nest, threads, original): (&Nest, &[u32], &[u32]),
        steps: &[Step],
        values: &mut Vec<i64>,
        out: &mut Vec<(u32, u32, i64)>,
    ) {
        for step in steps {
            match step {
                Step::Access(one) => {
                    let at = *one as usize;
                    let element = nest.references[at].element.value(values);
                    out.push((threads[at], original[at], element));
                }
                Step::Loop(one) => {
                    let mut at = one.begin[0].value(values);
                    let end = one.end[0].value(values);
                    while (at - end) * one.step.signum() < 0 {
                        values[one.variable as usize] = at;
                        go((nest, threads, original), &one.body, values, out);
                        at += one.step;
                    }
                }
            }
        }
    }
    let mut out = vec![];
    let mut values = vec![0; program.nest.variables as usize];
    go((&program.nest, threads, original), &program.nest.body, &mut values, &mut out);
    out
}

/// What an iteration does.
fn iteration(thread: u32, i: i64) -> Vec<(u32, u32, i64)> {
    let inner = (0..i).map(|j| (thread, 1, i * 300 + j));
    std::iter::once((thread, 0, i * 300)).chain(inner).collect()
}

proptest! {
    #[test]
    fn chunks_are_dealt_in_turn(
        count in 0i64..40,
        (begin, step) in prop_oneof![(0i64..5, 1i64..4), (Just(160i64), -4i64..0)],
        threads in 1u32..7,
        chunk in prop::option::of(1u64..9),
    ) {
        let own = rows(begin, count, step);
        let done = deal(&own, &|_| None, Schedule::Static { threads, chunk }).unwrap();
        // By thread, its iterations.
        let mut queues: Vec<Vec<i64>> = vec![vec![]; threads as usize];
        match chunk {
            Some(chunk) => {
                for number in 0..count {
                    let thread = (number as u64 / chunk) % u64::from(threads);
                    queues[thread as usize].push(number);
                }
            }
            None => {
                let mut next = 0;
                for (thread, queue) in queues.iter_mut().enumerate() {
                    let threads = i64::from(threads);
                    let more = i64::from((thread as i64) < count % threads);
                    queue.extend(next..next + count / threads + more);
                    next += count / threads + more;
                }
            }
        }
        // Rounds of chunks: all have done theirs before the next begins.
        let size = chunk.map_or(usize::MAX, |chunk| chunk as usize);
        let mut known = vec![];
        let longest = queues.iter().map(Vec::len).max().unwrap_or(0);
        for round in 0..longest.div_ceil(size.min(longest.max(1))) {
            for turn in 0..size.min(longest) {
                for (thread, queue) in queues.iter().enumerate() {
                    let at = round * size.min(longest) + turn;
                    if let Some(number) = queue.get(at) {
                        known.extend(iteration(thread as u32, begin + number * step));
                    }
                }
            }
        }
        prop_assert_eq!(all(&done.program, &done.threads, &done.original), known);
    }

    #[test]
    fn what_is_drawn_is_all_there_is(count in 0i64..40, threads in 1u32..7, seed in any::<u64>()) {
        let own = rows(0, count, 1);
        let schedule = Schedule::Dynamic { threads, seed };
        let done = deal(&own, &|_| None, schedule).unwrap();
        let told = all(&done.program, &done.threads, &done.original);
        let mut iterations: Vec<(i64, u32)> = told
            .iter()
            .filter(|(_, reference, _)| *reference == 0)
            .map(|(thread, _, element)| (element / 300, *thread))
            .collect();
        let known: Vec<(u32, u32, i64)> =
            iterations.iter().flat_map(|&(i, thread)| iteration(thread, i)).collect();
        prop_assert_eq!(told, known, "iterations are whole");
        // Each thread takes them in their order.
        for thread in 0..threads {
            let own: Vec<i64> =
                iterations.iter().filter(|one| one.1 == thread).map(|one| one.0).collect();
            prop_assert!(own.is_sorted());
        }
        iterations.sort_unstable();
        prop_assert!(iterations.iter().map(|one| one.0).eq(0..count));
        prop_assert_eq!(deal(&own, &|_| None, schedule), Ok(done));
    }

    #[test]
    fn schedules_are_read_as_they_are_written(
        threads in 1u32..256, chunk in prop::option::of(1u64..), seed in any::<u64>(),
    ) {
        let all = [Schedule::Static { threads, chunk }, Schedule::Dynamic { threads, seed }];
        for schedule in all {
            prop_assert_eq!(schedule.to_string().parse(), Ok(schedule));
        }
    }
}

#[test]
fn what_depends_is_not_dealt_out() {
    let named = |(nest, space): (Nest, locality::Space)| Program {
        containers: space.containers,
        nest,
        variables: ["i", "j", "k"].map(str::to_owned).to_vec(),
        is_whole: true,
    };
    let threads = Schedule::Static { threads: 2, chunk: None };
    let own = named(hdiff([8, 8, 5], IJK, [IJK, IJK], 1));
    assert_eq!(deal(&own, &|_| None, threads).unwrap().parallel, ["i"]);
    let own = named(matmul(8, 0));
    assert_eq!(deal(&own, &|_| None, threads).unwrap().parallel, ["i"]);
    // Each row is made of the one before, and columns are apart.
    let containers = vec![Container::rows("a", 8, &[9, 9])];
    let mut nest = Nest { variables: 2, ..Nest::default() };
    let [i, j] = [0, 1].map(Affine::variable);
    let next = i.clone().plus(&Affine::constant(1));
    let body = vec![
        nest.refer(&containers, 0, &[i, j.clone()], false),
        nest.refer(&containers, 0, &[next, j], true),
    ];
    nest.body = vec![Step::Loop(Loop::over(0, 8, vec![Step::Loop(Loop::over(1, 9, body))]))];
    let variables = vec!["i".to_owned(), "j".to_owned()];
    let mut own = Program { containers, nest, variables, is_whole: true };
    assert_eq!(deal(&own, &|_| None, threads).unwrap().parallel, ["j"]);
    own.nest.references[0].element = Affine::constant(12);
    let refused = deal(&own, &|_| None, threads).unwrap_err();
    assert!(matches!(refused, ScheduleError::Dependence(..)), "{refused}");
    assert_eq!(deal(&own, &|_| None, Schedule::Sequential).unwrap().program, own);
    for text in ["", "static", "static:0", "static:2:0", "dynamic:2", "static:999", "guided:2"] {
        assert!(text.parse::<Schedule>().is_err(), "{text}");
    }
}

/// A cache of its own sees what its thread does, and nothing of others.
#[test]
fn threads_miss_by_what_they_touch_themselves() {
    for schedule in ["static:3", "static:2:1", "dynamic:2:7"] {
        let (nest, space) = matmul(12, 0);
        let own = Program {
            containers: space.containers,
            nest,
            variables: ["i", "j", "k"].map(str::to_owned).into(),
            is_whole: true,
        };
        let done = deal(&own, &|_| None, schedule.parse().unwrap()).unwrap();
        let space = Space::new(done.program.containers.clone(), Placement::OwnLines, 64).unwrap();
        let nest = &done.program.nest;
        let touches: Vec<(u32, u32, i64)> = {
            let numbers: Vec<u32> = (0..nest.references.len() as u32).collect();
            all(&done.program, &done.threads, &numbers)
        };
        for ways in [None, Some(2)] {
            let cache = Cache { size: 1024, ways, replacement: Replacement::Lru };
            let caches = Caches { private: 1, ..Caches::new(vec![cache]) };
            let options = Options { depth: 0, threads: &done.threads, ..Options::default() };
            let outcome = Outcome::new(nest, &space, &caches, &options).unwrap();
            for thread in 0..=*done.threads.iter().max().unwrap() {
                let lines: Vec<i64> = touches
                    .iter()
                    .filter(|touch| touch.0 == thread)
                    .map(|&(_, reference, element)| {
                        let own = nest.references[reference as usize].container as usize;
                        (space.bases[own] + element * 8) / 64
                    })
                    .collect();
                let missed = |sets: i64, ways: usize| {
                    let mut lists: Vec<Vec<i64>> = vec![vec![]; sets as usize];
                    let is_missed = |line: &&i64| {
                        let list = &mut lists[(**line % sets) as usize];
                        let at = list.iter().position(|own| own == *line);
                        at.map(|at| list.remove(at));
                        list.insert(0, **line);
                        list.truncate(ways);
                        at.is_none()
                    };
                    lines.iter().filter(is_missed).count() as u64
                };
                let its = (0..nest.references.len()).filter(|&one| done.threads[one] == thread);
                let split = outcome.sum(0, its);
                assert_eq!(split.accesses, lines.len() as u64);
                assert_eq!(split.cold, missed(1, usize::MAX), "{schedule} {thread}");
                assert_eq!(split.cold + split.capacity, missed(1, 16), "{schedule} {thread}");
                let expected = if ways.is_some() { missed(8, 2) } else { missed(1, 16) };
                assert_eq!(split.misses(), expected, "{schedule} {thread}");
            }
        }
    }
    let none = Caches { private: 1, ..Caches::new(vec![]) };
    assert!(none.check(64).is_err());
}
