//! Which functions of a comparison were matched, and by what.

use analysis::{Match, Rule};
use profile::base_name;

use crate::kinds::profile::comparing::Comparing;
use crate::{Compared, ReportRow};

impl Comparing {
    /// Which function of the base a function is, where it has another name, file or line there;
    /// `file` is where it is now, or the module where no file is known.
    pub(crate) fn match_of(&self, name: &str, file: &str, module: &str) -> Option<&Match> {
        let named = self.matches.partition_point(|known| known.new.name.as_str() < name);
        let named = self.matches[named..].iter().take_while(|known| known.new.name == name);
        let place = if file.is_empty() { base_name(module) } else { file };
        let here = named.clone().find(|known| known.new.place == place);
        here.or_else(|| named.clone().next()).filter(|known| known.rule != Rule::Exact)
    }
}

impl Compared {
    /// Which function of the base a row's function is, where it has another name, file or line
    /// there. Rows of files, modules, lines and addresses have no match.
    pub fn match_of(&self, row: &ReportRow) -> Option<&Match> {
        self.document.comparison()?.match_of(&row.name, &row.place.file, &row.place.module)
    }

    /// How many functions each rule matched.
    pub fn match_counts(&self) -> impl Iterator<Item = (Rule, usize)> + '_ {
        let matches = self.document.comparison().map_or(&[][..], |comparing| &comparing.matches);
        let count = move |rule| matches.iter().filter(|known| known.rule == rule).count();
        Rule::ALL.into_iter().map(move |rule| (rule, count(rule)))
    }
}
