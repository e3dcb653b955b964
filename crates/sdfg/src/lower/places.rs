//! Where elements of containers are.

use std::collections::HashMap;
use std::sync::Arc;

use locality::Affine;

use super::lowering::{Lowering, Names};
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
    /// By dimension of the container, its index where all indices are 0, and which index is added to it; none
    /// where the container is seen as something else.
    pub(super) outer: Option<Vec<(Affine, Option<usize>)>>,
}

impl Place {
    /// The indices in the container of some indices.
    pub(super) fn outer_at(&self, indices: &[Affine]) -> Option<Vec<Affine>> {
        let outer = self.outer.as_ref()?;
        let index = |(first, own): &(Affine, Option<usize>)| match own {
            Some(own) => Some(first.clone().plus(indices.get(*own)?)),
            None => Some(first.clone()),
        };
        outer.iter().map(index).collect()
    }

    /// Whether nothing stands before the element whose indices are 0.
    fn is_at_its_base(&self) -> bool {
        self.start == Affine::constant(0)
    }

    /// What a part of this is, from some indices on, seen with strides and a shape of its own.
    fn part(
        &self,
        first: &[Affine],
        strides: &[i64],
        shape: &[i64],
    ) -> Option<Vec<(Affine, Option<usize>)>> {
        let first = if first.is_empty() && !self.strides.is_empty() {
            vec![Affine::constant(0); self.strides.len()]
        } else {
            first.to_vec()
        };
        // Each dimension is one of this, in their order; those of one element may be left out.
        let mut dimensions = vec![None; self.strides.len()];
        let mut free = 0;
        for (own, (&stride, &size)) in strides.iter().zip(shape).enumerate() {
            if size == 1 && strides.len() != self.strides.len() {
                continue;
            }
            let fits = |&at: &usize| self.strides[at] == stride && size <= self.shape[at];
            let at = (free..self.strides.len()).find(fits)?;
            dimensions[at] = Some(own);
            free = at + 1;
        }
        let starts = self.outer_at(&first)?;
        let outer = self.outer.as_ref()?.iter().zip(starts);
        Some(outer.map(|((_, own), start)| (start, own.and_then(|own| dimensions[own]))).collect())
    }

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
            return Named::Other(format!("{name} is not a container"));
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
        let Some(own) = laid_out(container, names) else {
            return Named::Other(format!("the layout of {name} depends on data or on loops"));
        };
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
                let shown =
                    own.is_at_its_base().then(|| outer.part(&first, &own.strides, &own.shape));
                let outer_indices = shown.flatten();
                Named::Memory(Place {
                    container: outer.container,
                    start,
                    outer: outer_indices,
                    ..own
                })
            }
            (Named::Other(why), ..) => Named::Other(why),
            (Named::Register, ..) => Named::Register,
            _ => Named::Other(format!("where {name} begins is not a sum of variables")),
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
        let called = match graph.place() {
            0 => name.to_string(),
            _ => format!("{}.{name}", self.program.graph(graph).name),
        };
        self.done.containers.push(locality::Container {
            name: called,
            element: container.element.size.unwrap_or(8).into(),
            shape: own.shape.iter().map(|&size| size.max(0) as u64).collect(),
            strides: own.strides.clone(),
            offset: own.start.constant,
            alignment: container.alignment.max(1),
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

    /// A name of an inner graph that stands for a container around it that is whole there; none where it
    /// is a part of it.
    pub(super) fn whole(
        &self,
        (graph, name, names): (GraphIndex, &Arc<str>, &Names),
        (around, outer_name, outer_names): (GraphIndex, &Arc<str>, &Names),
        outer: &Place,
    ) -> Option<Place> {
        if !self.program.hands_on_whole_containers() {
            return None;
        }
        let own = laid_out(self.program.graph(graph).containers.get(name)?, names)?;
        // A tool that still hands on parts has other sizes within.
        if (&own.shape, &own.strides) != (&outer.shape, &outer.strides) {
            return None;
        }
        let other = laid_out(self.program.graph(around).containers.get(outer_name)?, outer_names)?;
        if own.start == other.start {
            return Some(outer.clone());
        }
        // Where the index 0 is, each says for itself.
        let start = outer.start.clone().plus(&own.start).plus(&other.start.times(-1));
        Some(Place { start, outer: None, ..outer.clone() })
    }

    /// A name of an inner graph that stands for a part of a container around it.
    pub(super) fn inner(
        &self,
        graph: GraphIndex,
        name: &Arc<str>,
        names: &Names,
        outer: &Place,
        first: &[Affine],
    ) -> Option<Place> {
        let container = self.program.graph(graph).containers.get(name)?;
        let own = laid_out(container, names)?;
        let start = outer.at(first).plus(&own.start);
        let part = own.is_at_its_base().then(|| outer.part(first, &own.strides, &own.shape));
        Some(Place { container: outer.container, start, outer: part.flatten(), ..own })
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
    if strides.len() != shape.len() {
        return None;
    }
    let mut start = number(&container.start_offset)?;
    for (offset, stride) in all(&container.offset)?.iter().zip(&strides) {
        start = start.checked_add(offset.checked_mul(*stride)?)?;
    }
    let outer = (0..shape.len()).map(|at| (Affine::constant(0), Some(at))).collect();
    Some(Place { container: 0, start: Affine::constant(start), strides, shape, outer: Some(outer) })
}
