//! How the text is known: by lines that only perf writes.

use super::line::{Frame, Header, flat_frame};
use crate::Sniff;

pub(super) fn sniff(head: &[u8], _: &str) -> Sniff {
    const ENOUGH: usize = 400;
    let text = String::from_utf8_lossy(head);
    let mut after_header = false;
    let mut bare = 0;
    for line in text.lines().take(ENOUGH) {
        if line.starts_with("# captured on") {
            return Sniff::Yes;
        }
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        // The title of gperftools' texts, whose frames look alike.
        if line.starts_with("--- ") {
            return Sniff::No;
        }
        if line.starts_with('\t') {
            match Frame::parse(line).filter(|frame| is_frame(line, frame)) {
                Some(_) if after_header => return Sniff::Yes,
                Some(_) if bare < 3 => bare += 1,
                Some(_) => return Sniff::Yes,
                None => return Sniff::No,
            }
            continue;
        }
        let is_indented = is_aligned(line) && Frame::parse(line).is_some();
        if after_header && (is_indented || is_bare_frame(line)) {
            return Sniff::Yes;
        }
        let Some(header) = Header::parse(line, None) else {
            if after_header || bare > 0 {
                return Sniff::No;
            }
            // A name alone, perhaps.
            after_header = false;
            continue;
        };
        let is_traced = header.cpu.is_some() && header.time.is_some() && header.event.contains(':');
        let is_whole = is_traced
            || flat_frame(header.rest).is_some()
            || header.event.starts_with("PERF_RECORD_");
        if header.is_sure() && is_whole {
            return Sniff::Yes;
        }
        after_header = header.tid.is_some() || header.time.is_some() || !header.event.is_empty();
    }
    if bare > 0 { Sniff::Maybe } else { Sniff::No }
}

/// Whether an address ends where perf lets addresses end; the number behind an empty collapsed
/// stack stands nearer.
fn is_aligned(line: &str) -> bool {
    const WIDTH: usize = 16;
    let address = line.trim_start();
    let indent = line.len() - address.len();
    line.starts_with(' ') && indent + address.find([' ', '\t']).unwrap_or(address.len()) >= WIDTH
}

/// Whether a line is a frame whose indentation was lost: an address as perf writes them, a symbol, and
/// a module between parentheses at the end.
pub(super) fn is_bare_frame(line: &str) -> bool {
    const LEAST_DIGITS: usize = 6;
    let digits = line.bytes().take_while(u8::is_ascii_hexdigit).count();
    (LEAST_DIGITS..=16).contains(&digits)
        && line[digits..].starts_with(' ')
        && line.ends_with(')')
        && line.contains(" (")
        && !Header::parse(line, None).is_some_and(|header| header.is_sure())
        && Frame::parse(line).is_some()
}

/// Whether a frame's line cannot be a mere number.
pub(super) fn is_frame(line: &str, frame: &Frame<'_>) -> bool {
    !frame.symbol.is_empty() || line.contains("[unknown]") || !frame.module.is_empty()
}
