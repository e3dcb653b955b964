//! Names of metrics, as HPCToolkit writes them.

/// `CPUTIME (sec)`: the name, and the unit written out.
pub(super) fn name_and_unit(text: &str) -> (&str, &'static str) {
    let parts = text.strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
    let Some((name, unit)) = parts else { return (text, "count") };
    let unit = match unit {
        "sec" | "s" => "seconds",
        "msec" | "ms" => "milliseconds",
        "usec" | "us" => "microseconds",
        "nsec" | "ns" => "nanoseconds",
        "B" | "bytes" => "bytes",
        _ => return (text, "count"),
    };
    (name, unit)
}
