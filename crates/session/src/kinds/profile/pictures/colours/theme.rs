//! What a flame graph looks like in a light, a dark and two strong themes.

use protocol::ThemeName;

use crate::kinds::profile::pictures::colours::classes::{CHANGE_STEPS, HUES, SELF_STEPS, SHADES};
use crate::kinds::profile::pictures::colours::looks::Finish;
use crate::kinds::profile::pictures::colours::oklch::{Rgb, rgb};

/// Blue and orange stay apart for every common kind of colour blindness.
const LESS_HUE: f64 = 255.0;
const MORE_HUE: f64 = 55.0;

/// The colours of pictures. Those of the page around them are in `theme/tokens.css`; what both have
/// is compared by a test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Theme {
    pub(crate) background: u32,
    /// Titles.
    pub(crate) ink: u32,
    /// What stands beside titles.
    pub(crate) mute: u32,
    /// Matches too narrow for an outline.
    pub(crate) accent: u32,
    pub(crate) frames: Frames,
    fills: Fills,
}

/// What is drawn of frames besides their fills.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frames {
    /// Names on each finish.
    pub(crate) inks: [u32; 3],
    /// Around what is selected and around matches.
    pub(crate) outline: u32,
    /// Around every frame, in strong themes.
    pub(crate) border: Option<u32>,
    pub(crate) program: u32,
    /// Boxes that stand for several frames, and the lines on them.
    pub(crate) merged: u32,
    pub(crate) hatch: u32,
}

/// Where fills stand in OKLCH; lightness and chroma are from 0 to 1.
#[derive(Debug, Clone, Copy)]
struct Fills {
    lightness: f64,
    chroma: f64,
    /// Between shades of a hue.
    step: f64,
    /// What pale and faded fills approach.
    paper: f64,
    /// From the lightness of no self value to that of nothing but.
    self_from: f64,
    self_to: f64,
    strong_chroma: f64,
    /// From the lightness of no change to that of the largest.
    change_from: f64,
    change_to: f64,
}

impl Theme {
    pub(crate) fn new(name: ThemeName) -> Theme {
        match name {
            ThemeName::Light => LIGHT,
            ThemeName::Dark => DARK,
            ThemeName::Contrast => CONTRAST,
            ThemeName::ContrastLight => CONTRAST_LIGHT,
        }
    }

    /// Fills by [`crate::kinds::profile::pictures::colours::looks::finished`] class.
    pub(crate) fn fills(&self) -> Vec<Rgb> {
        Finish::ALL.into_iter().flat_map(|finish| self.finished(finish)).collect()
    }

    fn finished(&self, finish: Finish) -> impl Iterator<Item = Rgb> {
        let Fills { lightness, chroma, step, paper, .. } = self.fills;
        let Fills { self_from, self_to, strong_chroma, change_from, change_to, .. } = self.fills;
        let (to_paper, chroma_share) = match finish {
            Finish::Full => (0.0, 1.0),
            Finish::Pale => (0.45, 0.6),
            Finish::Faded => (0.72, 0.25),
        };
        let colour = move |lightness: f64, chroma: f64, hue: f64| {
            rgb(lightness + (paper - lightness) * to_paper, chroma * chroma_share, hue)
        };
        let groups = HUES.into_iter().flat_map(move |(hue, lift)| {
            (0..SHADES).map(move |shade| {
                colour(lightness + lift + (f64::from(shade) - 1.0) * step, chroma, hue)
            })
        });
        let own = (0..SELF_STEPS).map(move |place| {
            let share = f64::from(place) / f64::from(SELF_STEPS - 1);
            let lightness = self_from + (self_to - self_from) * share;
            colour(lightness, 0.015 + strong_chroma * share, 70.0 - 25.0 * share)
        });
        let changes = (0..=2 * CHANGE_STEPS).map(move |place| {
            let step = f64::from(place) / f64::from(CHANGE_STEPS) - 1.0;
            let lightness = change_from + (change_to - change_from) * step.abs();
            let hue = if step < 0.0 { LESS_HUE } else { MORE_HUE };
            colour(lightness, step.abs() * strong_chroma, hue)
        });
        let plain = [self.frames.merged, self.frames.program].map(bytes);
        plain.into_iter().chain(groups).chain(own).chain(changes)
    }
}

/// Red, green and blue of a number written `0xrrggbb`.
pub(crate) fn bytes(colour: u32) -> Rgb {
    [(colour >> 16) as u8, (colour >> 8) as u8, colour as u8]
}

const LIGHT: Theme = Theme {
    background: 0xfbfbfa,
    ink: 0x1d2129,
    mute: 0x626a77,
    accent: 0x2560c8,
    frames: Frames {
        inks: [0x1f2430, 0x454d5b, 0x777d89],
        outline: 0x1d2129,
        border: None,
        program: 0xe9eaed,
        merged: 0xe6e7ea,
        hatch: 0xc3c7ce,
    },
    fills: Fills {
        lightness: 0.875,
        chroma: 0.055,
        step: 0.014,
        paper: 0.985,
        self_from: 0.95,
        self_to: 0.72,
        strong_chroma: 0.15,
        change_from: 0.93,
        change_to: 0.74,
    },
};

const DARK: Theme = Theme {
    background: 0x17191d,
    ink: 0xe6e8ec,
    mute: 0x9aa1ae,
    accent: 0x7aa7ff,
    frames: Frames {
        inks: [0xf1f3f6, 0xc9ced6, 0x858c98],
        outline: 0xffffff,
        border: None,
        program: 0x2c3038,
        merged: 0x343942,
        hatch: 0x545b67,
    },
    fills: Fills {
        lightness: 0.475,
        chroma: 0.062,
        step: 0.018,
        paper: 0.215,
        self_from: 0.32,
        self_to: 0.54,
        strong_chroma: 0.145,
        change_from: 0.34,
        change_to: 0.53,
    },
};

const CONTRAST: Theme = Theme {
    background: 0x000000,
    ink: 0xffffff,
    mute: 0xe3e3e3,
    accent: 0x8cc2ff,
    frames: Frames {
        inks: [0xffffff, 0xffffff, 0xc9c9c9],
        outline: 0xffee58,
        border: Some(0xd9d9d9),
        program: 0x2a2a2a,
        merged: 0x1c1c1c,
        hatch: 0x9c9c9c,
    },
    fills: Fills {
        lightness: 0.34,
        chroma: 0.085,
        step: 0.02,
        paper: 0.1,
        self_from: 0.2,
        self_to: 0.46,
        strong_chroma: 0.16,
        change_from: 0.22,
        change_to: 0.46,
    },
};

const CONTRAST_LIGHT: Theme = Theme {
    background: 0xffffff,
    ink: 0x000000,
    mute: 0x292929,
    accent: 0x0f4a85,
    frames: Frames {
        inks: [0x000000, 0x000000, 0x3a3a3a],
        outline: 0x0f4a85,
        border: Some(0x292929),
        program: 0xe3e3e3,
        merged: 0xececec,
        hatch: 0x6b6b6b,
    },
    fills: Fills { lightness: 0.84, chroma: 0.085, paper: 0.97, ..LIGHT.fills },
};

#[cfg(test)]
mod tests {
    use protocol::ThemeName;

    use super::super::classes::CLASSES;
    use super::super::oklch::hex;
    use super::super::oklch::tests::contrast;
    use super::{Theme, bytes};

    const THEMES: [(ThemeName, &str); 4] = [
        (ThemeName::Light, ":root"),
        (ThemeName::Dark, "[data-theme='dark']"),
        (ThemeName::Contrast, "[data-theme='contrast']"),
        (ThemeName::ContrastLight, "[data-theme='contrast-light']"),
    ];

    /// WCAG 2.2: 4.5 to 1 for texts (AA), 7 to 1 in strong themes (AAA). What a search faded is not
    /// what is looked for: 3 to 1.
    #[test]
    fn names_can_be_read_on_every_fill() {
        let mut wrong = vec![];
        for (name, _) in THEMES {
            let theme = Theme::new(name);
            let strong = matches!(name, ThemeName::Contrast | ThemeName::ContrastLight);
            let fills = theme.fills();
            assert_eq!(fills.len(), 3 * CLASSES as usize);
            for (finish, ink) in theme.frames.inks.into_iter().enumerate() {
                let least = match (finish, strong) {
                    (2, false) => 3.0,
                    (2, true) | (_, false) => 4.5,
                    (_, true) => 7.0,
                };
                // The first class has lines and no names.
                let fills = fills.chunks(CLASSES as usize).nth(finish).expect("three finishes");
                for (class, &fill) in fills.iter().enumerate().skip(1) {
                    let reached = contrast(bytes(ink), fill);
                    if reached < least {
                        let (ink, fill) = (hex(bytes(ink)), hex(fill));
                        wrong.push(format!(
                            "{name:?}: {ink} on {fill} (class {class}, finish {finish}) is {reached:.2} to 1"
                        ));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// WCAG 2.2, 1.4.11: what marks a frame stands out from the paper, 3 to 1.
    #[test]
    fn marks_can_be_seen() {
        for (name, _) in THEMES {
            let theme = Theme::new(name);
            let marks = [Some(theme.frames.outline), theme.frames.border];
            for mark in marks.into_iter().flatten() {
                assert!(contrast(bytes(mark), bytes(theme.background)) >= 3.0, "{name:?}");
            }
        }
    }

    /// The page around a picture has its colours from the style sheet.
    #[test]
    fn the_style_sheet_agrees() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/ui/src/theme/tokens.css");
        let sheet = std::fs::read_to_string(path).expect("the style sheet");
        for (name, selector) in THEMES {
            let theme = Theme::new(name);
            let block = sheet.split(&format!("\n{selector} {{")).nth(1).expect(selector);
            let block = block.split('}').next().expect("an end");
            let colours = [
                ("--bg", theme.background),
                ("--ink", theme.ink),
                ("--mute", theme.mute),
                ("--accent", theme.accent),
            ];
            for (token, colour) in colours {
                let line = format!("  {token}: {};", hex(bytes(colour)));
                assert!(block.contains(&line), "{selector} has no {line}");
            }
        }
    }
}
