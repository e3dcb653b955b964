//! Operations in Python tasklets, counted as DaCe's `work_depth` counts them, or all of them.
//!
//! An operator is one operation, so is a function of [`FUNCTIONS`]; comparisons, conditions and
//! subscripts are none unless [`Rules::Every`] counts, but what is worked out in them counts. Both
//! branches of a condition count.

use std::collections::HashMap;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprCall, ModExpression, Operator, Stmt};

use super::Rules;

/// What code does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Operations {
    /// All of them.
    pub(super) count: u32,
    /// The longest chain in which one needs another's result.
    pub(super) depth: u32,
    /// Calls of functions that are not known and count as none.
    pub(super) unknown_calls: u32,
}

/// Functions, their operations, and whether DaCe 1.x has them.
const FUNCTIONS: &[(&str, u32, bool)] = &[
    ("exp", 1, true),
    ("math.exp", 1, true),
    ("tanh", 1, true),
    ("math.tanh", 1, true),
    ("sin", 1, true),
    ("cos", 1, true),
    ("sqrt", 1, true),
    ("math.sqrt", 1, true),
    ("atan2", 1, true),
    ("exp2", 1, false),
    ("tan", 1, false),
    ("asin", 1, false),
    ("acos", 1, false),
    ("atan", 1, false),
    ("sinh", 1, false),
    ("cosh", 1, false),
    ("log", 1, false),
    ("log2", 1, false),
    ("log10", 1, false),
    ("cbrt", 1, false),
    ("int_floor", 1, false),
    ("int_ceil", 1, false),
    ("min", 0, true),
    ("max", 0, true),
    ("abs", 0, true),
    ("floor", 0, true),
    ("ceiling", 0, true),
];

/// Longer code is not looked at: an unknown stands for it.
const LONGEST: usize = if cfg!(target_family = "wasm") { 1 << 12 } else { 1 << 16 };
/// Code up to here nests little enough for any stack.
const SHORT: usize = 1 << 10;
/// Counts statements; nothing if they have loops or cannot be read.
pub(super) fn count_statements(code: &str, rules: Rules) -> Option<Operations> {
    on_a_stack_for(code, || {
        let parsed = ruff_python_parser::parse_module(code).ok()?;
        let mut counter = Counter::new(rules);
        for statement in &parsed.syntax().body {
            counter.statement(statement);
        }
        counter.finish()
    })
}

/// Counts an expression, such as the lambda of a write-conflict resolution.
pub(super) fn count_expression(code: &str, rules: Rules) -> Option<Operations> {
    on_a_stack_for(code, || {
        let parsed = ruff_python_parser::parse_expression(code.trim()).ok()?;
        let ModExpression { body, .. } = parsed.syntax();
        let mut counter = Counter::new(rules);
        counter.visit_expr(body);
        counter.finish()
    })
}

/// A syntax tree is as deep as its code is long at most, and dropping it calls itself.
fn on_a_stack_for(
    code: &str,
    count: impl FnOnce() -> Option<Operations> + Send,
) -> Option<Operations> {
    if code.len() <= SHORT {
        return count();
    }
    if code.len() > LONGEST { None } else { on_a_large_stack(count) }
}

#[cfg(not(target_family = "wasm"))]
fn on_a_large_stack(count: impl FnOnce() -> Option<Operations> + Send) -> Option<Operations> {
    /// Enough for [`LONGEST`] levels.
    const STACK: usize = 128 << 20;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn_scoped(scope, count).ok()?.join().ok()?
    })
}

/// There is one stack: [`LONGEST`] is what it holds.
#[cfg(target_family = "wasm")]
fn on_a_large_stack(count: impl FnOnce() -> Option<Operations>) -> Option<Operations> {
    count()
}

struct Counter<'a> {
    rules: Rules,
    count: u32,
    unknown_calls: u32,
    cannot: bool,
    /// Of what was visited since it was last set to 0.
    deepest: u32,
    /// How deep what a name holds was computed.
    depth_of: HashMap<&'a str, u32>,
    depth: u32,
}

impl<'a> Counter<'a> {
    fn new(rules: Rules) -> Counter<'a> {
        Counter {
            rules,
            count: 0,
            unknown_calls: 0,
            cannot: false,
            deepest: 0,
            depth_of: HashMap::new(),
            depth: 0,
        }
    }

    fn finish(self) -> Option<Operations> {
        let Counter { count, unknown_calls, rules, .. } = self;
        let depth = match rules {
            Rules::Dace1 => count,
            Rules::Exact | Rules::Every | Rules::Dace2 => self.depth.max(self.deepest),
        };
        (!self.cannot).then_some(Operations { count, depth, unknown_calls })
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::For(_) | Stmt::While(_) => self.cannot = true,
            Stmt::Assign(assign) => {
                let depth = self.depth_of(&assign.value);
                for target in &assign.targets {
                    self.visit_expr(target);
                    self.assign(target, depth);
                }
                self.depth = self.depth.max(depth);
            }
            Stmt::AugAssign(assign) => {
                self.count_operator(assign.op);
                let depth = 1 + self.depth_of(&assign.target).max(self.depth_of(&assign.value));
                self.assign(&assign.target, depth);
                self.depth = self.depth.max(depth);
            }
            other => {
                self.deepest = 0;
                walk_stmt(self, other);
                self.depth = self.depth.max(self.deepest);
            }
        }
    }

    fn assign(&mut self, target: &'a Expr, depth: u32) {
        match target {
            Expr::Name(name) => drop(self.depth_of.insert(name.id.as_str(), depth)),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|one| self.assign(one, depth)),
            Expr::List(list) => list.elts.iter().for_each(|one| self.assign(one, depth)),
            _ => {}
        }
    }

    fn count_operator(&mut self, operator: Operator) {
        self.cannot |= operator == Operator::MatMult;
        self.count = self.count.saturating_add(1);
    }

    /// Counts an expression, and gives its longest chain.
    fn depth_of(&mut self, expr: &'a Expr) -> u32 {
        let before = std::mem::take(&mut self.deepest);
        self.visit_expr(expr);
        std::mem::replace(&mut self.deepest, before)
    }

    /// So many operations, one after the other, and those of what they are of.
    fn chain(&mut self, expr: &'a Expr, operations: usize) {
        let operations = u32::try_from(operations).unwrap_or(u32::MAX);
        self.count = self.count.saturating_add(operations);
        walk_expr(self, expr);
        self.deepest = self.deepest.saturating_add(operations);
    }

    fn call(&mut self, call: &ExprCall) -> u32 {
        let name = dotted(&call.func);
        if self.rules == Rules::Every {
            return every_call(&name, call.arguments.args.len());
        }
        let is_dace1 = self.rules == Rules::Dace1;
        let known = FUNCTIONS
            .iter()
            .find(|(known, _, in_dace1)| *known == name && (*in_dace1 || !is_dace1));
        match known {
            Some(&(_, operations, _)) => operations,
            None if is_cast(&name) => 0,
            None => {
                self.unknown_calls += 1;
                0
            }
        }
    }
}

impl<'a> Visitor<'a> for Counter<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let before = self.deepest;
        self.statement(statement);
        self.deepest = self.deepest.max(before);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        let before = std::mem::take(&mut self.deepest);
        match expr {
            Expr::BinOp(operation) => {
                self.count_operator(operation.op);
                walk_expr(self, expr);
                self.deepest += 1;
            }
            Expr::UnaryOp(_) => {
                self.count = self.count.saturating_add(1);
                walk_expr(self, expr);
                self.deepest += 1;
            }
            Expr::Call(call) => {
                let operations = self.call(call);
                self.count = self.count.saturating_add(operations);
                walk_expr(self, expr);
                self.deepest += operations;
            }
            // Which of the two it is must be known first.
            Expr::If(choice) => {
                let test = self.depth_of(&choice.test);
                let branches = self.depth_of(&choice.body).max(self.depth_of(&choice.orelse));
                let choosing = u32::from(self.rules == Rules::Every);
                self.count = self.count.saturating_add(choosing);
                self.deepest = test + branches + choosing;
            }
            Expr::Compare(comparison) if self.rules == Rules::Every => {
                self.chain(expr, comparison.ops.len());
            }
            Expr::BoolOp(operation) if self.rules == Rules::Every => {
                self.chain(expr, operation.values.len().saturating_sub(1));
            }
            Expr::Name(name) => {
                self.deepest = self.depth_of.get(name.id.as_str()).copied().unwrap_or(0);
            }
            _ => walk_expr(self, expr),
        }
        self.deepest = self.deepest.max(before);
    }
}

/// Operations of a call where all count.
fn every_call(name: &str, arguments: usize) -> u32 {
    let last = name.rsplit('.').next().unwrap_or(name);
    match last {
        _ if is_cast(name) => 0,
        "min" | "max" => u32::try_from(arguments.max(2) - 1).unwrap_or(u32::MAX),
        _ => 1,
    }
}

fn dotted(function: &Expr) -> String {
    let mut parts = vec![];
    let mut one = function;
    loop {
        match one {
            Expr::Attribute(attribute) => {
                parts.push(attribute.attr.as_str());
                one = &attribute.value;
            }
            Expr::Name(name) => {
                parts.push(name.id.as_str());
                parts.reverse();
                return parts.join(".");
            }
            _ => return String::new(),
        }
    }
}

/// `int`, `float64`, `dace.uint16`: no operation.
pub(super) fn is_cast(name: &str) -> bool {
    let modules = ["dace.", "numpy.", "np."];
    let name = modules.iter().find_map(|module| name.strip_prefix(module)).unwrap_or(name);
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(letters, "int" | "uint" | "float" | "bool" | "bool_" | "complex" | "double" | "bfloat")
}
