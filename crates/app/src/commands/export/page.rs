//! Reports: the page that needs no server, with the documents behind its end.

use std::fs;

use anyhow::{Context as _, Result, bail};
use protocol::{
    CompareParams, DocumentInfo, DocumentParams, DocumentState, GraphMeasureParams, GraphRequest,
    MergeParams, Normalise, OpenedResult, ProfileRequest, ReportParams, ReportScript,
    SessionRequest,
};
use session::{ProfileDocument, Session, Silent, visible};

use super::super::output::write_output;
use super::hash;
use crate::arguments::{Anonymized, Export, PageArguments};
use crate::host::{self, FileHost, document_names};
use crate::{settings, viewer};

/// Longest script that a report has inside, in bytes.
const LONGEST_SCRIPT: u64 = 1 << 20;

/// Writes a report.
pub(super) fn export(arguments: &Export) -> Result<()> {
    check_names(arguments)?;
    viewer::expect()?;
    let scripts = scripts(arguments)?;
    let files = host::once(&arguments.files).0;
    let all = [&arguments.base[..], &files[..]].concat();
    let measured = &arguments.page.measured;
    let named = [&all[..], measured].concat();
    host::check(&named)?;
    let options = arguments.limits.read_options();
    let host = FileHost::new(&named, options.max_size);
    let session = Session::new(Box::new(host), options)
        .with_formulas(settings::formulas()?)
        .with_rules(settings::rules()?)
        .reading_as(arguments.limits.reading_as());
    let documents: Vec<u32> = document_names(&all).iter().map(|name| session.add(name)).collect();
    let profiles = read(&session, &documents)?;
    let shown = together(&session, &documents, arguments, profiles)?;
    let profile = match profiles {
        0 => None,
        _ => Some(session.ready::<ProfileDocument>(shown, &Silent)?),
    };
    if let Some(profile) = &profile {
        crate::commands::filters::check_names(&[profile], &arguments.view_options.filters(), "--")?;
    }
    if profile.is_some() && !measured.is_empty() {
        bail!("--measured needs one dataflow graph, and no profile");
    }
    for name in document_names(measured) {
        let joined = GraphMeasureParams { document: shown, measured: session.add(&name) };
        session.answer(GraphRequest::GraphMeasure(joined), vec![], &Silent)?;
    }
    let view = match &arguments.page.address {
        Some(address) => hash::given(address, shown)?,
        None => hash::of(arguments, profile.as_deref(), shown)?,
    };
    let asked = ReportParams {
        documents: vec![shown],
        view,
        anonymize: arguments.page.anonymize.map(Into::into),
        note: arguments.page.note.clone(),
        scripts,
        python: arguments.page.with_python,
    };
    write_output(&arguments.output, |out| Ok(session.write_report(&asked, None, out, &Silent)?))
}

/// Patterns name what is replaced: they would find nothing, and tell what it was.
fn check_names(arguments: &Export) -> Result<()> {
    let Export { search, view_options, page, .. } = arguments;
    let PageArguments { anonymize, address, .. } = page;
    let has_patterns =
        address.is_some() || !search.is_empty() || !view_options.filters().is_empty();
    if *anonymize == Some(Anonymized::Names) && has_patterns {
        bail!(
            "--anonymize=names replaces the names that filters, --search and --address use: leave these options out"
        );
    }
    Ok(())
}

/// Reads all documents; how many of them are profiles.
fn read(session: &Session, documents: &[u32]) -> Result<usize> {
    let mut profiles = 0;
    for &document in documents {
        let wait = SessionRequest::Wait(DocumentParams { document });
        let info: DocumentInfo = session.answer(wait, vec![], &Silent)?.into_result()?;
        if !matches!(&info.state, DocumentState::Ready { shows } if shows == "profile") {
            if documents.len() > 1 {
                bail!(
                    "{} is not a profile: a report has one graph, or profiles",
                    visible(&info.name)
                );
            }
            continue;
        }
        super::super::notes::tell_warnings(&*session.ready::<ProfileDocument>(document, &Silent)?)?;
        profiles += 1;
    }
    Ok(profiles)
}

/// What is shown of several profiles: the comparison with the base, or all as one.
fn together(
    session: &Session,
    documents: &[u32],
    arguments: &Export,
    profiles: usize,
) -> Result<u32> {
    let (base, new) = documents.split_at(arguments.base.len());
    let request = match (base, profiles) {
        ([], 0 | 1) => return Ok(documents[0]),
        ([], _) => ProfileRequest::Merge(MergeParams { documents: documents.to_vec() }),
        _ => ProfileRequest::Compare(CompareParams {
            base: base.to_vec(),
            new: new.to_vec(),
            by_age: false,
            normalise: Normalise::Absolute {},
            noise: 0.0,
            filters: None,
        }),
    };
    let opened: OpenedResult = session.answer(request, vec![], &Silent)?.into_result()?;
    Ok(opened.document)
}

/// The scripts that go along.
fn scripts(arguments: &Export) -> Result<Vec<ReportScript>> {
    let read = |path: &std::path::PathBuf| {
        let cannot = || format!("cannot read {}", visible(&path.to_string_lossy()));
        let length = fs::metadata(path).with_context(cannot)?.len();
        if length > LONGEST_SCRIPT {
            bail!("{} is longer than 1 MiB: it is not a script", visible(&path.to_string_lossy()));
        }
        let text = fs::read_to_string(path).with_context(cannot)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(ReportScript { name, text })
    };
    arguments.page.script.iter().map(read).collect()
}
