//! Nodes of views.

use serde::{Deserialize, Serialize};

use crate::ViewSpec;

/// Parameters that name a view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ViewParams {
    /// The view.
    pub view: ViewSpec,
}

/// A node with its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NodeName {
    /// Node number.
    pub node: u32,
    /// Identity of the frame at the view's granularity.
    pub key: u32,
    /// Name, with its place where another function has the same name.
    pub name: String,
}

/// Parameters that name a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NodeParams {
    /// The view.
    pub view: ViewSpec,
    /// Instance that `node` belongs to; none if `node` is 0.
    pub instance: Option<u32>,
    /// The node.
    pub node: u32,
}

/// Result of methods that answer with nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NodesResult {
    /// Which build of the view the node numbers belong to.
    pub instance: u32,
    /// The nodes.
    pub nodes: Vec<u32>,
}

/// Parameters of [`crate::ProfileRequest::Locate`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LocateParams {
    /// The view.
    pub view: ViewSpec,
    /// Keys from below the whole program down to the node.
    pub path: Vec<u32>,
}

/// Result of [`crate::ProfileRequest::Locate`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LocateResult {
    /// Which build of the view the node numbers belong to.
    pub instance: u32,
    /// The nodes along the path, without the whole program; shorter than the path where the view
    /// has no such node.
    pub nodes: Vec<NodeName>,
}
