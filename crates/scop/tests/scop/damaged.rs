//! Files that somebody changed are read or refused, and nothing panics.

use std::collections::HashMap;

use proptest::prelude::*;
use scop::{Limits, read};

/// What stands in such files, and what is hard.
const PARTS: [&str; 28] = [
    "",
    "0",
    "-",
    "i0",
    "i1",
    "n",
    "m",
    " and ",
    " or ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    " -> ",
    ":",
    ";",
    ",",
    "<",
    "<=",
    "=",
    "!=",
    "9223372036854775807",
    "99999999999999999999999999",
    " mod ",
    "exists ",
    "\u{e9}",
];

fn text(name: &str) -> String {
    std::fs::read_to_string(samples::testdata(format!("jscop/{name}.jscop"))).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics(
        name in prop::sample::select(vec!["gemm", "heat", "solve", "sequence"]),
        changes in prop::collection::vec(
            (any::<prop::sample::Index>(), 0usize..4, prop::sample::select(PARTS.to_vec())),
            1..4,
        ),
        n in prop::sample::select(vec![-1i128, 0, 3, 1 << 20, 1_000_000_000_000, i128::MAX, i128::MIN]),
    ) {
        let mut text = text(name);
        for (place, removed, put) in changes {
            // Most changes are within sets and maps.
            let arrows: Vec<usize> = text.match_indices("\"[").map(|(at, _)| at + 1).collect();
            let begin = if arrows.is_empty() { 0 } else { arrows[place.index(arrows.len())] };
            let begin = begin + place.index(90);
            let Some(end) = (begin + removed..text.len()).find(|at| text.is_char_boundary(*at)) else {
                continue;
            };
            if text.is_char_boundary(begin) {
                text.replace_range(begin..end, put);
            }
        }
        if let Ok(scop) = read(text.as_bytes(), &Limits::default()) {
            let at: HashMap<String, i128> =
                ["n", "m", "p", "t"].iter().map(|name| ((*name).to_owned(), n)).collect();
            if let Ok(nested) = scop.nest(&at, None) {
                let space = locality::Space::new(
                    nested.containers.clone(),
                    locality::Placement::OwnLines,
                    64,
                );
                if let Ok(space) = space {
                    // Preparing refuses what it must.
                    let _ = locality::Walk::new(&nested.nest, &space);
                }
            }
        }
    }
}
