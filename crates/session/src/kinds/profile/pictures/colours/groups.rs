//! What frames have a colour in common.

use profile::{base_name, is_file_ending};

/// The names of a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names<'a> {
    pub(crate) name: &'a str,
    pub(crate) module: &'a str,
    pub(crate) file: &'a str,
}

/// The group by module. A package in the name says more than the binary it was linked into; where
/// there is neither a package nor more than one module, the file has to do, and then the name.
pub(in crate::kinds::profile) fn by_module<'a>(names: Names<'a>, one_module: bool) -> &'a str {
    let module = base_name(names.module);
    let choices =
        [package(names.name), if one_module { "" } else { module }, names.file, module, names.name];
    choices.into_iter().find(|choice| !choice.is_empty()).unwrap_or_default()
}

/// The group by source file; the module where none is known.
pub(in crate::kinds::profile) fn by_file(names: Names<'_>) -> &str {
    if names.file.is_empty() { base_name(names.module) } else { names.file }
}

/// The package, namespace or module part of a function's name: `net/http` of
/// `net/http.(*conn).serve`, `a::b` of `a::b::f(int)`, `com.x` of `com.x.Y.run`; empty where the
/// name has none.
fn package(name: &str) -> &str {
    let plain = name.find(|c: char| "<([{".contains(c) || c.is_whitespace());
    let plain = plain.map_or(name, |end| &name[..end]);
    if let Some(colons) = plain.rfind("::") {
        return &plain[..colons];
    }
    let last = plain.rfind('/').map_or(0, |slash| slash + 1);
    let rest = &plain[last..];
    let end = if last > 0 { version_end(rest) } else { package_end(rest) };
    match end {
        Some(end) if end > 0 && last + end + 1 < name.len() && !is_file_ending(&rest[end..]) => {
            &plain[..last + end]
        }
        _ => plain[..last].trim_end_matches('/'),
    }
}

/// Behind a path, which Go's names begin with, the package ends at the first point that does not
/// begin a version as in `yaml.v3`.
fn version_end(rest: &str) -> Option<usize> {
    let is_version = |at: usize| {
        let part = rest[at + 1..].split('.').next().unwrap_or_default();
        part.strip_prefix('v').is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    rest.match_indices('.').map(|(at, _)| at).find(|&at| !is_version(at))
}

/// Without one, parts in capitals are types: what stands before the first is the package. Of parts in
/// small letters the last is the function, or the closures in it, as Go numbers them.
fn package_end(rest: &str) -> Option<usize> {
    let mut end = None;
    let mut start = 0;
    for (at, _) in rest.match_indices('.') {
        let next = &rest[at + 1..];
        end = Some(at);
        let is_closure = next.starts_with("func")
            && next[4..].starts_with(|c: char| c.is_ascii_digit())
            || next.starts_with(|c: char| c.is_ascii_digit());
        if is_closure && start > 0 {
            return Some(start - 1);
        }
        if next.is_empty() || next.starts_with(char::is_uppercase) {
            return end;
        }
        start = at + 1;
    }
    end
}

/// FNV-1a with a last mixing: the low bits mix poorly for short texts, and hues are a remainder.
/// Stable over releases and machines, so that a picture's colours mean the same later.
pub(in crate::kinds::profile) fn hash(text: &str) -> u32 {
    let value = text
        .bytes()
        .fold(0x811c_9dc5u32, |value, byte| (value ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let value = (value ^ (value >> 15)).wrapping_mul(0x2c1b_3c6d);
    value ^ (value >> 12)
}

#[cfg(test)]
mod tests {
    use super::{Names, by_file, by_module, package};

    #[test]
    fn packages() {
        for (name, expected) in [
            ("net/http.(*conn).serve", "net/http"),
            ("net/http.serverHandler.ServeHTTP", "net/http"),
            ("encoding/json.Marshal", "encoding/json"),
            ("gopkg.in/yaml.v3.Unmarshal", "gopkg.in/yaml.v3"),
            ("main.main", "main"),
            ("main.main.func1", "main"),
            ("main.main.func1.2", "main"),
            ("main.(*T).run", "main"),
            ("main.Server.Handle", "main"),
            ("slices.SortFunc[...]", "slices"),
            ("a::b::f(int)", "a::b"),
            ("std::vec::Vec<u8>::push", "std::vec"),
            ("com.x.Y.run", "com.x"),
            ("Shape.area", "Shape"),
            ("package.module.function", "package.module"),
            ("memcpy", ""),
            ("main.py", ""),
            ("libc.so.6", ""),
            ("src/main.rs", "src"),
            ("operator new", ""),
            ("(anonymous)", ""),
            ("", ""),
            (".", ""),
            ("a.", ""),
            (".a", ""),
            ("/", ""),
            ("::f", ""),
            ("é.Ü.x", "é"),
        ] {
            assert_eq!(package(name), expected, "of {name}");
        }
    }

    #[test]
    fn groups_by_what_is_known() {
        let names = |name, module, file| Names { name, module, file };
        assert_eq!(by_module(names("a::f", "/usr/lib/m.so", "x.cc"), false), "a");
        assert_eq!(by_module(names("f", "/usr/lib/m.so", "x.cc"), false), "m.so");
        assert_eq!(by_module(names("f", "/usr/lib/m.so", "x.cc"), true), "x.cc");
        assert_eq!(by_module(names("f", "/usr/lib/m.so", ""), true), "m.so");
        assert_eq!(by_module(names("f", "", ""), false), "f");
        assert_eq!(by_file(names("f", "/usr/lib/m.so", "")), "m.so");
    }
}
