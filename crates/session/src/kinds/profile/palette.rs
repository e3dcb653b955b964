//! Colours of exported pictures.

use analysis::{Change, Tag};
use profile::base_name;
use protocol::ColourBy;

/// Hues that people with any kind of colour vision tell apart as far as seven can be.
const HUES: [u32; 7] = [215, 28, 262, 150, 190, 330, 95];

/// What decides a box's colour, and whose background it stands on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Palette {
    pub(crate) by: ColourBy,
    pub(crate) dark: bool,
    /// All frames are of one module, so packages are told apart instead.
    pub(crate) one_module: bool,
}

/// What is known of a box.
pub(crate) struct Subject<'a> {
    pub(crate) name: &'a str,
    pub(crate) module: &'a str,
    pub(crate) file: &'a str,
    /// Share of the total that is self.
    pub(crate) self_share: f64,
    /// Of a comparison.
    pub(crate) change: Option<(Tag, Change)>,
}

impl Palette {
    /// The colour of a box.
    pub(crate) fn fill(&self, subject: &Subject) -> String {
        let (saturation, lightness) = if self.dark { (34, 36) } else { (58, 84) };
        let group = match self.by {
            ColourBy::Change => return self.of_change(subject.change),
            ColourBy::SelfShare => {
                let share = subject.self_share.clamp(0.0, 1.0);
                let lightness = if self.dark { 26.0 + 22.0 * share } else { 93.0 - 30.0 * share };
                return format!("hsl(22 70% {lightness:.0}%)");
            }
            ColourBy::File => base_name(subject.file),
            ColourBy::Function => subject.name,
            ColourBy::Module if self.one_module => package(subject.name),
            ColourBy::Module => base_name(subject.module),
        };
        if group.is_empty() {
            let lightness = if self.dark { 30 } else { 90 };
            return format!("hsl(220 8% {lightness}%)");
        }
        let hash = group
            .bytes()
            .fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        let hue = HUES[hash as usize % HUES.len()];
        // Groups that share a hue still differ a little.
        let lightness = lightness + (hash >> 16) % 3 * 2;
        format!("hsl({hue} {saturation}% {lightness}%)")
    }

    /// Blue for less, orange for more, the stronger the more of it changed; grey for neither.
    fn of_change(&self, change: Option<(Tag, Change)>) -> String {
        let (tag, change) = change.unwrap_or((Tag::Unchanged, Change::default()));
        let larger = change.base.unsigned_abs().max(change.new.unsigned_abs()).max(1) as f64;
        let by = (change.difference().unsigned_abs() as f64 / larger).min(1.0);
        let hue = match tag {
            Tag::Unchanged => {
                let lightness = if self.dark { 32 } else { 88 };
                return format!("hsl(220 6% {lightness}%)");
            }
            Tag::Added | Tag::Larger => 25,
            Tag::Deleted | Tag::Smaller => 215,
        };
        let lightness = if self.dark { 30.0 + 14.0 * by } else { 90.0 - 28.0 * by };
        format!("hsl({hue} {:.0}% {lightness:.0}%)", 35.0 + 45.0 * by)
    }
}

/// The part of a function's name that says where it belongs: `net/http` of
/// `net/http.(*conn).serve`, `a::b` of `a::b::f(int)`, `com.x.Y` of `com.x.Y.run`.
fn package(name: &str) -> &str {
    let plain = name.find(['(', '<', '[']).map_or(name, |end| &name[..end]);
    let slash = plain.rfind('/').map_or(0, |at| at + 1);
    let rest = &plain[slash..];
    let end = match (rest.rfind("::"), rest.find('.')) {
        (Some(at), _) => at,
        (None, Some(dot)) if slash > 0 || plain.len() < name.len() => dot,
        (None, Some(_)) => rest.rfind('.').unwrap_or_default(),
        (None, None) => return name,
    };
    &plain[..slash + end]
}

#[cfg(test)]
mod tests {
    use super::package;

    #[test]
    fn packages() {
        assert_eq!(package("net/http.(*conn).serve"), "net/http");
        assert_eq!(package("encoding/json.Marshal"), "encoding/json");
        assert_eq!(package("main.main"), "main");
        assert_eq!(package("a::b::f(int)"), "a::b");
        assert_eq!(package("std::vec::Vec<u8>::push"), "std::vec");
        assert_eq!(package("com.x.Y.run"), "com.x.Y");
        assert_eq!(package("memcpy"), "memcpy");
    }
}
