//! Cells side by side.

use std::collections::{BTreeMap, BTreeSet};

use super::Runs;

/// Which cells are meant: by name of a factor, the levels that are; all cells where nothing is said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection(pub BTreeMap<String, Vec<String>>);

/// Two groups of cells, in pairs within which all factors that tell no group from the other are equal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Cells of the base and of the new side, in each pair at least one on either side.
    pub pairs: Vec<(Vec<usize>, Vec<usize>)>,
    /// Cells of the base and of the new side that have no partner.
    pub unpaired: [Vec<usize>; 2],
    /// Cells of the base and of the new side of which no run counts.
    pub empty: [Vec<usize>; 2],
}

impl Selection {
    /// One level of one factor.
    pub fn level(factor: &str, level: &str) -> Selection {
        Selection(BTreeMap::from([(factor.to_owned(), vec![level.to_owned()])]))
    }

    /// From texts such as `numpy=2.2`, `interpreter=3.11|3.12`. A `=` of a factor's name and a `|` of a
    /// level have a backslash before them, and so has a backslash that stands before one of these.
    ///
    /// # Errors
    /// What is wrong with which.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Selection, String> {
        let mut levels = BTreeMap::new();
        for text in texts {
            let Some((factor, level)) = split(text, '=') else {
                return Err(format!("'{text}' is not FACTOR=LEVEL, as in numpy=2.2"));
            };
            let mut all = vec![];
            let mut rest = level;
            while let Some((one, more)) = split(rest, '|') {
                all.push(unescaped(one.trim()));
                rest = more;
            }
            all.push(unescaped(rest.trim()));
            levels.insert(unescaped(factor.trim()), all);
        }
        Ok(Selection(levels))
    }

    /// Whether it fits the experiment.
    ///
    /// # Errors
    /// Which factor or level there is not.
    pub fn check(&self, runs: &Runs) -> Result<(), String> {
        for (name, levels) in &self.0 {
            let Some(factor) = runs.factor(name) else {
                let known: Vec<String> = runs.factors.iter().map(|f| escaped(&f.name)).collect();
                let (name, known) = (escaped(name), known.join(", "));
                return Err(format!("there is no factor '{name}', there are {known}"));
            };
            let known = &runs.factors[factor].levels;
            if let Some(missing) = levels.iter().find(|level| !known.contains(level)) {
                let known: Vec<String> = known.iter().map(|level| escaped(level)).collect();
                let [name, missing] = [name, missing].map(|text| escaped(text));
                return Err(format!("'{name}' is never '{missing}', it is {}", known.join(", ")));
            }
        }
        Ok(())
    }

    /// Whether a cell is meant.
    pub fn has(&self, runs: &Runs, cell: usize) -> bool {
        self.0.iter().all(|(name, levels)| {
            let Some(factor) = runs.factor(name) else { return false };
            let level = runs.cells[cell].levels[factor];
            level.is_some_and(|level| levels.contains(&runs.factors[factor].levels[level]))
        })
    }
}

/// What has a backslash before it where it stands for itself.
const ESCAPED: [char; 3] = ['\\', '|', '='];

/// What is before and after the first `at` without a backslash before it.
fn split(text: &str, at: char) -> Option<(&str, &str)> {
    let mut places = text.char_indices();
    while let Some((place, one)) = places.next() {
        if one == at {
            return Some((&text[..place], &text[place + one.len_utf8()..]));
        }
        if one == '\\' && places.as_str().starts_with(ESCAPED) {
            places.next();
        }
    }
    None
}

/// A text without the backslashes of [`escaped`]; others stand for themselves.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(one) = rest.next() {
        match one {
            '\\' if rest.as_str().starts_with(ESCAPED) => plain.extend(rest.next()),
            one => plain.push(one),
        }
    }
    plain
}

/// A name or a level as [`Selection::parse`] reads it.
fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for one in text.chars() {
        if ESCAPED.contains(&one) {
            written.push('\\');
        }
        written.push(one);
    }
    written
}

impl Pairs {
    /// Pairs of the cells of two groups. Factors that either group names do not have to be equal
    /// within a pair; a cell of both groups is on neither side.
    pub fn new(runs: &Runs, base: &Selection, new: &Selection) -> Pairs {
        let named: Vec<usize> =
            base.0.keys().chain(new.0.keys()).filter_map(|name| runs.factor(name)).collect();
        Pairs::blocks(runs, &named, |cell| [base.has(runs, cell), new.has(runs, cell)])
    }

    /// Pairs of some cells with others. Factors that have other levels on one side than on the other
    /// do not have to be equal within a pair; a cell of both groups is on neither side.
    pub fn between(runs: &Runs, base: &[usize], new: &[usize]) -> Pairs {
        let levels = |cells: &[usize], factor: usize| -> BTreeSet<Option<usize>> {
            cells.iter().map(|&cell| runs.cells[cell].levels[factor]).collect()
        };
        let differs = |&factor: &usize| levels(base, factor) != levels(new, factor);
        let named: Vec<usize> = (0..runs.factors.len()).filter(differs).collect();
        let mut is_in = vec![[false; 2]; runs.cells.len()];
        for (side, cells) in [base, new].into_iter().enumerate() {
            cells.iter().for_each(|&cell| is_in[cell][side] = true);
        }
        Pairs::blocks(runs, &named, |cell| is_in[cell])
    }

    /// Cells by what they are equal in; `sides` says of which groups a cell is.
    fn blocks(runs: &Runs, named: &[usize], sides: impl Fn(usize) -> [bool; 2]) -> Pairs {
        let mut blocks: BTreeMap<Vec<Option<usize>>, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        let mut found = Pairs::default();
        for cell in 0..runs.cells.len() {
            let [is_base, is_new] = sides(cell);
            if is_base == is_new {
                continue;
            }
            if runs.cells[cell].runs.is_empty() {
                found.empty[usize::from(is_new)].push(cell);
                continue;
            }
            let mut rest = runs.cells[cell].levels.clone();
            named.iter().for_each(|&factor| rest[factor] = None);
            let block = blocks.entry(rest).or_default();
            if is_base { block.0.push(cell) } else { block.1.push(cell) }
        }
        for (base, new) in blocks.into_values() {
            if base.is_empty() || new.is_empty() {
                found.unpaired[0].extend(base);
                found.unpaired[1].extend(new);
            } else {
                found.pairs.push((base, new));
            }
        }
        found
    }

    /// The same, the other way round.
    pub fn swapped(&self) -> Pairs {
        let pairs = self.pairs.iter().map(|(base, new)| (new.clone(), base.clone())).collect();
        let turned = |[base, new]: &[Vec<usize>; 2]| [new.clone(), base.clone()];
        Pairs { pairs, unpaired: turned(&self.unpaired), empty: turned(&self.empty) }
    }
}
