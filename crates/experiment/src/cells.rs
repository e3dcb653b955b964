//! The conditions of runs.

use crate::matrix::{Levels, Matrix};
use crate::{Factor, FactorKind};

/// One combination of conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// By factor of the matrix.
    pub levels: Vec<String>,
}

impl Cell {
    /// The level of a factor.
    pub fn level<'a>(&'a self, matrix: &Matrix, name: &str) -> Option<&'a str> {
        let at = matrix.factors.iter().position(|factor| factor.name == name)?;
        Some(&self.levels[at])
    }

    /// Factors of a kind with their levels.
    pub fn of_kind<'a>(
        &'a self,
        matrix: &'a Matrix,
        kind: FactorKind,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.pairs(matrix)
            .filter(move |(factor, _)| factor.kind == kind)
            .map(|(factor, level)| (factor.name.as_str(), level))
    }

    /// All factors with their levels.
    pub fn pairs<'a>(&'a self, matrix: &'a Matrix) -> impl Iterator<Item = (&'a Factor, &'a str)> {
        matrix.factors.iter().zip(self.levels.iter().map(String::as_str))
    }

    /// For people: `interpreter=3.12 seconds=0.5`; `all` where nothing is varied.
    pub fn title(&self, matrix: &Matrix) -> String {
        let pairs = self.pairs(matrix).map(|(factor, level)| format!("{}={level}", factor.name));
        match pairs.collect::<Vec<_>>() {
            pairs if pairs.is_empty() => "all".to_owned(),
            pairs => pairs.join(" "),
        }
    }
}

/// Every combination that is not excluded, the last factor fastest, and then those that are
/// included besides. One combination is never there twice.
pub fn cells(matrix: &Matrix) -> Vec<Cell> {
    let mut all = vec![Cell { levels: vec![] }];
    for factor in &matrix.factors {
        let longer = all.iter().flat_map(|cell| {
            factor.levels.iter().map(|level| {
                let levels = cell.levels.iter().chain([level]).cloned().collect();
                Cell { levels }
            })
        });
        all = longer.collect();
    }
    let is_of = |cell: &Cell, levels: &Levels| {
        levels.iter().all(|(name, level)| cell.level(matrix, name) == Some(level))
    };
    all.retain(|cell| !matrix.exclude.iter().any(|levels| is_of(cell, levels)));
    for levels in &matrix.include {
        let of = |factor: &Factor| levels.get(&factor.name).cloned().unwrap_or_default();
        let cell = Cell { levels: matrix.factors.iter().map(of).collect() };
        if !all.contains(&cell) {
            all.push(cell);
        }
    }
    all
}

/// How many combinations there are before any is made, for limits.
pub(crate) fn count(matrix: &Matrix) -> usize {
    let product = matrix.factors.iter().map(|factor| factor.levels.len());
    product.fold(1usize, usize::saturating_mul).saturating_add(matrix.include.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(text: &str) -> Matrix {
        let mut table: toml::Table = toml::from_str(text).unwrap();
        let mut list = |name: &str| match table.remove(name) {
            Some(toml::Value::Array(all)) => all,
            _ => vec![],
        };
        let (exclude, include) = (list("exclude"), list("include"));
        Matrix::new(table, exclude, include).unwrap()
    }

    #[test]
    fn every_combination_that_is_not_excluded_once() {
        let matrix = matrix(
            "interpreter = ['3.8', '3.12']\nseconds = [0.5, 1]\nrequirements = { numpy = ['1.24', '2.2'] }\n\
             exclude = [{ interpreter = '3.8', numpy = '2.2' }, { seconds = 1, numpy = '1.24' }]\n\
             include = [{ interpreter = '3.13', seconds = 2, numpy = '2.2' },\n\
             { interpreter = '3.12', seconds = 1, numpy = '2.2' }]",
        );
        let titles: Vec<String> = cells(&matrix).iter().map(|cell| cell.title(&matrix)).collect();
        let mut want = vec![
            "interpreter=3.8 seconds=0.5 numpy=1.24",
            "interpreter=3.12 seconds=0.5 numpy=1.24",
            "interpreter=3.12 seconds=0.5 numpy=2.2",
            "interpreter=3.12 seconds=1 numpy=2.2",
            "interpreter=3.13 seconds=2 numpy=2.2",
        ];
        let mut sorted = titles.clone();
        for (name, _) in [("interpreter", ()), ("seconds", ()), ("numpy", ())] {
            assert!(titles.iter().all(|title| title.contains(name)));
        }
        // The order of factors is that of the file's tables; what there is does not depend on it.
        let words = |title: &str| {
            let mut words: Vec<String> = title.split(' ').map(str::to_owned).collect();
            words.sort();
            words.join(" ")
        };
        sorted = sorted.iter().map(|title| words(title)).collect();
        sorted.sort();
        let mut wanted: Vec<String> = want.drain(..).map(words).collect();
        wanted.sort();
        assert_eq!(sorted, wanted);
        assert_eq!(cells(&Matrix::default())[0].title(&Matrix::default()), "all");
    }

    #[test]
    fn reports_what_is_wrong_with_a_matrix_where_it_is() {
        let of = |text: &str, exclude: &str| {
            let list: toml::Table = toml::from_str(&format!("x = [{exclude}]")).unwrap();
            let toml::Value::Array(exclude) = list["x"].clone() else { panic!("a list") };
            Matrix::new(toml::from_str(text).unwrap(), exclude, vec![]).unwrap_err()
        };
        assert_eq!(of("a = []", "").1, "it has no level");
        assert_eq!(of("a = ['x', 'x']", "").1, "it has 'x' twice");
        assert_eq!(of("a = 'x'", "").0, "matrix.a");
        assert_eq!(of("a = [[1]]", "").1, "a level is a text, a number, true or false");
        let twice = of("a = [1]\nrequirements = { a = ['1'] }", "");
        assert_eq!(twice.1, "two factors are called 'a'");
        assert_eq!(of("a = [1]", "{ b = 1 }").1, "the matrix has no 'b'");
        assert_eq!(of("a = [1, 2]", "{ a = 3 }").1, "'a' is never '3', but 1, 2");
        assert_eq!(of("a = [1]", "{}").0, "exclude[0]");
    }
}
