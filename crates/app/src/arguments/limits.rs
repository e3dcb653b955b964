//! What every command says of reading: limits, members, names, the format.

use std::path::PathBuf;

use crate::binaries;
use clap::Args;
use session::{AlignBy, Demangle, MembersBy, ReadOptions, ReadSettings};

/// Limits against hostile files.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    /// Refuse files that are larger when unpacked
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4G")]
    max_size: u64,
    /// Refuse profiles that need more memory
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "4G")]
    max_memory: u64,
    /// Split into members by 'process' (or 'rank'), 'thread', 'cpu' or a label's key
    ///
    /// The metric 'max_of(time)' is then the largest of the members.
    #[arg(long, value_name = "WHAT", help_heading = "Reading")]
    members_by: Option<MembersBy>,
    /// Align several recordings in time: start, clock, at:NAME, progress, or by hand
    ///
    /// 'start' aligns their starts. 'clock' goes by their clocks; 'clock:HOST=1.5s' moves a host. 'at:NAME' aligns the
    /// first span or mark that matches. 'progress' stretches them so that spans of one name cover each other;
    /// 'progress:NAME' takes those that match. By hand it is 'a.json=1.5s,#2=-20ms'.
    #[arg(long, value_name = "HOW", help_heading = "Reading")]
    align: Option<AlignBy>,
    /// Demangle C++ and Rust names: 'short' (no parameters, no hashes) or 'full'
    #[arg(
        long,
        value_name = "HOW",
        default_value = "none",
        help_heading = "Reading",
        hide_short_help = true
    )]
    demangle: Demangle,
    /// Folder with binaries or debug information, searched first
    ///
    /// Can be given several times. Addresses of every format get names.
    #[arg(long, value_name = "FOLDER", help_heading = "Reading")]
    binaries: Vec<PathBuf>,
    /// Read no binaries: leave addresses without names
    #[arg(long, help_heading = "Reading", conflicts_with = "binaries")]
    no_binaries: bool,
    /// Format of the files, if it is not recognised (see `hotframe formats`)
    #[arg(long, value_name = "FORMAT", value_parser = parse_format, help_heading = "Reading")]
    from: Option<&'static session::Format>,
}

impl Limits {
    pub(crate) fn reading_as(&self) -> ReadSettings {
        ReadSettings {
            members_by: self.members_by.clone(),
            align: self.align.clone(),
            demangle: self.demangle,
            binaries: (!self.no_binaries).then(|| binaries::of_machine(&self.binaries)),
        }
    }

    /// What stands together in time.
    pub(crate) fn align(&self) -> Option<AlignBy> {
        self.align.clone()
    }

    /// The same, for files that are put on one axis of time later.
    pub(crate) fn unaligned(&self) -> Limits {
        Limits { align: None, ..self.clone() }
    }

    pub(crate) fn read_options(&self) -> ReadOptions {
        ReadOptions {
            max_size: self.max_size,
            max_memory: self.max_memory as usize,
            from: self.from,
            ..ReadOptions::default()
        }
    }
}

/// A format that is read, by its name.
fn parse_format(text: &str) -> Result<&'static session::Format, String> {
    let format = session::format_named(text).filter(|format| format.reads());
    format.ok_or_else(|| "no format that is read has this name, see `hotframe formats`".to_owned())
}

/// A number of bytes, with K, M, G or T for binary units.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.trim_end_matches('B').trim_end_matches('I');
    let (digits, shift) = match upper.char_indices().last() {
        Some((at, 'K')) => (&upper[..at], 10),
        Some((at, 'M')) => (&upper[..at], 20),
        Some((at, 'G')) => (&upper[..at], 30),
        Some((at, 'T')) => (&upper[..at], 40),
        _ => (upper, 0),
    };
    let number: u64 = digits.trim().parse().map_err(|_| "write a size as 512M or 8G".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("512"), Ok(512));
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("16 GiB"), Ok(16 << 30));
        assert!(parse_size("big").is_err());
        assert!(parse_size("99999999T").is_err());
    }
}
