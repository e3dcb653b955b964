//! gprof's text, measured by its own flat profile and by gprof2dot.

use crate::measured::{
    folded, profile, read, sample, self_values, stored_totals, text, total_values, warnings,
};
use profile::MetricId;

#[test]
fn own_times_and_calls_are_those_of_the_flat_profile() {
    for name in ["default", "brief", "graph"] {
        let found = sample(&format!("gprof/{name}.gprof.txt"));
        let (own, calls) = (self_values(&found, MetricId(0)), self_values(&found, MetricId(1)));
        let flat = text("gprof/flat.gprof.txt");
        let mut rows = 0;
        for row in flat.lines().skip_while(|line| !line.contains("name")).skip(1) {
            let words: Vec<&str> = row.split_whitespace().collect();
            let name = words[words.len() - 1];
            let seconds: f64 = words[2].parse().unwrap();
            assert_eq!(own[name], (seconds * 1e9).round() as i64, "{name}");
            if words.len() == 7 && name != "mash" {
                assert_eq!(calls[name], words[3].parse::<i64>().unwrap(), "{name}");
            }
            rows += 1;
        }
        assert_eq!(rows, 6);
        // The flat profile leaves out calls of a function to itself.
        assert_eq!(calls["mash"], 400 + 479_200);
    }
}

#[test]
fn total_times_are_those_of_the_call_graph() {
    let found = sample("gprof/default.gprof.txt");
    let totals = total_values(&found, MetricId(0));
    for (name, hundredths) in [("taste", 21), ("ferment", 16), ("main", 2), ("bottle", 1)] {
        assert_eq!(totals[name], hundredths * 10_000_000, "{name}");
    }
    assert_eq!(found.metric_total(MetricId(0)).0, 230_000_000);
    assert!(found.origin.estimated_paths);
}

#[test]
fn stored_totals_are_the_index_lines() {
    for name in ["default", "brief", "graph", "no-static"] {
        let found = sample(&format!("gprof/{name}.gprof.txt"));
        let totals = stored_totals(&found, MetricId(0));
        let mut rows = 0;
        for line in text(&format!("gprof/{name}.gprof.txt")).lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            if !line.starts_with('[') || words.len() < 6 || line.contains("as a whole") {
                continue;
            }
            let hundredths = |word: &str| word.replace('.', "").parse::<i64>().unwrap();
            let function = words.iter().rev().find(|word| !"[<0123456789".contains(&word[..1]));
            let function = (*function.unwrap()).to_owned();
            let function = if function == "cycle" { words[5].to_owned() } else { function };
            let expected = (hundredths(words[2]) + hundredths(words[3])) * 10_000_000;
            assert_eq!(totals[&(String::new(), function.clone())], expected, "{name}: {function}");
            rows += 1;
        }
        assert_eq!(rows, totals.len(), "{name}");
        assert!(rows > 4, "{name}");
    }
}

#[test]
fn line_by_line_tables_have_lines_and_addresses() {
    let found = sample("gprof/lines.gprof.txt");
    let own = self_values(&found, MetricId(0));
    assert_eq!(own["taste"], 50_000_000);
    assert!(found.frames.line.contains(&28) && found.locations.address.contains(&0x1240));
}

const SAME_NAMES: &str = "\t\t\tCall graph\n\n\nindex % time    self  children    called     name\n\
         \t\t\t\t\t\t<spontaneous>\n\
         [1]    100.0    1.00    3.00                 main [1]\n\
         \t\t2.00    0.00      10/10          std::map<int, long>::find(int const&) [2]\n\
         \t\t1.00    0.00       1/1           local [3]\n\
         -----------------------------------------------\n\
         \t\t2.00    0.00      10/10          main [1]\n\
         [2]     50.0    2.00    0.00      10         std::map<int, long>::find(int const&) [2]\n\
         -----------------------------------------------\n\
         \t\t1.00    0.00       1/1           main [1]\n\
         [3]     25.0    0.60    0.40       1         local [3]\n\
         \t\t0.40    0.00       1/1           local <cycle 1> [4]\n\
         -----------------------------------------------\n\
         \t\t0.40    0.00       1/1           local [3]\n\
         [4]     10.0    0.40    0.00       1         local <cycle 1> [4]\n\
         -----------------------------------------------\n\x0c\nIndex by function name\n";

#[test]
fn names_with_spaces_cycles_and_same_names() {
    let found = profile(SAME_NAMES);
    assert_eq!(
        folded(&found, MetricId(0)),
        [
            "main 1000000000",
            "main;local 600000000",
            "main;local;local 400000000",
            "main;std::map<int, long>::find(int const&) 2000000000",
        ]
    );
    // Two functions called `local` of which nobody knows the total of both.
    let totals: Vec<_> =
        stored_totals(&found, MetricId(0)).into_iter().map(|((_, n), v)| (n, v)).collect();
    let find = "std::map<int, long>::find(int const&)".to_owned();
    assert_eq!(totals, [("main".to_owned(), 4_000_000_000), (find, 2_000_000_000)]);
    assert!(warnings(SAME_NAMES).iter().any(|w| w.contains("several functions are called local")));
}

#[test]
fn the_table_of_vtune() {
    let spaced = "Index  % CPU Time:Total  CPU Time:Self  CPU Time:Children  Name        Index\n\
         -----  ----------------  -------------  -----------------  ----------  -----\n\
         \x20                                                  <spontaneous>          [2]\n\
         [0]    100.0             0.5            2.25               main        [0]\n\
         \x20                     2.25           0.0                  work      [1]\n\
         \n\
         \x20                     2.25           0.0                  main      [0]\n\
         [1]    82.0              2.25           0.0                work        [1]\n\
         \n\
         Index  Function\n-----  --------\n[0]    main\n";
    let delimited = "Index;% CPU Time:Total;CPU Time:Self;CPU Time:Children;Name;Index\n\
         [0];100.0;0.5;2.25;main;[0]\n;;2.25;0.0;  work;[1]\n\n\
         ;;2.25;0.0;  main;[0]\n[1];82.0;2.25;0.0;work;[1]\n\nIndex;Function\n[0];main\n";
    for table in [spaced, delimited] {
        assert_eq!(
            folded(&profile(table), MetricId(0)),
            ["main 500000000", "main;work 2250000000"]
        );
    }
}

#[test]
fn reports_what_is_no_row() {
    let text = "Flat profile:\n\nEach sample counts as 0.01 seconds.\n  %   cumulative   self     \
         \n time   seconds   seconds    calls  us/call  us/call  name    \n\
         50.00      0.16     0.16   12     0.01     0.01  a\nwhat is this\n";
    let found = warnings(text);
    assert!(found.iter().any(|warning| warning.contains("what is this")), "{found:?}");
    assert!(found.iter().any(|warning| warning.contains("flat profile only")), "{found:?}");
    assert_eq!(folded(&profile(text), MetricId(0)), ["a 160000000"]);
}

#[test]
fn raw_data_says_what_to_do() {
    let bytes = std::fs::read(crate::measured::testdata("gprof/record/gmon.out")).unwrap();
    let error = read(bytes).unwrap_err().to_string();
    assert!(error.contains("gmon.out") && error.contains("gprof"), "{error}");
}

/// BSD's columns are called otherwise, and names of the flat profile have numbers behind them.
#[test]
fn the_tables_of_bsd_are_the_same() {
    let text = "call graph profile:\n\
        granularity: each sample hit covers 4 byte(s) for 1.92% of 0.52 seconds\n\n\
        \x20                                 called/total       parents\n\
        index  %time    self descendents  called+self    name    \tindex\n\
        \x20                                 called/total       children\n\n\
        \x20                                                    <spontaneous>\n\
        [1]    100.0    0.10        0.40                 start [1]\n\
        \x20               0.30        0.10       1/1           main(int, char **) [2]\n\n\
        -----------------------------------------------\n\n\
        \x20               0.30        0.10       1/1           start [1]\n\
        [2]     80.0    0.30        0.10       1         main(int, char **) [2]\n\
        \x20               0.10        0.00      64/64          operator()(int) [3]\n\n\
        -----------------------------------------------\n\n\
        \x20               0.10        0.00      64/64          main(int, char **) [2]\n\
        [3]     20.0    0.10        0.00      64         operator()(int) [3]\n\n\
        -----------------------------------------------\n\n\
        \x0c\n\
        flat profile:\n\n\
        %          the percentage of the total running time of the\n\n\
        granularity: each sample hit covers 4 byte(s) for 0.83% of 1.21 seconds\n\n\
        \x20 %   cumulative   self              self     total\n\
        \x20time   seconds   seconds    calls  ms/call  ms/call  name\n\
        \x2050.0       0.50     0.50                             mcount (51)\n\
        \x2030.0       0.80     0.30        1   300.00   400.00  main(int, char **) [2]\n\
        \x2010.0       0.90     0.10                             start [1]\n\
        \x2010.0       1.00     0.10       64     1.56     1.56  operator()(int) [3]\n";
    let found = profile(text);
    assert_eq!(found.origin.format, "gprof");
    let totals = total_values(&found, MetricId(0));
    let own = self_values(&found, MetricId(0));
    let tenth = 100_000_000;
    assert_eq!((own["start"], totals["start"]), (tenth, 5 * tenth));
    assert_eq!((own["main(int, char **)"], totals["main(int, char **)"]), (3 * tenth, 4 * tenth));
    assert_eq!((own["operator()(int)"], own["mcount"]), (tenth, 5 * tenth));
    assert_eq!(own.len(), 4);
    let told = warnings(text);
    assert!(told.iter().all(|one| !one.contains("flat profile only")), "{told:?}");
    assert!(told.iter().all(|one| !one.contains("is skipped")), "{told:?}");
    // A Windows shell that writes it to a file writes it so.
    let wide: Vec<u8> =
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(self_values(&profile(wide), MetricId(0)), own);
}

#[test]
fn simulated_cycles_are_counted_in_thousands() {
    let text = "Flat profile:\n\
        \x20                                        self      total\n\
        \x20    cumulative       self             cycles     cycles\n\
        \x20 %      cycles     cycles    calls     /call      /call  name\n\
        \x20          (K)        (K)                (K)        (K)\n\
        75.00     30.02      30.02      100      0.30       0.30  memchr\n\
        25.00     40.03      10.01        1     10.01      40.03  main\n\n\
        \x20            Call graph\n\n\
        index    %      self  children    called     name\n\
        \x20               (K)     (K)\n\
        \x20                                                <spontaneous>\n\
        [1]    100.0   10.01    30.02                 main [1]\n\
        \x20              30.02     0.00     100/100         memchr [2]\n\
        -----------------------------------------------\n\
        \x20              30.02     0.00     100/100         main [1]\n\
        [2]     75.0   30.02     0.00     100         memchr [2]\n\
        -----------------------------------------------\n";
    let found = profile(text);
    assert_eq!((&*found.metrics[0].name, &*found.metrics[0].unit), ("cycles", "cycles"));
    assert_eq!(folded(&found, MetricId(0)), ["main 10010", "main;memchr 30020"]);
    assert_eq!(folded(&found, MetricId(1)), ["main;memchr 100"]);
    assert!(warnings(text).iter().all(|one| !one.contains("is skipped")));
}

/// VTune has a row above all that nobody called.
#[test]
fn what_stands_above_the_roots_costs_nothing_itself() {
    let text = "Index  % CPU Time:Total  CPU Time:Self  CPU Time:Children  Name           Index\n\
        -----  ----------------  -------------  -----------------  -------------  -----\n\
        [0]    100.0             2.5            7.5                <spontaneous>  [0]\n\
        \x20                        2.5            6.5                  clone        [1]\n\
        \x20                        0.0            1.0                  main         [3]\n\n\
        \x20                        2.5            6.5                <spontaneous>  [0]\n\
        [1]    90.0              2.5            6.5                  clone        [1]\n\
        \x20                        6.5            0.0                    work       [2]\n\n\
        \x20                        6.5            0.0                  clone        [1]\n\
        \x20                        1.0            0.0                  main         [3]\n\
        [2]    75.0              7.5            0.0                    work       [2]\n\n\
        \x20                        0.0            1.0                <spontaneous>  [0]\n\
        [3]    10.0              0.0            1.0                  main         [3]\n\
        \x20                        1.0            0.0                    work       [2]\n";
    let found = profile(text);
    assert_eq!(found.metric_total(MetricId(0)).0, 10_000_000_000);
    let own = self_values(&found, MetricId(0));
    assert_eq!((own["clone"], own["work"]), (2_500_000_000, 7_500_000_000));
    assert!(!own.contains_key("<spontaneous>"));
    let totals = stored_totals(&found, MetricId(0));
    assert_eq!(totals[&(String::new(), "clone".to_owned())], 9_000_000_000);
}

/// What starts the program has no time and no entry, but calls.
#[test]
fn callers_without_an_entry_have_their_calls() {
    let text = "\
Call graph

index % time    self  children    called     name
                0.00    0.00       1/3           main [9]
                0.00    0.00       2/3           walk [2]
[1]      0.0    0.00    0.00       3         step [1]
-----------------------------------------------
                0.00    0.00       1/1           main [9]
[2]      0.0    0.00    0.00       1+5       walk [2]
                0.00    0.00       2/3           step [1]
                                   5             walk [2]
-----------------------------------------------
                0.00    0.00       1/1           __libc_csu_init [16]
[3]      0.0    0.00    0.00       1         _GLOBAL__sub_I_main [3]
-----------------------------------------------
";
    let profile = profile(text.as_bytes());
    let calls = self_values(&profile, MetricId(1));
    let expected = [("step", 3), ("walk", 6), ("_GLOBAL__sub_I_main", 1)];
    assert_eq!(calls, expected.map(|(name, count)| (name.to_owned(), count)).into());
    let stacks = folded(&profile, MetricId(1));
    let starts = ["__libc_csu_init;_GLOBAL__sub_I_main 1", "main;step 1", "main;walk "];
    for start in starts {
        assert!(stacks.iter().any(|stack| stack.starts_with(start)), "{start}: {stacks:?}");
    }
}
