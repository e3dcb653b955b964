//! Which files there are.

use clap::ValueEnum;

/// How large a bench file is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "verbatim")]
pub(crate) enum Size {
    /// 25 thousand samples, 3.6 MB raw.
    S,
    /// 300 thousand samples, 36 MB raw.
    K,
    /// 3 million samples, 370 MB raw.
    M,
    /// 9.5 million samples, 1.2 GB raw.
    L,
    /// One million contexts, for measuring interaction.
    #[value(name = "million")]
    Million,
}

impl Size {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::K => "K",
            Self::M => "M",
            Self::L => "L",
            Self::Million => "million",
        }
    }

    pub(super) fn samples(self) -> usize {
        match self {
            Self::S => 25_000,
            Self::K => 300_000,
            Self::M => 3_000_000,
            Self::L => 9_500_000,
            Self::Million => 130_000,
        }
    }
}

/// How often the stacks of a file occur in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    /// Nearly every stack once, a span number for every sample.
    Distinct,
    /// Every stack ten times on average, in shuffled order, and few spans.
    Repeat,
}

impl Variant {
    pub(crate) const ALL: [Self; 2] = [Self::Distinct, Self::Repeat];

    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Distinct => "",
            Self::Repeat => "-repeat",
        }
    }
}
