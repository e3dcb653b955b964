//! Values that lists and trees compare.

use analysis::NO_VALUE;

/// Whether there is anything to say of self and total.
pub(in crate::kinds::profile) fn is_measured((own, total): (i64, i64)) -> bool {
    magnitude(own) != 0 || magnitude(total) != 0
}

/// How large a value is, whatever its sign; 0 where there is none.
pub(in crate::kinds::profile) fn magnitude(value: i64) -> i64 {
    if value == NO_VALUE { 0 } else { value.saturating_abs() }
}
