//! `hotframe open`.

use std::io::Read;
use std::path::Path;

use anyhow::{Result, bail};
use protocol::{GraphMeasureParams, GraphRequest};
use session::Silent;

use crate::arguments::Open;
use crate::host::{self, FileHost, document_name};
use crate::server::{self, ServeOptions};
use crate::sources::Sources;
use crate::{from_source, recorded_arrays, settings};

/// Serves profiles and graphs to the browser.
pub(crate) fn open(arguments: &Open) -> Result<()> {
    // What was made goes away when serving ends.
    let (mut files, _made) = from_source::all_made(&arguments.files, arguments.run_python)?;
    let is_one = arguments.merge || arguments.limits.align().is_some();
    if is_one {
        files = host::once(&files).0;
    }
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
    if files.is_empty() && !arguments.measured.is_empty() {
        bail!("--measured is laid over a dataflow graph: name that, too");
    }
    let mut host = FileHost::new(&all, options.max_size).with_sources(sources);
    if arguments.allow_run {
        host = allowing_runs(host)?;
    }
    let session = session::Session::new(Box::new(host), options)
        .with_formulas(settings::formulas()?)
        .with_rules(settings::rules()?)
        .with_arrays(arrays)
        .reading_as(arguments.limits.reading_as());
    let names: Vec<String> = files.iter().map(|path| document_name(path)).collect();
    let documents: Vec<&[String]> =
        if is_one && !names.is_empty() { vec![&names] } else { names.chunks(1).collect() };
    let documents: Vec<u32> = documents.iter().map(|names| session.add_merged(names)).collect();
    for path in &arguments.measured {
        let measured = session.add(&document_name(path));
        let joined = GraphMeasureParams { document: documents[0], measured };
        session.answer(GraphRequest::GraphMeasure(joined), vec![], &Silent)?;
    }
    let title = if names.is_empty() { "experiments".to_owned() } else { names.join(", ") };
    server::serve(
        session,
        &documents,
        &title,
        &ServeOptions {
            port: arguments.port,
            browser: !arguments.no_browser,
            asks: documents.len() > 1 && arguments.measured.is_empty(),
        },
    )
}

/// The page may run programs, and whatever ends this process ends what it runs.
#[cfg(target_os = "linux")]
fn allowing_runs(host: FileHost) -> Result<FileHost> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let experiments = crate::experiments::Experiments::new()?;
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let ending = std::sync::Arc::clone(&experiments);
    std::thread::spawn(move || {
        let signal = signals.forever().next().unwrap_or(SIGTERM);
        // A second one does not wait.
        std::thread::spawn(move || {
            let signal = signals.forever().next().unwrap_or(SIGTERM);
            std::process::exit(128 + signal);
        });
        ending.end();
        std::process::exit(128 + signal);
    });
    Ok(host.with_runs(experiments))
}

#[cfg(not(target_os = "linux"))]
fn allowing_runs(_: FileHost) -> Result<FileHost> {
    bail!("--allow-run works on Linux only: nothing isolates programs elsewhere")
}

/// Whether a file may be a recording of accesses; what is not a file is told where it is read.
fn is_recording(path: &Path) -> bool {
    const START: u64 = 64 << 10;
    let mut start = vec![];
    let read = crate::access::open(path).and_then(|file| file.take(START).read_to_end(&mut start));
    read.is_err() || locality::is_lackey(&start)
}
