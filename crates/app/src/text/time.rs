//! Times of day.

use jiff::Timestamp;

/// Nanoseconds since 1970 as a date and time in UTC (proleptic Gregorian calendar).
pub(crate) fn utc_time(nanoseconds: i64) -> String {
    // 64 bits of nanoseconds reach from 1677 to 2262, jiff from year -9999 to 9999.
    let time = Timestamp::from_nanosecond(nanoseconds.into()).unwrap_or_default();
    time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::utc_time;

    #[test]
    fn known_days() {
        assert_eq!(utc_time(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(utc_time(951_782_400_000_000_000), "2000-02-29 00:00:00 UTC");
        assert_eq!(utc_time(-1), "1969-12-31 23:59:59 UTC");
        assert_eq!(utc_time(i64::MIN), "1677-09-21 00:12:43 UTC");
        assert_eq!(utc_time(i64::MAX), "2262-04-11 23:47:16 UTC");
        assert_eq!(utc_time(1_644_509_272_337_470_000), "2022-02-10 16:07:52 UTC");
    }
}
