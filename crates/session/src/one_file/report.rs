//! The report that is written, and its answer.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};

use protocol::{
    AdviceRuleInfo, BytesColumns, Column, ColumnData, ErrorCode, ProtocolError, Reply,
    ReportParams, ReportResult, ReportScript,
};
use serde::Serialize;

use super::opening::{Gathered, Step, gather, part_name};
use super::packed::write_element;
use super::viewer;
use crate::kinds::left_out;
use crate::kinds::profile::rule_info;
use crate::{Call, Session, visible};

/// What the page finds behind its end; `web/ui/src/host/report.ts` reads it.
#[derive(Serialize)]
struct Report<'a> {
    /// The address of the view that it begins with.
    view: &'a str,
    /// What documents of that address are in the report.
    numbers: &'a [(u32, u32)],
    steps: &'a [Step],
    /// What people are told of it.
    about: About<'a>,
    scripts: &'a [ReportScript],
    /// Rules of advice, besides those that come along with every page.
    rules: &'a [AdviceRuleInfo],
}

#[derive(Serialize)]
struct About<'a> {
    note: &'a str,
    /// What is in it, each a sentence.
    contains: &'a [String],
    /// What made it.
    version: &'static str,
}

/// Longest note, in bytes.
const LONGEST_NOTE: usize = 64 << 10;

impl Session {
    /// Writes documents and the view of them as one page. `brought` is the page that needs no server, with both
    /// engines; without it the host is asked for one.
    pub fn write_report(
        &self,
        asked: &ReportParams,
        brought: Option<&[u8]>,
        out: &mut dyn Write,
        call: &dyn Call,
    ) -> Result<(), ProtocolError> {
        let bad = |message: &str| ProtocolError::new(ErrorCode::BadRequest, message);
        if asked.note.len() > LONGEST_NOTE {
            return Err(bad("a note has at most 64 KiB"));
        }
        let python = if asked.python { self.host.python_parts()? } else { vec![] };
        let Gathered { parts, steps, numbers, mut contains } = gather(self, asked, call)?;
        if !asked.scripts.is_empty() {
            let names: Vec<String> =
                asked.scripts.iter().map(|script| visible(&script.name).into_owned()).collect();
            contains.push(format!("Scripts: {}.", names.join(", ")));
        }
        if asked.python {
            contains.push("Python, which runs scripts in the page.".to_owned());
        }
        // Rules name functions and files of whoever wrote them.
        let rules: Vec<AdviceRuleInfo> = match asked.anonymize {
            None => self.rules().iter().map(rule_info).collect(),
            Some(_) => vec![],
        };
        let report = Report {
            view: &asked.view,
            numbers: &numbers,
            steps: &steps,
            about: About {
                note: &asked.note,
                contains: &contains,
                version: env!("CARGO_PKG_VERSION"),
            },
            scripts: &asked.scripts,
            rules: &rules,
        };
        let report = serde_json::to_string(&report).map_err(|error| bad(&error.to_string()))?;
        // What would end the element, or begin another, is written as JSON may.
        let report = report.replace('<', "\\u003c");
        // Scripts ask for what the first engine leaves out.
        let takes_whole = asked.python || parts.iter().any(|part| part.takes_whole);
        let viewer = match brought {
            Some(viewer) => Cow::Borrowed(viewer),
            None => self.host.viewer(takes_whole)?,
        };
        let page = viewer::chosen(&viewer, takes_whole)?;
        let mut write = || -> io::Result<()> {
            page.iter().try_for_each(|part| out.write_all(part))?;
            for (number, part) in parts.iter().enumerate() {
                write_element(&part_name(number), &part.bytes, out)?;
            }
            for (name, packed) in &python {
                write_element(&format!("hotframe-python-{name}"), packed, out)?;
            }
            writeln!(
                out,
                "<script type=\"application/json\" id=\"hotframe-report\">{report}</script>"
            )
        };
        write().map_err(|error| {
            ProtocolError::new(ErrorCode::Unreadable, format!("cannot write the report: {error}"))
        })
    }
}

/// A report as the bytes of an answer. A page that has its engine inside brings the viewer along, for nobody
/// else has it.
pub(crate) fn answer(
    session: &Session,
    asked: &ReportParams,
    columns: Vec<Column>,
    call: &dyn Call,
) -> Result<Reply<ReportResult, BytesColumns>, ProtocolError> {
    if !cfg!(feature = "reports") {
        return Err(left_out("a report"));
    }
    let brought = columns.into_iter().find_map(|column| match column.data {
        ColumnData::U8(bytes) if column.name == "viewer" => Some(bytes),
        _ => None,
    });
    let mut bytes = vec![];
    session.write_report(asked, brought.as_deref(), &mut bytes, call)?;
    let name = match asked.documents[..] {
        [first, ..] if asked.anonymize.is_none() => session.slot(first)?.title().to_owned(),
        _ => String::new(),
    };
    Ok(Reply {
        result: ReportResult { file_name: file_name(&name) },
        columns: BytesColumns { bytes },
    })
}

/// The name of the file of a report on something.
fn file_name(of: &str) -> String {
    let words: HashSet<char> = ['.', '-', '_'].into();
    let safe =
        |sign: char| if sign.is_alphanumeric() || words.contains(&sign) { sign } else { '-' };
    let name: String = of.chars().take(100).map(safe).collect();
    match name.trim_matches(['-', '.']) {
        "" => "report.html".to_owned(),
        name => format!("{name}.html"),
    }
}
