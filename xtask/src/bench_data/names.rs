//! Names as Go, C++ and Rust compilers give them, for a program that does not exist.

use super::random::Random;

/// The language that a module is written in decides how its names look.
#[derive(Clone, Copy)]
pub(super) enum Language {
    /// `net/http.(*conn).serve`
    Go,
    /// `query::Planner::push_down(query::Node const&)`
    Cpp,
    /// `codec::frame::Reader::decode_block`
    Rust,
}

/// A package, namespace or crate.
pub(super) struct Module {
    pub(super) language: Language,
    pub(super) path: &'static str,
    /// Index into [`MAPPINGS`].
    pub(super) mapping: usize,
}

/// The object files, the program itself first.
pub(super) const MAPPINGS: [&str; 4] = [
    "/srv/checkout/bin/checkout",
    "/srv/checkout/lib/libquery.so.4",
    "/srv/checkout/lib/libcodec.so",
    "/usr/lib/x86_64-linux-gnu/libc.so.6",
];

const fn go(path: &'static str) -> Module {
    Module { language: Language::Go, path, mapping: 0 }
}

const fn cpp(path: &'static str, mapping: usize) -> Module {
    Module { language: Language::Cpp, path, mapping }
}

const fn rust(path: &'static str) -> Module {
    Module { language: Language::Rust, path, mapping: 2 }
}

/// From the callers to the called: a module calls itself and those after it.
pub(super) const MODULES: [Module; 40] = [
    go("runtime"),
    go("net/http"),
    go("golang.org/x/net/http2"),
    go("google.golang.org/grpc"),
    go("google.golang.org/grpc/internal/transport"),
    go("example.com/checkout/server"),
    go("example.com/checkout/middleware"),
    go("example.com/checkout/session"),
    go("example.com/checkout/basket"),
    go("example.com/checkout/pricing"),
    go("example.com/checkout/tax"),
    go("example.com/checkout/inventory"),
    go("example.com/checkout/recommend"),
    go("database/sql"),
    go("encoding/json"),
    go("html/template"),
    go("text/template/parse"),
    cpp("query", 1),
    cpp("query::planner", 1),
    cpp("query::rewrite", 1),
    cpp("query::exec", 1),
    cpp("query::exec::join", 1),
    cpp("query::expr", 1),
    cpp("query::storage", 1),
    cpp("query::storage::btree", 1),
    cpp("query::cache", 1),
    cpp("absl::container_internal", 1),
    cpp("google::protobuf", 1),
    rust("codec"),
    rust("codec::frame"),
    rust("codec::column"),
    rust("codec::dictionary"),
    rust("codec::entropy"),
    rust("serde_json"),
    rust("regex_automata::meta"),
    rust("hashbrown::raw"),
    rust("alloc::vec"),
    rust("core::iter::adapters"),
    cpp("std", 3),
    cpp("__gnu_cxx", 3),
];

const VERBS: [&str; 36] = [
    "read", "write", "parse", "encode", "decode", "load", "store", "find", "insert", "remove",
    "merge", "split", "scan", "sort", "hash", "compare", "copy", "flush", "commit", "fetch",
    "apply", "resolve", "expand", "visit", "fold", "reduce", "filter", "project", "probe", "build",
    "grow", "resize", "validate", "format", "match", "next",
];

const NOUNS: [&str; 40] = [
    "block",
    "page",
    "row",
    "column",
    "key",
    "value",
    "node",
    "leaf",
    "branch",
    "entry",
    "bucket",
    "table",
    "index",
    "header",
    "frame",
    "chunk",
    "batch",
    "record",
    "field",
    "token",
    "string",
    "number",
    "cursor",
    "range",
    "bitmap",
    "filter",
    "predicate",
    "order",
    "item",
    "price",
    "rate",
    "discount",
    "customer",
    "session",
    "request",
    "response",
    "message",
    "stream",
    "buffer",
    "window",
];

/// The name of a function and the file it is in.
pub(super) fn function(module: &Module, random: &mut Random) -> (String, String) {
    let path = module.path;
    let verb = *random.pick(&VERBS);
    let noun = *random.pick(&NOUNS);
    let owner = *random.pick(&NOUNS);
    let (public, thing, kind) = (capital(verb), capital(noun), capital(owner));
    match module.language {
        Language::Go => {
            let name = match random.below(8) {
                0..4 => format!("{path}.(*{kind}).{verb}{thing}"),
                4 => format!("{path}.(*{kind}).{public}{thing}.func{}", 1 + random.below(3)),
                5 => format!("{path}.{kind}.{public}"),
                6 => format!("{path}.{public}{thing}[go.shape.*uint8,go.shape.string]"),
                _ => format!("{path}.{public}{thing}"),
            };
            (name, format!("{path}/{owner}.go"))
        }
        Language::Cpp => {
            let name = match random.below(6) {
                0..3 => format!("{path}::{kind}::{verb}_{noun}({path}::{thing} const&)"),
                3 => format!(
                    "{path}::{kind}<{path}::{thing}, unsigned long>::{verb}(unsigned long, bool)"
                ),
                4 => format!(
                    "{path}::{verb}_{noun}({path}::{kind}*, {path}::{thing}*)::{{lambda(auto:1&)#1}}::operator()"
                ),
                _ => format!("{path}::(anonymous namespace)::{verb}_{noun}_{owner}"),
            };
            (name, format!("/srv/checkout/src/{}/{owner}.cc", path.replace("::", "/")))
        }
        Language::Rust => {
            let name = match random.below(6) {
                0..3 => format!("{path}::{owner}::{kind}::{verb}_{noun}"),
                3 => format!("{path}::{owner}::{verb}_{noun}::{{{{closure}}}}"),
                4 => format!(
                    "<{path}::{kind} as core::iter::traits::iterator::Iterator>::{verb}_{noun}"
                ),
                _ => format!("{path}::{owner}::{verb}_{noun}"),
            };
            (name, format!("/srv/checkout/codec/src/{}/{owner}.rs", path.replace("::", "/")))
        }
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
