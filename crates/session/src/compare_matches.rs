//! Which functions of a comparison were matched, and by what.

use analysis::{Match, Rule};
use profile::base_name;

use crate::{Compared, ReportRow};

impl Compared {
    /// Which function of the base a row's function is, where it has another name, file or line
    /// there. Rows of files, modules, lines and addresses have no match.
    pub fn match_of(&self, row: &ReportRow) -> Option<&Match> {
        let named = self.matches.partition_point(|known| known.new.name < row.name);
        let named = self.matches[named..].iter().take_while(|known| known.new.name == row.name);
        let place = if row.file.is_empty() { base_name(&row.module) } else { &row.file };
        let here = named.clone().find(|known| known.new.place == place);
        here.or_else(|| named.clone().next()).filter(|known| known.rule != Rule::Exact)
    }

    /// How many functions each rule matched.
    pub fn match_counts(&self) -> impl Iterator<Item = (Rule, usize)> + '_ {
        let count = |rule| self.matches.iter().filter(|known| known.rule == rule).count();
        Rule::ALL.into_iter().map(move |rule| (rule, count(rule)))
    }
}
