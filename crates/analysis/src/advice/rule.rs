//! A rule, checked.

use profile::{UnitKind, is_link};

use super::FieldError;
use crate::Pattern;

/// Where rules stand that come along.
pub(super) const SHIPPED: &str = "built-in rule";

/// A rule as somebody wrote it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AdviceRule {
    /// A few words: what kind of thing it is.
    pub title: String,
    /// Regular expression of the functions' names; empty for all.
    pub name: String,
    /// Regular expression of their files' paths; empty for all.
    pub file: String,
    /// Regular expression of their modules' names; empty for all.
    pub module: String,
    /// Regular expression of names one of which is further out on the stack; empty where that is the same.
    pub below: String,
    /// Only what happens inside a loop, of profiles that know loops.
    pub in_loop: bool,
    /// Only what happens while the same function is on the stack already.
    pub recursive: bool,
    /// Only points that link contexts, each at the one that has this role in it, such as `reuse`: the first, if
    /// several have it. Empty for all points, where they count.
    pub role: String,
    /// The metric, by name; empty for the one that is looked at.
    pub metric: String,
    /// What the metric must count; none for anything.
    pub unit: Option<RuleUnit>,
    /// Which value decides.
    pub of: OfValue,
    /// What that is at least of the whole program, in percent.
    pub share: f64,
    /// A formula over the function's values, which must have a value other than 0; empty for none.
    pub when: String,
    /// What is said, as plain text.
    pub text: String,
    /// Where more is said: an address that begins with `https://`, `http://` or `file://`; may be empty.
    pub link: String,
    /// Where the rule stands, for people: a file and a line, or who ships it.
    pub origin: String,
}

/// What a metric counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleUnit {
    /// Time, or samples that were taken at equal distances of it.
    Time,
    /// Bytes.
    Bytes,
    /// Anything that is counted.
    Count,
}

impl RuleUnit {
    pub(super) fn is_of(self, kind: UnitKind, unit: &str) -> bool {
        let is_sampled = matches!(unit, "samples" | "sample");
        match self {
            RuleUnit::Time => kind == UnitKind::Time || is_sampled,
            RuleUnit::Bytes => kind == UnitKind::Bytes,
            RuleUnit::Count => kind != UnitKind::Time && kind != UnitKind::Bytes,
        }
    }
}

/// Which value of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OfValue {
    /// With what it calls.
    #[default]
    Total,
    /// Without.
    Own,
}

/// Why a rule is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdviceRuleError {
    /// A pattern does not compile.
    #[error(transparent)]
    Pattern(#[from] FieldError),
    /// It says nothing.
    #[error("title: a rule has a title")]
    NoTitle,
    /// It says too little.
    #[error("text: a rule says what to know or do")]
    NoText,
    /// It fits every function.
    #[error(
        "name: a rule has a name, file, module, below, in_loop, recursive or role, else it fits everything"
    )]
    FitsAll,
    /// A share is not a percentage.
    #[error("share: it is a percentage from 0 to 100")]
    Share,
    /// A link leads nowhere.
    #[error("link: it begins with https://, http:// or file://")]
    Link,
}

/// A rule with its patterns compiled.
pub(super) struct Compiled {
    pub(super) name: Option<Pattern>,
    pub(super) file: Option<Pattern>,
    pub(super) module: Option<Pattern>,
    pub(super) below: Option<Pattern>,
}

impl AdviceRule {
    /// Checks everything that does not depend on a profile.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub fn check(&self) -> Result<(), AdviceRuleError> {
        self.compile().map(drop)
    }

    pub(super) fn compile(&self) -> Result<Compiled, AdviceRuleError> {
        if self.title.trim().is_empty() {
            return Err(AdviceRuleError::NoTitle);
        }
        if self.text.trim().is_empty() {
            return Err(AdviceRuleError::NoText);
        }
        if !(0.0..=100.0).contains(&self.share) {
            return Err(AdviceRuleError::Share);
        }
        if !self.link.is_empty() && !is_link(&self.link) {
            return Err(AdviceRuleError::Link);
        }
        let pattern = |field, text: &str| match text {
            "" => Ok(None),
            text => Pattern::new(text).map(Some).map_err(|error| FieldError { field, error }),
        };
        let compiled = Compiled {
            name: pattern("name", &self.name)?,
            file: pattern("file", &self.file)?,
            module: pattern("module", &self.module)?,
            below: pattern("below", &self.below)?,
        };
        let Compiled { name, file, module, below } = &compiled;
        let chooses = [name, file, module, below].iter().any(|pattern| pattern.is_some());
        if !chooses && !self.in_loop && !self.recursive && self.role.is_empty() {
            return Err(AdviceRuleError::FitsAll);
        }
        Ok(compiled)
    }

    /// Whether it comes along, and nobody wrote it for a program of theirs.
    pub fn is_shipped(&self) -> bool {
        self.origin == SHIPPED
    }

    /// Whether it is about some occurrences of a function and not about all.
    pub(super) fn is_about_paths(&self) -> bool {
        !self.below.is_empty() || self.in_loop || self.recursive
    }
}
