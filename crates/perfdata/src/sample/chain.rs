//! Call chains, as the kernel records them.

use crate::bytes::Bytes;

/// Whose addresses follow in a call chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Of the hypervisor.
    Hypervisor,
    /// Of the kernel.
    Kernel,
    /// Of the program.
    User,
    /// Of a virtual machine's kernel.
    GuestKernel,
    /// Of a program in a virtual machine.
    GuestUser,
    /// Not known.
    Unknown,
}

impl Mode {
    /// The mode that a record's header tells.
    pub fn of_misc(misc: u16) -> Mode {
        match misc & 0b111 {
            1 => Mode::Kernel,
            2 => Mode::User,
            3 => Mode::Hypervisor,
            4 => Mode::GuestKernel,
            5 => Mode::GuestUser,
            _ => Mode::Unknown,
        }
    }

    /// What a marker in a call chain says: `PERF_CONTEXT_*`.
    fn of_marker(word: u64) -> Mode {
        match word.cast_signed() {
            -32 => Mode::Hypervisor,
            -128 => Mode::Kernel,
            -512 => Mode::User,
            -2176 => Mode::GuestKernel,
            -2560 => Mode::GuestUser,
            _ => Mode::Unknown,
        }
    }
}

/// The largest 4,095 numbers are not addresses but markers.
const FIRST_MARKER: u64 = 4095u64.wrapping_neg();
/// `PERF_CONTEXT_USER_DEFERRED`: the user's part comes in a record of its own, by a number.
const DEFERRED: i64 = -640;

/// A part of a call chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// The addresses that follow are of this mode.
    Mode(Mode),
    /// An address: of the leaf, or to which a call returns.
    Address(u64),
    /// The rest comes in a later record with this number.
    Deferred(u64),
}

/// Addresses with markers of whose they are, leaf first.
#[derive(Debug, Clone, Copy)]
pub struct CallChain<'a>(pub(crate) Bytes<'a>);

impl<'a> CallChain<'a> {
    /// Its parts.
    pub fn links(&self) -> impl Iterator<Item = Link> + use<'a> {
        let mut bytes = self.0;
        std::iter::from_fn(move || {
            let word = bytes.u64()?;
            Some(match word {
                word if word < FIRST_MARKER => Link::Address(word),
                word if word.cast_signed() == DEFERRED => Link::Deferred(bytes.u64()?),
                word => Link::Mode(Mode::of_marker(word)),
            })
        })
    }

    /// How many addresses and markers there are.
    pub fn len(&self) -> usize {
        self.0.rest().len() / 8
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
