//! The bits of columns named `flags`, and the lists that columns name places of.

/// Defines the bits of a column, here and in TypeScript.
macro_rules! flags {
    ($($(#[doc = $doc:literal])* $name:ident {
        $($(#[doc = $bit_doc:literal])* $bit:ident = $value:literal,)*
    })*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Debug, Clone, Copy)]
            pub enum $name {}

            impl $name {
                $($(#[doc = $bit_doc])* pub const $bit: u32 = $value;)*
            }
        )*

        /// The bits as TypeScript.
        #[cfg(test)]
        fn bits() -> String {
            let mut out = String::new();
            $(
                $(out.push_str(&format!("\n/**{} */", $doc));)*
                out.push_str(concat!("\nexport const ", stringify!($name), " = {\n"));
                $(
                    $(out.push_str(&format!("  /**{} */\n", $bit_doc));)*
                    out.push_str(concat!("  ", stringify!($bit), ": ", $value, ",\n"));
                )*
                out.push_str("} as const;\n");
            )*
            out
        }

        #[cfg(test)]
        #[test]
        fn no_two_bits_are_the_same() {
            $(
                let bits: &[u32] = &[$($name::$bit),*];
                let all = bits.iter().fold(0, |all, bit| all | bit);
                assert_eq!(all.count_ones() as usize, bits.len(), stringify!($name));
                assert!(bits.iter().all(|bit| bit.is_power_of_two()), stringify!($name));
            )*
        }
    };
}

flags! {
    /// Bits of the `flags` of [`crate::FlameColumns`].
    FlameFlag {
        /// The box matches the search.
        MATCHES = 1,
        /// It has no source position.
        NO_SOURCE = 2,
        /// It was inlined into its caller.
        INLINED = 4,
        /// It holds recursive calls of its function.
        RECURSIVE = 8,
        /// It has no source file though others have: it is drawn pale.
        PALE = 16,
        /// Of a comparison: its runs do not show whether it changed. It is hatched.
        UNSURE = 32,
        /// A span that never ends: it lasts at least as long as it is drawn.
        UNFINISHED = 64,
    }

    /// Bits of the `flags` of [`crate::GraphDrawingColumns`].
    BoxFlag {
        /// The box can be folded and unfolded.
        FOLDABLE = 1,
        /// It is unfolded.
        UNFOLDED = 2,
        /// It has a source line.
        SOURCE = 4,
        /// It is data that lives in the graph only.
        TRANSIENT = 8,
        /// An element that another box is of as well, which stands before it.
        COPY = 16,
    }

    /// Bits of the `edge_flags` of [`crate::GraphDrawingColumns`].
    EdgeFlag {
        /// The edge orders only.
        ORDERS_ONLY = 1,
        /// It combines with what is there.
        COMBINES = 2,
        /// Data decides how much moves.
        DYNAMIC = 4,
        /// It joins blocks and not nodes.
        INTERSTATE = 8,
        /// It is outside of all scopes and nested graphs.
        OUTERMOST = 16,
        /// It says which data a view is of, so that nothing moves.
        BINDS_VIEW = 32,
    }
}

/// The bits, and the enumerations that columns name places of as lists.
#[cfg(test)]
pub(crate) fn describe() -> String {
    use ts_rs::{Config, TS};

    fn list<T: TS>(name: &str) -> String {
        // `type Name = "one" | "two";`
        let declared = T::decl(&Config::default());
        let (_, values) = declared.split_once('=').expect("a type");
        let values = values.trim().trim_end_matches(';').replace(" | ", ", ");
        let of = T::name(&Config::default());
        format!(
            "\n/** Every {of}, in the order of its numbers. */\nexport const {name}: readonly {of}[] = [{values}];\n"
        )
    }

    let kinds = list::<crate::GraphKind>("GRAPH_KINDS");
    bits() + &kinds + &list::<crate::ChangeTag>("CHANGE_TAGS")
}
