//! Field numbers of `schema/profile.proto`.

macro_rules! fields {
    ($($message:ident { $($name:ident = $number:literal),* $(,)? })*) => {$(
        pub(super) mod $message {
            $(pub(crate) const $name: u64 = $number;)*
        }
    )*};
}

fields! {
    file { MAGIC = 1, VERSION = 2, BLOCK = 3 }
    block {
        STRING = 1, ORIGIN = 2, METRIC = 3, MODULE = 4, FUNCTIONS = 5, LOCATIONS = 6, CONTEXTS = 7,
        LABEL_SETS = 8, PROCESS = 9, THREAD = 10, MEMBER = 11, ROLE = 12, POINTS = 13,
        FUNCTION_TOTALS = 14, TRACKS = 15, SPANS = 16, MARKS = 17, COUNTERS = 18,
        COUNTER_VALUES = 19, FLOWS = 20, MACHINE = 21, SWITCHED_OFF = 22,
        NOTES = 23,
    }
    origin {
        FORMAT = 1, PRODUCER = 2, DEFAULT_METRIC = 3, DEFAULT_METRIC_NAMED = 4, TIME_NS = 5,
        DURATION_NS = 6, CLOCK_NS = 7, PERIOD = 8, PERIOD_TYPE = 9, PERIOD_UNIT = 10,
        DROP_FRAMES = 11, KEEP_FRAMES = 12, COMMENT = 13, DOC_URL = 14, ESTIMATED_PATHS = 15,
        FORMULA = 16, WARNING = 17,
    }
    formula { NAME = 1, TEXT = 2 }
    warning { KIND = 1, MESSAGE = 2, COUNT = 3 }
    metric {
        NAME = 1, UNIT = 2, DECIMALS = 3, OVER_CONTEXTS = 4, OVER_TIME = 5, OVER_MEMBERS = 6,
        WEIGHT_PLUS_1 = 7, TIMING = 8, IS_COUNTED = 9,
    }
    module {
        NAME = 1, BUILD_ID = 2, MEMORY_START = 3, MEMORY_LIMIT = 4, FILE_OFFSET = 5,
        HAS_FUNCTIONS = 6, HAS_FILE_NAMES = 7, HAS_LINE_NUMBERS = 8, HAS_INLINE_FRAMES = 9,
    }
    functions { COUNT = 1, NAME = 2, SYSTEM_NAME = 3, FILE = 4, START_LINE = 5, START_COLUMN = 6 }
    locations {
        COUNT = 1, KIND = 2, MODULE_PLUS_1 = 3, ADDRESS_DELTA = 4, FOLDED = 5, FRAME_COUNT = 6,
        FRAME_FUNCTION_PLUS_1 = 7, FRAME_LINE = 8, FRAME_COLUMN = 9, INSTRUCTION = 10,
    }
    contexts { COUNT = 1, PARENT_DISTANCE = 2, LOCATION = 3 }
    label_sets { COUNT = 1, LABEL_COUNT = 2, KEY = 3, UNIT_PLUS_1 = 4, VALUE = 5 }
    process { ID = 1, NAME = 2 }
    thread { PROCESS_PLUS_1 = 1, ID = 2, NAME = 3 }
    member {
        NAME = 1, PRODUCER = 2, HOST = 3, TIME_NS = 4, DURATION_NS = 5, MACHINE_PLUS_1 = 6,
        MOVED_NS = 7, FACT = 8,
    }
    fact { NAME = 1, KIND = 2, IS_NUMBER = 3, TEXT = 4, NUMBER = 5 }
    machine { NAME = 1, KERNEL = 2, ARCHITECTURE = 3, PROCESSOR = 4, MEMORY_BYTES = 5, CPU = 6 }
    cpu {
        NUMBER = 1, CORE_PLUS_1 = 2, CACHE_PLUS_1 = 3, SOCKET_PLUS_1 = 4, NODE_PLUS_1 = 5, KIND = 6, IS_LEFT_OUT = 7,
    }
    points {
        COUNT = 1, CONTEXT_DELTA = 2, VALUES = 3, LABEL_SET = 4, TIME_DELTA = 5, TIMED = 6,
        THREAD_PLUS_1 = 7, CPU_PLUS_1 = 8, MEMBER = 9, LINK_COUNT = 10, LINK_ROLE = 11,
        LINK_CONTEXT = 12, FREQUENT_CONTEXT = 13, CONTEXT_PLACE = 14,
    }
    values { VALUE = 1 }
    function_totals { COUNT = 1, FUNCTION = 2, MEMBER = 3, METRIC = 4, VALUE = 5 }
    switched_off {
        COUNT = 1, FUNCTION = 2, EXACT_CALLS = 3, KNOWN = 4, TIME_NS = 5, SAMPLES = 6, OF_SAMPLES = 7,
    }
    notes { COUNT = 1, KIND = 2, ABOUT = 3, LINE = 4, TITLE = 5, TEXT = 6, LINK = 7 }
    tracks {
        COUNT = 1, KIND = 2, NAME = 3, PARENT_PLUS_1 = 4, ORDER = 5, PROCESS_PLUS_1 = 6,
        THREAD_PLUS_1 = 7, CPU_PLUS_1 = 8, MEMBER = 9,
    }
    spans {
        COUNT = 1, TRACK_DELTA = 2, BEGIN_DELTA = 3, LENGTH = 4, POINT_DELTA = 5, ARGUMENTS = 6,
        UNFINISHED = 7, OPERATION = 8,
    }
    marks { COUNT = 1, TRACK_DELTA = 2, TIME_DELTA = 3, KIND = 4, FIELDS = 5 }
    counters { COUNT = 1, TRACK = 2, NAME = 3, UNIT = 4 }
    counter_values { COUNT = 1, COUNTER_DELTA = 2, TIME_DELTA = 3, VALUE = 4 }
    flows {
        COUNT = 1, NAME = 2, FROM_TRACK = 3, FROM_TIME_DELTA = 4, TO_TRACK = 5, DURATION = 6,
    }
}
