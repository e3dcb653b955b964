//! The split JSON as it is written: rows of cells, what columns mean, and the nodes of a tree.

use profile::{ProfileBuilder, StringId};

use super::attributes::{is_label, is_rank, is_thread};
use crate::graph::parents::NONE;
use crate::json::{Json, Kind};
use crate::numbers::decimal::Decimal;
use crate::{ReadError, ReadOptions};

/// More notes on the recording are forgotten.
const MOST_NOTES: usize = 100;

/// The file.
#[derive(Default)]
pub(super) struct Table {
    cells: Vec<Cell>,
    /// By row, where its cells end.
    ends: Vec<usize>,
    pub(super) columns: Vec<Column>,
    pub(super) nodes: Vec<Node>,
}

/// What stands in a row of the table: a value, or the number of a node.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell {
    None,
    Number(Decimal),
    Text(StringId),
}

impl Cell {
    pub(super) fn number(self) -> Option<Decimal> {
        if let Cell::Number(number) = self { Some(number) } else { None }
    }

    pub(super) fn is_text(self) -> bool {
        matches!(self, Cell::Text(_))
    }
}

/// A column of the table.
#[derive(Default)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) is_value: bool,
    pub(super) unit: String,
}

/// A node of the tree.
#[derive(Default)]
pub(super) struct Node {
    pub(super) column: String,
    pub(super) label: String,
    pub(super) parent: u32,
}

impl Table {
    /// Reads the file; what was recorded where and how become comments of the profile.
    pub(super) fn read(
        json: &mut Json,
        builder: &mut ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<Table, ReadError> {
        let mut table = Table::default();
        json.object()?;
        while let Some(key) = json.next_key()? {
            match key {
                "data" => table.read_rows(json, builder, options)?,
                "columns" => table.read_names(json)?,
                "column_metadata" => table.read_meanings(json)?,
                "nodes" => table.read_nodes(json, options)?,
                _ => {
                    let key = key.to_owned();
                    let value = json.any_text()?;
                    if !value.is_empty() && builder.origin.comments.len() < MOST_NOTES {
                        builder.origin.comments.push(format!("{key}: {value}"));
                    }
                }
            }
        }
        Ok(table)
    }

    fn read_rows(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        json.array()?;
        while json.next_element()? {
            json.array()?;
            while json.next_element()? {
                self.cells.push(match json.kind()? {
                    Kind::String => {
                        let text = json.string()?;
                        match Decimal::parse(text.as_bytes()) {
                            Some(number) => Cell::Number(number),
                            None => Cell::Text(builder.strings.intern(text)),
                        }
                    }
                    _ => json.any_number()?.map_or(Cell::None, Cell::Number),
                });
            }
            self.ends.push(self.cells.len());
            let held = self.cells.capacity() * size_of::<Cell>() + self.ends.capacity() * 8;
            options.check_memory(held + builder.heap_bytes())?;
        }
        Ok(())
    }

    fn read_names(&mut self, json: &mut Json) -> Result<(), ReadError> {
        json.array()?;
        let mut place = 0;
        while json.next_element()? {
            self.column(place).name = json.any_text()?;
            place += 1;
        }
        Ok(())
    }

    fn read_meanings(&mut self, json: &mut Json) -> Result<(), ReadError> {
        json.array()?;
        let mut place = 0;
        while json.next_element()? {
            if json.try_object()? {
                while let Some(key) = json.next_key()? {
                    match key {
                        "is_value" => self.column(place).is_value = json.bool()?,
                        "attribute.unit" => self.column(place).unit = json.any_text()?,
                        _ => {}
                    }
                }
            }
            place += 1;
        }
        Ok(())
    }

    fn read_nodes(&mut self, json: &mut Json, options: &ReadOptions) -> Result<(), ReadError> {
        json.array()?;
        while json.next_element()? {
            let mut node = Node { parent: NONE, ..Node::default() };
            json.object()?;
            while let Some(key) = json.next_key()? {
                match key {
                    "column" => node.column = json.any_text()?,
                    "label" => node.label = json.any_text()?,
                    "parent" => {
                        let parent = json.any_number()?.and_then(Decimal::to_whole);
                        node.parent = parent.and_then(|p| u32::try_from(p).ok()).unwrap_or(NONE);
                    }
                    _ => {}
                }
            }
            self.nodes.push(node);
            options.check_memory(self.nodes.capacity() * size_of::<Node>())?;
        }
        Ok(())
    }

    /// A column, which may be told of before its name.
    fn column(&mut self, place: usize) -> &mut Column {
        if self.columns.len() <= place {
            self.columns.resize_with(place + 1, Column::default);
        }
        &mut self.columns[place]
    }

    /// The cells of each row.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[Cell]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ends = self.ends.iter().copied();
        starts.zip(ends).map(|(start, end)| &self.cells[start..end])
    }

    /// The columns with numbers that measure something.
    pub(super) fn measured(&self) -> Vec<usize> {
        let mut has_numbers = vec![false; self.columns.len()];
        for row in self.rows() {
            for (has, cell) in has_numbers.iter_mut().zip(row) {
                *has |= matches!(cell, Cell::Number(_));
            }
        }
        let is_metric = |&place: &usize| {
            let Column { name, is_value, .. } = &self.columns[place];
            *is_value && has_numbers[place] && !is_rank(name) && !is_thread(name) && !is_label(name)
        };
        (0..self.columns.len()).filter(is_metric).collect()
    }

    /// The column whose nodes are the contexts: call paths, or else regions, or else whichever has the
    /// most nodes.
    pub(super) fn path_column(&self) -> Option<usize> {
        let Table { columns, nodes, .. } = self;
        const PATHS: [&str; 2] = ["source.function#callpath.address", "path"];
        let with_nodes = |row: &usize| !columns[*row].is_value;
        let named = |name: &str| {
            (0..columns.len()).filter(with_nodes).find(|&row| columns[row].name == name)
        };
        let count = |row: &usize| {
            let nodes = nodes.iter().filter(|node| node.column == columns[*row].name).count();
            (nodes, std::cmp::Reverse(*row))
        };
        let largest = || (0..columns.len()).filter(with_nodes).max_by_key(count);
        PATHS.into_iter().find_map(named).or_else(largest)
    }
}
