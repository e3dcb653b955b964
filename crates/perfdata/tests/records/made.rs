//! Recordings that are made: every field of every layout comes back, in either byte order, from
//! files and from pipes.

use perfdata::attr::{flag, kind, read, sample};
use perfdata::write::{NewSample, Writer};
use perfdata::{Attr, Body, Branch, ByteOrder, Parts, Reader, SampleId, Thread};
use proptest::prelude::*;

/// Fields that [`NewSample`] can hold.
const FIELDS: [u64; 18] = [
    sample::IP,
    sample::TID,
    sample::ADDR,
    sample::ID,
    sample::STREAM_ID,
    sample::CPU,
    sample::PERIOD,
    sample::READ,
    sample::CALLCHAIN,
    sample::RAW,
    sample::BRANCH_STACK,
    sample::STACK_USER,
    sample::WEIGHT,
    sample::DATA_SRC,
    sample::TRANSACTION,
    sample::PHYS_ADDR,
    sample::CGROUP,
    sample::CODE_PAGE_SIZE,
];

/// Several events of a file have this in common, so that samples can be told apart.
const COMMON: u64 = sample::IDENTIFIER | sample::TIME;

fn attrs() -> impl Strategy<Value = Vec<Attr>> {
    let one = (prop::collection::vec(any::<bool>(), FIELDS.len()), 0u64..32).prop_map(
        |(chosen, read_format)| {
            let fields = FIELDS.iter().zip(chosen).filter(|(_, chosen)| *chosen);
            let fields = fields.fold(COMMON, |all, (field, _)| all | field);
            Attr {
                kind: kind::SOFTWARE,
                period: 4000,
                sample: perfdata::SampleFields(fields),
                read_format: read_format | read::ID,
                flags: flag::SAMPLE_ID_ALL,
                ..Attr::default()
            }
        },
    );
    prop::collection::vec(one, 1..4)
}

fn new_sample() -> impl Strategy<Value = NewSample> {
    let id = (any::<u32>(), any::<u32>(), 1u64..1 << 40, 0u32..512);
    let lists = (
        prop::collection::vec(0u64..1 << 48, 0..9),
        prop::collection::vec(any::<u8>(), 0..40),
        prop::collection::vec(
            (any::<u64>(), any::<u64>(), any::<Option<bool>>(), any::<u16>()),
            0..4,
        ),
        prop::collection::vec(any::<u8>(), 0..64),
    );
    let numbers = (any::<u64>(), any::<u64>(), any::<u64>(), any::<u64>(), any::<u64>());
    let read = (prop::collection::vec(any::<u64>(), 1..4), any::<[u64; 2]>());
    (id, lists, numbers, read).prop_map(|(id, lists, numbers, read)| {
        let (pid, tid, time, cpu) = id;
        let thread = Some(Thread { pid, tid });
        let (callchain, raw, branches, stack) = lists;
        let branches = branches.into_iter().map(|(from, to, mispredicted, cycles)| Branch {
            from,
            to,
            mispredicted,
            cycles,
        });
        let (ip, period, weight, data_src, cgroup) = numbers;
        let counters = (1u64..).zip(read.0).collect();
        NewSample {
            id: SampleId { thread, time: Some(time), id: None, cpu: Some(cpu) },
            ip,
            period,
            read: (counters, read.1),
            callchain,
            raw,
            branches: branches.collect(),
            weight,
            data_src,
            stack: (vec![], stack),
            cgroup,
        }
    })
}

/// A recording with the samples of each event, one after the other in time.
fn recording(
    order: ByteOrder,
    attrs: &[Attr],
    samples: &[(usize, NewSample)],
) -> (Writer, Vec<(usize, NewSample)>) {
    let mut writer = Writer::new(order);
    for (number, attr) in attrs.iter().enumerate() {
        writer.event(attr.clone(), vec![100 + number as u64]);
    }
    let mut written = vec![];
    for (event, new) in samples {
        let event = event % attrs.len();
        let mut new = new.clone();
        new.id.id = Some(100 + event as u64);
        writer.sample(event, &new);
        written.push((event, new));
    }
    written.sort_by_key(|(_, new)| new.id.time);
    (writer, written)
}

fn check(bytes: &[u8], attrs: &[Attr], written: &[(usize, NewSample)]) {
    let mut reader = Reader::open(bytes).unwrap();
    for (event, new) in written {
        let (head, record) = reader.next().unwrap().unwrap();
        assert_eq!(record.event, *event);
        assert_eq!(head.events[*event].attr, attrs[*event]);
        let Body::Sample(found) = record.body else { panic!("{record:?}") };
        let attr = &attrs[*event];
        let wanted = |field: u64, value: u64| attr.has(field).then_some(value);
        assert_eq!(found.time, new.id.time);
        assert_eq!(found.id, new.id.id);
        assert_eq!(found.ip, wanted(sample::IP, new.ip));
        assert_eq!(found.thread, new.id.thread.filter(|_| attr.has(sample::TID)));
        assert_eq!(found.cpu, new.id.cpu.filter(|_| attr.has(sample::CPU)));
        assert_eq!(found.period, wanted(sample::PERIOD, new.period));
        assert_eq!(found.weight, wanted(sample::WEIGHT, new.weight));
        assert_eq!(found.data_src, wanted(sample::DATA_SRC, new.data_src));
        assert_eq!(found.cgroup, wanted(sample::CGROUP, new.cgroup));
        let chain = found.callchain.map(|chain| chain.links().count());
        assert_eq!(chain, attr.has(sample::CALLCHAIN).then_some(new.callchain.len()));
        let raw = found.raw.map(|raw| &raw[..new.raw.len()]);
        assert_eq!(raw, attr.has(sample::RAW).then_some(&new.raw[..]));
        let branches = found.branches.map(|branches| branches.iter().collect::<Vec<_>>());
        assert_eq!(branches, attr.has(sample::BRANCH_STACK).then(|| new.branches.clone()));
        let has_stack = attr.has(sample::STACK_USER) && !new.stack.1.is_empty();
        assert_eq!(found.stack_user, has_stack.then_some(&new.stack.1[..]));
        let counters = found.read.map(|read| {
            let counters = read.counters().map(|counter| (counter.id.unwrap(), counter.value));
            (counters.collect::<Vec<_>>(), [read.time_enabled, read.time_running])
        });
        let counted = if attr.reads_group() { &new.read.0[..] } else { &new.read.0[..1] };
        let bits = [read::TIME_ENABLED, read::TIME_RUNNING];
        let times = [0, 1].map(|at| (attr.read_format & bits[at] != 0).then_some(new.read.1[at]));
        assert_eq!(counters, attr.has(sample::READ).then(|| (counted.to_vec(), times)));
    }
    assert!(reader.next().unwrap().is_none());
    let counts = &reader.head().counts;
    assert_eq!((counts.short, counts.unknown_ids, counts.late, counts.cut_bytes), (0, 0, 0, 0));
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        attrs in attrs(),
        samples in prop::collection::vec((0usize..4, new_sample()), 1..20),
        is_big in any::<bool>(),
        is_pipe in any::<bool>(),
    ) {
        let order = if is_big { ByteOrder::Big } else { ByteOrder::Little };
        let (writer, written) = recording(order, &attrs, &samples);
        let bytes = if is_pipe { writer.finish_pipe() } else { writer.finish() };
        check(&bytes, &attrs, &written);
    }

    /// Two buffers, of a processor each, written in rounds as perf does: all that was recorded until
    /// the first look comes with it.
    #[test]
    fn rounds_give_the_order_of_time(steps in prop::collection::vec((1u64..50, 0u32..2), 1..200), every in 1usize..20) {
        let fields = perfdata::SampleFields(sample::TIME | sample::TID | sample::CPU);
        let attr = Attr { sample: fields, flags: flag::SAMPLE_ID_ALL, ..Attr::default() };
        let mut writer = Writer::new(ByteOrder::Little);
        writer.event(attr, vec![]);
        let (mut time, mut buffers) = (0, [vec![], vec![]]);
        let mut times = vec![];
        for (number, (step, cpu)) in steps.iter().enumerate() {
            time += step;
            times.push(time);
            let id = SampleId { time: Some(time), cpu: Some(*cpu), ..SampleId::default() };
            buffers[*cpu as usize].push(NewSample { id, ..NewSample::default() });
            if number % every == 0 {
                buffers.iter_mut().flat_map(|one| one.drain(..)).for_each(|new| writer.sample(0, &new));
                writer.finish_round();
            }
        }
        buffers.into_iter().flatten().for_each(|new| writer.sample(0, &new));
        let bytes = writer.finish();
        let mut reader = Reader::open(&bytes[..]).unwrap();
        let mut found = vec![];
        while let Some((_, record)) = reader.next().unwrap() {
            found.extend(record.id.time);
        }
        prop_assert_eq!(found, times);
        prop_assert_eq!(reader.head().counts.late, 0);
    }
}

#[test]
fn names_and_parts_are_those_that_were_written() {
    let fields = perfdata::SampleFields(COMMON | sample::TID | sample::CPU);
    let attr = |config| Attr {
        kind: kind::HARDWARE,
        config,
        sample: fields,
        flags: flag::SAMPLE_ID_ALL,
        ..Attr::default()
    };
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let mut first = Writer::new(order);
        first.event(attr(0), vec![7, 8]);
        first.event(attr(1), vec![9]);
        first.event_names(&["cycles:u", "instructions:u"]);
        let thread = Thread { pid: 4, tid: 5 };
        let at = |time, id| SampleId {
            thread: Some(thread),
            time: Some(time),
            id: Some(id),
            cpu: Some(1),
        };
        first.comm(thread, "worker", at(1, 7));
        let part = |times: &[(u64, u64)]| {
            let mut part = Writer::new(order);
            part.event(attr(0), vec![7, 8]);
            part.event(attr(1), vec![9]);
            for &(time, id) in times {
                let event = usize::from(id == 9);
                part.sample(event, &NewSample { id: at(time, id), ..NewSample::default() });
            }
            // A part of a folder has records only.
            let whole = part.finish();
            let start = u64::from_le_bytes(whole[40..48].try_into().unwrap());
            let start = if order == ByteOrder::Big { start.swap_bytes() } else { start };
            whole[start as usize..].to_vec()
        };
        let parts = [part(&[(2, 7), (9, 9)]), part(&[(3, 8), (4, 9)])];
        let first = first.finish();
        let others = parts.iter().map(|part| &part[..]).collect();
        let mut parts = Parts::open(&first[..], others).unwrap();
        let mut found = vec![];
        while let Some((_, record)) = parts.next().unwrap() {
            found.push((record.id.time.unwrap(), record.event));
            if let Body::Comm { name, .. } = record.body {
                assert_eq!(name, b"worker");
            }
        }
        assert_eq!(found, [(1, 0), (2, 0), (3, 0), (4, 1), (9, 1)]);
        let head = parts.into_head();
        let names: Vec<String> = head.events.iter().map(perfdata::Event::name).collect();
        assert_eq!(names, ["cycles:u", "instructions:u"]);
    }
}
