//! SDFGs as their JSON has them. Unknown keys are skipped; everything that a version may leave out
//! is optional.
//!
//! A block, a node and a graph are one type here: what the list `nodes` holds depends on the key
//! `type`, which may come after it.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

#[derive(Deserialize)]
pub(super) struct Element {
    // Required: it keeps the memory that a file takes in proportion to its length.
    #[serde(rename = "type")]
    pub(super) kind: Box<str>,
    pub(super) label: Option<Text>,
    #[serde(alias = "sdfg_list_id")]
    pub(super) cfg_list_id: Option<i64>,
    #[serde(alias = "start_state")]
    pub(super) start_block: Option<Text>,
    pub(super) attributes: Option<Box<Attributes>>,
    pub(super) nodes: Option<Vec<Element>>,
    pub(super) edges: Option<Vec<Edge>>,
    pub(super) branches: Option<Vec<(Option<Code>, Element)>>,
    pub(super) classpath: Option<Box<str>>,
    pub(super) source_files: Option<Vec<Text>>,
    pub(super) dace_version: Option<Box<str>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Attributes {
    pub(super) name: Option<Text>,
    #[serde(rename = "_arrays")]
    pub(super) arrays: Option<BTreeMap<Box<str>, Option<Container>>>,
    pub(super) symbols: Option<BTreeMap<Box<str>, serde_json::Value>>,
    pub(super) constants_prop: Option<BTreeMap<Box<str>, (IgnoredAny, Loose)>>,
    pub(super) arg_names: Option<Vec<Box<str>>>,
    pub(super) hash: Option<Text>,
    pub(super) data: Option<Box<str>>,
    pub(super) code: Option<Code>,
    pub(super) in_connectors: Option<serde_json::Value>,
    pub(super) out_connectors: Option<serde_json::Value>,
    pub(super) params: Option<Vec<Box<str>>>,
    pub(super) range: Option<Subset>,
    pub(super) schedule: Option<Text>,
    pub(super) pe_index: Option<Box<str>>,
    pub(super) num_pes: Option<Text>,
    pub(super) sdfg: Option<Nested>,
    pub(super) symbol_mapping: Option<BTreeMap<Box<str>, Text>>,
    pub(super) alpha: Loose,
    pub(super) beta: Loose,
    #[serde(rename = "transA")]
    pub(super) transposed: Loose,
    #[serde(rename = "transB")]
    pub(super) second_transposed: Loose,
    pub(super) axes: Option<serde_json::Value>,
    pub(super) identity: Loose,
    pub(super) wcr: Loose,
    pub(super) debuginfo: Option<DebugInfo>,
    pub(super) guid: Option<Box<str>>,
    pub(super) loop_variable: Option<Box<str>>,
    pub(super) init_statement: Option<Code>,
    pub(super) loop_condition: Option<Code>,
    pub(super) update_statement: Option<Code>,
    pub(super) inverted: Option<bool>,
    pub(super) update_before_condition: Option<bool>,
}

#[derive(Deserialize)]
pub(super) struct Container {
    #[serde(rename = "type")]
    pub(super) kind: Box<str>,
    pub(super) attributes: Option<Box<ContainerAttributes>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct ContainerAttributes {
    pub(super) dtype: Option<serde_json::Value>,
    pub(super) shape: Option<Vec<Text>>,
    pub(super) strides: Option<Vec<Text>>,
    pub(super) offset: Option<Vec<Text>>,
    pub(super) total_size: Option<Text>,
    pub(super) start_offset: Option<Text>,
    pub(super) alignment: Option<Text>,
    pub(super) transient: Option<bool>,
    pub(super) storage: Option<Box<str>>,
    pub(super) lifetime: Loose,
    pub(super) members: Option<Vec<Members>>,
}

/// A structure's members come as one-key objects in a list, or as pairs.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Members {
    Pair(Box<str>, Container),
    Named(BTreeMap<Box<str>, Container>),
}

#[derive(Deserialize)]
pub(super) struct Edge {
    pub(super) src: Text,
    pub(super) dst: Text,
    pub(super) src_connector: Option<Box<str>>,
    pub(super) dst_connector: Option<Box<str>>,
    pub(super) attributes: Option<Box<EdgeAttributes>>,
}

#[derive(Deserialize)]
pub(super) struct EdgeAttributes {
    pub(super) data: Option<EdgeData>,
}

#[derive(Deserialize)]
pub(super) struct EdgeData {
    pub(super) attributes: Option<EdgeContent>,
}

/// Of a memlet or of an edge between blocks.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct EdgeContent {
    pub(super) data: Option<Box<str>>,
    pub(super) subset: Option<Subset>,
    pub(super) other_subset: Option<Subset>,
    pub(super) volume: Option<Text>,
    pub(super) num_accesses: Option<Text>,
    pub(super) dynamic: Option<bool>,
    pub(super) wcr: Loose,
    pub(super) assignments: Option<BTreeMap<Box<str>, Text>>,
    pub(super) condition: Option<Code>,
}

#[derive(Deserialize)]
pub(super) struct Subset {
    pub(super) ranges: Option<Vec<Range>>,
    pub(super) indices: Option<Vec<Text>>,
    pub(super) subset_list: Option<Vec<Subset>>,
}

#[derive(Deserialize)]
pub(super) struct Range {
    pub(super) start: Text,
    pub(super) end: Text,
    pub(super) step: Option<Text>,
    pub(super) tile: Option<Text>,
}

#[derive(Deserialize)]
pub(super) struct DebugInfo {
    pub(super) start_line: Option<u32>,
    pub(super) filename: Option<Box<str>>,
    pub(super) file_index: Option<u32>,
}

/// A graph in a node: an object or, in old files, its text.
pub(super) enum Nested {
    Graph(Box<Element>),
    Text(Box<str>),
}

/// A text, a number or a truth value, as a text; of `{main, approx}` the first.
pub(super) struct Text {
    pub(super) text: Box<str>,
    pub(super) approximate: Option<Box<str>>,
}

/// A [`Text`], or nothing of anything else.
#[derive(Default)]
pub(super) struct Loose(pub(super) Option<Box<str>>);

/// Code with its language, which is Python where it is a text alone.
pub(super) struct Code {
    pub(super) text: Box<str>,
    pub(super) language: Option<Box<str>>,
}

macro_rules! scalars_as_text {
    ($made:expr) => {
        fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
            Ok($made(text.into()))
        }
        fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
            Ok($made(number.to_string().into()))
        }
        fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
            Ok($made(number.to_string().into()))
        }
        fn visit_f64<E: de::Error>(self, number: f64) -> Result<Self::Value, E> {
            Ok($made(number.to_string().into()))
        }
        fn visit_bool<E: de::Error>(self, truth: bool) -> Result<Self::Value, E> {
            Ok($made(if truth { "True" } else { "False" }.into()))
        }
    };
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Text, D::Error> {
        struct Seen;
        impl<'de> Visitor<'de> for Seen {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an expression as a text or a number")
            }

            scalars_as_text!(|text| Text { text, approximate: None });

            fn visit_unit<E: de::Error>(self) -> Result<Text, E> {
                Ok(Text { text: "None".into(), approximate: None })
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text, A::Error> {
                let mut main: Option<Text> = None;
                let mut other: Option<Text> = None;
                while let Some(key) = map.next_key::<Box<str>>()? {
                    match &*key {
                        "main" => main = Some(map.next_value()?),
                        "approx" => other = Some(map.next_value()?),
                        _ => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                let main = main.ok_or_else(|| de::Error::missing_field("main"))?;
                let other = other.map(|other| other.text).filter(|other| *other != main.text);
                Ok(Text { approximate: other.or(main.approximate), text: main.text })
            }
        }
        from.deserialize_any(Seen)
    }
}

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Loose, D::Error> {
        struct Seen;
        impl<'de> Visitor<'de> for Seen {
            type Value = Loose;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "any value")
            }

            scalars_as_text!(|text| Loose(Some(text)));

            fn visit_unit<E: de::Error>(self) -> Result<Loose, E> {
                Ok(Loose(None))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Loose, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Loose(None))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Loose, A::Error> {
                let mut code = None;
                while let Some(key) = map.next_key::<Box<str>>()? {
                    match &*key {
                        "string_data" => code = map.next_value::<Option<Box<str>>>()?,
                        _ => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(Loose(code))
            }
        }
        from.deserialize_any(Seen)
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Code, D::Error> {
        struct Seen;
        impl<'de> Visitor<'de> for Seen {
            type Value = Code;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "code as a text, or with its language")
            }

            scalars_as_text!(|text| Code { text, language: None });

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Code, A::Error> {
                let (mut text, mut language) = (None, None);
                while let Some(key) = map.next_key::<Box<str>>()? {
                    match &*key {
                        "string_data" => text = map.next_value::<Option<Box<str>>>()?,
                        "language" => language = map.next_value::<Option<Box<str>>>()?,
                        _ => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(Code { text: text.unwrap_or_default(), language })
            }
        }
        from.deserialize_any(Seen)
    }
}

impl<'de> Deserialize<'de> for Nested {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Nested, D::Error> {
        struct Seen;
        impl<'de> Visitor<'de> for Seen {
            type Value = Nested;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an SDFG as an object or its text")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Nested, E> {
                Ok(Nested::Text(text.into()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Nested, A::Error> {
                let graph = Element::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(Nested::Graph(Box::new(graph)))
            }
        }
        from.deserialize_any(Seen)
    }
}
