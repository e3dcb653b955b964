//! What is known of a member besides what was measured in it: the conditions it ran in, figures of the
//! run as a whole, and what else whoever reads it should know.

use crate::{MemberId, Profile, StringId};

/// One thing that is known of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fact {
    /// What it is, such as `interpreter`, `wall time`, `kernel`. A member has each name once.
    pub name: StringId,
    /// What it says about the member.
    pub kind: FactKind,
    /// What it is for this member.
    pub value: FactValue,
}

/// What a fact says about its member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FactKind {
    /// A condition that was chosen: members are in one cell where all of these are equal.
    Factor,
    /// A figure of the member as a whole, which can be compared.
    Measure,
    /// Something to know.
    Note,
}

/// What a fact is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactValue {
    /// A text.
    Text(StringId),
    /// A whole number of a unit; the unit is empty for counts.
    Number(i64, StringId),
}

impl FactKind {
    /// Every kind.
    pub const ALL: [FactKind; 3] = [FactKind::Factor, FactKind::Measure, FactKind::Note];

    /// For people and programs.
    pub fn name(self) -> &'static str {
        match self {
            FactKind::Factor => "factor",
            FactKind::Measure => "measure",
            FactKind::Note => "note",
        }
    }
}

impl Fact {
    /// The strings that it names.
    pub fn strings(&self) -> [StringId; 2] {
        match self.value {
            FactValue::Text(text) => [self.name, text],
            FactValue::Number(_, unit) => [self.name, unit],
        }
    }

    /// The same with other numbers for its strings.
    pub fn with_strings(self, of: impl Fn(StringId) -> StringId) -> Fact {
        let value = match self.value {
            FactValue::Text(text) => FactValue::Text(of(text)),
            FactValue::Number(number, unit) => FactValue::Number(number, of(unit)),
        };
        Fact { name: of(self.name), value, ..self }
    }
}

impl Profile {
    /// What is known of a member under a name; none where nothing is.
    pub fn fact(&self, member: MemberId, name: &str) -> Option<&Fact> {
        let facts = &self.members.get(member.index())?.facts;
        facts.iter().find(|fact| self.text(fact.name) == name)
    }

    /// The same, if it is a text.
    pub fn fact_text(&self, member: MemberId, name: &str) -> Option<&str> {
        match self.fact(member, name)?.value {
            FactValue::Text(text) => Some(self.text(text)),
            FactValue::Number(..) => None,
        }
    }
}
