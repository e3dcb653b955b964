//! JSON, read value by value from a stream.
//!
//! [`Json`] stands before a value. The caller asks for it as what it should be; an object or array
//! is entered, and then its members are asked for one after the other:
//!
//! ```ignore
//! let mut json = Json::new(stream, FORMAT.name)?;
//! json.object()?;
//! while let Some(key) = json.next_key()? {
//!     match key {
//!         "unit" => unit = builder.strings.intern(json.string()?),
//!         "weights" => {
//!             json.array()?;
//!             while json.next_element()? {
//!                 weights.push(json.optional(Json::i64)?.unwrap_or(0));
//!             }
//!         }
//!         _ => {} // What is not read is skipped.
//!     }
//! }
//! json.finish()?;
//! ```
//!
//! A key lives until the next call; match it, or copy it. A function that reads a part of the
//! document takes `&mut Json` and leaves behind the value at which it was called.
//!
//! **Nothing recurses here**, and readers of trees of unknown depth must not either. The parser
//! knows where it is, so such a reader needs a stack of its own nodes only:
//!
//! ```ignore
//! json.object()?; // The root, {"name": …, "children": [ … ]}.
//! nodes.push(Node::default());
//! loop {
//!     let opened = match json.next_key()? {
//!         Some("name") => { top(&mut nodes).name = json.string()?.to_owned(); false }
//!         Some("children") => { json.array()?; json.next_element()? }
//!         Some(_) => false,
//!         None => {
//!             close(nodes.pop());
//!             if nodes.is_empty() { break }
//!             json.next_element()? // A node's end is followed by its sibling, or …
//!         }
//!     };
//!     if opened {
//!         json.object()?;
//!         nodes.push(Node::default());
//!     } // … else by the rest of the object around the array.
//! }
//! ```
//!
//! Memory is bounded by the longest string or number and by the nesting. Members that are skipped
//! are only looked at for quotes and brackets.

mod errors;
mod kind;
mod nesting;
pub(crate) mod outline;
mod reader;
mod scan;
mod skip;
#[cfg(test)]
mod tests;
mod values;
mod window;

pub(crate) use kind::Kind;
pub(crate) use reader::Json;
