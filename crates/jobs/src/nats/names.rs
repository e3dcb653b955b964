//! What things are called on the server.

use crate::{Key, Needs};

/// Longest token of a subject that is written out.
const LONGEST: usize = 128;

/// Names of one queue, which all begin with its own.
#[derive(Debug, Clone)]
pub(super) struct Names(pub(super) String);

impl Names {
    /// Of a stream, bucket or store of the queue.
    pub(super) fn of(&self, what: &str) -> String {
        format!("{}-{what}", self.0)
    }

    /// All subjects of a stream.
    pub(super) fn all(&self, what: &str) -> String {
        format!("{}.{what}.>", self.0)
    }

    /// Where a job waits: `hotframe.jobs.architecture.x86_64.KEY.ROUND`.
    pub(super) fn job(&self, needs: &Needs, key: &Key, round: u32) -> String {
        format!("{}.{key}.{round}", self.place(needs))
    }

    /// Where jobs with these needs wait. No two of these overlap: they differ in a token or in their
    /// number.
    pub(super) fn jobs(&self, needs: &Needs) -> String {
        format!("{}.*.*", self.place(needs))
    }

    /// Who hands out jobs with these needs.
    pub(super) fn consumer(&self, needs: &Needs) -> String {
        let digits = Key::new(self.place(needs).as_bytes()).to_string();
        format!("needs-{}", &digits[..32])
    }

    /// The end of a job.
    pub(super) fn end(&self, batch: &str, key: &Key, round: u32) -> String {
        format!("{}.ends.{}.{key}.{round}", self.0, token(batch))
    }

    /// All ends of a batch.
    pub(super) fn ends(&self, batch: &str) -> String {
        format!("{}.ends.{}.>", self.0, token(batch))
    }

    /// The log of a job.
    pub(super) fn log(&self, key: &Key) -> String {
        format!("{}.logs.{key}", self.0)
    }

    fn place(&self, needs: &Needs) -> String {
        let mut place = format!("{}.jobs", self.0);
        for (name, value) in needs.iter() {
            place.push_str(&format!(".{}.{}", token(name), token(value)));
        }
        if needs.is_empty() {
            place.push_str(".any");
        }
        place
    }
}

/// The key of a job's state.
pub(super) fn state(batch: &str, key: &Key) -> String {
    format!("{}.{key}", token(batch))
}

/// The keys of all states of a batch.
pub(super) fn states(batch: &str) -> String {
    format!("{}.*", token(batch))
}

/// The key and round of a job by where it waits.
pub(super) fn job_at(subject: &str) -> Option<(Key, u32)> {
    let mut tokens = subject.rsplit('.');
    let round = tokens.next()?.parse().ok()?;
    Some((tokens.next()?.parse().ok()?, round))
}

/// Any text as a part of a subject: what is odd in it is `=` and two digits a byte. Different texts have
/// different tokens.
pub(super) fn token(text: &str) -> String {
    if text.is_empty() {
        return "=".to_owned();
    }
    let mut token = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => token.push(byte.into()),
            _ => token.push_str(&format!("={byte:02x}")),
        }
    }
    if token.len() > LONGEST {
        return format!("=={}", Key::new(text.as_bytes()));
    }
    token
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_a_token_of_its_own() {
        assert_eq!(token("x86_64"), "x86_64");
        assert_eq!(token("3.12 (*)"), "3=2e12=20=28=2a=29");
        assert_eq!(token(""), "=");
        let long = "x".repeat(129);
        assert!(token(&long).len() < 70);
        let texts = ["", "=", "==", "=2e", ".", "a.b", "a", "A", ">", "*", "ä", &long];
        let mut tokens: Vec<_> = texts.iter().map(|text| token(text)).collect();
        assert!(tokens.iter().all(|token| !token.contains(['.', '*', '>', ' '])));
        tokens.sort();
        tokens.dedup();
        assert_eq!(tokens.len(), texts.len());
    }

    #[test]
    fn jobs_are_found_again_by_their_subjects() {
        let names = Names("q".to_owned());
        let needs = Needs::none().with("interpreter", "3.12");
        let subject = names.job(&needs, &Key::new(b"x"), 7);
        assert_eq!(subject, format!("q.jobs.interpreter.3=2e12.{}.7", Key::new(b"x")));
        assert_eq!(job_at(&subject), Some((Key::new(b"x"), 7)));
        assert_eq!(names.jobs(&Needs::none()), "q.jobs.any.*.*");
    }
}
