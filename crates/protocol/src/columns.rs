//! Columns: the bulk numbers of a frame.

use serde::{Deserialize, Serialize};

/// One named array of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The name under which the reader finds it.
    pub name: String,
    /// The numbers.
    pub data: ColumnData,
}

/// The numbers of a column, by element type.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnData {
    /// `Uint8Array` in TypeScript; also raw bytes such as an uploaded file.
    U8(Vec<u8>),
    /// `Uint32Array`.
    U32(Vec<u32>),
    /// `BigInt64Array`: exact metric values.
    I64(Vec<i64>),
    /// `Float64Array`.
    F64(Vec<f64>),
}

/// The element type of a column, as the header names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    /// Unsigned 8-bit.
    U8,
    /// Unsigned 32-bit.
    U32,
    /// Signed 64-bit.
    I64,
    /// IEEE 754 double.
    F64,
}

impl ColumnKind {
    /// Bytes of one element.
    pub fn width(self) -> usize {
        match self {
            ColumnKind::U8 => 1,
            ColumnKind::U32 => 4,
            ColumnKind::I64 | ColumnKind::F64 => 8,
        }
    }
}

impl ColumnData {
    /// The element type.
    pub fn kind(&self) -> ColumnKind {
        match self {
            ColumnData::U8(_) => ColumnKind::U8,
            ColumnData::U32(_) => ColumnKind::U32,
            ColumnData::I64(_) => ColumnKind::I64,
            ColumnData::F64(_) => ColumnKind::F64,
        }
    }

    /// How many elements.
    pub fn len(&self) -> usize {
        match self {
            ColumnData::U8(v) => v.len(),
            ColumnData::U32(v) => v.len(),
            ColumnData::I64(v) => v.len(),
            ColumnData::F64(v) => v.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the elements as little-endian bytes.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        match self {
            ColumnData::U8(v) => out.extend_from_slice(v),
            ColumnData::U32(v) => v.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes())),
            ColumnData::I64(v) => v.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes())),
            ColumnData::F64(v) => v.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes())),
        }
    }

    /// Reads elements of `kind` from little-endian `bytes`; a trailing partial element is ignored.
    pub fn read_from(kind: ColumnKind, bytes: &[u8]) -> ColumnData {
        match kind {
            ColumnKind::U8 => ColumnData::U8(bytes.to_vec()),
            ColumnKind::U32 => ColumnData::U32(
                bytes.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b)).collect(),
            ),
            ColumnKind::I64 => ColumnData::I64(
                bytes.as_chunks().0.iter().map(|b| i64::from_le_bytes(*b)).collect(),
            ),
            ColumnKind::F64 => ColumnData::F64(
                bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect(),
            ),
        }
    }
}

/// A set of columns that belongs to one method's answer.
pub trait Columns {
    /// The columns, by name.
    fn into_columns(self) -> Vec<Column>;
    /// What it is called.
    fn name() -> &'static str;
    /// The TypeScript interface that mirrors it.
    fn typescript() -> String;
}

pub(crate) trait Element: Sized {
    const TYPED_ARRAY: &'static str;
    fn wrap(values: Vec<Self>) -> ColumnData;
}

macro_rules! element {
    ($type:ty, $variant:ident, $array:literal) => {
        impl Element for $type {
            const TYPED_ARRAY: &'static str = $array;
            fn wrap(values: Vec<Self>) -> ColumnData {
                ColumnData::$variant(values)
            }
        }
    };
}
element!(u8, U8, "Uint8Array");
element!(u32, U32, "Uint32Array");
element!(i64, I64, "BigInt64Array");
element!(f64, F64, "Float64Array");

/// Defines a struct of parallel vectors that is also a set of columns and a TypeScript interface.
macro_rules! columns {
    ($(#[doc = $doc:literal])* $name:ident { $($(#[doc = $field_doc:literal])* $field:ident: $type:ty,)* }) => {
        $(#[doc = $doc])*
        #[derive(Debug, Default, Clone, PartialEq)]
        pub struct $name { $($(#[doc = $field_doc])* pub $field: Vec<$type>,)* }

        impl $crate::columns::Columns for $name {
            fn into_columns(self) -> Vec<$crate::columns::Column> {
                vec![$($crate::columns::Column {
                    name: stringify!($field).to_owned(),
                    data: <$type as $crate::columns::Element>::wrap(self.$field),
                },)*]
            }

            fn name() -> &'static str {
                stringify!($name)
            }

            fn typescript() -> String {
                let mut out = String::new();
                $(out.push_str(&format!("/**{} */\n", $doc));)*
                out.push_str(concat!("export interface ", stringify!($name), " {\n"));
                $(
                    $(out.push_str(&format!("  /**{} */\n", $field_doc));)*
                    out.push_str(&format!(
                        "  readonly {}: {};\n",
                        stringify!($field),
                        <$type as $crate::columns::Element>::TYPED_ARRAY
                    ));
                )*
                out.push_str("}\n");
                out
            }
        }
    };
}
pub(crate) use columns;
