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

    /// What the reader does with a field.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Use {
        /// It is read.
        Read,
        /// A number that says how a packet was recorded.
        Header,
        /// It says nothing of what happened: configuration, statistics and facts of the recording.
        Aside,
        /// It is counted, and not shown; what it is called then.
        Skipped(&'static str),
    }

    /// What the reader does with a field; nothing of one that the newest schema does not have.
    pub(crate) fn use_of(field: u64) -> Option<Use> {
        let at = FIELDS.binary_search_by_key(&field, |(number, _)| *number).ok()?;
        Some(FIELDS[at].1)
    }

    /// All fields of the newest schema (`trace_packet.proto` of 2026, next number 141), with those of Android's
    /// extensions. Behind each stand the schema's name and what becomes of what is read.
    #[rustfmt::skip]
    pub(crate) const FIELDS: &[(u64, Use)] = &[
        (1, Use::Read), // ftrace_events: threads' states, wakeups, processors and marks
        (2, Use::Read), // process_tree: names of processes and threads
        (3, Use::Header), // trusted_uid
        (4, Use::Skipped("packets with inodes of files")), // inode_file_map
        (5, Use::Skipped("packets with Chrome's legacy events")), // chrome_events
        (6, Use::Read), // clock_snapshot: relates clocks
        (7, Use::Skipped("packets with statistics of the system")), // sys_stats
        (8, Use::Header), // timestamp
        (9, Use::Skipped("packets with statistics of processes")), // process_stats
        (10, Use::Header), // trusted_packet_sequence_id
        (11, Use::Read), // track_event: spans, marks, counters, flows and arguments
        (12, Use::Read), // interned_data: names, stacks and places by number
        (13, Use::Header), // sequence_flags
        (33, Use::Aside), // trace_config
        (34, Use::Aside), // ftrace_stats
        (35, Use::Aside), // trace_stats
        (36, Use::Aside), // synchronization_marker
        (37, Use::Read), // profile_packet: samples of held memory
        (38, Use::Skipped("packets with the battery's counters")), // battery
        (39, Use::Skipped("packets with Android's log")), // android_log
        (40, Use::Skipped("packets with power rails")), // power_rails
        (41, Use::Header), // incremental_state_cleared
        (42, Use::Header), // previous_packet_dropped
        (43, Use::Read), // process_descriptor: names of processes
        (44, Use::Read), // thread_descriptor: names of threads
        (45, Use::Aside), // system_info
        (46, Use::Skipped("triggers")), // trigger
        (47, Use::Skipped("packets with lists of packages")), // packages_list
        (48, Use::Skipped("packets with metadata of Chrome's benchmarks")), // chrome_benchmark_metadata
        (49, Use::Skipped("events of the tracer itself")), // perfetto_metatrace
        (50, Use::Read), // compressed_packets: packets inside
        (51, Use::Skipped("packets with metadata of Chrome")), // chrome_metadata
        (52, Use::Skipped("events of GPU counters")), // gpu_counter_event
        (53, Use::Read), // gpu_render_stage_event: spans of the GPU's stages
        (54, Use::Read), // streaming_profile_packet: samples
        (56, Use::Skipped("graphs of heaps")), // heap_graph
        (57, Use::Skipped("events of graphics frames")), // graphics_frame_event
        (58, Use::Header), // timestamp_clock_id
        (59, Use::Read), // trace_packet_defaults: what later packets leave out
        (60, Use::Read), // track_descriptor: tracks
        (61, Use::Skipped("packets with symbols of modules")), // module_symbols
        (62, Use::Skipped("events of Vulkan memory")), // vulkan_memory_event
        (63, Use::Skipped("packets with the GPU's log")), // gpu_log
        (64, Use::Skipped("packets that map obfuscated names")), // deobfuscation_mapping
        (65, Use::Skipped("events of Vulkan's interface")), // vulkan_api_event
        (66, Use::Read), // perf_sample: samples
        (67, Use::Skipped("packets that describe processors")), // cpu_info
        (68, Use::Skipped("packets with maps of memory")), // smaps_packet
        (69, Use::Aside), // service_event
        (70, Use::Skipped("states of displays")), // initial_display_state
        (71, Use::Skipped("events of the GPU's memory")), // gpu_mem_total_event
        (72, Use::Aside), // extension_descriptor
        (73, Use::Skipped("snapshots of memory")), // memory_tracker_snapshot
        (74, Use::Skipped("streamed allocations")), // streaming_allocation
        (75, Use::Skipped("streamed releases")), // streaming_free
        (76, Use::Skipped("events of the frame timeline")), // frame_timeline_event
        (77, Use::Skipped("estimates of energy")), // android_energy_estimation_breakdown
        (78, Use::Skipped("states of the user interface")), // ui_state
        (79, Use::Header), // trusted_pid
        (82, Use::Skipped("tables of translations")), // translation_table
        (83, Use::Skipped("lists of games")), // android_game_intervention_list
        (84, Use::Skipped("statistics atoms")), // statsd_atom
        (86, Use::Skipped("properties of the system")), // android_system_property
        (87, Use::Header), // first_packet_on_sequence
        (88, Use::Skipped("packets of the network")), // network_packet
        (89, Use::Aside), // trace_uuid
        (90, Use::Skipped("ranges of interest")), // track_event_range_of_interest
        (91, Use::Skipped("residencies of states")), // entity_state_residency
        (92, Use::Skipped("packets of the network")), // network_packet_bundle
        (93, Use::Skipped("snapshots of layers")), // surfaceflinger_layers_snapshot
        (94, Use::Skipped("transactions of layers")), // surfaceflinger_transactions
        (95, Use::Skipped("bundles of events of Windows")), // etw_events
        (96, Use::Skipped("transitions of windows")), // shell_transition
        (97, Use::Skipped("packets that describe windows' transitions")), // shell_handler_mappings
        (98, Use::Header), // machine_id
        (99, Use::Skipped("packets with JavaScript's code")), // v8_js_code
        (100, Use::Skipped("packets with internal code of V8")), // v8_internal_code
        (101, Use::Skipped("packets with WebAssembly's code")), // v8_wasm_code
        (102, Use::Skipped("packets with code of regular expressions")), // v8_reg_exp_code
        (103, Use::Skipped("packets with code that moved")), // v8_code_move
        (104, Use::Skipped("messages of Android's protocol log")), // protolog_message
        (105, Use::Skipped("settings of Android's protocol log")), // protolog_viewer_config
        (107, Use::Skipped("relations of remote clocks")), // remote_clock_sync
        (109, Use::Skipped("triggers")), // chrome_trigger
        (110, Use::Skipped("events of modems")), // pixel_modem_events
        (111, Use::Skipped("packets that describe modems' events")), // pixel_modem_token_database
        (112, Use::Skipped("packets of window tracing")), // winscope_extensions
        (113, Use::Skipped("triggers")), // clone_snapshot_trigger
        (114, Use::Skipped("events of Bluetooth")), // bluetooth_trace_event
        (115, Use::Skipped("packets with wake locks")), // kernel_wakelock_data
        (116, Use::Skipped("packets with wake locks")), // app_wakelock_bundle
        (117, Use::Skipped("states of generic kernels' tasks")), // generic_kernel_task_state_event
        (118, Use::Skipped("frequencies of generic kernels")), // generic_kernel_cpu_freq_event
        (119, Use::Skipped("packets with processor time by user")), // cpu_per_uid_data
        (120, Use::Skipped("names of generic kernels' tasks")), // generic_kernel_task_rename_event
        (121, Use::Skipped("events of input devices")), // evdev_event
        (122, Use::Skipped("process trees of generic kernels")), // generic_kernel_process_tree
        (123, Use::Skipped("lists of users")), // user_list
        (124, Use::Aside), // trace_provenance
        (125, Use::Skipped("packets that a virtual machine completes")), // protovms
        (126, Use::Aside), // trace_attributes
        (127, Use::Skipped("flags of Android")), // android_aflags
        (128, Use::Skipped("packets that describe GPUs")), // gpu_info
        (129, Use::Skipped("frequencies of generic GPUs")), // generic_gpu_frequency_event
        (130, Use::Skipped("packets that describe interrupts")), // interrupt_info
        (131, Use::Skipped("packets with metadata of ART")), // art_process_metadata
        (132, Use::Skipped("packets with the system's journal")), // journald_event
        (133, Use::Read), // zstd_compressed_packets: packets inside
        (134, Use::Skipped("events of other sessions")), // concurrent_session_event
        (135, Use::Read), // stack_sample: samples with weights
        (138, Use::Skipped("facts of recovered traces")), // recovered_trace_info
        (139, Use::Skipped("source files")), // source_file
        (140, Use::Skipped("disassembly of modules")), // module_disassembly
        (900, Use::Skipped("packets for tests")), // for_testing
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

#[cfg(test)]
mod tests {
    use super::packet::{self, FIELDS, Use, use_of};

    #[test]
    fn fields_stand_in_order_and_say_what_becomes_of_them() {
        assert!(FIELDS.is_sorted_by_key(|(number, _)| *number));
        let read = [
            packet::FTRACE_EVENTS,
            packet::PROCESS_TREE,
            packet::CLOCK_SNAPSHOT,
            packet::TRACK_EVENT,
            packet::INTERNED_DATA,
            packet::HEAP_PROFILE,
            packet::PROCESS_DESCRIPTOR,
            packet::THREAD_DESCRIPTOR,
            packet::COMPRESSED,
            packet::GPU_STAGE,
            packet::STREAMING_PROFILE,
            packet::DEFAULTS,
            packet::TRACK_DESCRIPTOR,
            packet::PERF_SAMPLE,
            packet::COMPRESSED_ZSTD,
            packet::STACK_SAMPLE,
        ];
        let told = FIELDS.iter().filter(|(_, of)| *of == Use::Read);
        assert_eq!(told.map(|(number, _)| *number).collect::<Vec<_>>(), read);
        // What the schema keeps for later, and numbers that it gave up.
        let unused = (1..141).filter(|&number| use_of(number).is_none());
        let expected =
            [14, 15].into_iter().chain(16..33).chain([55, 80, 81, 85, 106, 108, 136, 137]);
        assert_eq!(unused.collect::<Vec<u64>>(), expected.collect::<Vec<u64>>());
    }
}
