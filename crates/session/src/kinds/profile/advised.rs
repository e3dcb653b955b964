//! What rules of advice say of a profile, for every host.

use std::sync::Arc;

use analysis::advice::{self, AdviceRule};
use analysis::{FrameKey, Granularity};
use profile::{MetricId, Profile, visible};
use protocol::ProtocolError;

use super::convert;
use crate::{ProfileDocument, Unit, ViewOptions};

/// Advice on a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Advised {
    /// The rule.
    pub rule: AdviceRule,
    /// The function, as functions are told apart.
    pub key: FrameKey,
    /// Its name.
    pub name: String,
    /// Its file; may be empty.
    pub file: String,
    /// Its line; 0 if unknown.
    pub line: u32,
    /// Its value where the rule fits, with what it is of.
    pub value: String,
    /// What that is of the whole program, from 0 to 1.
    pub share: f64,
    /// Whether call paths, by which that was chosen, are an estimate.
    pub is_estimated: bool,
}

/// What rules say.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AllAdvised {
    /// The largest share first.
    pub found: Vec<Advised>,
    /// Rules that ask for what the profile does not have, each a sentence.
    pub left_out: Vec<String>,
}

impl ProfileDocument {
    /// What the rules that come along and `more` say of the functions of a view, in its metric or in those
    /// that they name; nothing of comparisons, whose values are two things.
    pub fn advice(
        &self,
        options: &ViewOptions,
        more: &[AdviceRule],
    ) -> Result<AllAdvised, ProtocolError> {
        if self.comparison().is_some() {
            return Ok(AllAdvised::default());
        }
        let filtered = self.filtered_by(options).map_err(convert::filter_error)?;
        let keys = self.keys(Granularity::Function);
        let rules = [advice::shipped(), more.to_vec()].concat();
        let all = advice::advice(&filtered, &keys, options.metric, &rules);
        let profile: &Profile = self.profile();
        let told = |found: advice::Advice| {
            let metric = profile.metric(found.metric);
            let frame = keys.representative(found.key);
            Advised {
                rule: rules[found.rule].clone(),
                key: found.key,
                name: keys.name(profile, found.key).into_owned(),
                file: profile.frame_file(frame).to_owned(),
                line: profile.place_line(frame),
                value: format!(
                    "{} of {}",
                    Unit::of(&metric.unit, metric.decimals).text(found.value),
                    metric.name
                ),
                share: found.share,
                is_estimated: found.is_estimated,
            }
        };
        // What comes along fits many profiles and not all: silence about that is no news.
        let is_told = |one: &advice::LeftOutRule| !rules[one.rule].is_shipped();
        let left_out = all.left_out.iter().filter(|one| is_told(one)).map(|one| {
            let rule = &rules[one.rule];
            format!("{} ({}): {}.", visible(&rule.title), rule.origin, one.why)
        });
        Ok(AllAdvised {
            left_out: left_out.collect(),
            found: all.found.into_iter().map(told).collect(),
        })
    }

    /// The same of one function of the index of `metric`, over all of the profile.
    pub fn source_advice(
        &self,
        metric: MetricId,
        function: u32,
        more: &[AdviceRule],
    ) -> Result<Vec<Advised>, ProtocolError> {
        if self.is_derived(metric) || self.comparison().is_some() {
            return Ok(vec![]);
        }
        let index = self.source_index(metric)?;
        let key = self.keys(Granularity::Function).key(index.frame_of(function));
        let all = self.known_advice(metric, more)?;
        Ok(all.found.iter().filter(|one| one.key == key).cloned().collect())
    }

    /// The advice over all of the profile in a metric, worked out once.
    fn known_advice(
        &self,
        metric: MetricId,
        more: &[AdviceRule],
    ) -> Result<Arc<AllAdvised>, ProtocolError> {
        if let Some(known) = self.advised(metric, more) {
            return Ok(known);
        }
        let options = ViewOptions { metric, ..ViewOptions::default() };
        let all = Arc::new(self.advice(&options, more)?);
        self.keep_advised(metric, more, all.clone());
        Ok(all)
    }
}
