//! VTune's reports.

use crate::measured::{folded, metric, names, profile, read, warnings};
use formats::ReadError;
use profile::{FrameId, LocationKind, MetricId, Profile};

const TOP_DOWN: &str = "\
Function Stack,CPU Time:Total,CPU Time:Self,CPU Time:Effective Time:Self,Module,Function (Full),Source File,Start Address
Total,100.0%,0,0,,,,
 _start,100.0%,0.0,0.0,a.out,_start,[Unknown],0x401000
  main,99.5%,1.250000,1.0,a.out,\"main(int, char**)\",main.cpp,0x401136
\"   std::map<int, int>::at\",40.0%,2.5,2.5,a.out,\"std::map<int, int>::at(int const&)\",stl_map.h,0x401200
   [Loop at line 7 in main],10.0%,0.000001,0,a.out,,main.cpp,0x401150
  exit,0.1%,0.25,,libc.so.6,exit,[Unknown],0x7ffff0000010
";

fn times(text: &str) -> Vec<String> {
    folded(&profile(text), MetricId(0))
}

#[test]
fn reports_the_tree_by_indentation() {
    let found = profile(TOP_DOWN);
    let expected = [
        "_start;exit 250000000",
        "_start;main(int, char**) 1250000000",
        "_start;main(int, char**);[Loop at line 7 in main] 1000",
        "_start;main(int, char**);std::map<int, int>::at(int const&) 2500000000",
    ];
    assert_eq!(folded(&found, MetricId(0)), expected);
    assert_eq!(found.metric_total(metric(&found, "CPU Time:Effective Time")).0, 3_500_000_000);
    assert_eq!(found.metrics[0].unit, "nanoseconds");
    let main = (0..found.frames.len() as u32).map(FrameId);
    let main = main.clone().find(|&frame| found.frame_name(frame).starts_with("main(")).unwrap();
    assert_eq!((found.frame_file(main), found.frame_module(main)), ("main.cpp", "a.out"));
    let location = found.frames.location[main.index()].index();
    assert_eq!(found.locations.address[location], 0x40_1136);
    assert!(found.locations.kind.contains(&LocationKind::Loop));
    assert!(found.modules.iter().any(|module| found.text(module.name) == "libc.so.6"));
}

#[test]
fn any_separator_and_what_vtune_says_before_is_read() {
    let expected = times(TOP_DOWN);
    // As many columns, names without the separators in them.
    let plain =
        TOP_DOWN.replace("\"main(int, char**)\"", "main(int)").replace("<int, int>", "<int>");
    assert_eq!(times(&plain).len(), expected.len());
    for separator in [";", "\t"] {
        let text = format!("war: Column filter is ON.\r\n{}", plain.replace(',', separator));
        assert_eq!(times(&text), times(&plain), "{separator:?}");
    }
}

#[test]
fn own_values_are_what_callees_leave_of_totals() {
    let found = warnings(
        "Function Stack\tCPU Time:Total\nTotal\t10.0\n a\t10.0\n  b\t6.0\n  c\t4.000001\n",
    );
    assert_eq!(found.len(), 1, "{found:?}");
    let text = "Function Stack\tCPU Time:Total\tModule\nTotal\t100.0%\tx\n a\t99.853%\tx\n  b\t60.1%\tx\n  b\t0.5%\tx\n";
    assert_eq!(folded(&profile(text), MetricId(0)), [" 147", "a 39253", "a;b 60600"]);
    assert_eq!(
        (profile(text).metrics[0].unit.as_str(), profile(text).metrics[0].decimals),
        ("percent", 3)
    );
}

#[test]
fn columns_of_text_are_read() {
    let text = "\
Function Stack          CPU Time:  CPU Time:Effective  Module
                        Self       Time:Self           
----------------------  ---------  ------------------  ---------
Total                          0s                  0s
 func@0x6b2daccf               0s                  0s  ntdll.dll
  thread_video               1.5s                  1s  video.exe
   drawé                     20ms                 7us  video.exe
";
    let found = profile(text);
    let expected =
        ["func@0x6b2daccf;thread_video 1500000000", "func@0x6b2daccf;thread_video;drawé 20000000"];
    assert_eq!(folded(&found, MetricId(0)), expected);
    assert_eq!(found.metrics[1].name, "CPU Time:Effective Time");
    assert_eq!(found.metric_total(MetricId(1)).0, 1_000_007_000);
}

fn flat() -> Profile {
    profile(
        "Process;Thread;Function;CPU Time;Memory Bound(%);Loads;CPI Rate;Module;Source File\n\
         a.out;main (1);\"f<int; int>\";34004.497319;66.3;16810488299520;1.2;a.out;f.cpp\n\
         a.out;worker (2);g;0.5;;;;lib.so;[Unknown]\n",
    )
}

#[test]
fn flat_reports_have_no_callers() {
    let found = flat();
    assert_eq!(folded(&found, MetricId(0)), ["f<int; int> 34004497319000", "g 500000000"]);
    let metrics: Vec<_> = found.metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(metrics, ["CPU Time", "Loads"]);
    assert_eq!(found.metric_total(MetricId(1)).0, 16_810_488_299_520);
    assert_eq!(found.threads.len(), 2);
    assert_eq!(names(&found, found.points.context[1]), ["g"]);
}

#[test]
fn events_are_counts() {
    let text = "Function,Hardware Event Count:INST_RETIRED.ANY,Module,Start Address\nf,37252552043520,a,0xffffffff95a00010\n";
    let found = profile(text);
    assert_eq!(folded(&found, MetricId(0)), ["f 37252552043520"]);
    assert_eq!(found.locations.address, [0xffff_ffff_95a0_0010]);
}

#[test]
fn other_reports_are_named() {
    let error = read("Function,Function Stack,CPU Time,Module\nf,,1.5,a\n").unwrap_err();
    assert!(matches!(error, ReadError::Unsupported { .. }), "{error}");
    let nothing = read("Function,CPU Time\nf,soon\n").unwrap_err().to_string();
    assert!(nothing.contains("cells that are not numbers, such as soon"), "{nothing}");
    assert_eq!(warnings("Function,CPU Time\n"), ["the report has no rows"]);
}
