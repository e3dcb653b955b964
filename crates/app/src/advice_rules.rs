//! Files of rules: what a user or a team wants to be told of every profile.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use serde::Deserialize;
use session::{AdviceRule, AdviceRuleError, OfValue, RuleUnit};
use toml::Spanned;

use crate::settings;

/// The name of the file in the working folder.
const FILE_NAME: &str = "hotframe-rules.toml";
/// The name of the user's own among the settings.
const OWN_NAME: &str = "rules.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    #[serde(default)]
    rule: Vec<Spanned<RuleTable>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleTable {
    title: Option<Spanned<String>>,
    text: Option<Spanned<String>>,
    name: Option<Spanned<String>>,
    file: Option<Spanned<String>>,
    module: Option<Spanned<String>>,
    below: Option<Spanned<String>>,
    #[serde(default)]
    in_loop: bool,
    #[serde(default)]
    recursive: bool,
    role: Option<Spanned<String>>,
    metric: Option<Spanned<String>>,
    unit: Option<UnitName>,
    #[serde(default)]
    of: ValueName,
    share: Option<Spanned<f64>>,
    when: Option<Spanned<String>>,
    link: Option<Spanned<String>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum UnitName {
    Time,
    Bytes,
    Count,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ValueName {
    #[default]
    Total,
    #[serde(rename = "self")]
    Own,
}

/// The rules of the files that are named, else of the working folder's and the user's own, where they are.
pub(crate) fn rules(named: &[PathBuf]) -> Result<Vec<AdviceRule>> {
    let mut rules = vec![];
    if !named.is_empty() {
        for path in named {
            rules.extend(read(path)?);
        }
        return Ok(rules);
    }
    let own = settings::own_folder().map(|folder| folder.join(OWN_NAME));
    for path in [PathBuf::from(FILE_NAME)].into_iter().chain(own).filter(|path| path.is_file()) {
        rules.extend(read(&path)?);
    }
    Ok(rules)
}

fn read(path: &Path) -> Result<Vec<AdviceRule>> {
    let name = session::visible(&path.to_string_lossy()).into_owned();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    parsed(&text, &name)
}

/// The rules of a text; errors name the line.
fn parsed(text: &str, name: &str) -> Result<Vec<AdviceRule>> {
    let at = |span: Option<Range<usize>>, what: &str| match span {
        Some(span) => anyhow!("{name}:{}: {what}", line_of(text, span.start)),
        None => anyhow!("{name}: {what}"),
    };
    let file: RulesFile =
        toml::from_str(text).map_err(|error| at(error.span(), error.message()))?;
    let mut rules = vec![];
    for table in file.rule {
        let span = table.span();
        let table = table.into_inner();
        let rule = rule(&table, format!("{name}:{}", line_of(text, span.start)));
        if let Err(error) = rule.check() {
            let place = table.place_of(&error).unwrap_or(span);
            return Err(at(Some(place), &error.to_string()));
        }
        rules.push(rule);
    }
    Ok(rules)
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
}

fn rule(table: &RuleTable, origin: String) -> AdviceRule {
    let text = |field: &Option<Spanned<String>>| {
        field.as_ref().map_or_else(String::new, |field| field.get_ref().clone())
    };
    AdviceRule {
        title: text(&table.title),
        name: text(&table.name),
        file: text(&table.file),
        module: text(&table.module),
        below: text(&table.below),
        in_loop: table.in_loop,
        recursive: table.recursive,
        role: text(&table.role),
        metric: text(&table.metric),
        unit: table.unit.map(|unit| match unit {
            UnitName::Time => RuleUnit::Time,
            UnitName::Bytes => RuleUnit::Bytes,
            UnitName::Count => RuleUnit::Count,
        }),
        of: match table.of {
            ValueName::Total => OfValue::Total,
            ValueName::Own => OfValue::Own,
        },
        share: table.share.as_ref().map_or(0.0, |share| *share.get_ref()),
        when: text(&table.when),
        text: text(&table.text),
        link: text(&table.link),
        origin,
    }
}

impl RuleTable {
    /// Where the field stands that an error is about; none where it is not there.
    fn place_of(&self, error: &AdviceRuleError) -> Option<Range<usize>> {
        let field = match error {
            AdviceRuleError::NoTitle => &self.title,
            AdviceRuleError::NoText => &self.text,
            AdviceRuleError::Link => &self.link,
            AdviceRuleError::FitsAll => return None,
            AdviceRuleError::Share => return self.share.as_ref().map(Spanned::span),
            AdviceRuleError::Pattern(error) => match error.field {
                "file" => &self.file,
                "module" => &self.module,
                "below" => &self.below,
                _ => &self.name,
            },
        };
        field.as_ref().map(Spanned::span)
    }
}

#[cfg(test)]
mod tests {
    use super::parsed;

    const GOOD: &str = r#"
[[rule]]
title = "Parsing twice"
name = "^parse$"
below = "^handle_"
share = 5
of = "self"
unit = "time"
text = "The request is parsed already."
link = "https://example.com/parse"

[[rule]]
title = "Loop"
in_loop = true
text = "x"
"#;

    #[test]
    fn rules_know_where_they_stand() {
        let rules = parsed(GOOD, "r.toml").unwrap();
        assert_eq!(rules.len(), 2);
        assert_eq!((&*rules[0].origin, &*rules[1].origin), ("r.toml:2", "r.toml:12"));
        assert_eq!((&*rules[0].below, rules[0].share), ("^handle_", 5.0));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let told = |text: &str| parsed(text, "r.toml").unwrap_err().to_string();
        let of = |from: &str, to: &str| told(&GOOD.replace(from, to));
        assert!(of("^parse$", "(").starts_with("r.toml:4: name: "), "{}", of("^parse$", "("));
        assert!(of("^handle_", "a{9999999}").starts_with("r.toml:5: below: "));
        assert!(of("share = 5", "share = 500").starts_with("r.toml:6: share: "));
        assert!(of("https:", "javascript:").starts_with("r.toml:10: link: "));
        assert!(of("title = \"Loop\"\n", "").starts_with("r.toml:12: title: "));
        assert!(of("in_loop = true", "in_lop = true").starts_with("r.toml:14: "));
        assert!(told("[[rule]]\ntitle = ").starts_with("r.toml:2: "));
    }
}
