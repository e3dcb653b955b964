//! Names that control flow reads, of symbols and containers.

use super::{Block, BlockKind, Code, InterstateEdge, Loop};

/// Names in code or in an expression that was printed.
fn words(code: &str) -> impl Iterator<Item = String> {
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty()).map(str::to_owned)
}

fn of_code(code: Option<&Code>) -> impl Iterator<Item = String> {
    code.into_iter().flat_map(|code| words(&code.text))
}

impl InterstateEdge {
    /// Names in its condition and in what it assigns.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        let values = self.assignments.iter().map(|(_, value)| value).chain(&self.condition);
        values.flat_map(|expr| words(&expr.to_string()).collect::<Vec<String>>())
    }
}

impl Block {
    /// Names in the conditions of its branches.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        let branches = match &self.kind {
            BlockKind::Conditional { branches, .. } => &branches[..],
            _ => &[],
        };
        branches.iter().flat_map(|(condition, _)| of_code(condition.as_ref()))
    }
}

impl Loop {
    /// Names in its header.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        [&self.init, &self.condition, &self.update]
            .into_iter()
            .flat_map(|code| of_code(code.as_ref()))
    }
}
