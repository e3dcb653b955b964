//! Which begin an end ends, and whether spans of a track cross each other.

use hashbrown::HashMap;
use profile::StringId;

use crate::time::span_tracks::{Happening, Record};

/// What waits for its end, with what is to be known of it then.
pub(crate) struct Waiting<T> {
    /// In the order of their begins; `None` where the end came.
    open: Vec<Option<(StringId, T)>>,
    /// Places by name, once an end did not end the innermost.
    by_name: Option<HashMap<StringId, Vec<u32>>>,
    /// Names whose end came before their begin at the same time.
    early: Vec<StringId>,
    time: i64,
}

impl<T: Copy> Waiting<T> {
    pub(crate) fn new() -> Waiting<T> {
        Waiting { open: vec![], by_name: None, early: vec![], time: i64::MIN }
    }

    /// Something begins; whether its end came already, at the same time.
    pub(crate) fn begin(&mut self, time: i64, name: StringId, what: T) -> bool {
        self.advance(time);
        if let Some(at) = self.early.iter().position(|&early| early == name) {
            self.early.swap_remove(at);
            return true;
        }
        if let Some(by_name) = &mut self.by_name {
            by_name.entry(name).or_default().push(self.open.len() as u32);
        }
        self.open.push(Some((name, what)));
        false
    }

    /// What an end of a name ends: the nearest of that name that waits, or of any name where it is
    /// empty. Nothing if none waits.
    pub(crate) fn end(&mut self, time: i64, name: StringId) -> Option<T> {
        self.advance(time);
        let innermost = self.open.last().copied().flatten();
        let found = match innermost {
            Some((known, what)) if name == StringId::EMPTY || known == name => {
                let place = self.open.len() - 1;
                self.forget(known, place);
                Some(what)
            }
            Some(_) => self.end_below(name),
            None => None,
        };
        while let Some(None) = self.open.last() {
            self.open.pop();
        }
        if found.is_none() {
            /// More at one time are not looked through.
            const MOST_EARLY: usize = 64;
            if self.early.len() < MOST_EARLY {
                self.early.push(name);
            }
        }
        found
    }

    fn advance(&mut self, time: i64) {
        if time != self.time {
            self.early.clear();
            self.time = time;
        }
    }

    fn forget(&mut self, name: StringId, place: usize) {
        self.open[place] = None;
        if let Some(places) = self.by_name.as_mut().and_then(|by_name| by_name.get_mut(&name)) {
            places.pop();
        }
    }

    fn end_below(&mut self, name: StringId) -> Option<T> {
        let open = &self.open;
        let by_name = self.by_name.get_or_insert_with(|| {
            let mut by_name: HashMap<StringId, Vec<u32>> = HashMap::new();
            for (place, one) in open.iter().enumerate() {
                if let Some((name, _)) = one {
                    by_name.entry(*name).or_default().push(place as u32);
                }
            }
            by_name
        });
        let place = by_name.get_mut(&name)?.pop()?;
        self.open[place as usize].take().map(|(_, what)| what)
    }
}

/// Whether spans that wait for an end cross others, by one look at the rows: if not, each end ends the
/// innermost.
pub(crate) fn cross(records: impl Iterator<Item = Record>) -> bool {
    /// A span that is open: what its end names, or when it is; and when what is around it ends at the latest.
    enum Open {
        Waits(StringId),
        Until(i64),
    }
    let mut open: Vec<(Open, i64)> = vec![];
    for record in records {
        while open
            .pop_if(|(one, _)| matches!(one, Open::Until(end) if *end <= record.time))
            .is_some()
        {}
        let around = open.last().map_or(i64::MAX, |(_, until)| *until);
        let is_end = record.happening == Happening::End;
        if around < record.time || around == record.time && !is_end {
            return true;
        }
        match record.happening {
            Happening::Begin => open.push((Open::Waits(record.begin.name), around)),
            Happening::Complete(length) => {
                let end = record.time.saturating_add(length.max(0));
                if end > around {
                    return true;
                }
                open.push((Open::Until(end), end));
            }
            Happening::End => {
                let ended = record.begin.name;
                match open.last() {
                    Some((Open::Waits(name), _)) if ended == StringId::EMPTY || *name == ended => {
                        open.pop();
                    }
                    None => {}
                    Some(_) => return true,
                }
            }
        }
    }
    false
}

/// When each span ends that waits for an end, in the order of their begins.
pub(crate) fn ends(records: impl Iterator<Item = Record>) -> Vec<Option<i64>> {
    let mut waiting = Waiting::new();
    let mut ends = vec![];
    for Record { time, happening, begin, .. } in records {
        match happening {
            Happening::Begin => {
                let has_ended = waiting.begin(time, begin.name, ends.len());
                ends.push(has_ended.then_some(time));
            }
            Happening::End => {
                if let Some(place) = waiting.end(time, begin.name) {
                    ends[place] = Some(time);
                }
            }
            Happening::Complete(_) => {}
        }
    }
    ends
}
