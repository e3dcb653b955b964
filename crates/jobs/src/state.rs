//! What a store remembers of a job besides what it is, and how that changes: the same in every store,
//! which only has to write it down whole.

use serde::{Deserialize, Serialize};

use crate::{
    BACK_OFF, Beat, Claim, Class, End, Ended, Error, Job, MOST_ATTEMPTS, MOST_FACTS, MOST_OUTPUT,
    Outcome, Phase, Progress,
};

/// Most bytes that are kept of what went wrong in one attempt.
const MOST_WHAT: usize = 8 << 10;

/// Where a job is, with what guards it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    /// Claims since it was added or asked for again.
    pub(crate) attempt: u32,
    /// Grows with each claim, and when the store itself ends what somebody holds.
    pub(crate) fence: u64,
    /// How often it was asked for again.
    pub(crate) round: u32,
    /// What went wrong in the attempts before.
    pub(crate) troubles: Vec<String>,
    /// Who had it last.
    pub(crate) worker: Option<String>,
    pub(crate) at: At,
}

/// Where a job is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum At {
    Waiting,
    /// Nanoseconds since 1970.
    Delayed {
        until: i64,
    },
    Running {
        since: i64,
        cancelled: bool,
    },
    Ended {
        at: i64,
        end: End,
    },
}

impl State {
    /// Of a job that was just added.
    pub(crate) fn new() -> State {
        State { attempt: 0, fence: 0, round: 0, troubles: vec![], worker: None, at: At::Waiting }
    }

    /// Gives the job, whose lease or back-off is over if it had one, to a worker; ends it instead if it
    /// was cancelled or tried often enough.
    pub(crate) fn claim(&mut self, worker: &str, now: i64) {
        self.expire(now);
        if matches!(self.at, At::Ended { .. }) {
            return;
        }
        self.attempt += 1;
        self.fence += 1;
        self.worker = Some(worker.to_owned());
        self.at = At::Running { since: now, cancelled: false };
    }

    /// The lease has ended: notes that, and ends a job that is not tried again.
    pub(crate) fn expire(&mut self, now: i64) {
        let At::Running { cancelled, .. } = self.at else { return };
        let worker = self.worker.as_deref().unwrap_or("a worker");
        let trouble = format!("attempt {}: lost contact with {worker}", self.attempt);
        self.troubles.push(trouble);
        if cancelled {
            self.fence += 1;
            self.at = At::Ended { at: now, end: End::Cancelled };
        } else if self.attempt >= MOST_ATTEMPTS {
            self.fence += 1;
            self.at = At::Ended { at: now, end: self.given_up() };
        }
    }

    /// Whether the end of the lease ends the job.
    pub(crate) fn ends_with_lease(&self) -> bool {
        let At::Running { cancelled, .. } = self.at else { return false };
        cancelled || self.attempt >= MOST_ATTEMPTS
    }

    /// What a worker learns that says that it goes on.
    pub(crate) fn beat(&self, claim: &Claim) -> Result<Beat, Error> {
        match self.at {
            At::Running { cancelled: false, .. } if self.fence == claim.fence => Ok(Beat::GoOn),
            At::Running { cancelled: true, .. } if self.fence == claim.fence => Ok(Beat::Cancelled),
            _ => Err(claim.fenced()),
        }
    }

    /// Ends an attempt; gives the back-off where it is to be tried again, and false if it was ended
    /// before and nothing changed.
    pub(crate) fn finish(
        &mut self,
        claim: &Claim,
        outcome: Outcome,
        now: i64,
    ) -> Result<bool, Error> {
        outcome.check()?;
        if self.fence != claim.fence {
            return Err(claim.fenced());
        }
        let At::Running { cancelled, .. } = self.at else { return Ok(false) };
        let end = match outcome {
            _ if cancelled => End::Cancelled,
            Outcome::Done { result, facts } => End::Done { result, facts },
            Outcome::Failed { class, what, mut output, result, facts } => {
                output.drain(..output.len().saturating_sub(MOST_OUTPUT));
                End::Failed { class, what: cut(what), output, result, facts }
            }
            Outcome::Retry { what } => {
                self.troubles.push(format!("attempt {}: {}", self.attempt, cut(what)));
                if self.attempt < MOST_ATTEMPTS {
                    let wait = i64::try_from(self.back_off().as_nanos()).unwrap_or(i64::MAX);
                    self.at = At::Delayed { until: now.saturating_add(wait) };
                    return Ok(true);
                }
                self.given_up()
            }
        };
        self.at = At::Ended { at: now, end };
        Ok(true)
    }

    /// How long it waits after the attempt that it is at.
    pub(crate) fn back_off(&self) -> std::time::Duration {
        let index = usize::try_from(self.attempt).unwrap_or(0).saturating_sub(1);
        BACK_OFF[index.min(BACK_OFF.len() - 1)]
    }

    /// Cancels it; false if nothing changed.
    pub(crate) fn cancel(&mut self, now: i64) -> bool {
        match &mut self.at {
            At::Waiting | At::Delayed { .. } => {
                self.at = At::Ended { at: now, end: End::Cancelled };
                true
            }
            At::Running { cancelled, .. } => !std::mem::replace(cancelled, true),
            At::Ended { .. } => false,
        }
    }

    /// Makes it wait anew; false if it has not ended.
    pub(crate) fn again(&mut self) -> bool {
        if !matches!(self.at, At::Ended { .. }) {
            return false;
        }
        let (fence, round) = (self.fence + 1, self.round + 1);
        *self = State { fence, round, ..State::new() };
        true
    }

    /// How it ended, for those who collect that.
    pub(crate) fn ended(&self, job: &Job) -> Option<Ended> {
        let At::Ended { at, end } = &self.at else { return None };
        Some(Ended {
            key: job.key,
            batch: job.batch.clone(),
            place: job.place,
            attempt: self.attempt,
            worker: self.worker.clone(),
            at: *at,
            end: end.clone(),
        })
    }

    /// Where it is, for people.
    pub(crate) fn phase(self, progress: Progress) -> Phase {
        match self.at {
            At::Waiting => Phase::Waiting,
            At::Delayed { until } => Phase::Delayed { until },
            At::Running { since, cancelled } => Phase::Running {
                worker: self.worker.unwrap_or_default(),
                since,
                progress,
                cancelled,
            },
            At::Ended { at, end } => Phase::Ended { at, end },
        }
    }

    fn given_up(&self) -> End {
        End::Failed {
            class: Class::Infrastructure,
            what: self.troubles.join("\n"),
            output: vec![],
            result: vec![],
            facts: vec![],
        }
    }
}

impl Claim {
    /// The error for who holds this and should not.
    pub(crate) fn fenced(&self) -> Error {
        Error::Fenced { key: self.job.key, attempt: self.attempt }
    }
}

impl Outcome {
    /// Nothing in it is too large.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let facts = match self {
            Outcome::Done { facts, .. } | Outcome::Failed { facts, .. } => facts.len(),
            Outcome::Retry { .. } => 0,
        };
        too_large(facts, MOST_FACTS, || "what is known of the run".to_owned())
    }
}

/// An error if something is larger than it may be.
pub(crate) fn too_large(
    bytes: usize,
    most: usize,
    what: impl FnOnce() -> String,
) -> Result<(), Error> {
    if bytes <= most {
        return Ok(());
    }
    Err(Error::TooLarge { what: what(), bytes: bytes as u64, most: most as u64 })
}

/// The beginning of a long text, whole letters.
fn cut(mut text: String) -> String {
    if text.len() > MOST_WHAT {
        text.truncate(text.floor_char_boundary(MOST_WHAT));
        text.push('…');
    }
    text
}
