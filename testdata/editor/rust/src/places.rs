//! Places on a map of 1 by 1.

/// A name and where it is.
pub struct Place {
    pub name: String,
    pub at: [f64; 2],
}

/// As many places as asked for, the same ones every time.
pub fn made_up(count: usize) -> Vec<Place> {
    let mut places = Vec::with_capacity(count);
    for number in 0..count as u64 {
        let name = name_of(number);
        places.push(Place { name, at: scattered(number ^ 0x5555_5555) });
    }
    places
}

/// A point that only its number decides.
pub fn scattered(number: u64) -> [f64; 2] {
    [fraction(mixed(2 * number)), fraction(mixed(2 * number + 1))]
}

fn name_of(number: u64) -> String {
    const SYLLABLES: [&str; 8] = ["Al", "be", "Co", "dun", "El", "fel", "Go", "hin"];
    let mut name = String::new();
    let mut rest = mixed(number);
    for _ in 0..4 {
        name.push_str(SYLLABLES[(rest % 8) as usize]);
        rest /= 8;
    }
    name
}

fn fraction(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// The finalizer of SplitMix64.
fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
