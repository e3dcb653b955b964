//! The labels of `pprof -dot`.
//!
//! ```text
//! N1 [label="main\nwork\n1.20s (40.00%)\nof 3s (100%)" id="node1" tooltip="main.work (3s)"]
//! N1 -> N2 [label=" 0.50s" tooltip="main.work -> main.leaf (0.50s)"]
//! ```
//! Nodes have their own amount and, where it differs, the one with callees; edges have an amount
//! without a share, which that of the nodes tells.

use super::Attributes;
use crate::numbers::decimal::Decimal;

/// A function of the drawing. Shares are in hundredths of a percent.
pub(super) struct Node {
    pub(super) name: String,
    pub(super) own: i64,
    pub(super) total: i64,
    /// The amount that is `total`.
    amount: f64,
}

impl Node {
    /// The function that a node's label and tooltip tell, if it is one of pprof's.
    pub(super) fn new(attributes: &Attributes) -> Option<Node> {
        let name = attributes.tooltip.rsplit_once(" (")?.0;
        let mut lines = attributes.label.trim_end().rsplit('\n');
        let last = lines.next()?;
        // `0 of 3s (100%)` in one line; `of 3s (100%)` below the own amount; or that alone.
        let (own, (amount, total)) = match last.strip_prefix("0 of ") {
            Some(total) => (0, shared(total)?),
            None => match last.strip_prefix("of ") {
                Some(total) => (shared(lines.next()?)?.1, shared(total)?),
                None => {
                    let only = shared(last)?;
                    (only.1, only)
                }
            },
        };
        Some(Node { name: name.to_owned(), own, total, amount })
    }
}

/// How much of the total amounts are: told by the node with the most.
#[derive(Default)]
pub(super) struct Amounts {
    most: f64,
    share: i64,
}

impl Amounts {
    pub(super) fn learn(&mut self, node: &Node) {
        if node.amount > self.most {
            (self.most, self.share) = (node.amount, node.total);
        }
    }

    /// The share of an amount; none where no node has any.
    pub(super) fn share(&self, amount: f64) -> Option<i64> {
        let share = amount / self.most * self.share as f64;
        (self.most > 0.0 && share.is_finite()).then_some(share.round() as i64)
    }
}

/// `1.20s (40.00%)`: an amount, and its share.
fn shared(text: &str) -> Option<(f64, i64)> {
    let (number, share) = text.strip_suffix("%)")?.split_once(" (")?;
    Some((amount(number)?, Decimal::parse(share.trim().as_bytes())?.to_scaled(2)?))
}

/// An amount in its smallest unit: of time, of bytes, or of nothing. What follows a blank, such as
/// `(inline)`, is a remark.
pub(super) fn amount(text: &str) -> Option<f64> {
    let word = text.split_whitespace().next()?;
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
    let unit = word.trim_start_matches(is_number);
    let number: f64 = word[..word.len() - unit.len()].parse().ok()?;
    let factor = match unit {
        "" | "ns" | "B" => 1.0,
        "us" | "µs" | "\u{3bc}s" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "min" | "mins" => 60e9,
        "hr" | "hrs" => 3600e9,
        "day" | "days" => 86_400e9,
        "kB" | "KB" => 1024.0,
        "MB" => 1_048_576.0,
        "GB" => 1_073_741_824.0,
        "TB" => 1_099_511_627_776.0,
        _ => return None,
    };
    Some(number * factor)
}
