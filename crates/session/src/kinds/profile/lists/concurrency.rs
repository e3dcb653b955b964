//! How many were open at once.

use analysis::{Concurrency, ConcurrencyOf};
use profile::{MemberId, ProcessId, StringId, TrackId};
use protocol::{
    ConcurrencyChartColumns, ConcurrencyChartParams, ConcurrencyChartResult, ErrorCode, ListKind,
    ProtocolError, Reply, RowFinds, RowName, Table,
};

use super::super::{ProfileDocument, ViewOptions, convert};
use super::kept::made;
use super::list::{ProfileList, has_spans};
use super::places::{matcher, origin_of, place_of};
use crate::kinds::profile::document::track_titles::{of_recording, track_title};
use crate::kinds::profile::trees::views::{filtered_by, view_options};
use crate::table::{Columns, ListOptions};

/// Most cells of a chart.
const MOST_CELLS: u32 = 4096;

/// What a row is of, in words.
struct Title {
    /// `threads` of a process, `operations` of a lane, or `spans` or `asynchronous spans` of a name.
    of: &'static str,
    /// Which one, with the recording where there are several.
    name: String,
    /// Source file of spans. May be empty.
    file: String,
}

pub(super) const LIST: ProfileList = ProfileList {
    kind: ListKind::Concurrency,
    stands_for: None,
    name: "concurrency",
    label: "Concurrency",
    title: "how many at once",
    help: "How many spans of a name, operations of a lane and busy threads of a process there were at once",
    filter: "Filter by name",
    row: "What was open at once",
    empty: "The filters keep no span that lasts.",
    has: has_spans,
    rows: concurrency,
};

fn concurrency(
    document: &ProfileDocument,
    view: &ViewOptions,
    options: &ListOptions<'_>,
) -> Result<Table, ProtocolError> {
    type Row<'a> = (&'a Concurrency, Title);
    let profile = document.profile();
    let origin = origin_of(document)?;
    let all = made(document, view, |filtered| Ok(analysis::concurrency(filtered)))?;
    let matches = matcher(options.filter)?;
    let rows: Vec<Row<'_>> = (all.iter())
        .map(|one| (one, title_of(document, one.of)))
        .filter(|(_, title)| matches(&title.name))
        .collect();

    let mut columns = Columns::<Row<'_>>::new();
    columns.text("kind", |(_, title)| title.of.to_owned());
    columns.text("name", |(_, title)| title.name.clone());
    columns.text("file", |(_, title)| title.file.clone());
    columns
        .words("kind", "kind", |(_, title)| title.of.to_owned())
        .help("Threads of a process, operations of a lane, or spans of a name.");
    columns.count("peak", "peak", |(one, _)| one.most).help("The most that were open at once.");
    columns
        .instant("peak_at_ns", "peak at", |(one, _)| {
            Some(profile.timeline.on_axis(one.of.member(profile), one.most_at))
        })
        .help("When the peak was reached for the first time.");
    columns
        .time("time_at_peak_ns", "time at peak", |(one, _)| Some(one.most_for))
        .help("How long the count was at its peak, in all.");
    columns
        .number("mean", "mean", |(one, _)| Some(one.mean))
        .help("The mean over the counted time.");
    columns
        .time("busy_ns", "busy", |(one, _)| Some(one.busy))
        .help("How long at least one was open.");
    columns
        .place("peak", |(one, _)| {
            let track = match one.of {
                ConcurrencyOf::Lane(lane) => Some(lane),
                _ => None,
            };
            let of = (one.of.member(profile), track, None);
            place_of(document, origin, of, [one.most_at; 2])
        })
        .help("To the peak");
    columns.name("name", |(one, title)| RowName {
        text: if title.name.is_empty() { "[no frame]".to_owned() } else { title.name.clone() },
        file: title.file.clone(),
        detail: title.of.to_owned(),
        finds: match one.of {
            ConcurrencyOf::Name(name, ..) => Some(RowFinds::Spans(profile.text(name).to_owned())),
            _ => None,
        },
        ..RowName::default()
    });
    columns.table("row", rows, options, |(one, _)| id_of(one.of))
}

pub(crate) fn concurrency_chart(
    document: &ProfileDocument,
    params: &ConcurrencyChartParams,
) -> Result<Reply<ConcurrencyChartResult, ConcurrencyChartColumns>, ProtocolError> {
    let bad = |message: String| ProtocolError::new(ErrorCode::BadRequest, message);
    let sound = params.from.is_finite() && params.to.is_finite() && params.from < params.to;
    if !sound || params.cells == 0 || params.cells > MOST_CELLS {
        let message = format!("a chart needs a begin, a later end and 1 to {MOST_CELLS} cells");
        return Err(bad(message));
    }
    let origin = origin_of(document)?;
    let view = view_options(document, &params.view)?;
    let all = made(document, &view, |filtered| Ok(analysis::concurrency(filtered)))?;
    let row = all.iter().find(|one| id_of(one.of) == params.row);
    let of = row.ok_or_else(|| bad(format!("the filters leave no row {}", params.row)))?.of;
    let filtered = filtered_by(document, &view).map_err(convert::filter_error)?;
    let extent = [params.from, params.to].map(|at| origin.saturating_add(at.round() as i64));
    let chart = analysis::concurrency_chart(&filtered, of, extent, params.cells as usize);
    let most: Vec<f64> = chart.most.iter().map(|&count| count as f64).collect();
    let title = title_of(document, of);
    let title = match of {
        ConcurrencyOf::Process(None, _) => title.name,
        _ => format!("{} of {}", title.of, title.name),
    };
    let result = ConcurrencyChartResult { title, most: most.iter().copied().fold(0.0, f64::max) };
    Ok(Reply { result, columns: ConcurrencyChartColumns { most, mean: chart.mean } })
}

fn title_of(document: &ProfileDocument, of: ConcurrencyOf) -> Title {
    let profile = document.profile();
    match of {
        ConcurrencyOf::Process(process, member) => {
            let name = match process {
                Some(process) => profile.process_name(process),
                None => "all threads".to_owned(),
            };
            let name = of_recording(document, name, member);
            Title { of: "threads", name, file: String::new() }
        }
        ConcurrencyOf::Lane(lane) => {
            Title { of: "operations", name: track_title(document, lane), file: String::new() }
        }
        ConcurrencyOf::Name(name, file, is_asynchronous, member) => Title {
            of: if is_asynchronous { "asynchronous spans" } else { "spans" },
            name: of_recording(document, profile.text(name).to_owned(), member),
            file: profile.text(file).to_owned(),
        },
    }
}

/// The identifier of a row.
fn id_of(of: ConcurrencyOf) -> String {
    match of {
        ConcurrencyOf::Process(Some(ProcessId(process)), MemberId(member)) => {
            format!("threads {process} {member}")
        }
        ConcurrencyOf::Process(None, MemberId(member)) => format!("threads {member}"),
        ConcurrencyOf::Lane(TrackId(track)) => format!("lane {track}"),
        ConcurrencyOf::Name(StringId(name), StringId(file), is_asynchronous, MemberId(member)) => {
            format!("spans {name} {file} {is_asynchronous} {member}")
        }
    }
}
