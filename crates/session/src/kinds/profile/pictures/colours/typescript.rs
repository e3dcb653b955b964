//! Writes the colours for the page, and checks that what is written is fresh.

use std::fmt::Write as _;
use std::path::Path;

use protocol::ThemeName;

use crate::kinds::profile::pictures::colours::classes::{
    CHANGE_STEPS, CLASSES, GROUP_COLOURS, SELF_STEPS, SIGN_STEP,
};
use crate::kinds::profile::pictures::colours::oklch::hex;
use crate::kinds::profile::pictures::colours::theme::{Theme, bytes};

fn generate() -> String {
    let mut out = format!(
        "// Generated from crates/session by `cargo xtask codegen`; do not edit.\n\n\
         /** Colours of groups; the steps of self in total and of changes either way. */\n\
         export const GROUP_COLOURS = {GROUP_COLOURS};\n\
         export const SELF_STEPS = {SELF_STEPS};\n\
         export const CHANGE_STEPS = {CHANGE_STEPS};\n\
         /** The step of values that are changes themselves: their size is their width. */\n\
         export const SIGN_STEP = {SIGN_STEP};\n\
         /** Colours of one finish: several frames, the program, groups, self, changes. */\n\
         export const CLASSES = {CLASSES};\n\n\
         /** By theme: fills by finish and class, and what else is drawn of frames. */\n\
         export const THEMES = {{\n"
    );
    for (name, theme) in [
        ("light", ThemeName::Light),
        ("dark", ThemeName::Dark),
        ("contrast", ThemeName::Contrast),
        ("'contrast-light'", ThemeName::ContrastLight),
    ] {
        let theme = Theme::new(theme);
        let text = |colour: u32| format!("'{}'", hex(bytes(colour)));
        let [ink, muted, faded] = theme.frames.inks.map(text);
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "  {name}: {{\n    inks: [{ink}, {muted}, {faded}],\n    outline: {},\n    \
             border: {},\n    merged: {},\n    hatch: {},\n    fills: [\n",
            text(theme.frames.outline),
            theme.frames.border.map_or_else(|| "undefined".to_owned(), text),
            text(theme.frames.merged),
            text(theme.frames.hatch),
        );
        for line in theme.fills().chunks(8) {
            let line: Vec<String> = line.iter().map(|&fill| format!("'{}'", hex(fill))).collect();
            let _ = writeln!(out, "      {},", line.join(", "));
        }
        out.push_str("    ],\n  },\n");
    }
    out.push_str("} as const;\n");
    out
}

#[test]
fn generated_colours_are_fresh() {
    fresh("colours.ts", &generate());
}

/// With `UPDATE_GENERATED=1` writes a file of the page. Otherwise it must be equal.
pub(crate) fn fresh(name: &str, generated: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/ui/src/canvas/generated");
    let path = folder.join(name);
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::write(&path, generated).expect("write the file");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == generated, "{} is old: run `cargo xtask codegen`", path.display());
}
