//! Containers and types of elements.

use std::sync::Arc;

use serde_json::Value;

use super::lower::Lowering;
use super::raw;
use crate::model::{Container, ContainerKind, ElementType, Lifetime};

impl Lowering {
    pub(super) fn container(&mut self, raw: raw::Container) -> Container {
        let attributes = raw.attributes.map(|attributes| *attributes).unwrap_or_default();
        let kind = match &*raw.kind {
            "Array" | "ContainerArray" | "Tensor" | "ParameterArray" => ContainerKind::Array,
            "Scalar" => ContainerKind::Scalar,
            "Stream" => ContainerKind::Stream,
            "Structure" => ContainerKind::Structure,
            view if view.ends_with("View") => ContainerKind::View,
            reference if reference.ends_with("Reference") => ContainerKind::Reference,
            other => {
                self.warn_of_kind("container", other);
                ContainerKind::Other(other.to_owned())
            }
        };
        let mut shape = self.expressions(attributes.shape);
        if shape.is_empty() && kind == ContainerKind::Scalar {
            shape.push(self.number(1));
        }
        let members = attributes.members.unwrap_or_default().into_iter();
        let members = members.flat_map(|one| match one {
            raw::Members::Pair(name, container) => vec![(name, container)],
            raw::Members::Named(named) => named.into_iter().collect(),
        });
        let members: Vec<(Box<str>, raw::Container)> = members.collect();
        Container {
            kind,
            element: attributes.dtype.as_ref().map_or_else(int32, |dtype| self.element_type(dtype)),
            shape,
            strides: self.expressions(attributes.strides),
            offset: self.expressions(attributes.offset),
            total_size: attributes.total_size.map(|text| self.expression(&text.text)),
            start_offset: match attributes.start_offset {
                Some(text) => self.expression(&text.text),
                None => self.number(0),
            },
            alignment: attributes.alignment.and_then(|text| text.text.parse().ok()).unwrap_or(0),
            is_transient: attributes.transient.unwrap_or(false),
            lifetime: self.lifetime(attributes.lifetime.0.as_deref()),
            storage: self.name(attributes.storage.as_deref().unwrap_or("Default")),
            // As deep as the JSON is at most.
            members: members
                .into_iter()
                .map(|(name, container)| (self.name(&name), self.container(container)))
                .collect(),
        }
    }

    fn lifetime(&mut self, name: Option<&str>) -> Lifetime {
        match name {
            None | Some("Scope") => Lifetime::Scope,
            Some("State") => Lifetime::State,
            Some("SDFG") => Lifetime::Graph,
            Some("Global") => Lifetime::Program,
            Some("Persistent") => Lifetime::Persistent,
            Some("External") => Lifetime::External,
            Some(other) => {
                self.warn_of_kind("lifetime of a container", other);
                Lifetime::Other(other.to_owned())
            }
        }
    }

    pub(super) fn element_type(&mut self, dtype: &Value) -> ElementType {
        let (name, size) = describe(dtype);
        if size.is_none() {
            self.warn_of_kind("type of elements without a size", &name);
        }
        ElementType { name: self.name(&name), size }
    }
}

/// What DaCe means where it says nothing.
fn int32() -> ElementType {
    ElementType { name: Arc::from("int32"), size: Some(4) }
}

/// Name and bytes; as deep as the JSON is at most.
fn describe(dtype: &Value) -> (String, Option<u32>) {
    /// Of the machines that DaCe makes code for.
    const POINTER: u32 = 8;
    let of = |key: &str| dtype.get(key);
    let whole = |key: &str| match of(key) {
        Some(Value::String(text)) => text.parse().ok(),
        Some(other) => other.as_u64().and_then(|number| u32::try_from(number).ok()),
        None => None,
    };
    let inner = || of("dtype").map(describe).unwrap_or(("void".to_owned(), None));
    let Some(kind) = dtype.get("type").and_then(Value::as_str) else {
        let name = dtype.as_str().unwrap_or("unknown").to_owned();
        let size = size_of(&name);
        return (name, size);
    };
    match kind {
        "vector" => {
            let ((name, size), count) = (inner(), whole("elements"));
            let all = size.zip(count).and_then(|(size, count)| size.checked_mul(count));
            let shown = count.map_or_else(|| "?".to_owned(), |count| count.to_string());
            (format!("vector<{name}, {shown}>"), all)
        }
        "pointer" => (format!("pointer<{}>", inner().0), Some(POINTER)),
        "callback" => ("callback".to_owned(), Some(POINTER)),
        other => {
            let name = of("name").and_then(Value::as_str).unwrap_or(other);
            (name.to_owned(), whole("bytes"))
        }
    }
}

fn size_of(name: &str) -> Option<u32> {
    Some(match name {
        "bool" | "bool_" | "int8" | "uint8" | "char" => 1,
        "int16" | "uint16" | "float16" | "half" | "bfloat16" => 2,
        "int32" | "uint32" | "float32" | "int" | "float" => 4,
        "int64" | "uint64" | "float64" | "complex64" | "double" | "pyobject" => 8,
        "complex128" => 16,
        "void" => 0,
        _ => return None,
    })
}
