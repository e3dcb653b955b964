//! Names that follow from content.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::hex;

/// What a job is: the BLAKE3 of everything that makes it another job. Shown as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Key([u8; 32]);

/// What a blob holds: the BLAKE3 of its bytes. Shown as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hash([u8; 32]);

macro_rules! content_name {
    ($name:ident, $what:literal) => {
        impl $name {
            /// The name of these bytes.
            pub fn new(bytes: &[u8]) -> $name {
                $name(*blake3::hash(bytes).as_bytes())
            }

            /// A name that was made elsewhere.
            pub fn from_bytes(bytes: [u8; 32]) -> $name {
                $name(bytes)
            }

            /// The name as it is kept.
            pub fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex::encode(&self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<$name, Error> {
                let bytes = hex::decode(text).and_then(|bytes| bytes.try_into().ok());
                bytes.map($name).ok_or_else(|| {
                    Error::Asked(format!(
                        concat!("'{}' is not a ", $what, ": it has 64 hexadecimal digits"),
                        text.escape_debug()
                    ))
                })
            }
        }

        impl TryFrom<String> for $name {
            type Error = Error;

            fn try_from(text: String) -> Result<$name, Error> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.to_string()
            }
        }
    };
}

content_name!(Key, "key of a job");
content_name!(Hash, "hash of a blob");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_shown() {
        // The empty input's hash, from the BLAKE3 test vectors.
        let shown = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
        assert_eq!(Hash::new(b"").to_string(), shown);
        assert_eq!(shown.parse::<Hash>().unwrap(), Hash::new(b""));
        assert_eq!(shown.to_uppercase().parse::<Key>().unwrap(), Key::new(b""));
        for wrong in ["", &shown[1..], &shown.replace('a', "g"), &format!("{shown}00"), "ä"] {
            assert!(wrong.parse::<Key>().is_err(), "{wrong}");
        }
    }
}
