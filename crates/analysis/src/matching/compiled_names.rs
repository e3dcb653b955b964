//! Names without what compilers append.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// A name as the source has it, as far as that can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Compiled {
    /// Without suffixes and hashes; numbers of closures are `#`.
    pub(super) name: String,
    /// The suffixes that were taken off, each with its number, and the numbers of closures: what
    /// tells several functions of one name apart. Hashes are no such thing.
    pub(super) numbers: Vec<(String, u64)>,
    /// Whether it is a closure that the compiler numbers, in the order of the source.
    pub(super) is_numbered: bool,
}

/// GCC's and Clang's suffixes of one function's clones, as linkers and demanglers write them.
static SUFFIXES: LazyLock<Regex> = LazyLock::new(|| {
    let suffix = format!(r"(?:\.(?:{WORDS})(?:\.\d+)*)");
    regex(&format!(r"(?: ?\[clone {suffix}+\]| \({suffix}+\)|{suffix})+$"))
});
static SUFFIX: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"\.({WORDS})(?:\.(\d+))?(?:\.\d+)*")));
/// Not among them: `_omp_fn.0`, `resume` and `destroy`, which are code of their own.
const WORDS: &str =
    "part|isra|constprop|cold|hot|unlikely|localalias|lto_priv|llvm|__uniq|specialized";
/// Words whose number is a hash.
const HASHES: [&str; 2] = ["llvm", "__uniq"];

/// Rust's: of legacy symbols, also mangled, and of crates in those of today.
static RUST_HASH: LazyLock<Regex> = LazyLock::new(|| regex("::h[0-9a-f]{16}$"));
static RUST_MANGLED_HASH: LazyLock<Regex> = LazyLock::new(|| regex("17h[0-9a-f]{16}E$"));
static RUST_CRATE_HASH: LazyLock<Regex> = LazyLock::new(|| regex(r"(\w)\[[0-9a-f]{8,16}\]"));

/// Java's classes that are made while the program runs.
static JAVA_LAMBDA: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(\$\$Lambda)(?:\$\d+)?(?:[/.]0x[0-9a-f]+|/\d+)?"));
static JAVA_HIDDEN: LazyLock<Regex> = LazyLock::new(|| regex("[/.]0x[0-9a-f]{6,}"));
static JAVA_GENERATED: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(Generated(?:Method|Constructor|SerializationConstructor)Accessor|\$Proxy)\d+")
});

/// `lambda$main$0` of Java, `main$lambda$1` and `main$lambda-1` of Kotlin.
static JAVA_CLOSURE: LazyLock<Regex> = LazyLock::new(|| regex(r"(lambda[$-](?:\w+\$)?)(\d+)\b"));
/// `main.run.func1.2`, `main.run.gowrap1`: what comes before has a package and a function.
static GO_CLOSURE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\.(?:func|gowrap|deferwrap)\d+(?:\.\d+)*"));
static GO_FUNCTION: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?:[^\s:]*/)?[\w%-]+\.[^\s:/]+$"));
static NUMBER: LazyLock<Regex> = LazyLock::new(|| regex(r"\d+"));

impl Compiled {
    pub(super) fn new(name: &str) -> Compiled {
        let mut numbers = vec![];
        let mut name = without_suffixes(name, &mut numbers).to_owned();
        let plain = [
            (&RUST_HASH, ""),
            (&RUST_MANGLED_HASH, "E"),
            (&RUST_CRATE_HASH, "$1"),
            (&JAVA_LAMBDA, "$1"),
            (&JAVA_HIDDEN, ""),
            (&JAVA_GENERATED, "$1"),
        ];
        for (pattern, with) in plain {
            if pattern.is_match(&name) {
                name = pattern.replace_all(&name, with).into_owned();
            }
        }
        let mut closures = vec![];
        let mut java = |found: &Captures<'_>| {
            closures.push(number(&found[2]));
            format!("{}#", &found[1])
        };
        if JAVA_CLOSURE.is_match(&name) {
            name = JAVA_CLOSURE.replace_all(&name, &mut java).into_owned();
        }
        if let Some(first) = GO_CLOSURE.find(&name)
            && GO_FUNCTION.is_match(&name[..first.start()])
        {
            let mut go = |found: &Captures<'_>| {
                let replaced = NUMBER.replace_all(&found[0], |digits: &Captures<'_>| {
                    closures.push(number(&digits[0]));
                    "#"
                });
                replaced.into_owned()
            };
            name = GO_CLOSURE.replace_all(&name, &mut go).into_owned();
        }
        let is_numbered = !closures.is_empty();
        numbers.extend(closures.into_iter().map(|number| (String::new(), number)));
        Compiled { name, numbers, is_numbered }
    }
}

/// A name as the source has it: without the suffixes of clones (`f.isra.0`, `f.part.1.cold`) and the prefix that glibc
/// gives names for its own use (`__GI_`).
pub fn source_name(name: &str) -> &str {
    let name = without_suffixes(name, &mut vec![]);
    name.strip_prefix("__GI_").filter(|rest| !rest.is_empty()).unwrap_or(name)
}

fn without_suffixes<'a>(name: &'a str, numbers: &mut Vec<(String, u64)>) -> &'a str {
    // A name is more than a suffix.
    let Some(found) = SUFFIXES.find(name).filter(|found| found.start() > 0) else { return name };
    for suffix in SUFFIX.captures_iter(found.as_str()) {
        let word = &suffix[1];
        let digits = suffix.get(2).filter(|_| !HASHES.contains(&word));
        numbers.push((word.to_owned(), digits.map_or(0, |digits| number(digits.as_str()))));
    }
    &name[..found.start()]
}

fn number(digits: &str) -> u64 {
    digits.parse().unwrap_or(u64::MAX)
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_clones_are_those_of_the_source() {
        for (name, plain) in [
            ("ggc_alloc.isra.0.part.1", "ggc_alloc"),
            ("__GI___libc_malloc", "__libc_malloc"),
            ("app::run.llvm.1234567", "app::run"),
            ("f.cold", "f"),
            ("main._omp_fn.0", "main._omp_fn.0"),
            (".cold", ".cold"),
            ("__GI_", "__GI_"),
        ] {
            assert_eq!(source_name(name), plain);
        }
    }

    fn name(name: &str) -> String {
        Compiled::new(name).name
    }

    #[test]
    fn suffixes_of_clones_go() {
        for clone in [
            "ggc_alloc.part.0",
            "ggc_alloc.isra.0.part.1",
            "ggc_alloc.constprop.12",
            "ggc_alloc.cold",
            "ggc_alloc.part.0.cold.3",
            "ggc_alloc.llvm.13495293948272726193",
            "ggc_alloc.lto_priv.0",
            "ggc_alloc.__uniq.231234.llvm.3",
            "ggc_alloc [clone .isra.0]",
            "ggc_alloc [clone .isra.0] [clone .part.1]",
            "ggc_alloc [clone .isra.0.cold]",
            "ggc_alloc (.llvm.123)",
        ] {
            assert_eq!(name(clone), "ggc_alloc", "{clone}");
        }
        assert_eq!(name("ns::parse(int) (.cold)"), "ns::parse(int)");
        assert_eq!(
            Compiled::new("f.isra.2.part.1").numbers,
            [("isra".into(), 2), ("part".into(), 1)]
        );
        // Code of its own, and names that only look like it.
        for whole in ["main._omp_fn.0", "co.resume", "task.cold.start", ".cold", "a.b.part_of"] {
            assert_eq!(name(whole), whole);
        }
    }

    #[test]
    fn hashes_of_rust_go() {
        let legacy = "core::ptr::drop_in_place<alloc::string::String>::h0123456789abcdef";
        assert_eq!(name(legacy), "core::ptr::drop_in_place<alloc::string::String>");
        assert_eq!(name("app::run::h0123456789abcdef.llvm.17"), "app::run");
        assert_eq!(name("_ZN3app3run17h0123456789abcdefE"), "_ZN3app3runE");
        let v0 = "<std[8f2b4e61c0a3d57e]::thread::Builder>::spawn::<app[0a1b2c3d4e5f6071]::Job>";
        assert_eq!(name(v0), "<std::thread::Builder>::spawn::<app::Job>");
        assert_eq!(name("app::hash::h0123"), "app::hash::h0123");
    }

    #[test]
    fn classes_made_by_java_are_one() {
        for lambda in [
            "com.example.App$$Lambda$14/0x0000000800c03000.apply",
            "com.example.App$$Lambda/0x00007f3a1c0a4c00.apply",
            "com.example.App$$Lambda.0x00007f3a1c0a4c00.apply",
            "com.example.App$$Lambda$31/1234567.apply",
        ] {
            assert_eq!(name(lambda), "com.example.App$$Lambda.apply", "{lambda}");
        }
        let form = "java.lang.invoke.LambdaForm$MH.0x0000000800c03000.invoke";
        assert_eq!(name(form), "java.lang.invoke.LambdaForm$MH.invoke");
        let accessor = "jdk.internal.reflect.GeneratedMethodAccessor12.invoke";
        assert_eq!(name(accessor), "jdk.internal.reflect.GeneratedMethodAccessor.invoke");
        assert_eq!(name("com.sun.proxy.$Proxy7.run"), "com.sun.proxy.$Proxy.run");
    }

    #[test]
    fn reports_numbers_of_closures() {
        let told = |text: &str| {
            let Compiled { name, numbers, is_numbered } = Compiled::new(text);
            (name, numbers.into_iter().map(|(_, number)| number).collect::<Vec<_>>(), is_numbered)
        };
        let closure = |name: &str, numbers: &[u64]| (name.to_owned(), numbers.to_vec(), true);
        assert_eq!(told("Main.lambda$main$0"), closure("Main.lambda$main$#", &[0]));
        assert_eq!(told("MainKt.main$lambda$12"), closure("MainKt.main$lambda$#", &[12]));
        assert_eq!(told("MainKt.main$lambda-3"), closure("MainKt.main$lambda-#", &[3]));
        assert_eq!(told("main.main.func1"), closure("main.main.func#", &[1]));
        assert_eq!(told("main.run.func2.1"), closure("main.run.func#.#", &[2, 1]));
        assert_eq!(
            told("net/http.(*Server).Serve.gowrap3"),
            closure("net/http.(*Server).Serve.gowrap#", &[3])
        );
        assert_eq!(
            told("github.com/a/b.New.(*T).run.func1.deferwrap2"),
            closure("github.com/a/b.New.(*T).run.func#.deferwrap#", &[1, 2])
        );
        for other in ["module.func1", "func1", "a::b.func1", "main.function1"] {
            assert_eq!(told(other), (other.to_owned(), vec![], false));
        }
    }
}
