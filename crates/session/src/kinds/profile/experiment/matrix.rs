//! What a quantity was in each cell.

use analysis::experiment::{CellMean, Contrast, Pairs, cell_mean, contrast, noise_floor};
use protocol::ProtocolError;

use super::{Measured, Quantity};
use crate::kinds::profile::document::profile_document::ProfileDocument;
use crate::kinds::profile::document::view::ViewOptions;
use crate::kinds::profile::experiment::measured;
use crate::kinds::profile::experiment::runs::runs_of_experiment;
use crate::units::share_text;

/// A quantity by cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// The quantity.
    pub measured: Measured,
    /// By cell of the experiment.
    pub cells: Vec<MatrixCell>,
    /// Differences below this share are within the scatter of runs; none where no cell ran twice.
    pub noise_floor: Option<f64>,
}

/// A quantity in one cell.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixCell {
    /// The mean of its runs; none where it was not measured.
    pub mean: Option<CellMean>,
    /// Against the first cell that was measured; none of that one.
    pub to_first: Option<Contrast>,
    /// Runs that do not count: they failed, or the machine was disturbed.
    pub left_out: usize,
}

impl Matrix {
    /// How sure single numbers are, in words.
    pub fn noise_sentence(&self) -> String {
        noise_sentence(self.noise_floor)
    }

    /// What the numbers are.
    pub fn caption(&self) -> String {
        let each = self.cells.iter().filter_map(|cell| cell.mean.map(|mean| mean.runs));
        let (least, most) = (each.clone().min().unwrap_or(0), each.max().unwrap_or(0));
        let title = &self.measured.title;
        match (least, most) {
            (0, _) => format!("{title}: not measured in any run"),
            (1, 1) => format!("{title}: one run a cell, so there are no intervals"),
            (least, most) if least == most => {
                format!("{title}: mean of {most} runs a cell with its 95 % interval")
            }
            (least, most) => {
                format!("{title}: mean of {least} to {most} runs a cell with its 95 % interval")
            }
        }
    }
}

fn noise_sentence(floor: Option<f64>) -> String {
    match floor {
        Some(0.0) => "all runs of a cell have the same value".to_owned(),
        Some(floor) => {
            format!("differences below {} are within the scatter of runs", share_text(floor))
        }
        None => "no cell ran twice: the scatter of runs is not known".to_owned(),
    }
}

/// A quantity by cell.
///
/// # Errors
/// As [`measured`].
pub fn matrix(
    document: &ProfileDocument,
    options: &ViewOptions,
    quantity: &Quantity,
) -> Result<Matrix, ProtocolError> {
    let runs = &*runs_of_experiment(document)?;
    let measured = measured(document, options, quantity)?;
    let means: Vec<Option<CellMean>> =
        (0..runs.cells.len()).map(|cell| cell_mean(runs, &measured.values, cell)).collect();
    let first = means.iter().position(Option::is_some);
    let to_first = |cell: usize| {
        let base = first.filter(|&first| first != cell)?;
        let pairs = Pairs { pairs: vec![(vec![base], vec![cell])], ..Pairs::default() };
        contrast(runs, &measured.values, &pairs)
    };
    let cells = means.into_iter().zip(&runs.cells).enumerate().map(|(number, (mean, cell))| {
        MatrixCell { mean, to_first: to_first(number), left_out: cell.left_out }
    });
    let cells = cells.collect();
    let noise_floor = noise_floor(runs, &measured.values);
    Ok(Matrix { measured, cells, noise_floor })
}
