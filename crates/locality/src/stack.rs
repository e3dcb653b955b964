//! The stack of lines by when they were last touched.

/// No slot.
const NONE: u32 = 0;

/// Slots of a block: eight words.
const BLOCK: usize = 512;
/// Blocks of a span.
const SPAN: usize = 64;

/// Lines in the order in which they were last touched. A touch tells how many others were touched since
/// the last of the same line, in a time that hardly grows with their number: each line stands in the slot
/// of its last touch, and what stands behind is counted by words of bits, blocks and spans of blocks.
///
/// Memory is 4 bytes a line of the address space, and 5 to 20 a line on the stack.
#[derive(Debug, Clone)]
pub struct LruStack {
    /// By line, its slot plus one.
    slots: Vec<u32>,
    /// By slot, the line that touched in it.
    lines: Vec<u32>,
    bits: Vec<u64>,
    blocks: Vec<u16>,
    spans: Vec<u32>,
    /// The next free slot.
    next: usize,
    /// No slot before has a line.
    first: usize,
    live: usize,
    /// How many lines are kept.
    depth: usize,
}

impl LruStack {
    /// An empty stack for lines of numbers below some, that keeps so many of them.
    pub fn new(lines: usize, depth: usize) -> LruStack {
        let mut stack = LruStack::growing(depth.min(lines));
        stack.slots = vec![NONE; lines];
        stack
    }

    /// An empty stack that keeps so many lines, which are added one by one.
    pub fn growing(depth: usize) -> LruStack {
        let mut stack = LruStack {
            slots: vec![],
            lines: vec![],
            bits: vec![],
            blocks: vec![],
            spans: vec![],
            next: 0,
            first: 0,
            live: 0,
            depth: depth.max(1),
        };
        stack.make_room(BLOCK * 8);
        stack
    }

    /// One more line, of the next number.
    pub fn add_line(&mut self) {
        self.slots.push(NONE);
    }

    fn make_room(&mut self, slots: usize) {
        let slots = slots.next_multiple_of(BLOCK);
        self.lines = vec![0; slots];
        self.bits = vec![0; slots / 64];
        self.blocks = vec![0; slots / BLOCK];
        self.spans = vec![0; slots.div_ceil(BLOCK * SPAN)];
        self.next = 0;
        self.first = 0;
    }

    /// How many lines it knows, on it or not.
    pub(crate) fn lines_known(&self) -> usize {
        self.slots.len()
    }

    /// How many lines are on it.
    pub fn len(&self) -> usize {
        self.live
    }

    /// How many lines are kept.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// Touches a line; tells how many others were touched since it was last, or none if it is not on the
    /// stack.
    pub fn touch(&mut self, line: u32) -> Option<u64> {
        if self.next == self.lines.len() {
            self.compact();
        }
        let slot = self.slots[line as usize];
        let distance = match slot {
            NONE => None,
            slot => {
                let slot = slot as usize - 1;
                if slot + 1 == self.next {
                    return Some(0);
                }
                let behind = self.behind(slot);
                self.take(slot);
                Some(behind)
            }
        };
        self.put(line);
        if self.live > self.depth {
            self.take_last();
        }
        distance
    }

    /// Lines from the one that was touched last.
    pub fn lines(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self.next.div_ceil(64);
        self.bits[..words].iter().enumerate().rev().flat_map(move |(word, &bits)| {
            let mut bits = bits;
            std::iter::from_fn(move || {
                let top = 63u32.checked_sub(bits.leading_zeros())?;
                bits &= !(1 << top);
                Some(self.lines[word * 64 + top as usize])
            })
        })
    }

    /// Puts the lines of a stack in the place of its own, the last touched first.
    pub(crate) fn restore(&mut self, lines: &[u32]) {
        let old: Vec<u32> = self.lines().collect();
        for line in old {
            self.slots[line as usize] = NONE;
        }
        self.make_room((lines.len() * 2).max(BLOCK * 8));
        self.live = 0;
        for &line in lines.iter().rev() {
            self.put(line);
        }
    }

    fn put(&mut self, line: u32) {
        let slot = self.next;
        self.next += 1;
        self.lines[slot] = line;
        self.slots[line as usize] = slot as u32 + 1;
        self.bits[slot / 64] |= 1 << (slot % 64);
        self.blocks[slot / BLOCK] += 1;
        self.spans[slot / (BLOCK * SPAN)] += 1;
        self.live += 1;
    }

    fn take(&mut self, slot: usize) {
        self.bits[slot / 64] &= !(1 << (slot % 64));
        self.blocks[slot / BLOCK] -= 1;
        self.spans[slot / (BLOCK * SPAN)] -= 1;
        self.live -= 1;
    }

    /// Lines in slots behind one.
    fn behind(&self, slot: usize) -> u64 {
        let word = slot / 64;
        // Two shifts, for one by 64 is none.
        let own = (self.bits[word] >> (slot % 64) >> 1).count_ones();
        let last = self.next.div_ceil(64);
        let block = slot / BLOCK;
        let end = ((block + 1) * (BLOCK / 64)).min(last);
        let mut sum = u64::from(own);
        sum += self.bits[word + 1..end.max(word + 1)]
            .iter()
            .map(|bits| u64::from(bits.count_ones()))
            .sum::<u64>();
        let blocks = self.next.div_ceil(BLOCK);
        let span = block / SPAN;
        let end = ((span + 1) * SPAN).min(blocks);
        sum += self.blocks[block + 1..end.max(block + 1)]
            .iter()
            .map(|&lines| u64::from(lines))
            .sum::<u64>();
        let spans = self.next.div_ceil(BLOCK * SPAN);
        sum += self.spans[span + 1..spans.max(span + 1)]
            .iter()
            .map(|&lines| u64::from(lines))
            .sum::<u64>();
        sum
    }

    /// Whether a line is on it.
    pub fn has(&self, line: u32) -> bool {
        self.slots[line as usize] != NONE
    }

    /// Takes a line away.
    pub(crate) fn remove(&mut self, line: u32) {
        let slot = std::mem::replace(&mut self.slots[line as usize], NONE);
        if slot != NONE {
            self.take(slot as usize - 1);
        }
    }

    /// Takes the line away that was touched least recently.
    pub(crate) fn take_last(&mut self) -> Option<u32> {
        if self.live == 0 {
            return None;
        }
        let mut word = self.first / 64;
        while self.bits[word] == 0 {
            word += 1;
        }
        let slot = word * 64 + self.bits[word].trailing_zeros() as usize;
        let line = self.lines[slot];
        self.slots[line as usize] = NONE;
        self.take(slot);
        self.first = slot + 1;
        Some(line)
    }

    /// Moves lines to the first slots, in their order, and makes room behind them.
    fn compact(&mut self) {
        let kept: Vec<u32> = self.lines().collect();
        self.make_room((kept.len() * 3).max(BLOCK * 8));
        self.live = 0;
        for &line in kept.iter().rev() {
            self.put(line);
        }
    }
}
