//! Where elements of containers are.

use std::collections::HashMap;
use std::sync::Arc;

use locality::Affine;

use super::{Lowering, Names};
use crate::expr::Expr;
use crate::model::{Container, ContainerKind, GraphIndex, NodeIndex, NodeKind, Subset};

/// Where names of a graph are, beyond the memory of its own containers.
#[derive(Debug, Clone, Default)]
pub(super) struct Places(pub(super) HashMap<Arc<str>, Option<Place>>);

/// Elements by indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Number of the container that has the memory.
    pub(super) container: u32,
    /// The element whose indices are 0, from the container's base.
    pub(super) start: Affine,
    /// By dimension, in elements.
    pub(super) strides: Vec<i64>,
    /// By dimension.
    pub(super) shape: Vec<i64>,
}

impl Place {
    /// The element of some indices.
    pub(super) fn at(&self, indices: &[Affine]) -> Affine {
        indices.iter().zip(&self.strides).fold(self.start.clone(), |sum, (index, &stride)| {
            sum.plus(&index.clone().times(stride))
        })
    }
}

/// What a name stands for.
pub(super) enum Named {
    /// Memory.
    Memory(Place),
    /// A register.
    Register,
    /// Something else, and what.
    Other(String),
}

impl Lowering<'_> {
    /// Where a container of a graph is.
    pub(super) fn place(
        &mut self,
        graph: GraphIndex,
        name: &Arc<str>,
        names: &Names,
        places: &Places,
    ) -> Named {
        if let Some(known) = places.0.get(name) {
            return match known {
                Some(place) => Named::Memory(place.clone()),
                None => Named::Register,
            };
        }
        let Some(container) = self.program.graph(graph).containers.get(name) else {
            return Named::Other(format!("{name} is no container"));
        };
        let is_one = container.shape.iter().all(|size| names.number(size) == Some(1));
        match &container.kind {
            ContainerKind::Scalar => return Named::Register,
            _ if &*container.storage == "Register" || (container.is_transient && is_one) => {
                return Named::Register;
            }
            ContainerKind::Array => {}
            ContainerKind::View => return self.viewed(graph, name, container, names, places),
            other => return Named::Other(format!("{name} is a {other:?}, which is not followed")),
        }
        let Some(mut own) = laid_out(container, names) else {
            return Named::Other(format!("the layout of {name} depends on data or on loops"));
        };
        let change = self.wanted.changes.layouts.get(&**name).filter(|_| graph.place() == 0);
        if let Some(change) = change {
            self.unmet.remove(&**name);
            if change.order.is_some() || change.row_multiple.is_some() {
                match change.strides(&own.shape, &own.strides) {
                    Ok(strides) => own = Place { strides, start: Affine::constant(0), ..own },
                    Err(why) => self.refused = Some(format!("{name}: {why}")),
                }
            }
        }
        let number = self.memory(graph, name, container, &own);
        Named::Memory(Place { container: number, ..own })
    }

    /// Where the elements of a view are: in what it shows, from where it begins there.
    fn viewed(
        &mut self,
        graph: GraphIndex,
        name: &Arc<str>,
        container: &Container,
        names: &Names,
        places: &Places,
    ) -> Named {
        let program = self.program;
        let mut found: Option<(Arc<str>, Option<&Subset>)> = None;
        for state in &program.states {
            if program.region(state.region).graph != graph {
                continue;
            }
            for edge in state.edges.iter().filter(|edge| edge.binds_view()) {
                let Some(memlet) = &edge.memlet else { continue };
                let data = |node: NodeIndex| match &state.nodes[node.place()].kind {
                    NodeKind::Access { data } => Some(data),
                    _ => None,
                };
                let ends = [data(edge.source), data(edge.target)];
                let other = match ends {
                    [Some(one), Some(other)] if *other == *name && one != name => one,
                    [Some(one), Some(other)] if *one == *name && other != name => other,
                    _ => continue,
                };
                let subset =
                    if memlet.data == *other { &memlet.subset } else { &memlet.other_subset };
                let own = (other.clone(), subset.as_ref());
                if found.as_ref().is_some_and(|known| *known != own) {
                    return Named::Other(format!("{name} shows several things"));
                }
                found = Some(own);
            }
        }
        let Some((other, subset)) = found else {
            return Named::Other(format!("nothing says what {name} shows"));
        };
        let first: Option<Vec<Affine>> = match subset {
            None => Some(vec![]),
            Some(subset) => subset.dimensions.iter().map(|one| names.affine(&one.start)).collect(),
        };
        if self.viewing.contains(name) {
            return Named::Other(format!("{name} shows itself"));
        }
        self.viewing.push(name.clone());
        let shown = self.place(graph, &other, names, places);
        self.viewing.pop();
        match (shown, first, laid_out(container, names)) {
            (Named::Memory(outer), Some(first), Some(own)) => {
                let start = outer.at(&first).plus(&own.start);
                Named::Memory(Place { container: outer.container, start, ..own })
            }
            (Named::Other(why), ..) => Named::Other(why),
            (Named::Register, ..) => Named::Register,
            _ => Named::Other(format!("where {name} begins is no sum of variables")),
        }
    }

    /// The container with memory for a name, made where it is met first.
    fn memory(
        &mut self,
        graph: GraphIndex,
        name: &Arc<str>,
        container: &Container,
        own: &Place,
    ) -> u32 {
        let key = (graph.place(), name.clone());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let change = self.wanted.changes.layouts.get(&**name).filter(|_| graph.place() == 0);
        let called = match graph.place() {
            0 => name.to_string(),
            _ => format!("{}.{name}", self.program.graph(graph).name),
        };
        self.done.containers.push(locality::Container {
            name: called,
            element: change
                .and_then(|change| change.element)
                .unwrap_or(container.element.size.unwrap_or(8).into()),
            shape: own.shape.iter().map(|&size| size.max(0) as u64).collect(),
            strides: own.strides.clone(),
            offset: own.start.constant,
            alignment: change
                .and_then(|change| change.alignment)
                .unwrap_or(container.alignment.max(1)),
            base: None,
        });
        if container.element.size.is_none() {
            self.done.notes.push(format!(
                "elements of {name} ({}) are taken to have 8 bytes",
                container.element.name
            ));
        }
        let number = self.done.containers.len() as u32 - 1;
        self.known.insert(key, number);
        number
    }

    /// A name of an inner graph that stands for a part of a container around it.
    pub(super) fn inner(
        &self,
        graph: GraphIndex,
        name: &Arc<str>,
        names: &Names,
        outer: &Place,
        first: Affine,
    ) -> Option<Place> {
        let container = self.program.graph(graph).containers.get(name)?;
        let own = laid_out(container, names)?;
        Some(Place { container: outer.container, start: first.plus(&own.start), ..own })
    }
}

/// Strides and shape as numbers, of no container yet.
fn laid_out(container: &Container, names: &Names) -> Option<Place> {
    let number = |expr: &Expr| names.number(expr).and_then(|number| i64::try_from(number).ok());
    let all =
        |list: &[Arc<Expr>]| list.iter().map(|expr| number(expr)).collect::<Option<Vec<i64>>>();
    let shape = all(&container.shape)?;
    let strides = if container.strides.is_empty() {
        let mut strides = vec![1i64; shape.len()];
        for dimension in (1..shape.len()).rev() {
            strides[dimension - 1] = strides[dimension].checked_mul(shape[dimension])?;
        }
        strides
    } else {
        all(&container.strides)?
    };
    let mut start = number(&container.start_offset)?;
    for (offset, stride) in all(&container.offset)?.iter().zip(&strides) {
        start = start.checked_add(offset.checked_mul(*stride)?)?;
    }
    Some(Place { container: 0, start: Affine::constant(start), strides, shape })
}
