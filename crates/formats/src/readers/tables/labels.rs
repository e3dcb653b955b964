//! Labels as one text: `request=GET /; bytes:=512 bytes`.
//!
//! Pairs are separated by `; `, a key and its text by `=`, a key and its number by `:=`; after the
//! number its unit may follow. A backslash takes from `;`, `=`, from itself and from a colon at the
//! end of a key what they mean.

use profile::{Label, LabelSetId, LabelValue, Profile, StringsBuilder};

/// The labels of a set.
pub(super) fn written(profile: &Profile, set: LabelSetId) -> String {
    let mut out = String::new();
    for label in profile.label_sets.get(set) {
        if !out.is_empty() {
            out.push_str("; ");
        }
        let key = profile.text(label.key);
        escape(key, &mut out);
        if key.ends_with(':') {
            out.insert(out.len() - 1, '\\');
        }
        match label.value {
            LabelValue::Text(text) => {
                out.push('=');
                escape(profile.text(text), &mut out);
            }
            LabelValue::Number(number, unit) => {
                out.push_str(&format!(":={number}"));
                if unit.index() != 0 {
                    out.push(' ');
                    escape(profile.text(unit), &mut out);
                }
            }
        }
    }
    out
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        if matches!(c, ';' | '=' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
}

/// The labels that a text tells, into `labels`; the error says what is wrong with it.
pub(super) fn read(
    text: &str,
    strings: &mut StringsBuilder,
    labels: &mut Vec<Label>,
) -> Result<(), String> {
    let wrong = |why: &str| Err(format!("the labels \"{text}\" are not valid: {why}"));
    labels.clear();
    if text.is_empty() {
        return Ok(());
    }
    let (mut key, mut part) = (None, String::new());
    let mut chars = text.chars().peekable();
    // Whether the character before is a colon that nothing escapes.
    let mut after_colon = false;
    loop {
        let next = chars.next();
        match next {
            Some('\\') => match chars.next() {
                Some(c) => part.push(c),
                None => return wrong("it ends with a backslash"),
            },
            Some('=') if key.is_none() => {
                if after_colon {
                    part.pop();
                }
                key = Some((strings.intern(&part), after_colon));
                part.clear();
            }
            Some(';') | None => {
                let Some((key, is_number)) = key.take() else {
                    return wrong("a label has no =");
                };
                let value = if is_number {
                    let (number, unit) = part.split_once(' ').unwrap_or((&part, ""));
                    let Ok(number) = number.parse() else {
                        return wrong("after := comes no number of 64 bits");
                    };
                    LabelValue::Number(number, strings.intern(unit))
                } else {
                    LabelValue::Text(strings.intern(&part))
                };
                labels.push(Label { key, value });
                part.clear();
                if next.is_none() {
                    return Ok(());
                }
                chars.next_if_eq(&' ');
            }
            Some(c) => part.push(c),
        }
        after_colon = next == Some(':');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profile::{ContextId, Metric, ProfileBuilder};

    #[test]
    fn labels_are_read_as_they_were_written() {
        let texts = ["", "a", "a=b", "a; b", "a:", ":", "\\", "a\\;", " a ", "1", "5 bytes", "é\n"];
        let mut builder = ProfileBuilder::new(vec![Metric::new("a", "")]);
        let mut sets = vec![];
        for key in texts {
            let key = builder.strings.intern(key);
            for value in texts {
                let text = builder.strings.intern(value);
                for value in [
                    LabelValue::Text(text),
                    LabelValue::Number(i64::MIN, text),
                    LabelValue::Number(5, text),
                ] {
                    sets.push(vec![Label { key, value }]);
                    sets.push(vec![
                        Label { key, value },
                        Label { key, value: LabelValue::Text(key) },
                    ]);
                }
            }
        }
        for set in &sets {
            let labels = builder.labels.push(set);
            builder.points.push(ContextId::ROOT, labels, &[1]);
        }
        let profile = builder.finish();
        let mut seen = std::collections::BTreeMap::new();
        for (row, expected) in sets.iter().enumerate() {
            let text = written(&profile, profile.points.labels(row));
            let (mut strings, mut found) = (StringsBuilder::default(), vec![]);
            read(&text, &mut strings, &mut found).unwrap();
            let strings = strings.finish();
            let plain = |label: &Label, text: &dyn Fn(profile::StringId) -> String| {
                let value = match label.value {
                    LabelValue::Text(value) => (None, text(value)),
                    LabelValue::Number(number, unit) => (Some(number), text(unit)),
                };
                (text(label.key), value)
            };
            let found: Vec<_> =
                found.iter().map(|label| plain(label, &|id| strings.get(id).to_owned())).collect();
            let expected: Vec<_> = expected
                .iter()
                .map(|label| plain(label, &|id| profile.text(id).to_owned()))
                .collect();
            assert_eq!(found, expected, "{text}");
            assert_eq!(seen.insert(text, expected.clone()).unwrap_or(expected.clone()), expected);
        }
    }

    #[test]
    fn what_is_no_list_of_labels_is_refused() {
        for text in ["a", "a=b;", "a=b; c", "a=b\\", "a:=", "a:=x", "a:=9223372036854775808"] {
            let error = read(text, &mut StringsBuilder::default(), &mut vec![]).unwrap_err();
            assert!(error.contains(text), "{error}");
        }
    }
}
