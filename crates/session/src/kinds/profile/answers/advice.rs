//! [`protocol::ProfileRequest::Advice`].

use analysis::Granularity;
use analysis::advice::{AdviceRule, OfValue, RuleUnit};
use protocol::{
    AdviceInfo, AdviceParams, AdviceResult, AdviceRuleInfo, AdviceUnit, AdviceValue, ErrorCode,
    ProtocolError, Reply,
};

use crate::ProfileDocument;
use crate::kinds::profile::advised;
use crate::kinds::profile::trees::report::row_of_key;
use crate::kinds::profile::trees::views::{frame_keys, view_options};

/// Most rules that a request brings along.
const MOST_RULES: usize = 1000;

pub(crate) fn advice(
    document: &ProfileDocument,
    params: &AdviceParams,
    rules: &[AdviceRule],
) -> Result<Reply<AdviceResult>, ProtocolError> {
    if params.rules.len() > MOST_RULES {
        let message = format!("a request has at most {MOST_RULES} rules");
        return Err(ProtocolError::new(ErrorCode::Limit, message));
    }
    let brought: Vec<AdviceRule> = params.rules.iter().map(rule).collect();
    if let Some((rule, error)) = brought.iter().find_map(|rule| Some((rule, rule.check().err()?))) {
        let message = format!("{:?} is not a rule: {error}", rule.title);
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let all = advised::advice(
        document,
        &view_options(document, &params.view)?,
        &[rules, &brought].concat(),
    )?;
    let limit = params.limit as usize;
    let keys = frame_keys(document, Granularity::Function);
    let rows = all.found.iter().take(limit).map(|found| AdviceInfo {
        title: found.title.clone(),
        text: found.text.clone(),
        link: found.link.clone(),
        origin: found.origin.clone(),
        key: found.key.map(|key| key.0),
        name: match found.key {
            Some(key) => row_of_key(document, &keys, key, 0, 0).label,
            None => found.name.clone(),
        },
        file: found.file.clone(),
        line: found.line,
        path: found.path.clone(),
        value: found.value.clone(),
        share: found.share,
        is_estimated: found.is_estimated,
    });
    Ok(Reply::from(AdviceResult {
        rows: rows.collect(),
        more: all.found.len().saturating_sub(limit) as u32,
        left_out: all.left_out,
    }))
}

fn rule(told: &AdviceRuleInfo) -> AdviceRule {
    AdviceRule {
        title: told.title.clone(),
        name: told.name.clone(),
        file: told.file.clone(),
        module: told.module.clone(),
        below: told.below.clone(),
        in_loop: told.in_loop,
        recursive: told.recursive,
        role: told.role.clone(),
        metric: told.metric.clone(),
        unit: told.unit.map(|unit| match unit {
            AdviceUnit::Time => RuleUnit::Time,
            AdviceUnit::Bytes => RuleUnit::Bytes,
            AdviceUnit::Count => RuleUnit::Count,
        }),
        of: match told.of {
            AdviceValue::Total => OfValue::Total,
            AdviceValue::Own => OfValue::Own,
        },
        share: told.share,
        when: told.when.clone(),
        text: told.text.clone(),
        link: told.link.clone(),
        origin: match &*told.origin {
            "" => "a rule of the request".to_owned(),
            origin => origin.to_owned(),
        },
    }
}

/// A rule as it travels.
pub(crate) fn rule_info(rule: &AdviceRule) -> AdviceRuleInfo {
    AdviceRuleInfo {
        title: rule.title.clone(),
        name: rule.name.clone(),
        file: rule.file.clone(),
        module: rule.module.clone(),
        below: rule.below.clone(),
        in_loop: rule.in_loop,
        recursive: rule.recursive,
        role: rule.role.clone(),
        metric: rule.metric.clone(),
        unit: rule.unit.map(|unit| match unit {
            RuleUnit::Time => AdviceUnit::Time,
            RuleUnit::Bytes => AdviceUnit::Bytes,
            RuleUnit::Count => AdviceUnit::Count,
        }),
        of: match rule.of {
            OfValue::Total => AdviceValue::Total,
            OfValue::Own => AdviceValue::Own,
        },
        share: rule.share,
        when: rule.when.clone(),
        text: rule.text.clone(),
        link: rule.link.clone(),
        origin: rule.origin.clone(),
    }
}
