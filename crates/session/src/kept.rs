//! Answers that are kept for whoever asks the same again.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use crate::lock;

/// A question about a document. Equal questions have equal answers.
pub(crate) trait Question: Eq + Hash + Send + Sync + 'static {
    /// What answers it.
    type Answer: Send + Sync + 'static;
    /// How many answers are kept: those that were asked for last.
    const KEPT: usize;
}

/// The answers to questions of any type. Types are told apart at run time: code for each of them would make
/// an engine inside a page some 30 kB larger, compressed.
#[derive(Default)]
pub(crate) struct Kept(Mutex<HashMap<TypeId, Vec<Entry>>>);

type Thing = dyn Any + Send + Sync;

/// A question that was asked.
struct Entry {
    hash: u64,
    question: Box<Thing>,
    slot: Slot,
}

/// Where an answer is, and who is told of it.
type Slot = Arc<(Mutex<State>, Condvar)>;

#[derive(Default)]
enum State {
    #[default]
    Unknown,
    /// Somebody works it out: nobody does it twice.
    Making,
    Known(Arc<Thing>),
}

/// How long is waited for somebody else's answer between two looks at whether ours is still wanted.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

impl Kept {
    /// The answer to a question.
    ///
    /// # Errors
    /// Those of `make`, which is called where the answer is not kept. An error is not kept.
    pub(crate) fn answer<Q: Question, E>(
        &self,
        question: Q,
        make: impl FnOnce() -> Result<Q::Answer, E>,
    ) -> Result<Arc<Q::Answer>, E> {
        let mut hasher = DefaultHasher::new();
        // One hasher for all types: code that hashes them is small so.
        question.hash(&mut (&mut hasher as &mut dyn Hasher));
        let is_same =
            |one: &Thing, other: &Thing| one.downcast_ref::<Q>() == other.downcast_ref::<Q>();
        let of = TypeId::of::<Q>();
        let asked = (of, hasher.finish(), Box::new(question) as Box<Thing>);
        let slot = self.slot(asked, is_same, Q::KEPT);
        if let Some(known) = known_or_mine(&slot) {
            return Ok(known.downcast().expect("answers stand beside questions of their type"));
        }
        let mut making = Making { kept: self, of, slot: &slot, made: None };
        let made = Arc::new(make()?);
        making.made = Some(made.clone());
        Ok(made)
    }

    /// The answer to a question that always has one.
    pub(crate) fn made<Q: Question>(
        &self,
        question: Q,
        make: impl FnOnce() -> Q::Answer,
    ) -> Arc<Q::Answer> {
        let Ok(answer) = self.answer(question, || Ok::<_, Infallible>(make()));
        answer
    }

    /// Where the answer to a question of a type, with this hash, is or will be.
    fn slot(
        &self,
        (of, hash, question): (TypeId, u64, Box<Thing>),
        is_same: fn(&Thing, &Thing) -> bool,
        most: usize,
    ) -> Slot {
        let mut all = lock(&self.0);
        let entries = all.entry(of).or_default();
        let known = entries
            .iter()
            .position(|known| known.hash == hash && is_same(&*known.question, &*question));
        let entry = match known {
            Some(at) => entries.remove(at),
            None => Entry { hash, question, slot: Slot::default() },
        };
        let slot = entry.slot.clone();
        // Those that were asked for last stand at the end.
        entries.push(entry);
        if entries.len() > most.max(1) {
            entries.remove(0);
        }
        slot
    }
}

/// The answer, if it is known or somebody else finds it meanwhile; else it is the caller's to make.
fn known_or_mine((state, told): &(Mutex<State>, Condvar)) -> Option<Arc<Thing>> {
    loop {
        let mut state = lock(state);
        match &*state {
            State::Known(known) => return Some(known.clone()),
            State::Unknown => {
                *state = State::Making;
                return None;
            }
            State::Making => drop(told.wait_timeout(state, BETWEEN_LOOKS)),
        }
        work::see(work::Progress { phase: "waiting for the same answer", done: 0, total: 1 });
    }
}

/// An answer in the making. Where nothing comes of it, the question is as if it had not been asked.
struct Making<'a> {
    kept: &'a Kept,
    of: TypeId,
    slot: &'a Slot,
    made: Option<Arc<Thing>>,
}

impl Drop for Making<'_> {
    fn drop(&mut self) {
        let (state, told) = &**self.slot;
        *lock(state) = match self.made.take() {
            Some(made) => State::Known(made),
            None => {
                if let Some(entries) = lock(&self.kept.0).get_mut(&self.of) {
                    entries.retain(|entry| !Arc::ptr_eq(&entry.slot, self.slot));
                }
                State::Unknown
            }
        };
        told.notify_all();
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} kinds of answers", lock(&self.0).len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(PartialEq, Eq, Hash)]
    struct Square(u32);

    impl Question for Square {
        type Answer = u32;
        const KEPT: usize = 2;
    }

    #[derive(PartialEq, Eq, Hash)]
    struct Cube(u32);

    impl Question for Cube {
        type Answer = u32;
        const KEPT: usize = 1;
    }

    fn square(kept: &Kept, number: u32, asked: &mut Vec<u32>) -> u32 {
        let answer = kept.answer(Square(number), || {
            asked.push(number);
            Ok::<_, ()>(number * number)
        });
        *answer.expect("an answer")
    }

    #[test]
    fn what_was_requested_last_is_kept() {
        let kept = Kept::default();
        let mut asked = vec![];
        for number in [3, 4, 3, 5, 3, 4] {
            assert_eq!(square(&kept, number, &mut asked), number * number);
        }
        assert_eq!(asked, [3, 4, 5, 4]);
    }

    #[test]
    fn questions_of_two_types_have_their_own_answers() {
        let kept = Kept::default();
        let cube = kept.answer(Cube(3), || Ok::<_, ()>(27));
        assert_eq!(cube, Ok(Arc::new(27)));
        assert_eq!(square(&kept, 3, &mut vec![]), 9);
    }

    #[test]
    fn an_error_is_not_kept() {
        let kept = Kept::default();
        assert_eq!(kept.answer(Square(1), || Err("not now")), Err("not now"));
        assert_eq!(kept.answer(Square(1), || Ok::<_, &str>(1)), Ok(Arc::new(1)));
        // Nor does it take the place of an answer.
        let mut asked = vec![];
        square(&kept, 2, &mut asked);
        for number in 10..20 {
            assert_eq!(kept.answer(Square(number), || Err(number)), Err(number));
        }
        square(&kept, 2, &mut asked);
        assert_eq!(asked, [2]);
    }

    #[test]
    fn who_waits_for_somebody_else_can_be_stopped() {
        struct Stop;
        impl work::Watch for Stop {
            fn is_stopped(&self) -> bool {
                true
            }
            fn see(&self, _: work::Progress) {}
        }
        let kept = Kept::default();
        let (begun, end) = (std::sync::Barrier::new(2), std::sync::Barrier::new(2));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                kept.made(Square(3), || {
                    begun.wait();
                    end.wait();
                    9
                })
            });
            begun.wait();
            let waiting = work::watched(Arc::new(Stop), || kept.made(Square(3), || 0));
            assert_eq!(waiting, Err(work::Stopped));
            end.wait();
        });
        assert_eq!(*kept.made(Square(3), || 0), 9);
    }

    #[test]
    fn a_panic_leaves_the_question_to_the_next() {
        let kept = Kept::default();
        let made = || kept.made(Square(1), || panic!("on purpose"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(made)).is_err());
        assert_eq!(*kept.made(Square(1), || 1), 1);
    }

    #[test]
    fn two_who_ask_at_once_get_one_answer() {
        let kept = Kept::default();
        let asked = std::sync::atomic::AtomicU32::new(0);
        let ask = || {
            kept.answer(Square(2), || {
                std::thread::sleep(std::time::Duration::from_millis(20));
                asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                Ok::<_, ()>(4)
            })
        };
        let [one, other] = std::thread::scope(|scope| {
            [scope.spawn(ask), scope.spawn(ask)].map(|thread| thread.join().expect("no panic"))
        });
        assert!(Arc::ptr_eq(&one.expect("4"), &other.expect("4")));
        assert_eq!(asked.into_inner(), 1);
    }
}
