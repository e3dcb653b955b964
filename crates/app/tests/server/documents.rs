//! What is open, and what formats there are.

use protocol::*;
use tempfile::TempDir;

use super::{Server, cpu, sample};

#[test]
fn documents_and_summary_tell_of_every_file() {
    let folder = TempDir::new().unwrap();
    let empty = folder.path().join("empty.pb.gz");
    std::fs::write(&empty, "").unwrap();
    let server =
        Server::start(&[sample("pprof/heap.pb.gz"), sample("collapsed/perf.collapsed"), empty]);
    let mut page = server.page();
    let (heap, totals) = page.summary(0);
    assert_eq!((heap.title.as_str(), heap.format.as_str()), ("heap.pb.gz", "pprof"));
    assert_eq!(totals.i64("total").len(), heap.metrics.len());
    assert!((heap.default_metric as usize) < heap.metrics.len());
    let golden = std::fs::read_to_string(sample("pprof/heap.pb.gz.golden")).unwrap();
    let known = golden.lines().filter(|line| line.starts_with("metric "));
    for ((metric, total), line) in heap.metrics.iter().zip(totals.i64("total")).zip(known) {
        assert!(line.starts_with(&format!("metric {} {} ", metric.name, metric.unit)), "{line}");
        assert!(line.contains(&format!(" total {total}")), "{line} and {total}");
    }
    let (perf, totals) = page.summary(1);
    assert_eq!((perf.title.as_str(), perf.format.as_str()), ("perf.collapsed", "collapsed"));
    let text = std::fs::read_to_string(sample("collapsed/perf.collapsed")).unwrap();
    let counts = text.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<i64>().unwrap());
    assert_eq!(totals.i64("total"), [counts.sum::<i64>()]);
    assert_eq!(
        page.refused(ProfileRequest::Summary(DocumentParams { document: 2 })),
        ErrorCode::Unreadable
    );

    let documents = page.documents();
    let titles: Vec<_> = documents.iter().map(|d| (d.document, d.title.as_str())).collect();
    assert_eq!(titles, [(0, "heap.pb.gz"), (1, "perf.collapsed"), (2, "empty.pb.gz")]);
    assert_eq!(documents[0].state, DocumentState::Ready { shows: "profile".to_owned() });
    let DocumentState::Failed { error } = &documents[2].state else {
        panic!("{:?}", documents[2]);
    };
    assert!(error.message.contains("empty.pb.gz"), "{error}");

    let (left, _) =
        page.call::<DocumentsResult>(SessionRequest::Close(DocumentParams { document: 0 }));
    assert_eq!(left.documents.iter().map(|d| d.document).collect::<Vec<_>>(), [1, 2]);
    let closed = page.refused(ProfileRequest::Summary(DocumentParams { document: 0 }));
    assert_eq!(closed, ErrorCode::UnknownDocument);
    // Another page sees the same documents.
    assert_eq!(server.page().documents(), left.documents);
}

#[test]
fn formats_are_those_that_open() {
    let server = cpu();
    let (result, _) = server.page().call::<FormatsResult>(SessionRequest::Formats(NoParams {}));
    for (name, reads) in [("pprof", true), ("collapsed", true), ("speedscope", false)] {
        let format = result.formats.iter().find(|format| format.name == name).unwrap();
        assert!(format.writes && (format.reads || !reads), "{format:?}");
        assert!(!format.title.is_empty() && !format.extensions.is_empty(), "{format:?}");
    }
}
