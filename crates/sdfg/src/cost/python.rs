//! Operations in Python tasklets, counted as DaCe's `work_depth` counts them, or all of them.
//!
//! An operator is one operation, so is a function of [`FUNCTIONS`]; comparisons, conditions and
//! subscripts are none unless [`Rules::Every`] counts, but what is worked out in them counts. Of the
//! branches of a condition the one of the most operations counts; by DaCe's rules all do.

use std::collections::HashMap;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprCall, ModExpression, Operator, Stmt, StmtIf};

use crate::cost::rules::Rules;

/// What code does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Operations {
    /// All of them.
    pub(super) count: u32,
    /// The longest chain in which one needs another's result.
    pub(super) depth: u32,
    /// Whether it calls functions that are not known: they may do anything.
    pub(super) is_opaque: bool,
    /// A run may do less: branches differ, or not all of a condition is looked at.
    pub(super) may_be_less: bool,
    /// The chain may be shorter.
    pub(super) may_be_shallower: bool,
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
    ("pow", 1, false),
    ("ipow", 1, false),
    ("int_floor", 1, false),
    ("int_ceil", 1, false),
    ("min", 0, true),
    ("max", 0, true),
    ("abs", 0, true),
    ("floor", 0, true),
    ("ceiling", 0, true),
];

/// Functions of numbers that are not an operation, by the last part of their name.
pub(super) const FREE: &[&str] = &[
    "abs",
    "fabs",
    "fmin",
    "fmax",
    "min",
    "max",
    "Min",
    "Max",
    "Abs",
    "floor",
    "ceil",
    "ceiling",
    "round",
    "rint",
    "trunc",
    "sign",
    "copysign",
    "fmod",
    "Mod",
    "erf",
    "erfc",
    "lgamma",
    "tgamma",
    "gamma",
    "hypot",
    "log1p",
    "expm1",
    "conj",
    "conjugate",
    "real",
    "imag",
    "isnan",
    "isinf",
    "isfinite",
    "heaviside",
    "nearbyint",
    "signbit",
    "fma",
    "ldexp",
    "asinh",
    "acosh",
    "atanh",
    "left_shift",
    "right_shift",
    "reinterpret",
    "clip",
    "minimum",
    "maximum",
    "where",
    "merge",
    "len",
    "size",
    "get",
    "move",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "bitwise_invert",
    "logical_and",
    "logical_or",
    "logical_not",
    "logical_xor",
    "absolute",
    "square",
    "reciprocal",
    "negative",
    "positive",
    "deg2rad",
    "rad2deg",
    "degrees",
    "radians",
    "fmod",
    "remainder",
    "mod",
    "floor_divide",
    "divide",
    "true_divide",
    "add",
    "subtract",
    "multiply",
    "power",
    "float_power",
    "logaddexp",
    "logaddexp2",
    "spacing",
    "nextafter",
    "not_equal",
    "equal",
    "less",
    "greater",
    "less_equal",
    "greater_equal",
    "angle",
    "arcsin",
    "arccos",
    "arctan",
    "arctan2",
    "arcsinh",
    "arccosh",
    "arctanh",
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
        counter.is_lambda_alone = true;
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
    is_opaque: bool,
    cannot: bool,
    /// What is counted is the body of a lambda.
    is_lambda_alone: bool,
    may_be_less: bool,
    may_be_shallower: bool,
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
            is_opaque: false,
            cannot: false,
            is_lambda_alone: false,
            may_be_less: false,
            may_be_shallower: false,
            deepest: 0,
            depth_of: HashMap::new(),
            depth: 0,
        }
    }

    fn finish(self) -> Option<Operations> {
        let Counter { count, is_opaque, rules, may_be_less, may_be_shallower, .. } = self;
        let depth = match rules {
            Rules::Dace1 => count,
            Rules::Exact | Rules::Every | Rules::Dace2 => self.depth.max(self.deepest),
        };
        (!self.cannot).then_some(Operations {
            count,
            depth,
            is_opaque,
            may_be_less,
            may_be_shallower,
        })
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
            Stmt::If(choice) if self.rules.is_exact() => self.choice(choice),
            other => {
                self.may_be_less |= matches!(other, Stmt::Match(_) | Stmt::Try(_));
                self.deepest = 0;
                walk_stmt(self, other);
                self.depth = self.depth.max(self.deepest);
            }
        }
    }

    /// Tests one after the other until one holds, and the branch behind it.
    fn choice(&mut self, choice: &'a StmtIf) {
        let clauses = choice.elif_else_clauses.iter();
        let clauses = clauses.map(|clause| (clause.test.as_ref(), &clause.body));
        let clauses = std::iter::once((Some(&*choice.test), &choice.body)).chain(clauses);
        let (count_before, names_before) = (self.count, self.depth_of.clone());
        let (mut tests, mut depth_of_tests) = (count_before, 0);
        let mut ways = vec![];
        let mut has_else = false;
        let mut names = names_before.clone();
        for (test, body) in clauses {
            if let Some(test) = test {
                self.count = tests;
                self.depth_of.clone_from(&names_before);
                depth_of_tests += self.depth_of(test);
                tests = self.count;
            }
            has_else |= test.is_none();
            self.count = tests;
            self.depth_of.clone_from(&names_before);
            let depth = std::mem::take(&mut self.depth);
            body.iter().for_each(|statement| self.statement(statement));
            ways.push((self.count, self.depth));
            self.depth = depth;
            for (&name, &depth) in &self.depth_of {
                if names_before.get(name) != Some(&depth) {
                    let known = names.entry(name).or_default();
                    *known = (*known).max(depth_of_tests + depth);
                }
            }
        }
        if !has_else {
            ways.push((tests, 0));
        }
        let differ = |one: fn(&(u32, u32)) -> u32| {
            let first = ways.first().map(one);
            ways.iter().any(|way| Some(one(way)) != first)
        };
        self.may_be_less |= differ(|way| way.0);
        // What is computed before may be computed while it is tested.
        self.may_be_shallower |= differ(|way| way.1) || depth_of_tests > 0;
        self.count = ways.iter().map(|way| way.0).max().unwrap_or(tests);
        let deepest = ways.iter().map(|way| way.1).max().unwrap_or(0);
        self.depth = self.depth.max(depth_of_tests + deepest);
        self.depth_of = names;
    }

    /// Visits what is not looked at in each run; whether it has operations.
    fn visit_less(&mut self, expr: &'a Expr) {
        let before = self.count;
        self.visit_expr(expr);
        let is_more = self.count != before;
        self.may_be_less |= is_more && self.rules.is_exact();
        self.may_be_shallower |= is_more && self.rules.is_exact();
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

    /// Conditions, the later of which are looked at only if the first do not decide, with so many
    /// operations.
    fn chain(&mut self, first: &[&'a Expr], later: &'a [Expr], operations: usize) {
        let operations = match self.rules {
            Rules::Every => u32::try_from(operations).unwrap_or(u32::MAX),
            Rules::Exact | Rules::Dace1 | Rules::Dace2 => 0,
        };
        self.count = self.count.saturating_add(operations);
        first.iter().for_each(|one| self.visit_expr(one));
        later.iter().for_each(|one| self.visit_less(one));
        self.deepest = self.deepest.saturating_add(operations);
    }

    fn call(&mut self, call: &ExprCall) -> u32 {
        let name = dotted(&call.func);
        let last = name.rsplit('.').next().unwrap_or(&name);
        let is_known = FUNCTIONS.iter().any(|(known, ..)| *known == name || *known == last);
        self.is_opaque |= !is_known && !FREE.contains(&last) && !is_cast(&name);
        if self.rules == Rules::Every {
            return every_call(&name, call.arguments.args.len());
        }
        let is_dace1 = self.rules == Rules::Dace1;
        let known = FUNCTIONS
            .iter()
            .find(|(known, _, in_dace1)| *known == name && (*in_dace1 || !is_dace1));
        match known {
            Some(&(_, operations, _)) => operations,
            None => 0,
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
                let choosing = u32::from(self.rules == Rules::Every);
                self.count = self.count.saturating_add(choosing);
                let before = self.count;
                let body = self.depth_of(&choice.body);
                let behind_body = self.count;
                if self.rules.is_exact() {
                    self.count = before;
                }
                let other = self.depth_of(&choice.orelse);
                if self.rules.is_exact() {
                    self.may_be_less |= self.count != behind_body;
                    self.may_be_shallower |= body != other;
                    self.count = self.count.max(behind_body);
                }
                self.deepest = test + body.max(other) + choosing;
            }
            Expr::Compare(comparison) => {
                let (first, later) =
                    comparison.comparators.split_at(1.min(comparison.comparators.len()));
                let first: Vec<&Expr> = std::iter::once(&*comparison.left).chain(first).collect();
                self.chain(&first, later, comparison.ops.len());
                let is_less = comparison.ops.len() > 1 && self.rules == Rules::Every;
                self.may_be_less |= is_less;
                self.may_be_shallower |= is_less;
            }
            Expr::BoolOp(operation) => {
                let (first, later) = operation.values.split_at(1.min(operation.values.len()));
                let first: Vec<&Expr> = first.iter().collect();
                self.chain(&first, later, operation.values.len().saturating_sub(1));
            }
            // How often it is called, it does not say.
            Expr::Lambda(_) if !std::mem::take(&mut self.is_lambda_alone) => self.cannot = true,
            Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {
                self.cannot = true;
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
