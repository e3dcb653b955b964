//! Which functions of a comparison were matched, and by what.

use analysis::{Match, Rule};
use profile::{FrameId, Profile, base_name};

use crate::kinds::profile::document::comparing::Comparing;
use crate::{Compared, ReportRow};

impl Comparing {
    /// Which function of the base the function of a frame is, where it has another name, file or line
    /// there. A name that several functions of a file have tells with its line alone.
    pub(crate) fn match_of(&self, profile: &Profile, frame: FrameId) -> Option<&Match> {
        let function = profile.frames.function(frame)?;
        let name = profile.function_name(function)?;
        let place = match profile.frame_file(frame) {
            "" => base_name(profile.frame_module(frame)),
            file => file,
        };
        let line = profile.functions.start_line[function.index()];
        let first = self.matches.partition_point(|known| known.new.name.as_str() < name);
        let named = self.matches[first..].iter().take_while(|known| known.new.name == name);
        let here = || named.clone().filter(|known| known.new.place == place);
        let of_line = here().find(|known| known.new.start_line == line);
        let found = of_line.or_else(|| only(here())).or_else(|| only(named.clone()))?;
        (found.rule != Rule::Exact).then_some(found)
    }
}

/// The one that there is, if it is one.
fn only<'a>(mut all: impl Iterator<Item = &'a Match>) -> Option<&'a Match> {
    all.next().filter(|_| all.next().is_none())
}

impl Compared {
    /// Which function of the base a row's function is, where it has another name, file or line
    /// there. Rows of files, modules, lines and addresses have no match.
    pub fn match_of(&self, row: &ReportRow) -> Option<&Match> {
        let profile = self.document.profile();
        let frame = row.frame.filter(|&frame| profile.frame_name(frame) == row.name.as_str())?;
        self.document.comparison()?.match_of(profile, frame)
    }

    /// How many functions each rule matched.
    pub fn match_counts(&self) -> impl Iterator<Item = (Rule, usize)> + '_ {
        let matches = self.document.comparison().map_or(&[][..], |comparing| &comparing.matches);
        let count = move |rule| matches.iter().filter(|known| known.rule == rule).count();
        Rule::ALL.into_iter().map(move |rule| (rule, count(rule)))
    }
}
