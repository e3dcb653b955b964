//! Recordings of a scheduler whose every switch is known, made by the writer of `perfdata`.

use perfdata::attr::{flag, kind, sample};
use perfdata::write::{Body, NewSample, Writer};
use perfdata::{Attr, ByteOrder, SampleFields, SampleId, Thread};

/// Numbers of records, of a feature of the header, and of tracepoints.
const EXIT: u32 = 4;
const LOST_SAMPLES: u32 = 13;
const SWITCH: u32 = 14;
const TRACING_DATA: u32 = 1;
const NR_CPUS: u32 = 7;
const CMDLINE: u32 = 11;
const EVENTS: [(u64, &str, &str); 4] = [
    (314, "sched_switch", SWITCH_FIELDS),
    (315, "sched_waking", WAKE_FIELDS),
    (316, "sched_wakeup", WAKE_FIELDS),
    (317, "sched_migrate_task", MIGRATE_FIELDS),
];

const SWITCH_FIELDS: &str = "
\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;
\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;
\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;
\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;
\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;
\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;
\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;
";
const WAKE_FIELDS: &str = "
\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;
\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;
\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;
\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;
";
const MIGRATE_FIELDS: &str = "
\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;
\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;
\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;
\tfield:int orig_cpu;\toffset:32;\tsize:4;\tsigned:1;
\tfield:int dest_cpu;\toffset:36;\tsize:4;\tsigned:1;
";

/// The process of all threads, and its code.
pub(crate) const PROCESS: u32 = 100;
const CODE: u64 = 0x40_0000;

/// Where something happens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At {
    pub(crate) time: u64,
    pub(crate) cpu: u32,
}

/// The number of a state, as the kernel tells it.
pub(crate) const RUNNABLE: i64 = 0;
pub(crate) const SLEEPING: i64 = 1;
pub(crate) const ENDED: i64 = 0x10;

/// A recording of tracepoints of the scheduler; threads are told by their numbers, 0 is none.
pub(crate) struct Scheduled {
    writer: Writer,
    has_stacks: bool,
}

impl Scheduled {
    pub(crate) fn new(has_stacks: bool, threads: &[u32]) -> Scheduled {
        Scheduled::with(has_stacks, threads, |attr| attr)
    }

    /// The same, of events that were asked for in another way.
    pub(crate) fn with(
        has_stacks: bool,
        threads: &[u32],
        asked: impl Fn(Attr) -> Attr,
    ) -> Scheduled {
        let mut writer = Writer::new(ByteOrder::Little);
        let fields = sample::IDENTIFIER
            | sample::IP
            | sample::TID
            | sample::TIME
            | sample::CPU
            | sample::PERIOD
            | sample::RAW;
        let fields = if has_stacks { fields | sample::CALLCHAIN } else { fields };
        for (number, (config, ..)) in EVENTS.into_iter().enumerate() {
            let attr = Attr {
                kind: kind::TRACEPOINT,
                config,
                period: 1,
                sample: SampleFields(fields),
                flags: flag::SAMPLE_ID_ALL | flag::CONTEXT_SWITCH,
                ..Attr::default()
            };
            writer.event(asked(attr), vec![number as u64 + 1]);
        }
        let names = EVENTS.map(|(_, name, _)| format!("sched:{name}"));
        writer.event_names(&names.each_ref().map(|name| &**name));
        let body = formats_of(&writer);
        writer.feature(TRACING_DATA, body);
        let process = Thread { pid: PROCESS, tid: PROCESS };
        writer.map(process, CODE, 0x10_0000, 0, "/bin/made");
        for &tid in threads {
            let thread = Thread { pid: PROCESS, tid };
            writer.comm(thread, &format!("t{tid}"), SampleId::default());
        }
        Scheduled { writer, has_stacks }
    }

    fn id(at: At, tid: u32) -> SampleId {
        let pid = if tid == 0 { 0 } else { PROCESS };
        let thread = Some(Thread { pid, tid });
        SampleId { thread, time: Some(at.time), id: None, cpu: Some(at.cpu) }
    }

    /// The innermost frame of the stack is the address `stack` of the code.
    fn push(&mut self, event: usize, at: At, tid: u32, stack: u64, raw: Vec<u8>) {
        const USER: u64 = -512i64 as u64;
        let ip = CODE + stack;
        let callchain = if self.has_stacks { vec![USER, ip, CODE + 0x9001] } else { vec![] };
        let id = SampleId { id: Some(event as u64 + 1), ..Scheduled::id(at, tid) };
        let new = NewSample { id, ip, period: 1, callchain, raw, ..NewSample::default() };
        self.writer.sample(event, &new);
    }

    /// A processor goes from one thread to another.
    pub(crate) fn switch(&mut self, at: At, before: (u32, i64), next: u32, stack: u64) {
        let (tid, state) = before;
        let mut raw = self.writer.body();
        name(raw.u64(EVENTS[0].0), tid).u32(tid).u32(120).u64(state as u64);
        name(&mut raw, next).u32(next).u32(120);
        let raw = raw.into_bytes();
        self.push(0, at, tid, stack, raw);
    }

    /// A thread is woken, as `sched_waking` tells it or `sched_wakeup`.
    pub(crate) fn wake(&mut self, is_waking: bool, at: At, by: u32, woken: u32, stack: u64) {
        let mut raw = self.writer.body();
        name(raw.u64(EVENTS[1].0), woken).u32(woken).u32(120).u32(at.cpu).u32(0);
        let raw = raw.into_bytes();
        self.push(if is_waking { 1 } else { 2 }, at, by, stack, raw);
    }

    /// A thread is moved to another processor.
    pub(crate) fn migrate(&mut self, at: At, by: u32, moved: u32, to: [u32; 2]) {
        let mut raw = self.writer.body();
        name(raw.u64(EVENTS[3].0), moved).u32(moved).u32(120).u32(to[0]).u32(to[1]);
        let raw = raw.into_bytes();
        self.push(3, at, by, 0x700, raw);
    }

    /// A record of a thread that comes, or leaves and perhaps could have gone on.
    pub(crate) fn record(&mut self, at: At, tid: u32, is_out: bool, is_preempted: bool) {
        let misc = if is_out { 1 << 13 } else { 0 } | if is_preempted { 1 << 14 } else { 0 };
        let body = self.writer.body();
        self.writer.kernel_record(SWITCH, misc, body, Scheduled::id(at, tid));
    }

    /// A thread ends.
    pub(crate) fn exit(&mut self, at: At, tid: u32) {
        let mut body = self.writer.body();
        body.u32(PROCESS).u32(PROCESS).u32(tid).u32(PROCESS).u64(at.time);
        self.writer.kernel_record(EXIT, 0, body, Scheduled::id(at, tid));
    }

    /// Records were lost, which perf tells at the end, without a time.
    pub(crate) fn lose_samples(&mut self, count: u64) {
        let mut body = self.writer.body();
        body.u64(count);
        self.writer.kernel_record(LOST_SAMPLES, 0, body, SampleId::default());
    }

    /// The machine has so many processors, and perf was called so.
    pub(crate) fn called(&mut self, processors: u32, command: &[&str]) {
        let mut body = self.writer.body();
        body.u32(processors).u32(processors);
        self.writer.feature(NR_CPUS, body);
        let mut body = self.writer.body();
        body.u32(command.len() as u32);
        for argument in command {
            body.header_text(argument);
        }
        self.writer.feature(CMDLINE, body);
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.writer.finish()
    }
}

fn name(body: &mut Body, tid: u32) -> &mut Body {
    let mut name = [0; 16];
    let text = if tid == 0 { "swapper".to_owned() } else { format!("t{tid}") };
    name[..text.len()].copy_from_slice(text.as_bytes());
    body.bytes(&name)
}

fn formats_of(writer: &Writer) -> Body {
    let mut body = writer.body();
    body.bytes(b"\x17\x08\x44tracing0.6\0").bytes(&[0, 8]).u32(4096);
    for part in ["header_page\0", "header_event\0"] {
        body.bytes(part.as_bytes()).u64(0);
    }
    body.u32(0).u32(1).bytes(b"sched\0").u32(EVENTS.len() as u32);
    for (number, name, fields) in EVENTS {
        let common = "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n";
        let text =
            format!("name: {name}\nID: {number}\nformat:\n{common}{fields}\nprint fmt: \"\"\n");
        body.u64(text.len() as u64).bytes(text.as_bytes());
    }
    body.u32(0);
    body
}
