//! Maps of colours.

use protocol::GraphColours;

/// Colours that a map is told in.
const STEPS: usize = 32;

/// A colour: red, green, blue.
pub(super) type Rgb = [u8; 3];

/// Blue over yellow to red, of ColorBrewer's RdYlBu: safe for the colour-blind, and the largest is red.
const HEAT: &[u32] = &[0x4575b4, 0x91bfdb, 0xfee090, 0xfc8d59, 0xd73027];
/// Smith and van der Walt, matplotlib 2.
const VIRIDIS: &[u32] = &[
    0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b,
    0xfde725,
];
/// Nuñez, Anderton and Renslow 2018.
const CIVIDIS: &[u32] = &[
    0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55,
    0xfee838,
];
/// Less and more, of ColorBrewer's RdBu: safe for the colour-blind.
const CHANGE: &[u32] = &[0x2166ac, 0x67a9cf, 0xd1e5f0, 0xf7f7f7, 0xfddbc7, 0xef8a62, 0xb2182b];
/// Classes, of Okabe and Ito 2008: safe for the colour-blind.
const CLASSES: &[u32] =
    &[0x56b4e9, 0xe69f00, 0x009e73, 0xf0e442, 0xcc79a7, 0x0072b2, 0xd55e00, 0x999999];

/// Colours at equal distances; of a comparison those for less and more.
pub(super) fn ramp(colours: GraphColours, is_change: bool) -> Vec<Rgb> {
    let stops = match (is_change, colours) {
        (true, _) => CHANGE,
        (false, GraphColours::Heat) => HEAT,
        (false, GraphColours::Viridis) => VIRIDIS,
        (false, GraphColours::Cividis) => CIVIDIS,
    };
    (0..=STEPS).map(|step| between(stops, step as f64 / STEPS as f64)).collect()
}

/// The colours of a map, from the smallest values to the largest, as `#rrggbb`.
pub(crate) fn ramp_texts(colours: GraphColours) -> Vec<String> {
    ramp(colours, false).into_iter().map(hex).collect()
}

/// The colour of a class; there are few, and the last stands for all further ones.
pub(super) fn class(index: usize) -> Rgb {
    rgb(CLASSES[index.min(CLASSES.len() - 1)])
}

/// As `#rrggbb`.
pub(super) fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The colour at a position from 0 to 1.
pub(super) fn at(ramp: &[Rgb], position: f64) -> Rgb {
    let last = ramp.len() - 1;
    ramp[((position * last as f64).round() as usize).min(last)]
}

fn between(stops: &[u32], position: f64) -> Rgb {
    let place = position * (stops.len() - 1) as f64;
    let below = (place as usize).min(stops.len() - 2);
    let share = place - below as f64;
    let (a, b) = (rgb(stops[below]), rgb(stops[below + 1]));
    std::array::from_fn(|part| {
        (f64::from(a[part]) * (1.0 - share) + f64::from(b[part]) * share).round() as u8
    })
}

fn rgb(hex: u32) -> Rgb {
    [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8]
}
