//! A cache whose lines may stand anywhere: what was used least recently gives way.

use super::level::Held;
use crate::stack::LruStack;

/// A fully associative cache.
#[derive(Debug, Clone)]
pub(crate) struct Full {
    stack: LruStack,
    size: usize,
    /// By line: which reference touched it last, and whether it is dirty.
    more: Vec<(u32, bool)>,
}

impl Full {
    pub(crate) fn new(lines: usize, size: usize) -> Full {
        Full { stack: LruStack::new(lines, size), size, more: vec![(0, false); lines] }
    }

    pub(crate) fn growing(size: usize) -> Full {
        Full { stack: LruStack::growing(size), size, more: vec![] }
    }

    pub(crate) fn add_line(&mut self) {
        self.stack.add_line();
        self.more.push((0, false));
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn has(&self, line: u32) -> bool {
        self.stack.has(line)
    }

    pub(crate) fn dirty(&mut self, line: u32) -> bool {
        let is_there = self.has(line);
        self.more[line as usize].1 |= is_there;
        is_there
    }

    pub(crate) fn hit(&mut self, line: u32, is_write: bool, reference: u32) -> bool {
        if !self.has(line) {
            return false;
        }
        self.stack.touch(line);
        let (own, is_dirty) = &mut self.more[line as usize];
        *own = reference;
        *is_dirty |= is_write;
        true
    }

    pub(crate) fn bring(&mut self, held: Held) -> Option<Held> {
        let victim = if self.stack.len() == self.size { self.stack.take_last() } else { None };
        self.stack.touch(held.line);
        self.more[held.line as usize] = (held.reference, held.is_dirty);
        victim.map(|line| self.held(line))
    }

    pub(crate) fn take(&mut self, line: u32) -> Option<Held> {
        if !self.has(line) {
            return None;
        }
        self.stack.remove(line);
        Some(self.held(line))
    }

    fn held(&self, line: u32) -> Held {
        let (reference, is_dirty) = self.more[line as usize];
        Held { line, is_dirty, reference }
    }

    pub(crate) fn save(&self) -> Vec<Option<Held>> {
        self.stack.lines().map(|line| Some(self.held(line))).collect()
    }

    pub(crate) fn restore(&mut self, held: &[Option<Held>]) {
        let lines: Vec<u32> = held.iter().flatten().map(|held| held.line).collect();
        self.stack.restore(&lines);
        for held in held.iter().flatten() {
            self.more[held.line as usize] = (held.reference, held.is_dirty);
        }
    }
}
