//! The kinds of compression around a profile.

/// A container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// RFC 1952, any number of members.
    Gzip,
    /// RFC 8878, any number of frames.
    Zstd,
    /// Any number of streams.
    Xz,
    /// Any number of streams.
    Bzip2,
}

impl Container {
    pub(crate) const ALL: [Container; 4] =
        [Container::Gzip, Container::Zstd, Container::Xz, Container::Bzip2];

    /// Whether this build does not unpack it: what unpacks others is large, and few files have them around them.
    pub(super) fn is_left_out(self) -> bool {
        self != Container::Gzip && !cfg!(feature = "rare")
    }

    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Container::Gzip => "gzip",
            Container::Zstd => "zstd",
            Container::Xz => "xz",
            Container::Bzip2 => "bzip2",
        }
    }

    /// Its usual file name ending.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Container::Gzip => ".gz",
            Container::Zstd => ".zst",
            Container::Xz => ".xz",
            Container::Bzip2 => ".bz2",
        }
    }

    pub(super) fn new(head: &[u8]) -> Option<Container> {
        match head {
            [0x1f, 0x8b, ..] => Some(Container::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Container::Zstd),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Container::Xz),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Container::Bzip2),
            _ => None,
        }
    }
}
