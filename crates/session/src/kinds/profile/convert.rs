//! From the protocol's words to those of the analyses.

use analysis::statistics::{Reason, Verdict};
use analysis::{
    Collapse, Filter, FilterError, FilterKind, FrameKey, Granularity, Normalise, Order, Shape, Tag,
};
use protocol::{ChangeTag, ChangeVerdict, ErrorCode, ProtocolError, VerdictInfo};

/// The keys of a path.
pub(crate) fn path(keys: &[u32]) -> Vec<FrameKey> {
    keys.iter().copied().map(FrameKey).collect()
}

pub(crate) fn shape(shape: protocol::Shape) -> Shape {
    match shape {
        protocol::Shape::TopDown {} => Shape::TopDown,
        protocol::Shape::BottomUp {} => Shape::BottomUp,
        protocol::Shape::Flat {} => Shape::Flat,
        protocol::Shape::Callees { key } => Shape::Callees(FrameKey(key)),
        protocol::Shape::Callers { key } => Shape::Callers(FrameKey(key)),
        protocol::Shape::AllCallers {} => Shape::AllCallers,
    }
}

pub(crate) fn granularity(granularity: protocol::Granularity) -> Granularity {
    match granularity {
        protocol::Granularity::Function => Granularity::Function,
        protocol::Granularity::Name => Granularity::Name,
        protocol::Granularity::File => Granularity::File,
        protocol::Granularity::Line => Granularity::Line,
        protocol::Granularity::Module => Granularity::Module,
        protocol::Granularity::Address => Granularity::Address,
    }
}

pub(crate) fn collapse(collapse: protocol::Collapse) -> Collapse {
    match collapse {
        protocol::Collapse::None => Collapse::None,
        protocol::Collapse::Direct => Collapse::Direct,
        protocol::Collapse::All => Collapse::All,
    }
}

pub(crate) fn order(order: protocol::Order) -> Order {
    match order {
        protocol::Order::Value => Order::Value,
        protocol::Order::Name => Order::Name,
    }
}

pub(crate) fn filters(filters: &[protocol::Filter]) -> Vec<Filter> {
    let kind = |kind| match kind {
        protocol::FilterKind::Focus => FilterKind::Focus,
        protocol::FilterKind::Search => FilterKind::Search,
        protocol::FilterKind::Ignore => FilterKind::Ignore,
        protocol::FilterKind::Hide => FilterKind::Hide,
        protocol::FilterKind::Show => FilterKind::Show,
        protocol::FilterKind::ShowFrom => FilterKind::ShowFrom,
        protocol::FilterKind::LabelFocus => FilterKind::LabelFocus,
        protocol::FilterKind::LabelIgnore => FilterKind::LabelIgnore,
        protocol::FilterKind::Time => FilterKind::Time,
        protocol::FilterKind::During => FilterKind::During,
        protocol::FilterKind::Around => FilterKind::Around,
    };
    let filter = |f: &protocol::Filter| Filter { kind: kind(f.kind), pattern: f.pattern.clone() };
    filters.iter().map(filter).collect()
}

pub(crate) fn normalise(normalise: &protocol::Normalise) -> Normalise {
    match normalise {
        protocol::Normalise::Absolute {} => Normalise::Absolute,
        protocol::Normalise::Total {} => Normalise::Total,
        protocol::Normalise::Frame { pattern } => Normalise::Frame(pattern.clone()),
    }
}

pub(crate) fn normalise_to_proto(normalise: &Normalise) -> protocol::Normalise {
    match normalise {
        Normalise::Absolute => protocol::Normalise::Absolute {},
        Normalise::Total => protocol::Normalise::Total {},
        Normalise::Frame(pattern) => protocol::Normalise::Frame { pattern: pattern.clone() },
    }
}

pub(crate) fn tag(tag: Tag) -> ChangeTag {
    match tag {
        Tag::Added => ChangeTag::Added,
        Tag::Deleted => ChangeTag::Deleted,
        Tag::Larger => ChangeTag::Larger,
        Tag::Smaller => ChangeTag::Smaller,
        Tag::Unchanged => ChangeTag::Unchanged,
    }
}

/// The tag at a place of the list of [`ChangeTag`].
pub(crate) fn tag_at(place: u32) -> Option<Tag> {
    let tags = [Tag::Added, Tag::Deleted, Tag::Larger, Tag::Smaller, Tag::Unchanged];
    tags.into_iter().find(|&one| tag(one) as u32 == place)
}

pub(crate) fn verdict(verdict: Verdict) -> VerdictInfo {
    VerdictInfo {
        verdict: match verdict {
            Verdict::More => ChangeVerdict::More,
            Verdict::Less => ChangeVerdict::Less,
            Verdict::Same => ChangeVerdict::Same,
            Verdict::Unknown(_) => ChangeVerdict::Unknown,
        },
        reason: verdict.reason().map_or("", Reason::text).to_owned(),
    }
}

pub(crate) fn filter_error(error: FilterError) -> ProtocolError {
    ProtocolError::new(ErrorCode::BadPattern, error.to_string())
}
