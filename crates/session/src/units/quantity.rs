//! Quantities of costs, which are floating-point numbers: large, and never rounded to nothing.

/// Sizes of the steps, largest first, and their symbols.
type Steps = [(f64, &'static str)];

const COUNTS: [(f64, &str); 7] =
    [(1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")];

const BYTES: [(f64, &str); 7] = [
    (1_152_921_504_606_846_976.0, "EiB"),
    (1_125_899_906_842_624.0, "PiB"),
    (1_099_511_627_776.0, "TiB"),
    (1_073_741_824.0, "GiB"),
    (1_048_576.0, "MiB"),
    (1_024.0, "KiB"),
    (1.0, "B"),
];

const TIMES: [(f64, &str); 4] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")];

/// A quantity with at most three digits that count, and its unit in short.
pub fn quantity_text(value: f64, unit: &str) -> String {
    if value.is_nan() {
        return "–".to_owned();
    }
    let sign = if value < 0.0 { "−" } else { "" };
    let size = value.abs();
    if size.is_infinite() {
        return format!("{sign}∞");
    }
    let short = match unit {
        "bytes" => return format!("{sign}{}", in_steps(size, &BYTES, "B")),
        "bytes/second" => return format!("{sign}{}/s", in_steps(size, &BYTES, "B")),
        "nanoseconds" => return format!("{sign}{}", in_steps(size, &TIMES, "ns")),
        "operations" => "op",
        "elements" => "el",
        "accesses" => "acc",
        "count" => "",
        "operations/byte" => "op/B",
        "operations/element" => "op/el",
        "operations/second" => "op/s",
        unit => unit,
    };
    let number = in_steps(size, &COUNTS, "");
    if number.ends_with(|last: char| last.is_ascii_alphabetic()) || short.is_empty() {
        format!("{sign}{number}{short}")
    } else {
        format!("{sign}{number} {short}")
    }
}

fn in_steps(size: f64, steps: &Steps, smallest: &str) -> String {
    let joined = |number: String, symbol: &str| format!("{number} {symbol}").trim_end().to_owned();
    if size == 0.0 {
        return joined("0".to_owned(), smallest);
    }
    let last = steps[steps.len() - 1];
    let found = steps.iter().copied().find(|(step, _)| size >= step * 0.9995);
    let (step, symbol) = found.unwrap_or(last);
    let scaled = size / step;
    if scaled >= 1e4 {
        return joined(scientific(size, 2), smallest);
    }
    joined(three_digits(scaled), symbol)
}

fn three_digits(value: f64) -> String {
    if value < 1e-3 {
        return scientific(value, 1);
    }
    let digits = match value {
        value if value < 0.01 => 4,
        value if value < 0.1 => 3,
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    let text = fixed(value, digits);
    if digits == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

/// As JavaScript's `toExponential`, without a plus.
fn scientific(value: f64, digits: usize) -> String {
    let exact = format!("{value:.800e}");
    let (mantissa, exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
    let mantissa = round(mantissa, digits);
    match mantissa.strip_prefix("10") {
        Some(zeros) => {
            format!("1{zeros}e{}", exponent.parse::<i32>().map_or(0, |exponent| exponent + 1))
        }
        None => format!("{mantissa}e{exponent}"),
    }
}

/// As JavaScript's `toFixed`: halves are rounded up.
fn fixed(value: f64, digits: usize) -> String {
    round(&format!("{value:.1100}"), digits)
}

/// A decimal number, which is all of a binary one, with so many digits behind the point.
fn round(exact: &str, digits: usize) -> String {
    let (whole, fraction) = exact.split_once('.').unwrap_or((exact, ""));
    let is_up = fraction.as_bytes().get(digits).is_some_and(|&digit| digit >= b'5');
    let mut kept: Vec<u8> = whole.bytes().chain(fraction.bytes().take(digits)).collect();
    let mut at = kept.len();
    let mut carry = is_up;
    while carry && at > 0 {
        at -= 1;
        carry = kept[at] == b'9';
        kept[at] = if carry { b'0' } else { kept[at] + 1 };
    }
    if carry {
        kept.insert(0, b'1');
    }
    let kept: String = kept.into_iter().map(char::from).collect();
    let (whole, fraction) = kept.split_at(kept.len() - digits);
    if digits == 0 { whole.to_owned() } else { format!("{whole}.{fraction}") }
}
