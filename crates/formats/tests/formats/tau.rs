//! TAU's oddities, and what Hatchet reads of a real folder.

use crate::folders::HeldFolder;
use crate::measured::{folded, metric, profile, self_values, testdata, total_values, warnings};
use formats::{Opened, ReadOptions};
use profile::MetricId;

fn open(folder: &HeldFolder) -> Opened {
    formats::read_folder(folder, &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

const HEAD: &str = "# Name Calls Subrs Excl Incl ProfileCalls #\n";

#[test]
fn ranks_threads_and_metrics_of_a_folder_are_one_profile() {
    let opened = open(&HeldFolder::new(&testdata("tau/field")));
    let found = opened.profile;
    let metrics: Vec<_> =
        found.metrics.iter().map(|m| (m.name.as_str(), m.unit.as_str())).collect();
    assert_eq!(metrics, [("PAPI_TOT_INS", "count"), ("TIME", "microseconds"), ("calls", "count")]);
    let threads: Vec<_> =
        (0..4).map(|thread| found.thread_name(profile::ThreadId(thread))).collect();
    assert_eq!(threads[0], "node 0 thread 0 (0)");
    assert_eq!((found.threads.len(), found.processes.len()), (4, 2));
    let calls = self_values(&found, metric(&found, "calls"));
    // 4 + 5 + 7 + 8 fields.
    assert_eq!((calls["reap(int)"], calls["bind()"], calls[".TAU application"]), (24, 24, 4));
    assert_eq!(found.origin.time_ns, 1_700_000_000_000_000_000);
    assert_eq!(found.origin.comments, ["Command Line: field 4 & more"]);
    assert!(!found.origin.estimated_paths);
    let skipped: Vec<_> = opened.warnings.iter().map(|w| (&*w.message, w.count)).collect();
    assert_eq!(skipped, [("user events are not shown", 8)]);
    check_a_real_folder();
}

#[test]
fn paths_are_not_counted_twice() {
    let found = profile(format!(
        "4 templated_functions\n{HEAD}\
         \"main\" 1 2 100 600 0 GROUP=\"A\" \n\
         \"work  \" 2 0 500 500 0 GROUP=\"A\" \n\
         \"main => work  \" 2 0 450 450 0 GROUP=\"TAU_CALLPATH|A\" \n\
         \"idle\" 1 0 7.25 7.25 0 GROUP=\"A\" \n0 aggregates\n"
    ));
    // 50 of work have no path: they are a root.
    assert_eq!(found.metrics[0].decimals, 2);
    assert_eq!(
        folded(&found, MetricId(0)),
        ["idle 725", "main 10000", "main;work 45000", "work 5000"]
    );
}

#[test]
fn short_paths_are_a_call_graph() {
    let found = profile(format!(
        "5 templated_functions_MULTI_TIME\n{HEAD}\
         \"main\" 1 1 10 100 0 GROUP=\"A\" \n\
         \"a\" 1 1 30 90 0 GROUP=\"A\" \n\
         \"b\" 3 0 60 60 0 GROUP=\"A\" \n\
         \"main => a\" 1 1 30 90 0 GROUP=\"A\" \n\
         \"a => b\" 3 0 60 60 0 GROUP=\"A\" \n"
    ));
    assert!(found.origin.estimated_paths);
    assert_eq!(folded(&found, MetricId(0)), ["main 10", "main;a 30", "main;a;b 60"]);
    assert_eq!(folded(&found, MetricId(1)), ["main 1", "main;a 1", "main;a;b 3"]);
}

#[test]
fn samples_are_a_metric_of_their_own() {
    let found = profile(format!(
        "3 templated_functions_MULTI_TIME\n{HEAD}\
         \"main [{{/src/a.c}} {{12,1}}-{{40,1}}]\" 1 1 100 100 0 GROUP=\"A\" \n\
         \"main [{{/src/a.c}} {{12,1}}-{{40,1}}] => [CONTEXT] main [{{/src/a.c}} {{12,1}}-{{40,1}}]\" 9 0 0 90 0 GROUP=\"A\" \n\
         \"main [{{/src/a.c}} {{12,1}}-{{40,1}}] => [CONTEXT] main [{{/src/a.c}} {{12,1}}-{{40,1}}] => [SAMPLE] work [{{/src/b.c}} {{17}}]\" 9 0 90 90 0 GROUP=\"A\" \n"
    ));
    assert_eq!(found.metrics[1].name, "TIME of samples");
    assert_eq!((found.metric_total(MetricId(0)).0, found.metric_total(MetricId(1)).0), (100, 90));
    assert_eq!(folded(&found, MetricId(1)), ["main;main;work 90"]);
    assert!(found.frames.line.contains(&17) && found.functions.start_line.contains(&12));
}

#[test]
fn cut_and_odd_files_are_reported() {
    let text = format!("3 templated_functions\n{HEAD}\"a\" 1 0 5 5 0 GROUP=\"A\" \nnonsense\n");
    let found = warnings(&text);
    assert!(found.iter().any(|w| w.contains("nonsense")), "{found:?}");
    assert!(found.iter().any(|w| w.contains("1 of 3 rows")), "{found:?}");
}

/// The same of real files, where they are.
fn check_a_real_folder() {
    let Some(root) = ::samples::corpus("tau/cpi") else { return };
    let found = open(&HeldFolder::new(&root)).profile;
    assert_eq!((found.processes.len(), found.threads.len()), (4, 4));
    let totals = total_values(&found, MetricId(0));
    let own = self_values(&found, MetricId(0));
    // Sums over the four ranks, as Hatchet's `from_tau` gives them.
    assert_eq!(totals[".TAU application"], found.metric_total(MetricId(0)).0);
    assert_eq!(own["MPI_Init()"], 78_474);
    assert_eq!(totals["MPI_Finalize()"], 130_567);
}

/// Without call paths, inclusive values are those of the rows.
#[test]
fn functions_without_paths_keep_their_inclusive_values() {
    let text = format!(
        "3 templated_functions_MULTI_TIME\n{HEAD}\
         \".TAU application\" 1 1 100 1000 0 GROUP=\"A\" \n\
         \"main\" 1 2 400 900 0 GROUP=\"A\" \n\
         \"MPI_Send()  \" 7 0 500 500 0 GROUP=\"A\" \n0 aggregates\n"
    );
    let found = profile(&text);
    assert_eq!(found.metric_total(MetricId(0)).0, 1000);
    let totals = crate::measured::stored_totals(&found, MetricId(0));
    let of = |name: &str| totals[&(String::new(), name.to_owned())];
    assert_eq!((of(".TAU application"), of("main"), of("MPI_Send()")), (1000, 900, 500));
    assert_eq!(self_values(&found, MetricId(0))["main"], 400);
    assert_eq!(warnings(&text), ["there is a flat profile only: who called whom is not known"]);
}
