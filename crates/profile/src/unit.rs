//! Units: what they measure, and in what size.

/// What a unit measures.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum UnitKind {
    /// Bytes.
    Bytes,
    /// Time.
    Time,
    /// Anything else: the unit itself, in lower case and in the singular.
    Other(String),
}

/// What a unit measures, and how many bytes or nanoseconds one of it is; 1 for other kinds.
/// Kilobytes and what follows them are powers of 1024, as pprof takes them.
pub fn unit_scale(unit: &str) -> (i64, UnitKind) {
    let lower = unit.to_ascii_lowercase();
    let singular = match lower.strip_suffix('s') {
        Some(stem) if stem.len() > 1 => stem,
        _ => &lower,
    };
    let power = |exponent: u32| (1024i64.pow(exponent), UnitKind::Bytes);
    let time = |nanoseconds: i64| (nanoseconds, UnitKind::Time);
    match singular {
        "b" | "byte" => power(0),
        "kb" | "kib" | "kbyte" | "kilobyte" => power(1),
        "mb" | "mib" | "mbyte" | "megabyte" => power(2),
        "gb" | "gib" | "gbyte" | "gigabyte" => power(3),
        "tb" | "tib" | "tbyte" | "terabyte" => power(4),
        "pb" | "pib" | "pbyte" | "petabyte" => power(5),
        "ns" | "nanosecond" => time(1),
        "us" | "µ" | "µs" | "\u{3bc}" | "\u{3bc}s" | "microsecond" => time(1_000),
        "ms" | "millisecond" => time(1_000_000),
        "s" | "sec" | "second" => time(1_000_000_000),
        "min" | "minute" => time(60_000_000_000),
        "hour" | "hr" => time(3_600_000_000_000),
        other => (1, UnitKind::Other(other.to_owned())),
    }
}
