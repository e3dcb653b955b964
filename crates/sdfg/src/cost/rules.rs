//! Which operations count.

/// Whose counting rules.
///
/// | operations | `Exact` | `Dace1` | `Dace2` | `Every` |
/// |---|---|---|---|---|
/// | `+ - * / // % ** & \| ^ << >>`, `-a`, `~a`, `not a` | 1 | 1 | 1 | 1 |
/// | `exp`, `tanh`, `sin`, `cos`, `sqrt`, `atan2` | 1 | 1 | 1 | 1 |
/// | other roots, powers, logarithms, angles, `int_floor`, `int_ceil` | 1 | 0 | 1 | 1 |
/// | `min`, `max` of so many | 0 | 0 | 0 | 1 fewer |
/// | `abs`, `floor`, `ceiling` | 0 | 0 | 0 | 1 |
/// | other functions of numbers (`erf`, `round`, `hypot`) | 0 | 0 | 0 | 1 |
/// | any other function, which may do anything | unknown | 0 | 0 | unknown |
/// | an operation of vectors | its lanes | 1 | 1 | its lanes |
/// | comparisons, each of a chain | 0 | 0 | 0 | 1 |
/// | `and`, `or`, each of a chain | 0 | 0 | 0 | 1 |
/// | `a if c else b`, besides `a`, `b` and `c` | 0 | 0 | 0 | 1 |
/// | casts, subscripts, assignments | 0 | 0 | 0 | 0 |
/// | C++ | as these | its volume | 1 | as these |
/// | combining writes, and an element of a reduction | its function | its function | its function | its function |
///
/// In C++ `Exact` counts no comparison, no `&&`, `||`, `?:` and no function but those of the second and
/// third line, `Every` all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rules {
    /// Ours: as DaCe 2.x where it is exact; C++ is counted, a consume scope has an unknown number of
    /// iterations, what is not known is an unknown.
    #[default]
    Exact,
    /// DaCe 1.x: a C++ tasklet is as many operations as it writes elements, a tasklet is as deep as it
    /// has operations, maps multiply even where iterations differ.
    Dace1,
    /// DaCe 2.x: a C++ tasklet is one operation.
    Dace2,
    /// Every operation: as [`Rules::Exact`], but minima, comparisons and choices count, so that a
    /// rectifier or the search for a maximum is not a program without operations.
    Every,
}

impl Rules {
    /// What moves, and how often, is ours rather than DaCe's.
    pub(crate) fn is_exact(self) -> bool {
        matches!(self, Rules::Exact | Rules::Every)
    }
}
