//! The oddities of collapsed stacks.

use formats::{Opened, ReadOptions, Source};
use profile::{FrameId, MetricId};

fn read(bytes: &[u8]) -> Opened {
    let source = Source { bytes: Box::new(bytes), file_name: "a.collapsed" };
    let opened = formats::read(source, &ReadOptions::default()).unwrap();
    assert_eq!(opened.profile.check(), []);
    opened
}

/// `outer|inner value...`, one a line.
fn lines(opened: &Opened) -> Vec<String> {
    let profile = &opened.profile;
    (profile.points.context.iter().enumerate())
        .map(|(row, &context)| {
            let mut path: Vec<_> =
                std::iter::successors(Some(context), |&c| profile.contexts.parent(c)).collect();
            path.reverse();
            let frames = path.into_iter().flat_map(|c| profile.frames_of(c));
            let names: Vec<_> =
                frames.map(|f| profile.frame_name(FrameId(f)).into_owned()).collect();
            let values = profile.points.row(row).iter().zip(&profile.metrics);
            let values: Vec<_> =
                values.map(|(&v, metric)| profile::decimal_text(v, metric.decimals)).collect();
            format!("{} {}", names.join("|"), values.join(" "))
        })
        .collect()
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(lines(&read(text.as_bytes())), expected);
}

/// py-spy writes such a line where it looked before there was a frame.
#[test]
fn an_empty_stack_does_not_make_it_another_format() {
    let text = "<module> (<string>:1);f (/tmp/a.py:15) 9\n 1\ng (/tmp/b.py:23) 3\n";
    let opened = read(text.as_bytes());
    assert_eq!(opened.profile.origin.format, "collapsed");
    assert_eq!(opened.profile.points.len(), 3);
    assert_eq!(opened.profile.metric_total(MetricId(0)).0, 13);
    assert_eq!(opened.warnings.iter().count(), 0);
}

#[test]
fn line_ends_and_byte_order_marks() {
    check("a;b 1\r\na 2\r\n", &["a|b 1", "a 2"]);
    check("\u{feff}a;b 1\na 2", &["a|b 1", "a 2"]);
    let text = "\u{feff}main;\u{1f525} 1\nmain 2\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(lines(&read(&little)), ["main|\u{1f525} 1", "main 2"]);
    assert_eq!(lines(&read(&big)), ["main|\u{1f525} 1", "main 2"]);
}

#[test]
fn long_utf16_files_are_cut_at_no_character() {
    let line = "main;\u{1f525}\u{20ac}x;leaf 3\n";
    let text = format!("\u{feff}{}", line.repeat(50_000));
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let opened = read(&bytes);
    assert_eq!(opened.profile.metric_total(MetricId(0)).0, 150_000);
    assert_eq!(opened.profile.contexts.len(), 4);
}

#[test]
fn counts_are_whole_or_decimal_or_negative() {
    check("a 1\nb 2.5\nc -3\nd 1e2\n", &["a 1", "b 2.5", "c -3", "d 100"]);
    check("a 0.1\na 0.2\n", &["a 0.1", "a 0.2"]);
    let opened = read(b"a 0.1\na 0.2\n");
    let (total, _) = opened.profile.metric_total(MetricId(0));
    assert_eq!(profile::decimal_text(total, opened.profile.metrics[0].decimals), "0.3", "exact");
    check("a 9223372036854775807\n", &["a 9223372036854775807"]);
    let told =
        read(b"a 1\nc -3\n").warnings.iter().map(|one| one.message.clone()).collect::<String>();
    assert!(told.contains("a count below 0"), "{told}");
}

#[test]
fn names_hold_spaces_and_separators_in_parentheses() {
    check("void foo(int, char);bar baz 7\n", &["void foo(int, char)|bar baz 7"]);
    check("run(Ljava/lang/String;I)V;leaf 1\n", &["run(Ljava/lang/String;I)V|leaf 1"]);
    // Parentheses that do not match up mean nothing.
    check("f(;g 1\nh);i 2\n", &["f(|g 1", "h)|i 2"]);
    check(";a;;b; 4\n", &["a|<unknown>|b 4"]);
}

#[test]
fn comments_and_blank_lines_are_skipped_and_others_counted() {
    let opened = read(b"# made by hand\n\na;b 1\nno count here\na;c 2\nnor here\n");
    assert_eq!(lines(&opened), ["a|b 1", "a|c 2"]);
    let warning = opened.warnings.iter().next().unwrap();
    assert_eq!(warning.count, 2);
    assert!(warning.message.contains("line 4 at byte 22"), "{}", warning.message);
}

#[test]
fn two_counts_a_line_are_a_difference() {
    let opened = read(b"a;b 10 12\na;c 5 0\n");
    assert_eq!(lines(&opened), ["a|b 10 12", "a|c 5 0"]);
    let names: Vec<_> = opened.profile.metrics.iter().map(|metric| &*metric.name).collect();
    assert_eq!(names, ["before", "after"]);
    // One line with one count: the others' first numbers belong to names.
    check("a;b 10 12\na;c 5\n", &["a|b 10 12", "a|c 5"]);
}

#[test]
fn annotations_stay_in_names_and_tell_the_module() {
    let opened = read(b"main;read_[k] 1\nmain;loop_[j] 1\n");
    let profile = &opened.profile;
    let module = |name: &str| {
        let frame =
            (0..profile.frames.len() as u32).map(FrameId).find(|&f| profile.frame_name(f) == name);
        profile.frame_module(frame.unwrap()).to_owned()
    };
    assert_eq!(module("read_[k]"), "[kernel]");
    assert_eq!(module("loop_[j]"), "[jit]");
    assert_eq!(module("main"), "");
}

#[test]
fn lines_of_a_megabyte() {
    let stack = vec!["frame"; 200_000].join(";");
    let opened = read(format!("{stack} 3\n").as_bytes());
    assert_eq!(opened.profile.contexts.len(), 200_001);
}

#[test]
fn frames_that_name_their_line() {
    let place = |frame: &str| {
        let profile = read(format!("{frame} 1\n").as_bytes()).profile;
        let leaf = profile.frames_of(profile.points.context[0]).next_back().map(FrameId).unwrap();
        let line = profile.frames.line[leaf.index()];
        format!("{} {} {line}", profile.frame_name(leaf), profile.frame_file(leaf))
    };
    let py_spy = "main (app/run.py:33);safe.<locals>.<genexpr> (<frozen os>:11)";
    assert_eq!(place(py_spy), "safe.<locals>.<genexpr> <frozen os> 11");
    assert_eq!(place("tid:7;<frozen runpy>:_run_code:87;a b.py:place:21"), "place a b.py 21");
    for whole in ["std::vec::push", "f (int)", "f (a:b)", "ns::f:12", "(x:1)", "x:12"] {
        assert_eq!(place(whole), format!("{whole}  0"));
    }
}

#[test]
fn a_file_of_py_spy_is_known_by_its_content() {
    let text = "<module> (recurse.py:42);main (recurse.py:33) 3\n<module> (recurse.py:42) 4\n";
    for (text, is_known) in
        [(text, true), ("<a>\n<b c=1>;<e> 5\n<d>;<e> 6\n", true), ("<?x?> 1\n", false)]
    {
        let source = Source { bytes: Box::new(text.as_bytes()), file_name: "raw" };
        assert_eq!(formats::read(source, &ReadOptions::default()).is_ok(), is_known, "{text}");
    }
}

/// A format that almost any text is would show what is not a profile.
#[test]
fn texts_without_stacks_are_refused_unless_the_format_is_named() {
    let script = "#!/bin/sh\nset -e\nfor x in 1 2 3; do echo $x; done\nsleep 1; exit 0\nkill -9 12\nwait\nexit\n";
    let processors = "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n\
                      stepping\t: 7\nflags\t\t: fpu vme\nbogomips\t: 5600.00\n";
    let counters = "nr_free_pages 1184\nnr_inactive 200\nnr_active 17\n";
    for text in
        ["Debian GNU/Linux 12\n", "Ubuntu 22.04.3 LTS \\n \\l\n\n", script, processors, counters]
    {
        let error = crate::measured::read(text).unwrap_err().to_string();
        assert!(error.contains("no known profile format"), "{text}: {error}");
    }
    if let Some(bytes) = crate::measured::corpus("cases/issue.txt") {
        assert!(crate::measured::read(bytes).is_err());
    }
    let forced = |text: &str| {
        let from = formats::format_named("collapsed");
        let options = formats::ReadOptions { from, ..Default::default() };
        let bytes = Box::new(text.as_bytes());
        formats::read(formats::Source { bytes, file_name: "" }, &options)
    };
    assert_eq!(forced(counters).unwrap().profile.metric_total(MetricId(0)).0, 1401);
    // Even so, a text most of whose lines are none of the format's is not a profile.
    let error = forced(script).unwrap_err().to_string();
    assert!(error.contains("lines are not understood"), "{error}");
}
