//! Conditions on the edges out of a block.

use crate::expr::{Expr, Function};

/// Whether one holds where the other does not.
pub(super) fn is_opposite(one: Option<&Expr>, other: Option<&Expr>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    let is_not = |one: &Expr, other: &Expr| {
        Expr::call(Function::Not, vec![one.clone()]).is_ok_and(|not| not == *other)
    };
    is_not(one, other) || is_not(other, one)
}

/// Whether none of the conditions on the edges out of a block may hold, so that its region ends there.
pub(super) fn may_all_fail(conditions: &[Option<&Expr>]) -> bool {
    match *conditions {
        [] => false,
        [Some(one), Some(other)] => !is_opposite(Some(one), Some(other)),
        _ => conditions.iter().all(Option::is_some),
    }
}
