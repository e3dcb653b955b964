//! Names of C++ and Rust as people write them, where a profile has those of the linker.

use std::fmt::{self, Write};
use std::str::FromStr;

use profile::{Profile, StringId, StringsBuilder};

/// What of a mangled name is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Demangle {
    /// The name as the file has it.
    #[default]
    None,
    /// Without parameters, return types and Rust's hashes.
    Short,
    /// Everything.
    Full,
}

impl FromStr for Demangle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "none" => Ok(Demangle::None),
            "short" => Ok(Demangle::Short),
            "full" => Ok(Demangle::Full),
            other => Err(format!("{other} is not one of none, short and full")),
        }
    }
}

/// Longer names stay mangled: substitutions let a short one grow without bound.
const LONGEST: usize = 16 * 1024;

/// Gives functions their demangled names; the mangled one becomes the linker's, where none is
/// known. Gives how many were renamed.
pub(crate) fn demangle(profile: &mut Profile, how: Demangle) -> usize {
    if how == Demangle::None {
        return 0;
    }
    let mut renamed = vec![];
    for row in 0..profile.functions.len() {
        let name = profile.functions.name[row];
        // A file may have only the linker's name.
        let mangled =
            if name == StringId::EMPTY { profile.functions.system_name[row] } else { name };
        if let Some(plain) = demangled(profile.text(mangled), how) {
            renamed.push((row, mangled, plain));
        }
    }
    if renamed.is_empty() {
        return 0;
    }
    let mut strings = StringsBuilder::from(profile.strings.clone());
    for (row, mangled, plain) in &renamed {
        profile.functions.name[*row] = strings.intern(plain);
        let system_name = &mut profile.functions.system_name[*row];
        if *system_name == StringId::EMPTY {
            *system_name = *mangled;
        }
    }
    profile.strings = strings.finish();
    renamed.len()
}

/// The name without mangling; none if it is not mangled. Without a wish: with parameters, and without Rust's hashes.
pub(crate) fn demangled(name: &str, how: Demangle) -> Option<String> {
    let mut out = Bounded(String::new());
    // Mach-O puts another underscore before.
    let name = name.strip_prefix('_').filter(|rest| rest.starts_with("_Z")).unwrap_or(name);
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        match how {
            Demangle::Full => write!(out, "{rust}"),
            _ => write!(out, "{rust:#}"),
        }
        .ok()?;
        return Some(out.0);
    }
    if !name.starts_with("_Z") {
        return None;
    }
    let symbol = cpp_demangle::Symbol::new(name).ok()?;
    let mut options = cpp_demangle::DemangleOptions::new();
    if how == Demangle::Short {
        options = options.no_params().no_return_type();
    }
    symbol.structured_demangle(&mut out, &options).ok()?;
    Some(out.0).filter(|plain| !plain.is_empty())
}

/// A text that refuses to grow too long.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_languages_become_readable() {
        // As c++filt and rustfilt have them.
        let full = |name| demangled(name, Demangle::Full);
        let short = |name| demangled(name, Demangle::Short);
        let vector = "_ZNSt6vectorIiSaIiEE9push_backERKi";
        assert_eq!(
            full(vector).unwrap(),
            "std::vector<int, std::allocator<int> >::push_back(int const&)"
        );
        assert_eq!(short(vector).unwrap(), "std::vector<int, std::allocator<int> >::push_back");
        assert_eq!(full("__ZN1a1bEv").unwrap(), "a::b()");
        let legacy = "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE";
        assert_eq!(short(legacy).unwrap(), "core::fmt::Formatter::pad");
        assert_eq!(full(legacy).unwrap(), "core::fmt::Formatter::pad::h0123456789abcdef");
        assert_eq!(short("_RNvC6_123foo3bar").unwrap(), "123foo::bar");
        for plain in ["main", "_start", "", "_Z", "_Zebra", "std::sort", "_ZN"] {
            assert_eq!(full(plain), None, "{plain}");
        }
    }

    #[test]
    fn rusts_hashes_are_shown_to_who_asks_for_everything() {
        let legacy = "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE";
        assert_eq!(demangled(legacy, Demangle::None).unwrap(), "core::fmt::Formatter::pad");
        assert_eq!(demangled("_ZN1a1bEi", Demangle::None).unwrap(), "a::b(int)");
    }

    #[test]
    fn the_linkers_name_is_kept() {
        let mut builder = profile::ProfileBuilder::new(vec![]);
        let mangled = builder.function("_ZN1a1bEv", "", 0);
        builder.function("main", "", 0);
        let mut profile = builder.finish();
        assert_eq!(demangle(&mut profile, Demangle::Short), 1);
        assert_eq!(profile.function_name(mangled), Some("a::b"));
        let system_name = profile.functions.system_name[mangled.index()];
        assert_eq!(profile.text(system_name), "_ZN1a1bEv");
        assert_eq!(profile.check(), []);
    }
}
