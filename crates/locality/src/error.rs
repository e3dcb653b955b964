//! What cannot be simulated, and why.

/// Why a nest is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A line holds no whole number of bytes that is a power of two.
    #[error("a cache line of {0} bytes: it is a power of two from 1 to 65536")]
    Line(u64),
    /// An access to an element would be one to several lines.
    #[error(
        "an element of {container} ({element} bytes) takes too many lines of {line} bytes: take longer lines"
    )]
    Element {
        /// Bytes of a line.
        line: u64,
        /// The container.
        container: String,
        /// Bytes of its elements.
        element: u64,
    },
    /// A cache that cannot be built.
    #[error("the cache of level {level}: {why}")]
    Cache {
        /// Which, from 1.
        level: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Containers take more room than addresses are told apart in.
    #[error("the containers take {bytes} bytes: at most {most} are placed")]
    Room {
        /// What they take.
        bytes: u128,
        /// What there is.
        most: u128,
    },
    /// An access is outside of its container.
    #[error(
        "{container} has elements {first} to {last} and is accessed at {at}: check its symbols"
    )]
    Outside {
        /// The container.
        container: String,
        /// Its first element, in strides from its base.
        first: i64,
        /// Its last.
        last: i64,
        /// Where it is accessed.
        at: i128,
    },
    /// More accesses than are simulated.
    #[error("{count} accesses are too many (at most {most}): choose smaller symbols")]
    TooMany {
        /// How many there are.
        count: u128,
        /// The most.
        most: u128,
    },
    /// Loops that go on and access hardly anything.
    #[error("{turns} iterations with {accesses} accesses are too many: choose smaller symbols")]
    Empty {
        /// How many iterations there are.
        turns: u128,
        /// And accesses.
        accesses: u128,
    },
    /// More references than are told apart.
    #[error(
        "these are {count} places that access, loops between states taken apart: {most} is the most here; \
         choose a part, or smaller symbols"
    )]
    References {
        /// How many there are.
        count: usize,
        /// The most.
        most: usize,
    },
    /// A container has more elements than are looked at one by one.
    #[error(
        "{container} has {count} elements: at most this many are shown one by one: {most}; choose smaller symbols"
    )]
    Elements {
        /// The container.
        container: String,
        /// How many it has.
        count: u128,
        /// The most.
        most: u128,
    },
    /// A loop does not advance.
    #[error("the loop over {0} has a step of 0")]
    NoStep(String),
    /// Loops within loops beyond what programs have.
    #[error("loops are nested more than {0} deep")]
    Deep(usize),
    /// A name or number that is not there.
    #[error("{0} is not there")]
    Missing(String),
    /// Arrays that have bytes in common.
    #[error("{first} and {second} have bytes in common: leave one of them out")]
    Overlap {
        /// The one that begins first.
        first: String,
        /// The other.
        second: String,
    },
    /// Whoever asked wants no more misses than so many.
    #[error("it misses more than {0} times")]
    Beyond(u64),
    /// Whoever asked wants no answer any more.
    #[error("stopped")]
    Stopped,
}
