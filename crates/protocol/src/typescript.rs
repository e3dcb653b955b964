//! Generates `web/engine/src/generated/protocol.ts` and checks that it is fresh.

use std::collections::BTreeMap;
use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

use crate::columns::Columns;
use crate::frame::ColumnEntry;
use crate::*;

/// Declarations of types by name, with those of all that they are made of. In the order of names, for
/// that in which a type's parts come differs from one compilation to the next.
#[derive(Default)]
pub(crate) struct Declared(BTreeMap<String, String>);

impl Declared {
    /// A type, and the types that it is made of.
    pub(crate) fn declare<T: TS + 'static + ?Sized>(&mut self) {
        self.visit::<T>();
    }

    pub(crate) fn declare_columns<C: Columns>(&mut self) {
        self.0.insert(C::name().to_owned(), format!("{}\n", C::typescript()));
    }
}

impl TypeVisitor for Declared {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let config = Config::default();
        // What TypeScript has itself, and plain JSON, need no declaration.
        let name = T::name(&config);
        let is_ours = T::output_path().is_some() && name != "JsonValue";
        if is_ours && !self.0.contains_key(&name) {
            self.0.insert(name, format!("export {}\n\n", T::decl(&config)));
            T::visit_dependencies(self);
        }
        T::visit_generics(self);
    }
}

fn generate() -> String {
    let mut declared = Declared::default();
    declared.declare::<Header>();
    declared.declare::<ColumnEntry>();
    let replies = crate::methods::describe(&mut declared);
    let editor = crate::editor::describe(&mut declared);
    let flags = crate::flags::describe();
    let types: String = declared.0.into_values().collect();
    let types = types.replace("serde_json::Value", "unknown").replace("JsonValue", "unknown");
    format!(
        "// Generated from crates/protocol by `cargo xtask codegen`; do not edit.\n\n{types}{replies}{editor}{flags}"
    )
}

/// With `UPDATE_GENERATED=1` the file is written; otherwise it must be equal.
#[test]
fn generated_typescript_is_fresh() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/engine/src/generated/protocol.ts");
    let fresh = generate();
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &fresh).unwrap();
    }
    let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(checked_in == fresh, "protocol.ts is stale: run `cargo xtask codegen`");
}
