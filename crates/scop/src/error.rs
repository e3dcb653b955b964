//! What cannot be read or scanned, and why.

/// Why a file is not a JSCoP.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// More than is read.
    #[error("loops of more than {0} bytes of JSON: export fewer loops at once")]
    TooLarge(usize),
    /// Not JSON, or not of a JSCoP's shape.
    #[error("no JSCoP: {0}")]
    Json(#[from] serde_json::Error),
    /// More statements than are scanned.
    #[error("{0} statements: at most {1} are read")]
    TooMany(usize, usize),
    /// A text that is not a set or map.
    #[error("{place}: {why}")]
    Text {
        /// Which text.
        place: String,
        /// What is wrong, and where in it.
        why: String,
    },
    /// What is not as it must be.
    #[error("{place}: {why}")]
    Wrong {
        /// Where.
        place: String,
        /// What.
        why: String,
    },
}

/// Why loops at these sizes are not scanned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NestError {
    /// A parameter without a value.
    #[error("{0} has no value: --set {0}=NUMBER")]
    Unset(String),
    /// A size that is not a parameter.
    #[error(
        "the size {name} of {array} is not a parameter of the loops: --set {name}=NUMBER, or keep names \
         with clang's -fno-discard-value-names"
    )]
    UnknownSize {
        /// Whose size.
        array: String,
        /// What it is called in the file.
        name: String,
    },
    /// Values that the file was not made for.
    #[error("the loops are not meant for these parameters: {0}")]
    Context(String),
    /// A size that is below 0, or too large.
    #[error("{array} has a size of {size}: choose other parameters")]
    Size {
        /// Whose.
        array: String,
        /// How large.
        size: i128,
    },
    /// No statement of this name.
    #[error("there is no statement {name}: there are {known}")]
    NoStatement {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// More iterations than are gone through.
    #[error("loops around {name} have {count} iterations: at most {most} are gone through")]
    TooLong {
        /// A statement in it.
        name: String,
        /// How many.
        count: i128,
        /// The most.
        most: i128,
    },
    /// Numbers beyond those that are calculated with.
    #[error("{0}: numbers are too large at these parameters")]
    Large(String),
    /// Too many conditions.
    #[error("{0}: its conditions are too many to be told apart")]
    Complicated(String),
    /// Statements whose times have different numbers of dimensions.
    #[error("the schedule of {0} has another number of dimensions than that of {1}")]
    Dimensions(String, String),
}
