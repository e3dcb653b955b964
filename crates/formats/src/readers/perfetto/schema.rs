//! Field numbers of Perfetto's messages.

/// `TracePacket`
pub(super) mod packet {
    pub(crate) const FTRACE_EVENTS: u64 = 1;
    pub(crate) const PROCESS_TREE: u64 = 2;
    pub(crate) const CLOCK_SNAPSHOT: u64 = 6;
    pub(crate) const TIMESTAMP: u64 = 8;
    pub(crate) const SEQUENCE: u64 = 10;
    pub(crate) const TRACK_EVENT: u64 = 11;
    pub(crate) const INTERNED_DATA: u64 = 12;
    pub(crate) const SEQUENCE_FLAGS: u64 = 13;
    pub(crate) const STATE_CLEARED: u64 = 41;
    pub(crate) const PREVIOUS_DROPPED: u64 = 42;
    pub(crate) const PROCESS_DESCRIPTOR: u64 = 43;
    pub(crate) const THREAD_DESCRIPTOR: u64 = 44;
    pub(crate) const HEAP_PROFILE: u64 = 37;
    pub(crate) const COMPRESSED: u64 = 50;
    pub(crate) const GPU_STAGE: u64 = 53;
    pub(crate) const STREAMING_PROFILE: u64 = 54;
    pub(crate) const CLOCK: u64 = 58;
    pub(crate) const DEFAULTS: u64 = 59;
    pub(crate) const TRACK_DESCRIPTOR: u64 = 60;
    pub(crate) const PERF_SAMPLE: u64 = 66;
    pub(crate) const COMPRESSED_ZSTD: u64 = 133;
    pub(crate) const STACK_SAMPLE: u64 = 135;
    /// In the defaults of a sequence.
    pub(crate) const STACK_SAMPLE_DEFAULTS: u64 = 100;

    /// Integers that say how a packet was recorded.
    pub(crate) const INTEGERS: &[u64] = &[3, 8, 10, 13, 41, 42, 58, 79, 87, 98];
    /// What says nothing of what happened: configuration, statistics and facts of the recording.
    pub(crate) const ASIDE: &[u64] = &[33, 34, 35, 36, 45, 69, 72, 89, 124, 126];

    /// Other packets, by field, as they are called when they are counted.
    pub(crate) const OTHERS: &[(u64, &str)] = &[
        (4, "packets with inodes of files"),
        (5, "packets with Chrome's legacy events"),
        (7, "packets with statistics of the system"),
        (9, "packets with statistics of processes"),
        (38, "packets with the battery's counters"),
        (39, "packets with Android's log"),
        (40, "packets with power rails"),
        (46, "triggers"),
        (47, "packets with lists of packages"),
        (48, "packets with metadata of Chrome's benchmarks"),
        (49, "events of the tracer itself"),
        (51, "packets with metadata of Chrome"),
        (52, "events of GPU counters"),
        (57, "events of graphics frames"),
        (61, "packets with symbols of modules"),
        (62, "events of Vulkan memory"),
        (63, "packets with the GPU's log"),
        (64, "packets that map obfuscated names"),
        (65, "events of Vulkan's interface"),
        (67, "packets that describe processors"),
        (68, "packets with maps of memory"),
        (70, "states of displays"),
        (71, "events of the GPU's memory"),
        (73, "snapshots of memory"),
        (74, "streamed allocations"),
        (75, "streamed releases"),
        (77, "estimates of energy"),
        (78, "states of the user interface"),
        (82, "tables of translations"),
        (83, "lists of games"),
        (84, "statistics atoms"),
        (86, "properties of the system"),
        (90, "ranges of interest"),
        (91, "residencies of states"),
        (95, "bundles of events of Windows"),
        (99, "packets with JavaScript's code"),
        (100, "packets with internal code of V8"),
        (101, "packets with WebAssembly's code"),
        (102, "packets with code of regular expressions"),
        (103, "packets with code that moved"),
        (107, "relations of remote clocks"),
        (115, "packets with wake locks"),
        (117, "states of generic kernels' tasks"),
        (118, "frequencies of generic kernels"),
        (131, "packets with metadata of ART"),
        (132, "packets with the system's journal"),
    ];
}

/// `InternedData`; the tables of strings are named by their field.
pub(super) mod interned {
    pub(crate) const CATEGORIES: u64 = 1;
    pub(crate) const EVENT_NAMES: u64 = 2;
    pub(crate) const ANNOTATION_NAMES: u64 = 3;
    pub(crate) const SOURCE_LOCATIONS: u64 = 4;
    pub(crate) const FUNCTION_NAMES: u64 = 5;
    pub(crate) const FRAMES: u64 = 6;
    pub(crate) const CALLSTACKS: u64 = 7;
    pub(crate) const MAPPING_PATHS: u64 = 17;
    pub(crate) const SOURCE_PATHS: u64 = 18;
    pub(crate) const MAPPINGS: u64 = 19;
    pub(crate) const GPU_SPECIFICATIONS: u64 = 24;
    pub(crate) const ANNOTATION_STRINGS: u64 = 29;
    pub(crate) const TASKS: u64 = 2000;
    pub(crate) const EXECUTIONS: u64 = 2001;
    pub(crate) const COUNTERS: u64 = 2002;

    pub(crate) const STRINGS: &[u64] = &[
        CATEGORIES,
        EVENT_NAMES,
        ANNOTATION_NAMES,
        FUNCTION_NAMES,
        MAPPING_PATHS,
        SOURCE_PATHS,
        GPU_SPECIFICATIONS,
        ANNOTATION_STRINGS,
    ];
}

/// `TrackDescriptor`
pub(super) mod track {
    pub(crate) const UUID: u64 = 1;
    pub(crate) const NAME: u64 = 2;
    pub(crate) const PROCESS: u64 = 3;
    pub(crate) const THREAD: u64 = 4;
    pub(crate) const PARENT: u64 = 5;
    pub(crate) const COUNTER: u64 = 8;
    pub(crate) const IS_APART: u64 = 9;
    pub(crate) const STATIC_NAME: u64 = 10;
    pub(crate) const ORDER: u64 = 12;
    pub(crate) const ATRACE_NAME: u64 = 13;
}

/// `TrackEvent`
pub(super) mod event {
    pub(crate) const DELTA_US: u64 = 1;
    pub(crate) const CATEGORY_IDS: u64 = 3;
    pub(crate) const ANNOTATIONS: u64 = 4;
    pub(crate) const LEGACY: u64 = 6;
    pub(crate) const TYPE: u64 = 9;
    pub(crate) const NAME_ID: u64 = 10;
    pub(crate) const TRACK: u64 = 11;
    pub(crate) const EXTRA_VALUES: u64 = 12;
    pub(crate) const ABSOLUTE_US: u64 = 16;
    pub(crate) const CATEGORIES: u64 = 22;
    pub(crate) const NAME: u64 = 23;
    pub(crate) const COUNTER_VALUE: u64 = 30;
    pub(crate) const EXTRA_TRACKS: u64 = 31;
    pub(crate) const SOURCE_LOCATION: u64 = 33;
    pub(crate) const SOURCE_LOCATION_ID: u64 = 34;
    pub(crate) const OLD_FLOWS: u64 = 36;
    pub(crate) const OLD_LAST_FLOWS: u64 = 42;
    pub(crate) const DOUBLE_VALUE: u64 = 44;
    pub(crate) const EXTRA_DOUBLE_TRACKS: u64 = 45;
    pub(crate) const EXTRA_DOUBLES: u64 = 46;
    pub(crate) const FLOWS: u64 = 47;
    pub(crate) const LAST_FLOWS: u64 = 48;
}
