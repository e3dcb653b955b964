//! The rules and which of them count.

/// How a function of the base is found in the new profile. The order is that of [`Rule::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Name, place and first line are the same.
    Exact,
    /// Name and place are the same. Lines of the base are told as far from the function's first
    /// line in the new profile as they are in the base, so that views by line compare the same
    /// lines; where no first line is known they stay as they are.
    Line,
    /// The name is the same, and both profiles have it once.
    Moved,
    /// The name is the same without what compilers append: suffixes of clones (`.part.0`,
    /// `.isra.1`, `.cold`, `.llvm.123`), hashes (Rust's `::h0123456789abcdef` and crate hashes,
    /// addresses of Java's lambda classes) and numbers of closures (Go's `func1`, Java's
    /// `lambda$main$0`; only where none of the closures kept its number).
    Clone,
    /// The name is the same without the arguments of templates and generics: `sort<int>` and
    /// `sort<long>`; where functions are told apart by them, also without parameters and result.
    Template,
    /// Another name, but called by the same functions and calling the same: a guess, whose score
    /// `matching/renamed.rs` defines.
    Renamed,
}

impl Rule {
    /// Every rule, in the order in which they are asked.
    pub const ALL: [Rule; 6] =
        [Rule::Exact, Rule::Line, Rule::Moved, Rule::Clone, Rule::Template, Rule::Renamed];

    /// The rule of this name.
    pub fn named(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Exact => "exact",
            Rule::Line => "line",
            Rule::Moved => "moved",
            Rule::Clone => "clone",
            Rule::Template => "template",
            Rule::Renamed => "renamed",
        }
    }

    /// One sentence for people.
    pub fn description(self) -> &'static str {
        match self {
            Rule::Exact => "Same name, file (or module) and first line; always on.",
            Rule::Line => "Same name and file; lines count from the function's first line.",
            Rule::Moved => "Same name in another file or module, the only one of its name.",
            Rule::Clone => "Same name without compilers' suffixes, hashes and numbers of closures.",
            Rule::Template => "Same name without the arguments of templates and generics.",
            Rule::Renamed => {
                "Another name, but the same callers and callees, and a similar name or value."
            }
        }
    }
}

/// Which rules count. [`Rule::Exact`] always does: what is equal is one in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    bits: u8,
}

impl Rules {
    /// These rules.
    pub fn new(rules: impl IntoIterator<Item = Rule>) -> Rules {
        Rules { bits: rules.into_iter().fold(bit(Rule::Exact), |bits, rule| bits | bit(rule)) }
    }

    /// Whether a rule counts.
    pub fn contains(self, rule: Rule) -> bool {
        self.bits & bit(rule) != 0
    }
}

impl Default for Rules {
    /// All but [`Rule::Renamed`], which guesses.
    fn default() -> Rules {
        Rules::new(Rule::ALL.into_iter().filter(|&rule| rule != Rule::Renamed))
    }
}

fn bit(rule: Rule) -> u8 {
    1 << rule as u8
}
