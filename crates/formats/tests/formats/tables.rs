//! Tables of a profile add up to the profile.

use std::collections::BTreeMap;

use crate::measured::{metric, sample, self_values};
use formats::format_named;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use profile::Profile;

/// The rows of a table, each cell as text by the name of its column.
type Rows = Vec<BTreeMap<String, String>>;

fn table(format: &str, part: &str, profile: &Profile) -> Rows {
    let mut bytes = vec![];
    format_named(format).unwrap().write_part(part, profile, &mut bytes).unwrap();
    match format {
        "csv" => csv(&String::from_utf8(bytes).unwrap()),
        _ => packed(bytes),
    }
}

/// No cell of the samples holds a line break.
fn csv(text: &str) -> Rows {
    let cells = |line: &str| -> Vec<String> {
        let (mut cells, mut quoted) = (vec![String::new()], false);
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '"' if quoted && chars.next_if_eq(&'"').is_some() => {
                    cells.last_mut().unwrap().push('"')
                }
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                c => cells.last_mut().unwrap().push(c),
            }
        }
        cells
    };
    let mut lines = text.lines();
    let names = cells(lines.next().unwrap());
    lines.map(|line| names.iter().cloned().zip(cells(line)).collect()).collect()
}

fn packed(bytes: Vec<u8>) -> Rows {
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    let cell = |field: &Field| match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        other => other.to_string(),
    };
    rows.map(|row| {
        row.unwrap().get_column_iter().map(|(name, f)| (name.clone(), cell(f))).collect()
    })
    .collect()
}

#[test]
fn values_add_up_to_the_metrics() {
    for path in ["pprof/labels.pb.gz", "ezview/reuse.ezview", "otlp/mill.otlp"] {
        let profile = sample(path);
        for format in ["csv", "parquet"] {
            let rows = table(format, "values", &profile);
            for (id, metric) in profile.metric_ids().zip(&profile.metrics) {
                let own = rows.iter().filter(|row| row["metric"] == metric.name);
                let sum: i64 = own.map(|row| row["value"].parse::<i64>().unwrap()).sum();
                assert_eq!(sum, profile.metric_total(id).0, "{path} {format}");
            }
        }
    }
}

#[test]
fn contexts_have_own_and_total_values() {
    let profile = sample("pprof/labels.pb.gz");
    for format in ["csv", "parquet"] {
        let rows = table(format, "contexts", &profile);
        assert_eq!(rows.len(), profile.contexts.len());
        assert_eq!(
            rows[0]["total_cpu"],
            profile.metric_total(metric(&profile, "cpu")).0.to_string()
        );
        let mut own = BTreeMap::<String, i64>::new();
        for row in &rows[1..] {
            *own.entry(row["function"].clone()).or_default() +=
                row["self_cpu"].parse::<i64>().unwrap();
            let parent: usize = row["parent"].parse().unwrap();
            let depth = |row: &BTreeMap<String, String>| row["depth"].parse::<i64>().unwrap();
            assert_eq!(depth(row), depth(&rows[parent]) + 1);
        }
        for (name, value) in self_values(&profile, metric(&profile, "cpu")) {
            assert_eq!(own[&name], value, "{name}");
        }
    }
}

#[test]
fn frames_and_links_name_what_is_there() {
    let profile = sample("ezview/reuse.ezview");
    for format in ["csv", "parquet"] {
        let rows = table(format, "frames", &profile);
        assert_eq!(rows.len(), profile.frames.len());
        assert!(rows.iter().any(|row| row["function"] == "Grid::Grid" && row["line"] == "31"));
        assert!(rows.iter().any(|row| row["kind"] == "region"));
        let links = table(format, "links", &profile);
        let roles: Vec<_> = links.iter().take(3).map(|row| row["role"].as_str()).collect();
        assert_eq!(roles, ["allocation", "use", "reuse"]);
    }
}

#[test]
fn decimal_fractions_and_separators_survive() {
    let text = "main;f(a, \"b\") 1.25\nmain;g 0.5\n";
    let profile = crate::measured::profile(text);
    let rows = table("csv", "values", &profile);
    let values: Vec<_> = rows.iter().map(|row| row["value"].as_str()).collect();
    assert_eq!(values, ["1.25", "0.5"]);
    let rows = table("csv", "frames", &profile);
    assert!(rows.iter().any(|row| row["function"] == "f(a, \"b\")"), "{rows:?}");
    let rows = table("parquet", "values", &profile);
    assert_eq!(rows[0]["value"].parse::<f64>().unwrap(), 1.25);
}
