//! How large things are in pictures, in CSS pixels: of the page and of SVG. `cargo xtask codegen` writes them for the
//! page.

/// The font of names in pictures, as CSS.
pub(crate) const FONT: &str =
    "ui-monospace, 'JetBrains Mono', Menlo, 'DejaVu Sans Mono', monospace";
/// Width of a character as a share of the font's size: that of Menlo and DejaVu. The page measures its own font.
pub(crate) const CHARACTER: f64 = 0.602;

/// Declares measures, and for the page a list of them with their descriptions.
macro_rules! measures {
    ($($(#[doc = $about:literal])* $module:ident {
        $($(#[doc = $doc:literal])* $name:ident = $value:literal,)*
    })*) => {
        $(
            $(#[doc = $about])*
            pub(crate) mod $module {
                $($(#[doc = $doc])* pub(crate) const $name: f64 = $value;)*
            }
        )*
        #[cfg(test)]
        const ALL: &[(&str, &str, &[(&str, &str, f64)])] = &[
            $((stringify!($module), concat!($($about),*), &[
                $((stringify!($name), concat!($($doc),*), $value),)*
            ]),)*
        ];
    };
}

measures! {
    /// Flame graphs.
    flame {
        FONT_SIZE = 11.5,
        /// From row to row.
        ROW_HEIGHT = 20.0,
        /// Height of a box. The rest of a row is room.
        BOX_HEIGHT = 18.5,
        /// Room around the graph.
        PADDING = 10.0,
        /// Between the left edge of a box and its text.
        TEXT_MARGIN = 6.0,
        /// Narrower boxes have no text: three characters and the margins.
        NARROWEST_TEXT = 30.0,
        /// Narrower boxes have square corners: round ones would eat them.
        NARROWEST_ROUND = 6.0,
        /// Narrower boxes have no outline: it would only be a dark line.
        NARROWEST_OUTLINE = 4.0,
    }

    /// Timelines.
    timeline {
        FONT_SIZE = 11.0,
        /// Height of the ruler.
        RULER = 24.0,
        /// Height of a track that has only a name.
        HEADING = 24.0,
        /// Height of a folded track.
        FOLDED = 36.0,
        /// Height of a row of bars.
        ROW = 18.0,
        /// Height of the row of marks.
        MARKS = 12.0,
        /// Height of a counter.
        SERIES = 40.0,
        /// Room below a track.
        GAP = 5.0,
        /// Narrower bars have no text.
        NARROWEST_TEXT = 34.0,
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::kinds::profile::pictures::colours::fresh;

    #[test]
    fn generated_measures_are_fresh() {
        let mut out = "// Generated from crates/session by `cargo xtask codegen`; do not edit.\n\n\
                       /** The font of names in pictures. */\n"
            .to_owned();
        let _ = writeln!(out, "export const FONT = '{}';", FONT.replace('\'', "\""));
        for (module, about, measures) in ALL {
            let _ = writeln!(out, "\n/**{about} */\nexport const {} = {{", module.to_uppercase());
            for (name, doc, value) in *measures {
                let mut words = name.split('_').map(str::to_lowercase);
                let first = words.next().unwrap_or_default();
                let name =
                    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..]);
                if !doc.is_empty() {
                    let _ = writeln!(out, "  /**{doc} */");
                }
                let _ = writeln!(out, "  {name}: {value},");
            }
            out.push_str("} as const;\n");
        }
        fresh("measures.ts", &out);
    }
}
