//! What test runners report: files of JUnit's XML, which all of ours write.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    /// It failed, and passed when it was run again.
    Flaky,
    Failed,
    Skipped,
}

/// One test of a report.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Test {
    /// The runner's name for people.
    pub(crate) suite: &'static str,
    /// The program or file that holds the test, and the test's own name.
    pub(crate) name: String,
    pub(crate) seconds: f64,
    pub(crate) outcome: Outcome,
    /// What the runner says of a failure; empty for tests that passed.
    pub(crate) message: String,
}

/// Reads a report. An element that is not known is passed over.
pub(crate) fn read(suite: &'static str, file: &Path) -> anyhow::Result<Vec<Test>> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("{suite}: no report at {}", file.display()))?;
    parse(suite, &text).with_context(|| format!("{suite}: cannot read {}", file.display()))
}

fn parse(suite: &'static str, text: &str) -> anyhow::Result<Vec<Test>> {
    let mut reader = Reader::from_str(text);
    let mut tests: Vec<Test> = vec![];
    // Text between `<failure>` and its end belongs to the last test.
    let mut in_failure = false;
    loop {
        match reader.read_event()? {
            Event::Eof => return Ok(tests),
            Event::Start(element) if element.name().as_ref() == "testcase" => {
                tests.push(test_case(suite, &element)?);
            }
            Event::Empty(element) if element.name().as_ref() == "testcase" => {
                tests.push(test_case(suite, &element)?);
            }
            Event::Start(element) => {
                if let Some(test) = tests.last_mut() {
                    in_failure = ends(test, &element)?;
                }
            }
            Event::Empty(element) => {
                if let Some(test) = tests.last_mut() {
                    ends(test, &element)?;
                }
            }
            Event::End(_) => in_failure = false,
            Event::Text(text) if in_failure => {
                if let Some(test) = tests.last_mut() {
                    test.message.push_str(&text);
                }
            }
            Event::CData(text) if in_failure => {
                if let Some(test) = tests.last_mut() {
                    test.message.push_str(&text);
                }
            }
            Event::GeneralRef(entity) if in_failure => {
                if let Some(test) = tests.last_mut() {
                    let named = quick_xml::escape::resolve_predefined_entity(&entity);
                    let numbered = entity.resolve_char_ref()?.map(String::from);
                    test.message.push_str(named.unwrap_or(&numbered.unwrap_or_default()));
                }
            }
            _ => {}
        }
    }
}

fn test_case(suite: &'static str, element: &BytesStart<'_>) -> anyhow::Result<Test> {
    let program = attribute(element, "classname")?.unwrap_or_default();
    let name = attribute(element, "name")?.context("a test case without a name")?;
    let seconds = attribute(element, "time")?.and_then(|time| time.parse().ok()).unwrap_or(0.0);
    Ok(Test {
        suite,
        name: format!("{program}: {name}"),
        seconds,
        outcome: Outcome::Passed,
        message: String::new(),
    })
}

/// Takes over what an element inside of a test case says; true if its text says more.
fn ends(test: &mut Test, element: &BytesStart<'_>) -> anyhow::Result<bool> {
    let outcome = match element.name().as_ref() {
        "failure" | "error" => Outcome::Failed,
        "flakyFailure" | "flakyError" => Outcome::Flaky,
        "skipped" => Outcome::Skipped,
        _ => return Ok(false),
    };
    test.outcome = outcome;
    if let Some(message) = attribute(element, "message")? {
        test.message = message + "\n";
    }
    Ok(true)
}

fn attribute(element: &BytesStart<'_>, name: &str) -> anyhow::Result<Option<String>> {
    let Some(attribute) = element.try_get_attribute(name)? else { return Ok(None) };
    Ok(Some(attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0)?.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(text: &str) -> Vec<(String, Outcome, String)> {
        let tests = parse("a suite", text).unwrap();
        tests.into_iter().map(|test| (test.name, test.outcome, test.message)).collect()
    }

    #[test]
    fn reads_names_times_and_outcomes() {
        let text = r#"<?xml version="1.0"?><testsuites><testsuite name="s">
            <testcase name="a &lt; b" classname="c" time="1.25"/>
            <testcase name="breaks" classname="c" time="0.5">
              <failure message="left: 1" type="x">at line 3 &amp; &#65;</failure>
              <system-out>says much</system-out>
            </testcase>
            <testcase name="comes later" classname="c"><flakyFailure message="once"/></testcase>
            <testcase name="is left" classname="c"><skipped/></testcase>
            </testsuite></testsuites>"#;
        assert_eq!(
            outcomes(text),
            [
                ("c: a < b".to_owned(), Outcome::Passed, String::new()),
                ("c: breaks".to_owned(), Outcome::Failed, "left: 1\nat line 3 & A".to_owned()),
                ("c: comes later".to_owned(), Outcome::Flaky, "once\n".to_owned()),
                ("c: is left".to_owned(), Outcome::Skipped, String::new()),
            ]
        );
        assert_eq!(parse("a suite", text).unwrap()[0].seconds, 1.25);
    }

    #[test]
    fn refuses_what_is_no_xml() {
        assert!(parse("a suite", "<testsuites><testcase").is_err());
        assert!(parse("a suite", "<testcase time='1'/>").is_err());
    }
}
