//! How to look at a profile.

use analysis::{Collapse, Filter, FrameKey, Granularity, LinkedRole, Order, Shape};
use profile::MetricId;

/// How to look at a profile.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ViewOptions {
    /// The metric.
    pub metric: MetricId,
    /// Metrics that reports tell beside it.
    pub more_metrics: Vec<MetricId>,
    /// What makes frames equal.
    pub granularity: Granularity,
    /// Filters, in order.
    pub filters: Vec<Filter>,
    /// Order of siblings.
    pub order: Order,
    /// Which recursion is one frame.
    pub collapse: Collapse,
    /// Whether the profile's own `drop_frames` counts.
    pub drop_frames: bool,
    /// Which of the contexts that points join is looked at; none for the points' own.
    pub role: Option<RoleOptions>,
}

impl Default for ViewOptions {
    fn default() -> Self {
        ViewOptions {
            metric: MetricId(0),
            more_metrics: vec![],
            granularity: Granularity::Function,
            filters: vec![],
            order: Order::Value,
            collapse: Collapse::None,
            drop_frames: true,
            role: None,
        }
    }
}

/// Which of the contexts that points join is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RoleOptions {
    /// The role.
    pub role: LinkedRole,
    /// What is chosen in the views of other roles: other points do not count.
    pub chosen: Vec<ChosenRole>,
}

/// A node of the view of a role.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChosenRole {
    /// The role.
    pub role: LinkedRole,
    /// The tree that the node belongs to.
    pub shape: Shape,
    /// Keys from below the whole program down to the node.
    pub path: Vec<FrameKey>,
}
