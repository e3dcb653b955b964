//! `hotframe open`.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Result, bail};
use protocol::{GraphMeasureParams, GraphRequest};
use session::Silent;

use crate::arguments::Open;
use crate::from_source;
use crate::host::{self, FileHost, document_name};
use crate::recorded_arrays;
use crate::server::{self, ServeOptions};
use crate::settings;
use crate::sources::Sources;

/// Serves profiles and graphs to the browser.
pub(crate) fn open(arguments: &Open) -> Result<()> {
    // What was made goes away when serving ends.
    let (files, _made) = from_source::all_made(&arguments.files, arguments.run_python)?;
    let all = [&files[..], &arguments.measured].concat();
    host::check(&all)?;
    let options = arguments.limits.read_options();
    let sources = Sources::of(&arguments.source)?;
    let arrays = recorded_arrays::of(&arguments.trace)?;
    if let Some(option) = arguments.trace.given()
        && !files.iter().any(|path| is_recording(path))
    {
        bail!(
            "{option} is for recorded accesses (valgrind --tool=lackey --trace-mem=yes), which no file here is"
        );
    }
    let host = FileHost::new(&all, options.max_size).with_sources(sources);
    let session = session::Session::new(Box::new(host), options)
        .with_formulas(settings::formulas()?)
        .with_arrays(arrays)
        .reading_as(arguments.limits.reading_as());
    let names: Vec<String> = files.iter().map(|path| document_name(path)).collect();
    let documents: Vec<&[String]> = if arguments.merge || arguments.limits.align().is_some() {
        vec![&names]
    } else {
        names.chunks(1).collect()
    };
    let documents: Vec<u32> = documents.iter().map(|names| session.add_merged(names)).collect();
    for path in &arguments.measured {
        let measured = session.add(&document_name(path));
        let joined = GraphMeasureParams { document: documents[0], measured };
        session.answer(GraphRequest::GraphMeasure(joined), vec![], &Silent)?;
    }
    server::serve(
        session,
        &documents,
        &names.join(", "),
        &ServeOptions { port: arguments.port, browser: !arguments.no_browser },
    )
}

/// Whether a file may be a recording of accesses; what is no file is told where it is read.
fn is_recording(path: &Path) -> bool {
    const START: u64 = 64 << 10;
    let mut start = vec![];
    let read = File::open(path).and_then(|file| file.take(START).read_to_end(&mut start));
    read.is_err() || locality::is_lackey(&start)
}
