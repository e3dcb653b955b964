//! `hotframe open`.

use anyhow::Result;

use crate::arguments::Open;
use crate::host::{self, FileHost, document_name};
use crate::server::{self, ServeOptions};
use crate::settings;

/// Serves profiles to the browser.
pub(crate) fn open(arguments: &Open) -> Result<()> {
    host::check(&arguments.files)?;
    let options = arguments.limits.read_options();
    let host = FileHost::new(&arguments.files, options.max_size);
    let session =
        session::Session::new(Box::new(host), options).with_formulas(settings::formulas()?);
    let names: Vec<String> = arguments.files.iter().map(|path| document_name(path)).collect();
    let documents: Vec<&[String]> =
        if arguments.merge { vec![&names] } else { names.chunks(1).collect() };
    let documents: Vec<u32> = documents.iter().map(|names| session.add_merged(names)).collect();
    server::serve(
        session,
        &documents,
        &names.join(", "),
        &ServeOptions { port: arguments.port, browser: !arguments.no_browser },
    )
}
