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
fn what_is_no_row_is_told() {
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
