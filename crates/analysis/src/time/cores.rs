//! What spans are mostly.
//!
//! ```text
//! main   [                         ]      the core of main is send, that of read is read
//! read     [         ]
//! send                 [          ]
//! wait                  [  ]  [  ]
//! ```
//! Known of each span once, so that whoever finds the longest of a part of time need not look for what is
//! longest inside of it, row after row.

/// By span of a track, the innermost of those that last half of what is around them at least; 4 bytes each.
#[derive(Debug, Default)]
pub(super) struct Cores {
    cores: Vec<u32>,
}

impl Cores {
    /// That of a span; nothing where they are not known.
    pub(super) fn of(&self, span: usize) -> Option<usize> {
        self.cores.get(span).map(|&core| core as usize)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.cores.capacity() * 4
    }
}

/// Goes through spans in the order of their table.
pub(super) struct CoresBuilder {
    cores: Vec<u32>,
    /// What is around the next one, outermost first.
    open: Vec<Open>,
}

struct Open {
    span: usize,
    length: i64,
    /// The longest of those directly inside, the first of equal ones, and how long it is.
    longest: Option<(usize, i64)>,
}

impl CoresBuilder {
    pub(super) fn new(count: usize) -> CoresBuilder {
        CoresBuilder { cores: (0..count as u32).collect(), open: vec![] }
    }

    /// A span begins inside of what is open.
    pub(super) fn open(&mut self, span: usize, length: i64) {
        if let Some(around) = self.open.last_mut()
            && around.longest.is_none_or(|(_, longest)| length > longest)
        {
            around.longest = Some((span, length));
        }
        self.open.push(Open { span, length, longest: None });
    }

    /// The innermost ends.
    pub(super) fn close(&mut self) {
        let Some(Open { span, length, longest }) = self.open.pop() else { return };
        if let Some((inner, inner_length)) = longest
            && inner_length > 0
            && inner_length.saturating_mul(2) >= length
        {
            // What is inside is closed.
            self.cores[span] = self.cores[inner];
        }
    }

    pub(super) fn finish(mut self) -> Cores {
        while !self.open.is_empty() {
            self.close();
        }
        Cores { cores: self.cores }
    }
}
