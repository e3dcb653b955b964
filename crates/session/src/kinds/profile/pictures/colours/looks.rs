//! What a box looks like, but for the theme.

use analysis::{Change, NO_VALUE, Tag};
use protocol::ColourBy;

use crate::kinds::profile::pictures::colours::classes::{
    CHANGE_STEPS, CLASSES, GROUP_COLOURS, HUES, SELF_STEPS, SHADES, SIGN_STEP,
};
pub(crate) use crate::kinds::profile::pictures::colours::groups::Names;
use crate::kinds::profile::pictures::colours::groups::{by_file, by_module, hash};

/// Decides the looks of the frames of a profile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Looks {
    one_module: bool,
}

/// The colours of a frame by all that may decide them, packed for the page: the places among the
/// colours of groups by module (the lowest byte), by file and by function, then four bits each for
/// the step of self in total and for the step of the change (0 for none, 7 for unchanged).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look(pub(crate) u32);

/// How strongly a class is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    /// As it is.
    Full,
    /// Its source is not known though that of others is.
    Pale,
    /// Not among what was searched for.
    Faded,
}

impl Finish {
    pub(in crate::kinds::profile) const ALL: [Finish; 3] =
        [Finish::Full, Finish::Pale, Finish::Faded];
}

/// What is measured of a box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) own: i64,
    pub(crate) total: i64,
    /// How it changed: of a comparison, or of a metric whose values are changes.
    pub(crate) change: Option<(Tag, Change)>,
}

impl Looks {
    pub(crate) fn new(profile: &profile::Profile) -> Looks {
        let names = profile.modules.iter().map(|module| profile.text(module.name));
        let mut names = names.filter(|name| !name.is_empty());
        let first = names.next();
        Looks { one_module: names.all(|name| Some(name) == first) }
    }

    /// The look of a frame.
    pub(crate) fn look(self, names: Names<'_>, measured: Measured) -> Look {
        let shade = hash(names.name) % SHADES;
        let coloured = |group: &str| hash(group) % HUES.len() as u32 * SHADES + shade;
        let module = coloured(by_module(names, self.one_module));
        let file = coloured(by_file(names));
        let function = hash(names.name) % GROUP_COLOURS;
        let own = self_step(measured.own, measured.total);
        let Look(change) =
            measured.change.map_or(Look(0), |(tag, change)| Look::of_change(tag, change));
        Look(module | file << 8 | function << 16 | own << 24 | change)
    }
}

impl Look {
    /// The whole program, which belongs to no group.
    pub(crate) const PROGRAM: u32 = 1;

    /// Of nothing but a change.
    pub(crate) fn of_change(tag: Tag, change: Change) -> Look {
        Look(((1 + CHANGE_STEPS as i32 + change_step(tag, change)) as u32) << 28)
    }

    /// The class of the box, see [`crate::kinds::profile::pictures::colours::CLASSES`].
    pub(crate) fn class(self, by: ColourBy) -> u32 {
        let Look(bits) = self;
        let group = |shift: u32| 2 + (bits >> shift & 0xff);
        match by {
            ColourBy::Module => group(0),
            ColourBy::File => group(8),
            ColourBy::Function => group(16),
            ColourBy::SelfShare => 2 + GROUP_COLOURS + (bits >> 24 & 0xf),
            ColourBy::Change => {
                let step = (bits >> 28).checked_sub(1).unwrap_or(CHANGE_STEPS);
                2 + GROUP_COLOURS + SELF_STEPS + step
            }
        }
    }
}

/// A class with a finish, as a place among the colours of a theme.
pub(crate) fn finished(class: u32, finish: Finish) -> usize {
    (class + CLASSES * finish as u32) as usize
}

/// The step of a share of self in total.
fn self_step(own: i64, total: i64) -> u32 {
    if total == 0 || total == NO_VALUE || own == NO_VALUE {
        return 0;
    }
    let share = (own as f64 / total as f64).clamp(0.0, 1.0);
    (share * f64::from(SELF_STEPS - 1)).ceil() as u32
}

/// The step of a change: 0 for unchanged, above for more, below for less, the further the larger the
/// change is against the larger of both values.
fn change_step(tag: Tag, change: Change) -> i32 {
    let sign = match tag {
        Tag::Unchanged => return 0,
        Tag::Added | Tag::Larger => 1,
        Tag::Deleted | Tag::Smaller => -1,
    };
    let larger = change.base.unsigned_abs().max(change.new.unsigned_abs()).max(1) as f64;
    let share = change.difference().unsigned_abs() as f64 / larger;
    let step = (share * f64::from(CHANGE_STEPS)).round().clamp(1.0, f64::from(CHANGE_STEPS));
    sign * step as i32
}

/// What a value of a metric of changes tells: its sign, in one strength.
pub(crate) fn of_sign(value: i64) -> (Tag, Change) {
    let strength = i64::from(SIGN_STEP);
    let whole = i64::from(CHANGE_STEPS);
    match value {
        0 | NO_VALUE => (Tag::Unchanged, Change::default()),
        1.. => (Tag::Larger, Change { base: whole - strength, new: whole }),
        _ => (Tag::Smaller, Change { base: whole, new: whole - strength }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NAMES: Names<'_> = Names { name: "a::f", module: "m", file: "x.c" };

    fn look(change: Option<(Tag, Change)>) -> Look {
        Looks { one_module: true }.look(NAMES, Measured { own: 1, total: 2, change })
    }

    #[test]
    fn changes_have_steps_by_their_share() {
        let class = |tag, base, new| {
            look(Some((tag, Change { base, new }))).class(ColourBy::Change) as i32
                - look(Some((Tag::Unchanged, Change::default()))).class(ColourBy::Change) as i32
        };
        assert_eq!(class(Tag::Added, 0, 5), 6);
        assert_eq!(class(Tag::Deleted, 5, 0), -6);
        assert_eq!(class(Tag::Larger, 100, 101), 1);
        assert_eq!(class(Tag::Smaller, 100, 50), -3);
        assert_eq!(class(Tag::Larger, i64::MIN, i64::MAX), 6);
        assert_eq!(class(Tag::Unchanged, 100, 200), 0);
        assert_eq!(
            look(None).class(ColourBy::Change),
            look(Some((Tag::Unchanged, Change::default()))).class(ColourBy::Change)
        );
        let (tag, change) = of_sign(-3);
        assert_eq!(class(tag, change.base, change.new), -4);
        let (tag, change) = of_sign(3);
        assert_eq!(class(tag, change.base, change.new), 4);
    }

    proptest! {
        /// Every look has a colour in every theme, whatever the names and values.
        #[test]
        fn classes_have_colours(
            name in ".{0,12}", module in ".{0,8}", file in ".{0,8}",
            own: i64, total: i64, base: i64, new: i64, tag in 0..5usize, one_module: bool,
        ) {
            let tags = [Tag::Added, Tag::Deleted, Tag::Larger, Tag::Smaller, Tag::Unchanged];
            let names = Names { name: &name, module: &module, file: &file };
            let change = Some((tags[tag], Change { base, new }));
            let look = Looks { one_module }.look(names, Measured { own, total, change });
            for by in [ColourBy::Module, ColourBy::File, ColourBy::Function, ColourBy::SelfShare, ColourBy::Change] {
                let class = look.class(by);
                prop_assert!((2..CLASSES).contains(&class), "{by:?} gives {class}");
            }
        }

        /// The hue tells the group: functions of one package share it.
        #[test]
        fn groups_share_a_hue(one in "[a-z]{1,6}", other in "[a-z]{1,6}") {
            let class = |name: &str| {
                let names = Names { name, module: "", file: "" };
                let measured = Measured { own: 0, total: 0, change: None };
                Looks { one_module: true }.look(names, measured).class(ColourBy::Module)
            };
            let (one, other) = (class(&format!("p::{one}")), class(&format!("p::{other}")));
            prop_assert_eq!((one - 2) / SHADES, (other - 2) / SHADES);
        }
    }
}
