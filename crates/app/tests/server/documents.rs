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

#[test]
fn files_of_one_name_are_distinguished_by_their_folders() {
    let folder = TempDir::new().unwrap();
    let files = ["old", "new"].map(|side| {
        let file = folder.path().join(side).join("cpu.pb.gz");
        std::fs::create_dir(file.parent().unwrap()).unwrap();
        std::fs::copy(sample("pprof/cpu.pb.gz"), &file).unwrap();
        file
    });
    let server = Server::start(&[files[0].clone(), sample("pprof/heap.pb.gz"), files[1].clone()]);
    let mut page = server.page();
    let titles = |page: &mut super::Page| -> Vec<String> {
        page.documents().into_iter().map(|info| info.title).collect()
    };
    assert_eq!(titles(&mut page), ["old/cpu.pb.gz", "heap.pb.gz", "new/cpu.pb.gz"]);
    // Names say the same however many others there are.
    let alone = Server::start(&files[..1]).page().documents();
    assert_eq!((&*alone[0].title, &alone[0].name), ("cpu.pb.gz", &page.documents()[0].name));
    assert!(std::path::Path::new(&alone[0].name).ends_with("old/cpu.pb.gz"), "{alone:?}");
    let compare = CompareParams {
        base: vec![0],
        new: vec![2],
        by_age: false,
        normalise: Normalise::Absolute {},
        noise: 0.0,
        filters: None,
    };
    let compared = page.call::<OpenedResult>(ProfileRequest::Compare(compare)).0;
    let title = "old/cpu.pb.gz → new/cpu.pb.gz";
    assert_eq!(page.summary(compared.document).0.title, title);
    assert_eq!(titles(&mut page)[3], title);
    // Files that a page sent have no folders that are known: they are numbered.
    let bytes = std::fs::read(sample("pprof/heap.pb.gz")).unwrap();
    page.upload(1, "dropped.pb.gz", &[&bytes]);
    page.upload(2, "dropped.pb.gz", &[&bytes]);
    assert_eq!(titles(&mut page)[4..], ["dropped.pb.gz", "dropped.pb.gz (2)"]);
}
