//! Functions whose heads have something above them, or are made by a macro.
use std::hint::black_box;

macro_rules! twice {
    ($x:expr) => {
        black_box($x) + black_box($x)
    };
}

/// Is measured in the macro alone.
#[allow(dead_code)]
#[inline(never)]
pub fn in_macro(x: u64) -> u64 {
    twice!(x)
}

macro_rules! make {
    ($name:ident) => {
        #[inline(never)]
        pub fn $name(x: u64) -> u64 {
            black_box(x) * 3
        }
    };
}

make!(made);

#[inline(never)]
pub fn generic<T: Into<u64>>(
    x: T,
) -> u64 {
    let add = |y: u64| black_box(y) + 1;
    add(x.into())
}

fn main() {
    black_box(in_macro(1) + made(2) + generic(3_u32));
}
