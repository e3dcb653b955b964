//! Documents that compare two profiles.

use std::sync::Arc;

use analysis::{
    Change, Comparison, Derived, Groups, Match, Merged, NodeId, Normalise, Side, Significance, Tag,
    Tree, formula,
};
use profile::Metric;
use protocol::{ErrorCode, ProtocolError};

use crate::kinds::profile::convert;
use crate::kinds::profile::document::ProfileDocument;

/// What a comparison is of.
#[derive(Debug, Clone)]
pub struct Comparing {
    /// Titles of base and new profile.
    pub sides: [String; 2],
    /// The metrics that both have in all; the document has each of them three times, see [`Side`].
    pub metrics: Vec<Metric>,
    /// The runs on either side.
    pub groups: Groups,
    /// Differences up to this share of the larger value are noise.
    pub noise: f64,
    /// Functions of the base that are functions of the new profile, by their new name and place.
    pub matches: Vec<Match>,
    /// What makes values of both sides comparable.
    pub normalise: Normalise,
    /// Of a normalised comparison: the one whose values are as they are.
    plain: Option<Arc<ProfileDocument>>,
}

impl ProfileDocument {
    /// The same as a comparison, with change and ratio of every metric that is compared.
    pub(crate) fn comparing(mut self, comparing: Comparing) -> ProfileDocument {
        let names = analysis::distinct_names(&self.profile.metrics);
        for (index, metric) in comparing.metrics.iter().enumerate() {
            let of = |side: Side| formula::quoted(&names[side.of(index)].name);
            let (base, new) = (of(Side::Base), of(Side::New));
            for (name, sign) in [("change", "-"), ("ratio", "/")] {
                let name = format!("{} ({name})", metric.name);
                let derived = Derived::new(&name, &format!("{new} {sign} {base}"), &self.profile);
                // Names are quoted and both are in one unit.
                self.metrics.add(derived.expect("a difference and a ratio of two metrics"));
            }
        }
        self.comparing = Some(comparing);
        self
    }

    /// The comparison with values brought to scale, from those as they are; none if that is this one
    /// or the one it was made of, which [`ProfileDocument::plain`] gives.
    pub(crate) fn normalised(
        self: &Arc<ProfileDocument>,
        normalise: &Normalise,
    ) -> Result<ProfileDocument, ProtocolError> {
        let plain = self.plain()?;
        let of = plain.comparison().ok_or_else(|| plain.no_comparison())?;
        let unscaled = Comparison {
            profile: (*plain.profile).clone(),
            metrics: of.metrics.clone(),
            notes: plain.notes.clone(),
            groups: of.groups.clone(),
            matches: vec![],
        };
        // Values are those of one run already.
        let scaled = unscaled.scaled([1, 1], normalise).map_err(convert::filter_error)?;
        let title = match normalise {
            Normalise::Absolute => plain.title.clone(),
            Normalise::Total => format!("{}, equal totals", plain.title),
            Normalise::Frame(pattern) => format!("{}, equal {pattern}", plain.title),
        };
        let Comparison { profile, metrics, notes, .. } = scaled;
        let merged = Merged { profile, inputs: plain.inputs, notes };
        let document = ProfileDocument::new(&title, merged, plain.warnings.clone());
        Ok(document.comparing(Comparing {
            metrics,
            normalise: normalise.clone(),
            plain: Some(plain.clone()),
            ..of.clone()
        }))
    }

    /// The comparison whose values are as they are.
    pub(crate) fn plain(
        self: &Arc<ProfileDocument>,
    ) -> Result<Arc<ProfileDocument>, ProtocolError> {
        let of = self.comparison().ok_or_else(|| self.no_comparison())?;
        Ok(of.plain.clone().unwrap_or_else(|| self.clone()))
    }

    fn no_comparison(&self) -> ProtocolError {
        ProtocolError::new(ErrorCode::BadRequest, format!("{} is no comparison", self.title))
    }

    /// What is compared, if it is a comparison.
    pub fn comparison(&self) -> Option<&Comparing> {
        self.comparing.as_ref()
    }
}

impl Comparing {
    /// A comparison of values as they are.
    pub(crate) fn new(
        sides: [String; 2],
        metrics: Vec<Metric>,
        groups: Groups,
        noise: f64,
        matches: Vec<Match>,
    ) -> Comparing {
        let normalise = Normalise::Absolute;
        Comparing { sides, metrics, groups, noise, matches, normalise, plain: None }
    }

    /// The kind of change of something with this test, told from noise by the runs where there are
    /// several: what was too small to be tested is taken to be unchanged.
    pub(crate) fn tag(&self, change: Change, test: Option<&Significance>) -> Tag {
        if !self.groups.can_test() {
            return change.tag(self.noise);
        }
        match test.is_some_and(Significance::is_believed) {
            true => change.tag(0.0),
            false => Tag::Unchanged,
        }
    }
}

/// The totals of a node on either side, in a metric of the comparison.
pub(crate) fn change_of(tree: &mut Tree, node: NodeId, metric: usize) -> Change {
    let base = tree.values(node, Side::Base.of(metric)).1;
    Change { base, new: tree.values(node, Side::New.of(metric)).1 }
}
