//! Sets of ways.

use super::Replacement;
use super::level::Held;

/// A cache of sets. With LRU and FIFO the ways of a set stand in the order in which they give way, the last
/// first; with PLRU they stay where they are.
#[derive(Debug, Clone)]
pub(crate) struct Sets {
    ways: usize,
    count: usize,
    /// What of a line's number is its set, where sets are a power of two.
    mask: Option<u32>,
    replacement: Replacement,
    /// By set, then way; [`NONE`] for no line.
    lines: Vec<u32>,
    /// The same: which reference touched it last, and whether it is dirty.
    more: Vec<(u32, bool)>,
    /// By set, bits of a tree: the first at bit 1, those below bit n at 2n and 2n + 1; one that is set
    /// points at the upper half.
    trees: Vec<u64>,
    /// By line, its set, where lines are added one by one and their numbers say nothing.
    homes: Option<Vec<u32>>,
}

const NONE: u32 = u32::MAX;

impl Sets {
    pub(crate) fn new(sets: usize, ways: usize, replacement: Replacement) -> Sets {
        let trees = if replacement == Replacement::Plru { sets } else { 0 };
        Sets {
            ways,
            count: sets,
            mask: sets.is_power_of_two().then(|| sets as u32 - 1),
            replacement,
            lines: vec![NONE; sets * ways],
            more: vec![(0, false); sets * ways],
            trees: vec![0; trees],
            homes: None,
        }
    }

    pub(crate) fn growing(sets: usize, ways: usize, replacement: Replacement) -> Sets {
        Sets { homes: Some(vec![]), ..Sets::new(sets, ways, replacement) }
    }

    pub(crate) fn add_line(&mut self, number: u64) {
        let set = number % self.count() as u64;
        self.homes.get_or_insert_default().push(set as u32);
    }

    pub(crate) fn size(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    fn set(&self, line: u32) -> usize {
        match (&self.homes, self.mask) {
            (None, Some(mask)) => (line & mask) as usize,
            (None, None) => line as usize % self.count,
            (Some(homes), _) => homes[line as usize] as usize,
        }
    }

    /// Where a line is.
    fn place(&self, line: u32) -> Option<usize> {
        let first = self.set(line) * self.ways;
        let way = self.lines[first..first + self.ways].iter().position(|&own| own == line)?;
        Some(first + way)
    }

    pub(crate) fn has(&self, line: u32) -> bool {
        self.place(line).is_some()
    }

    pub(crate) fn dirty(&mut self, line: u32) -> bool {
        let place = self.place(line);
        if let Some(place) = place {
            self.more[place].1 = true;
        }
        place.is_some()
    }

    pub(crate) fn hit(&mut self, line: u32, is_write: bool, reference: u32) -> bool {
        let first = self.set(line) * self.ways;
        // Most often it is the one that was used last.
        let own = &self.lines[first..first + self.ways];
        let Some(way) = own.iter().position(|&own| own == line) else { return false };
        let mut place = first + way;
        match self.replacement {
            Replacement::Lru => {
                self.put_first(first, place);
                place = first;
            }
            Replacement::Plru => self.point_away(place),
            Replacement::Fifo => {}
        }
        let (own, is_dirty) = &mut self.more[place];
        *own = reference;
        *is_dirty |= is_write;
        true
    }

    /// Moves a way to the front of its set; those before it go back by one.
    fn put_first(&mut self, first: usize, place: usize) {
        // A few steps, which are quicker than what moves any number.
        let (line, more) = (self.lines[place], self.more[place]);
        for at in (first..place).rev() {
            self.lines[at + 1] = self.lines[at];
            self.more[at + 1] = self.more[at];
        }
        self.lines[first] = line;
        self.more[first] = more;
    }

    pub(crate) fn bring(&mut self, held: Held) -> Option<Held> {
        let set = self.set(held.line);
        let first = set * self.ways;
        let free = self.lines[first..first + self.ways].iter().position(|&line| line == NONE);
        let place = match (free, self.replacement) {
            (Some(way), _) => first + way,
            (None, Replacement::Plru) => first + self.pointed_at(set),
            (None, _) => first + self.ways - 1,
        };
        let victim = self.held(place);
        self.lines[place] = held.line;
        self.more[place] = (held.reference, held.is_dirty);
        match self.replacement {
            Replacement::Plru => self.point_away(place),
            _ => self.put_first(first, place),
        }
        victim
    }

    pub(crate) fn take(&mut self, line: u32) -> Option<Held> {
        let place = self.place(line)?;
        let held = self.held(place);
        let end = (self.set(line) + 1) * self.ways;
        if self.replacement == Replacement::Plru {
            self.lines[place] = NONE;
        } else {
            // Free ways stand last.
            self.lines[place..end].rotate_left(1);
            self.more[place..end].rotate_left(1);
            self.lines[end - 1] = NONE;
        }
        held
    }

    fn held(&self, place: usize) -> Option<Held> {
        let (reference, is_dirty) = self.more[place];
        let line = self.lines[place];
        (line != NONE).then_some(Held { line, is_dirty, reference })
    }

    /// Turns the bits on the way to a way to the other side.
    fn point_away(&mut self, place: usize) {
        let (set, way) = (place / self.ways, place % self.ways);
        let tree = &mut self.trees[set];
        let (mut node, mut half) = (1, self.ways / 2);
        while half > 0 {
            let is_upper = way & half != 0;
            if is_upper {
                *tree &= !(1 << node);
            } else {
                *tree |= 1 << node;
            }
            node = node * 2 + usize::from(is_upper);
            half /= 2;
        }
    }

    /// The way that bits point at.
    fn pointed_at(&self, set: usize) -> usize {
        let tree = self.trees[set];
        let (mut node, mut half, mut way) = (1, self.ways / 2, 0);
        while half > 0 {
            let is_upper = tree >> node & 1 == 1;
            way |= if is_upper { half } else { 0 };
            node = node * 2 + usize::from(is_upper);
            half /= 2;
        }
        way
    }

    pub(crate) fn save(&self) -> (Vec<Option<Held>>, Vec<u64>) {
        ((0..self.lines.len()).map(|place| self.held(place)).collect(), self.trees.clone())
    }

    pub(crate) fn restore(&mut self, held: &[Option<Held>], trees: &[u64]) {
        for (place, held) in held.iter().enumerate() {
            let Held { line, is_dirty, reference } =
                held.unwrap_or(Held { line: NONE, is_dirty: false, reference: 0 });
            self.lines[place] = line;
            self.more[place] = (reference, is_dirty);
        }
        self.trees = trees.to_vec();
    }
}
