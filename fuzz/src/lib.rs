//! What every fuzz target asks of a reader.

use formats::{ReadOptions, Source};

/// Reads `bytes` as a file of this name. Any error will do; what must not happen is a panic, a hang,
/// memory without bound, or a profile that breaks an invariant.
pub fn read(bytes: &[u8], file_name: &str) {
    let options = ReadOptions { max_size: 64 << 20, max_memory: 64 << 20 };
    if let Ok(opened) = formats::read(Source { bytes: Box::new(bytes), file_name }, &options) {
        assert_eq!(opened.profile.check(), []);
    }
}
