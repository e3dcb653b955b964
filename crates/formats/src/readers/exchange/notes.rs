//! What the producer says of places: read and written.

use std::io::Write;

use profile::{FunctionId, Note, NoteOf, StringId};

use super::columns::{Columns, Fault, check_count, fault, narrow, row};
use super::read::Tables;
use super::schema::{block, notes};
use super::write::{chunks, column, put_block};
use crate::WriteError;
use crate::wire::MessageWriter;

const CONTEXT: u64 = 0;
const FUNCTION: u64 = 1;
const LINE: u64 = 2;

pub(super) fn write(all: &[Note], out: &mut dyn Write) -> Result<(), WriteError> {
    let mut message = MessageWriter::default();
    for rows in chunks(0, all.len()) {
        message.bytes(block::NOTES, &block_of(&all[rows]).bytes);
        put_block(&mut message, out)?;
    }
    Ok(())
}

fn block_of(rows: &[Note]) -> MessageWriter {
    let mut message = MessageWriter::default();
    let about: Vec<(u64, u64, u64)> = (rows.iter())
        .map(|note| match note.about {
            NoteOf::Context(context) => (CONTEXT, context.0.into(), 0),
            NoteOf::Function(function) => (FUNCTION, function.0.into(), 0),
            NoteOf::Line(file, line) => (LINE, file.0.into(), line.into()),
        })
        .collect();
    let text = |of: fn(&Note) -> StringId| rows.iter().map(move |note| of(note).0.into());
    message.integer(notes::COUNT, rows.len() as u64);
    column(&mut message, notes::KIND, about.iter().map(|&(kind, ..)| kind));
    column(&mut message, notes::ABOUT, about.iter().map(|&(_, about, _)| about));
    column(&mut message, notes::LINE, about.iter().map(|&(.., line)| line));
    column(&mut message, notes::TITLE, text(|note| note.title));
    column(&mut message, notes::TEXT, text(|note| note.text));
    column(&mut message, notes::LINK, text(|note| note.link));
    message
}

impl Tables {
    pub(super) fn notes(&mut self, columns: &Columns) -> Result<(), Fault> {
        let names = ["kind", "about", "line", "title", "text", "link"];
        for (field, name) in (notes::KIND..).zip(names) {
            columns.expect(field, columns.count, name)?;
        }
        check_count(columns)?;
        for index in 0..columns.count {
            let get = |field| columns.get(field, index);
            let about = get(notes::ABOUT);
            let about = match get(notes::KIND) {
                CONTEXT => NoteOf::Context(self.context(about)?),
                FUNCTION => {
                    let functions = self.builder.functions.len();
                    NoteOf::Function(FunctionId(row(about, functions, "functions")?))
                }
                LINE => match narrow(get(notes::LINE), "line")? {
                    0 => return fault("a note is about line 0: lines are counted from 1"),
                    line => NoteOf::Line(self.string(about)?, line),
                },
                kind => return fault(format!("the kind of a note is {kind}")),
            };
            let text = |field| self.string(get(field));
            let (title, link) = (text(notes::TITLE)?, text(notes::LINK)?);
            let note = Note { about, title, text: text(notes::TEXT)?, link };
            self.builder.notes.push(note);
        }
        Ok(())
    }
}
