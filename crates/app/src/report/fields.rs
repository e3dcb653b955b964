//! Columns with where their cells come from.

use super::{Cell, Column, Row};
use crate::arguments::ReportFormat;

/// What is told of rows of a type, in the format of a report: nothing is worked out that nobody
/// reads.
pub(crate) struct Fields<'a, R: ?Sized> {
    format: ReportFormat,
    columns: Vec<Column>,
    cells: Vec<Get<'a, R>>,
}

/// The cell of a row, of which the second are the names that lead to it.
type Get<'a, R> = Box<dyn for<'r> Fn(&'r R, &'r [String]) -> Cell<'r> + 'a>;

impl<'a, R: ?Sized> Fields<'a, R> {
    pub(crate) fn new(format: ReportFormat) -> Fields<'a, R> {
        Fields { format, columns: vec![], cells: vec![] }
    }

    /// Adds a column, if it is for the format.
    pub(crate) fn add(
        &mut self,
        column: Column,
        cell: impl for<'r> Fn(&'r R, &'r [String]) -> Cell<'r> + 'a,
    ) {
        if column.readers.read(self.format) {
            self.columns.push(column);
            self.cells.push(Box::new(cell));
        }
    }

    /// Adds what is told of a part of the rows.
    pub(crate) fn extend<P: ?Sized + 'static>(
        &mut self,
        add: impl FnOnce(&mut Fields<'a, P>),
        part: fn(&R) -> &P,
    ) where
        R: 'static,
    {
        let mut of_part = Fields::new(self.format);
        add(&mut of_part);
        self.columns.extend(of_part.columns);
        let cells = of_part.cells.into_iter();
        self.cells.extend(
            cells.map(|cell| -> Get<'a, R> { Box::new(move |row, path| cell(part(row), path)) }),
        );
    }

    pub(crate) fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    pub(crate) fn row<'r>(&self, row: &'r R, path: &'r [String], depth: u32) -> Row<'r> {
        let cells = self.cells.iter().map(|cell| cell(row, path)).collect();
        Row { cells, depth, ..Row::default() }
    }
}
