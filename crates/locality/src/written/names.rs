//! Names as languages have them, each of one thing.

use std::collections::HashSet;

use crate::Program;

/// Words that are not names in C or in Python, and what texts use themselves.
const TAKEN: [&str; 93] = [
    "False",
    "MAX",
    "MIN",
    "None",
    "True",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
    "aligned_alloc",
    "allocate",
    "and",
    "as",
    "assert",
    "async",
    "auto",
    "await",
    "break",
    "case",
    "char",
    "class",
    "const",
    "continue",
    "dace",
    "def",
    "default",
    "del",
    "do",
    "double",
    "elif",
    "else",
    "enum",
    "except",
    "extern",
    "finally",
    "float",
    "for",
    "free",
    "from",
    "global",
    "goto",
    "if",
    "import",
    "in",
    "inline",
    "int",
    "int16_t",
    "int8_t",
    "is",
    "lambda",
    "long",
    "loops",
    "main",
    "malloc",
    "max",
    "min",
    "nonlocal",
    "not",
    "np",
    "or",
    "pass",
    "print",
    "raise",
    "range",
    "register",
    "restrict",
    "return",
    "sdfg",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "try",
    "typedef",
    "typeof",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "with",
    "yield",
    "exit",
    "abs",
    "node",
];

/// What things are called.
pub(super) struct Names {
    /// By variable of loops.
    pub(super) variables: Vec<String>,
    /// By container.
    pub(super) containers: Vec<String>,
    /// By container, what makes an element of its indices.
    pub(super) macros: Vec<String>,
}

impl Names {
    pub(super) fn new(program: &Program) -> Names {
        let mut taken: HashSet<String> = TAKEN.iter().map(|&word| word.to_owned()).collect();
        let mut own = |name: String| {
            let mut unique = name.clone();
            for number in 1.. {
                if taken.insert(unique.clone()) {
                    break;
                }
                unique = format!("{name}_{number}");
            }
            unique
        };
        let names = |name: &String| identifier(name);
        let variables = program.variables.iter().map(names).map(&mut own).collect();
        let called = |container: &crate::Container| identifier(&container.name);
        let containers: Vec<String> = program.containers.iter().map(called).map(&mut own).collect();
        let macros = containers.iter().map(|name| own(name.to_uppercase())).collect();
        Names { variables, containers, macros }
    }
}

/// A name as languages have it.
fn identifier(name: &str) -> String {
    let mut own: String =
        name.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect();
    if own.is_empty() || own.starts_with(|one: char| one.is_ascii_digit()) {
        own.insert(0, '_');
    }
    own
}
