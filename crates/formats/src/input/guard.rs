//! The one place where readers run. They do not panic; where one does all the same, it is an error
//! of that file and the end of nothing else.

use std::panic::{AssertUnwindSafe, catch_unwind};

use profile::Profile;

use crate::warnings::NO_SAMPLES;
use crate::{Opened, ReadError, Sniff, Warnings};

/// Runs a reader.
pub(crate) fn guarded(
    format: &'static str,
    read: impl FnOnce(&mut Warnings) -> Result<Profile, ReadError>,
) -> Result<Opened, ReadError> {
    // What the reader has in hand is dropped with it: nobody sees it half done.
    let read = AssertUnwindSafe(|| {
        let mut warnings = Warnings::default();
        let mut profile = read(&mut warnings)?;
        debug_assert_eq!(profile.check(), []);
        let held = profile.points.hold_least();
        if held > 0 {
            warnings.add_many("least", held, || {
                "values of -2^63 are held at -2^63 + 1: the least number stands for no value"
                    .to_owned()
            });
        }
        // A measurement of nothing is one, and says so.
        let is_nothing = profile.points.is_empty()
            && profile.timeline.is_empty()
            && profile.function_totals.is_empty()
            && !warnings.iter().any(|warning| warning.kind() == NO_SAMPLES);
        if let (true, Some(first)) = (is_nothing, warnings.iter().next()) {
            return Err(ReadError::Nothing { format, first: first.message.clone() });
        }
        Ok(Opened { profile, warnings })
    });
    catch_unwind(read).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a message");
        Err(ReadError::Panicked { format, message: text.to_owned() })
    })
}

/// What a format says of the first bytes; one that fails on them is not theirs.
pub(crate) fn sniffed(sniff: impl FnOnce() -> Sniff) -> Sniff {
    catch_unwind(AssertUnwindSafe(sniff)).unwrap_or(Sniff::No)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let read = |_: &mut Warnings| -> Result<Profile, ReadError> {
            let places: Vec<usize> = vec![7];
            let profile = || profile::ProfileBuilder::default().finish();
            Ok([profile()][places[0]].clone())
        };
        let error = guarded("test", read).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("reader of test") && text.contains("out of bounds"), "{text}");
    }
}
