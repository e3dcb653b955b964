//! Experiments that are begun from the page: only where that is allowed, isolated whatever a plan
//! says, and kept.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use protocol::*;

use super::page::Page;
use super::{PATIENCE, Server, cpu};

/// A store of a test, and the server that uses it.
struct Service {
    folder: PathBuf,
    server: Server,
}

impl Service {
    fn start(test: &str) -> Service {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("service").join(test);
        let _ = Command::new("chmod").args(["-R", "u+w"]).arg(&folder).output();
        let _ = std::fs::remove_dir_all(&folder);
        Service::go_on(folder)
    }

    fn go_on(folder: PathBuf) -> Service {
        let server = Server::start_in(&[], &["--allow-run"], Some(&folder));
        Service { folder, server }
    }
}

fn isolates(page: &mut Page) -> bool {
    let here = page.call::<RunInterpretersResult>(RunsRequest::RunInterpreters(NoParams {})).0;
    assert!(!here.interpreters.is_empty());
    if here.obstacle.is_empty() {
        return true;
    }
    eprintln!("left out: {}", here.obstacle);
    assert!(std::env::var_os("CI").is_none());
    false
}

fn try_send(page: &mut Page, name: &str, bytes: &[u8]) -> Result<RunUpload, ProtocolError> {
    let params =
        UploadParams { upload: 1, name: name.to_owned(), offset: 0.0, last: true, format: None };
    let columns = vec![Column { name: "bytes".to_owned(), data: ColumnData::U8(bytes.to_vec()) }];
    let answer = page.try_call::<RunUploadResult>(RunsRequest::RunUpload(params), columns);
    answer.map(|(result, _)| result.upload.unwrap())
}

fn start(page: &mut Page, upload: &str, text: &str) -> Result<String, ProtocolError> {
    let params = RunStartParams { upload: upload.to_owned(), text: text.to_owned(), again: false };
    let answer = page.try_call::<RunParams>(RunsRequest::RunStart(params), vec![]);
    answer.map(|(run, _)| run.run)
}

fn status(page: &mut Page, run: &str) -> RunStatusResult {
    page.call(RunsRequest::RunStatus(RunParams { run: run.to_owned() })).0
}

/// Waits until something is so.
fn until(page: &mut Page, run: &str, is_so: impl Fn(&RunStatusResult) -> bool) -> RunStatusResult {
    let start = Instant::now();
    loop {
        let now = status(page, run);
        if is_so(&now) {
            return now;
        }
        assert!(start.elapsed() < PATIENCE, "{now:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn form(recorder: RunRecorder, interpreters: Vec<String>) -> RunForm {
    let factor = |name: &str, levels: &[&str]| RunFactor {
        name: name.to_owned(),
        levels: levels.iter().map(|&level| level.to_owned()).collect(),
    };
    RunForm {
        name: "p".to_owned(),
        command: "python3 p.py {n} 'a \"b\"'".to_owned(),
        recorder,
        interpreters,
        requirements: vec![factor("", &[])],
        parameters: vec![factor("n", &["1", "2"])],
        variables: vec![factor("OWN", &["7"])],
        runs: 1,
        timeout_s: 60.0,
    }
}

/// What it measures and prints; it ends badly where it is not isolated.
const PROGRAM: &str = "import os, sys\n\
    def counted(n):\n    return sum(inner(i) for i in range(n * 1000))\n\
    def inner(i):\n    return i * i\n\
    assert os.getcwd() == '/work' and sys.argv[2] == 'a \"b\"', (os.getcwd(), sys.argv)\n\
    assert os.environ['OWN'] == '7' and 'HOTFRAME_STORE' not in os.environ\n\
    print('counted', counted(int(sys.argv[1])))\n";

#[test]
fn nothing_runs_where_it_is_not_allowed() {
    let server = cpu();
    let mut page = server.page();
    let open = page.call::<DocumentsResult>(SessionRequest::Documents(NoParams {})).0;
    assert!(!open.may_run);
    let run = || RunParams { run: "0123456789abcdef-0123456789ab".to_owned() };
    let requests = [
        RunsRequest::RunInterpreters(NoParams {}),
        RunsRequest::RunPlan(RunPlanParams {
            upload: String::new(),
            form: None,
            text: String::new(),
        }),
        RunsRequest::RunStart(RunStartParams {
            upload: String::new(),
            text: String::new(),
            again: false,
        }),
        RunsRequest::RunStatus(run()),
        RunsRequest::RunCancel(run()),
        RunsRequest::RunOpen(run()),
        RunsRequest::RunLog(RunLogParams { job: String::new(), from: 0.0 }),
        RunsRequest::RunList(RunListParams::default()),
        RunsRequest::Queue(NoParams {}),
    ];
    for request in requests {
        let asked = page.try_call::<serde_json::Value>(request.clone(), vec![]);
        let error = asked.err().unwrap();
        assert_eq!(error.code, ErrorCode::NotAllowed, "{request:?}");
        assert!(error.hint.contains("--allow-run"), "{error:?}");
    }
    assert_eq!(try_send(&mut page, "p.py", b"1").unwrap_err().code, ErrorCode::NotAllowed);
}

#[test]
fn what_a_form_asks_for_runs_isolated_and_opens_as_a_profile() {
    let service = Service::start("form");
    let mut page = service.server.page();
    let open = page.call::<DocumentsResult>(SessionRequest::Documents(NoParams {})).0;
    assert!(open.may_run && open.documents.is_empty());
    if !isolates(&mut page) {
        return;
    }
    let upload = try_send(&mut page, "p.py", PROGRAM.as_bytes()).unwrap();
    assert_eq!((upload.files, upload.scripts.as_slice()), (1, &["p.py".to_owned()][..]));
    assert_eq!(try_send(&mut page, "p.py", PROGRAM.as_bytes()).unwrap().id, upload.id);
    assert_ne!(try_send(&mut page, "q.py", PROGRAM.as_bytes()).unwrap().id, upload.id);
    let plan = RunPlanParams {
        upload: upload.id.clone(),
        form: Some(form(RunRecorder::Cprofile, vec![])),
        text: String::new(),
    };
    let planned = page.call::<RunPlanResult>(RunsRequest::RunPlan(plan)).0;
    assert_eq!(planned.problem, "", "{}", planned.text);
    assert_eq!((planned.cell_count, planned.run_count), (2, 2), "{}", planned.text);
    assert_eq!(planned.cells, ["n=1 OWN=7", "n=2 OWN=7"]);
    // What the text says of isolation does not count: the program would fail.
    let text = planned.text.replace("isolated = true", "isolated = false");
    assert_ne!(text, planned.text);
    let run = start(&mut page, &upload.id, &text).unwrap();
    assert!(start(&mut page, &upload.id, &text).is_err(), "it is run twice at once");
    let ended = until(&mut page, &run, |now| now.summary.phase == RunPhase::Ended);
    assert_eq!(ended.summary.counts.done, 2, "{ended:?}");
    assert!(ended.cells.iter().all(|cell| cell.seconds.len() == 1 && cell.problem.is_empty()));
    assert!(ended.result_version > 0.0);
    let job = ended.cells[0].job.clone().unwrap();
    let log = page.call::<RunLogResult>(RunsRequest::RunLog(RunLogParams { job, from: 0.0 })).0;
    assert!(log.text.contains("counted 332833500"), "{log:?}");
    let opened = page.call::<OpenedResult>(RunsRequest::RunOpen(RunParams { run: run.clone() })).0;
    let (summary, _) = page.summary(opened.document);
    assert_eq!(summary.title, "p.hotframe");
    // Opened anew it is the same file, and the former is closed.
    let again = page.call::<OpenedResult>(RunsRequest::RunOpen(RunParams { run: run.clone() })).0;
    assert_eq!(page.documents().len(), 1);
    page.summary(again.document);
    // It is found in the list, also by another process.
    let Service { folder, server } = service;
    drop(server);
    let service = Service::go_on(folder);
    let mut page = service.server.page();
    let list = |page: &mut Page, search: &str| {
        let params = RunListParams { search: search.to_owned(), ..RunListParams::default() };
        page.call::<RunListResult>(RunsRequest::RunList(params)).0.uploads
    };
    assert_eq!(list(&mut page, "").len(), 2);
    let found = list(&mut page, &upload.id[..6]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].runs[0].phase, RunPhase::Ended);
    assert!(found[0].runs[0].has_result && found[0].runs[0].run == run);
    assert!(list(&mut page, "nothing of that name").is_empty());
    // Every word has to be there; the command and the conditions count.
    assert_eq!(list(&mut page, "P.PY n=1|2 OWN").len(), 1);
    assert!(list(&mut page, "p.py n=1|3").is_empty());
    assert_eq!(found[0].runs[0].counts.done, 2, "environments are not runs: {found:?}");
    let narrowed = |page: &mut Page, asked: RunListParams| {
        page.call::<RunListResult>(RunsRequest::RunList(asked)).0.uploads
    };
    let phase = |phase| RunListParams { phase: Some(phase), ..RunListParams::default() };
    assert_eq!(narrowed(&mut page, phase(RunPhase::Ended)).len(), 1);
    assert!(narrowed(&mut page, phase(RunPhase::Failed)).is_empty());
    let begun = found[0].runs[0].begun_s;
    let before = RunListParams { to_s: Some(begun), ..RunListParams::default() };
    let before = narrowed(&mut page, before);
    assert!(before.iter().all(|one| one.runs.is_empty()), "{before:?}");
    let after = RunListParams { from_s: Some(begun), ..RunListParams::default() };
    assert_eq!(narrowed(&mut page, after).len(), 1);
    page.call::<OpenedResult>(RunsRequest::RunOpen(RunParams { run }));
}

#[test]
fn what_fails_says_why_and_what_is_cancelled_goes_on() {
    let service = Service::start("cancel");
    let mut page = service.server.page();
    if !isolates(&mut page) {
        return;
    }
    let program = "import sys, time\nprint('begun', flush=True)\ntime.sleep(float(sys.argv[1]))\n\
                   raise SystemExit(3)\n";
    let upload = try_send(&mut page, "p.py", program.as_bytes()).unwrap();
    let text = "name = \"p\"\ncommand = [\"python3\", \"p.py\", \"{s}\"]\nrecorder = \"time\"\n\
                repeats = 0\n[matrix]\ns = [0, 30]\n";
    let run = start(&mut page, &upload.id, text).unwrap();
    let now = until(&mut page, &run, |now| now.cells[1].counts.running == 1);
    assert_eq!(now.cells[0].counts.failed, 1, "{now:?}");
    assert!(now.cells[0].problem.contains("code 3"), "{now:?}");
    let queue = page.call::<QueueResult>(RunsRequest::Queue(NoParams {})).0;
    assert_eq!(queue.experiments.len(), 1, "{queue:?}");
    let one = &queue.experiments[0];
    assert_eq!(one.run.as_deref(), Some(run.as_str()));
    assert_eq!((one.running.len(), one.failed.len()), (1, 1), "{queue:?}");
    assert!(queue.workers.iter().any(|worker| worker.runs.contains("s=30")), "{queue:?}");
    // The log is there while it runs.
    let job = now.cells[1].job.clone().unwrap();
    let begun = Instant::now();
    loop {
        let params = RunLogParams { job: job.clone(), from: 0.0 };
        let log = page.call::<RunLogResult>(RunsRequest::RunLog(params)).0;
        if log.text.contains("begun") {
            break;
        }
        assert!(begun.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(50));
    }
    let cancel = RunsRequest::RunCancel(RunParams { run: run.clone() });
    page.call::<DoneResult>(cancel.clone());
    let stopped = until(&mut page, &run, |now| now.summary.phase == RunPhase::Stopped);
    assert!(begun.elapsed() < Duration::from_secs(25), "{stopped:?}");
    assert_eq!(stopped.summary.counts.failed, 1, "{stopped:?}");
    page.try_call::<DoneResult>(cancel, vec![]).err().unwrap();
    assert_eq!(start(&mut page, &upload.id, text).unwrap(), run);
    until(&mut page, &run, |now| now.cells[1].counts.running == 1);
    // The end of the server is the end of its workers.
    let Service { folder, mut server } = service;
    let ended = Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status();
    assert!(ended.unwrap().success());
    server.child.wait().unwrap();
    assert!(!is_used(&folder), "a worker is left");
}

/// A server that is killed cannot tell its workers to end.
#[test]
fn a_killed_server_leaves_no_worker_and_no_program() {
    let service = Service::start("killed");
    let mut page = service.server.page();
    if !isolates(&mut page) {
        return;
    }
    let program = "import time\nprint('begun', flush=True)\ntime.sleep(300)\n";
    let upload = try_send(&mut page, "p.py", program.as_bytes()).unwrap();
    let text =
        "name = \"p\"\ncommand = [\"python3\", \"p.py\"]\nrecorder = \"time\"\nrepeats = 0\n";
    let run = start(&mut page, &upload.id, text).unwrap();
    until(&mut page, &run, |now| now.cells[0].counts.running == 1);
    let Service { folder, mut server } = service;
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let begun = Instant::now();
    while is_used(&folder) {
        assert!(begun.elapsed() < PATIENCE, "a worker is left");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Whether a process was begun with a folder in its arguments.
fn is_used(folder: &Path) -> bool {
    let folder = folder.to_str().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes.into_iter().any(|process| {
        let words = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains(folder)
    })
}

#[test]
fn plans_and_names_that_reach_outside_are_refused() {
    let service = Service::start("outside");
    let mut page = service.server.page();
    if !isolates(&mut page) {
        return;
    }
    let upload = try_send(&mut page, "p.py", b"print(1)").unwrap();
    let usual = "name = \"p\"\ncommand = [\"python3\", \"p.py\"]\n";
    for (more, place) in [
        ("recorder = \"time\"\nsource = { in_place = true }", "in_place"),
        ("recorder = \"time\"\nsource = { folder = \"/etc\" }", "source.folder"),
        ("recorder = \"file\"\nfile = \"/etc/passwd\"", "file"),
        ("recorder = \"time\"\noutput = \"/tmp\"", "output"),
        ("recorder = \"time\"\nruns = 1000000000", "runs"),
        ("recorder = \"perf\"", "recorder"),
        ("nonsense = 1", "nonsense"),
    ] {
        let error = start(&mut page, &upload.id, &format!("{usual}{more}\n")).unwrap_err();
        assert!(error.message.contains(place), "{more}: {error:?}");
    }
    let fine = format!("{usual}recorder = \"time\"\n");
    for id in ["../../../../etc", "", "0123456789abcdef", "0123456789ABCDEF", "."] {
        assert!(start(&mut page, id, &fine).is_err(), "{id}");
    }
    for run in ["../x", "", "0123456789abcdef-../../x", "0123456789abcdef-0123456789ab"] {
        let asked = || RunParams { run: run.to_owned() };
        page.refused(RunsRequest::RunStatus(asked()));
        page.refused(RunsRequest::RunOpen(asked()));
        page.refused(RunsRequest::RunCancel(asked()));
    }
    for job in ["../x", "", "00"] {
        page.refused(RunsRequest::RunLog(RunLogParams { job: job.to_owned(), from: -1.0 }));
    }
    for (name, bytes) in [("x.exe", &b"MZ"[..]), ("x.zip", b"PK"), ("", b"1"), ("../", b"1")] {
        assert!(try_send(&mut page, name, bytes).is_err(), "{name}");
    }
    let kept: Vec<_> = std::fs::read_dir(service.folder.join("uploads")).unwrap().collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert!(!service.folder.join("uploads").join(&upload.id).join("runs").exists());
}
