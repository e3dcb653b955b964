//! Field numbers of `profiles.proto`, `common.proto` and `resource.proto`.

macro_rules! fields {
    ($($message:ident { $($name:ident = $number:literal),* $(,)? })*) => {$(
        pub(super) mod $message {
            $(pub(crate) const $name: u64 = $number;)*
        }
    )*};
}

fields! {
    data { RESOURCE_PROFILES = 1, DICTIONARY = 2 }
    dictionary {
        MAPPING = 1, LOCATION = 2, FUNCTION = 3, LINK = 4, STRING = 5, ATTRIBUTE = 6, STACK = 7,
    }
    resource_profiles { RESOURCE = 1, SCOPE_PROFILES = 2 }
    resource { ATTRIBUTES = 1 }
    scope_profiles { SCOPE = 1, PROFILES = 2 }
    scope { NAME = 1, VERSION = 2 }
    profile {
        SAMPLE_TYPE = 1, SAMPLES = 2, TIME_UNIX_NANO = 3, DURATION_NANO = 4, PERIOD_TYPE = 5,
        PERIOD = 6, ORIGINAL_PAYLOAD = 10, ATTRIBUTE_INDICES = 11,
    }
    value_type { TYPE = 1, UNIT = 2 }
    sample {
        STACK_INDEX = 1, ATTRIBUTE_INDICES = 2, LINK_INDEX = 3, VALUES = 4, TIMESTAMPS = 5,
    }
    stack { LOCATION_INDICES = 1 }
    location { MAPPING_INDEX = 1, ADDRESS = 2, LINES = 3, ATTRIBUTE_INDICES = 4 }
    line { FUNCTION_INDEX = 1, LINE = 2, COLUMN = 3 }
    function { NAME = 1, SYSTEM_NAME = 2, FILENAME = 3, START_LINE = 4 }
    mapping {
        MEMORY_START = 1, MEMORY_LIMIT = 2, FILE_OFFSET = 3, FILENAME = 4, ATTRIBUTE_INDICES = 5,
    }
    link { TRACE_ID = 1, SPAN_ID = 2 }
    attribute { KEY = 1, VALUE = 2, UNIT = 3 }
    key_value { KEY = 1, VALUE = 2 }
    any_value { STRING = 1, BOOL = 2, INT = 3, DOUBLE = 4, BYTES = 7, STRING_INDEX = 8 }
}
