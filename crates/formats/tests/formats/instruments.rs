//! Instruments' call trees, as different versions copy them.

use crate::measured::{folded, profile, warnings};
use profile::MetricId;

#[test]
fn own_weights_are_the_values() {
    let found = profile(
        "Weight\tSelf Weight\t\tSymbol Name\n\
         96.08 Gc  100.0%\t-\t \texample (40414)\n\
         96.08 Gc  100.0%\t-\t \t Main Thread  0x1f2e\n\
         96.08 Gc  100.0%\t404.75 Mc\t \t  main\n\
         1.34 Kc    0.0%\t1.34 Kc\t \t   f(int) const\n\
         532 cycles    0.0%\t532 cycles\t \t    0x1234\n",
    );
    assert_eq!(
        folded(&found, MetricId(0)),
        ["main 404750000", "main;f(int) const 1340", "main;f(int) const;0x1234 532"]
    );
    assert_eq!(
        (found.metrics[0].name.as_str(), found.metrics[0].unit.as_str()),
        ("weight", "cycles")
    );
    let thread = found.points.thread(0).unwrap();
    assert_eq!(found.thread_name(thread), "Main Thread (0x1f2e)");
    let process = found.threads[thread.index()].process.unwrap();
    assert_eq!(found.process_name(process), "example (40414)");
}

#[test]
fn newer_versions_have_fewer_columns_and_indent_all() {
    let found = profile(
        "Weight\tSelf Weight\tSymbol Names\n4.93 s  100.0%\t0 s\t   start\n4.93 s  99.9%\t846.00 ms\t    main\n\
         1.2 min   0.0%\t1.2 min\t     a\n4.00 ms   0.1%\t7 µs\t    b\n",
    );
    let expected = ["start;b 7000", "start;main 846000000", "start;main;a 72000000000"];
    assert_eq!(folded(&found, MetricId(0)), expected);
    assert_eq!(found.metrics[0].unit, "nanoseconds");
}

#[test]
fn totals_alone_leave_own_values() {
    let text = "Bytes Used\tCount\t\tSymbol Name\r\n 3.50 MB     100.0%\t84\t \tstart\r\n 3.50 MB     100.0%\t84\t \t main\r\n\
         \x20 2.50 MB      50.4%\t42\t \t  malloc\r\n 512 Bytes      17.0%\t13\t \t  f\r\n\r\n";
    let found = profile(text);
    assert_eq!(found.metric_total(MetricId(0)).0, 3_670_016);
    assert_eq!(found.metric_total(MetricId(1)).0, 84);
    assert_eq!(
        folded(&found, MetricId(0)),
        ["start;main 1048064", "start;main;f 512", "start;main;malloc 2621440"]
    );
    assert_eq!(
        folded(&found, MetricId(1)),
        ["start;main 29", "start;main;f 13", "start;main;malloc 42"]
    );
    let units: Vec<_> = found.metrics.iter().map(|metric| metric.unit.as_str()).collect();
    assert_eq!(units, ["bytes", "count"]);
}

#[test]
fn old_versions_have_units_in_titles() {
    let found = profile(
        "Running Time\tSelf (ms)\t\tSymbol Name\tSource Path\n1,234.0ms  100.0%\t0.5\t \tmain\t/src/a.c\n\
         1233.5ms   99.9%\t1,233.5\t \t work\t/src/b.c\n",
    );
    assert_eq!(folded(&found, MetricId(0)), ["main 500000", "main;work 1233500000"]);
    assert_eq!(found.frame_file(profile::FrameId(1)), "/src/b.c");
    assert_eq!(
        (found.metrics[0].name.as_str(), found.metrics[0].unit.as_str()),
        ("running time", "nanoseconds")
    );
}

#[test]
fn damage_is_counted() {
    let found = warnings("Weight\tSymbol Name\n5 s\ta\n6 s\t b\n1 parsec\t c\n3 KB\t d\n1 s\n");
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(profile("Weight\tSymbol Name\n").points.len(), 0);
}
