//! Names of classes and methods as people write them.

/// `java.lang.Thread.sleep(long)`, as `jfr print` has it.
pub(super) fn method(class: &str, name: &str, descriptor: &str) -> String {
    if class.is_empty() {
        return name.to_owned();
    }
    let mut text = format!("{}.{name}", class.replace('/', "."));
    let Some(parameters) = descriptor.strip_prefix('(').and_then(|d| d.split_once(')')) else {
        return text;
    };
    text.push('(');
    let mut rest = parameters.0;
    let mut first = true;
    while !rest.is_empty() {
        let (name, len) = parameter(rest);
        if !std::mem::take(&mut first) {
            text.push_str(", ");
        }
        text.push_str(&name);
        rest = rest.get(len..).unwrap_or_default();
    }
    text.push(')');
    text
}

/// A class as it is written in the source: `java.util.List`, `byte[]`.
pub(super) fn class(name: &str) -> String {
    if !name.starts_with('[') {
        return name.replace('/', ".");
    }
    let depth = name.bytes().take_while(|&byte| byte == b'[').count();
    let element = &name[depth..];
    let base = match element.strip_prefix('L') {
        Some(class) => class.trim_end_matches(';').replace('/', "."),
        None => primitive(element.as_bytes().first().copied()).to_owned(),
    };
    base + &"[]".repeat(depth)
}

/// The first parameter of a descriptor without its package, and how long it is.
fn parameter(text: &str) -> (String, usize) {
    let depth = text.bytes().take_while(|&byte| byte == b'[').count();
    let element = &text[depth..];
    let (base, len) = match element.strip_prefix('L') {
        Some(class) => {
            let end = class.find(';').unwrap_or(class.len());
            let name = class[..end].rsplit('/').next().unwrap_or_default();
            (name, depth + 1 + end + 1)
        }
        None => {
            let len = element.chars().next().map_or(1, char::len_utf8);
            (primitive(element.as_bytes().first().copied()), depth + len)
        }
    };
    (format!("{base}{}", "[]".repeat(depth)), len)
}

fn primitive(letter: Option<u8>) -> &'static str {
    match letter {
        Some(b'B') => "byte",
        Some(b'C') => "char",
        Some(b'D') => "double",
        Some(b'F') => "float",
        Some(b'I') => "int",
        Some(b'J') => "long",
        Some(b'S') => "short",
        Some(b'Z') => "boolean",
        _ => "?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_in_the_source() {
        let add = "(Ljava/lang/Object;[Ljava/lang/Object;I[[J)V";
        assert_eq!(
            method("java/util/ArrayList", "add", add),
            "java.util.ArrayList.add(Object, Object[], int, long[][])"
        );
        assert_eq!(method("", "start_thread", "()L;"), "start_thread");
        assert_eq!(method("A", "b", "(Q"), "A.b");
        assert_eq!(method("A", "b", "(Lx"), "A.b");
        assert_eq!(method("A", "b", "(Lxé)V"), "A.b(xé)");
        assert_eq!(class("[[Ljava/lang/String;"), "java.lang.String[][]");
        assert_eq!(class("[B"), "byte[]");
        assert_eq!(class("java/lang/Byte"), "java.lang.Byte");
    }
}
