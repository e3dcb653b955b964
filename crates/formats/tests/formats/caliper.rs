//! Caliper's own files, and its split JSON.

use crate::measured::{corpus, folded, metric, profile, warnings};
use profile::MetricId;

#[test]
fn rows_name_nodes_and_ranks() {
    let found = profile(
        r#"{"data":[[10.5,0,7.25,null,1],[3,1,3,1,null]],"columns":["inclusive#sum#time.duration","mpi.rank",
        "sum#time.duration","path","kernel"],"column_metadata":[{"is_value":true},{"is_value":true},
        {"is_value":true},{"is_value":false},{"is_value":false}],
        "nodes":[{"column":"path","label":"main"},{"column":"path","label":"solve","parent":0}]}"#,
    );
    assert_eq!(folded(&found, MetricId(0)), [" 725", "main;solve 300"]);
    let metric = &found.metrics[0];
    assert_eq!(
        (metric.name.as_str(), metric.unit.as_str(), metric.decimals),
        ("sum#time.duration", "microseconds", 2)
    );
    assert_eq!((found.metrics.len(), found.processes.len()), (1, 2));
    assert_eq!(found.label_sets.len(), 2);
    check_real_files();
}

/// The same of real files, where they are.
fn check_real_files() {
    let Some(bytes) = corpus("caliper/lulesh.json") else { return };
    let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let rows = json["data"].as_array().unwrap();
    let sum: f64 = rows.iter().filter_map(|row| row[2].as_f64()).sum();
    let found = profile(bytes);
    assert_eq!(found.metric_total(MetricId(0)).0, sum as i64);
    assert_eq!(found.processes.len(), 8);
}

#[test]
fn cali_files_have_paths_values_and_labels() {
    let text = "__rec=node,id=19,attr=10,data=268,parent=3\n__rec=node,id=20,attr=8,data=function,parent=19\n\
                __rec=node,id=21,attr=10,data=64,parent=3\n__rec=node,id=22,attr=8,data=phase,parent=21\n\
                __rec=node,id=30,attr=10,data=21,parent=5\n__rec=node,id=31,attr=8,data=sum#time.duration,parent=30\n\
                __rec=node,id=32,attr=10,data=21,parent=1\n__rec=node,id=33,attr=8,data=mpi.rank,parent=32\n\
                __rec=node,id=34,attr=8,data=count,parent=32\n\
                __rec=node,id=40,attr=20,data=main\n__rec=node,id=41,attr=22,data=warm\\, up,parent=40\n\
                __rec=node,id=42,attr=20,data=f\\=g,parent=41\n\
                __rec=ctx,ref=42,attr=31=33=34,data=0.25=1=3\n__rec=ctx,ref=40,attr=31=33=34,data=1.5=0=1\n\
                nonsense\n__rec=globals,attr=22,data=x\n";
    let found = profile(text);
    assert_eq!(folded(&found, MetricId(0)), ["main 150", "main;f=g 25"]);
    assert_eq!(folded(&found, metric(&found, "count")), ["main 1", "main;f=g 3"]);
    assert_eq!((found.metrics[0].unit.as_str(), found.metrics[0].decimals), ("seconds", 2));
    assert_eq!((found.processes.len(), found.metrics.len()), (2, 2));
    let labels: Vec<_> = found.label_sets.all_labels().map(|label| found.text(label.key)).collect();
    assert_eq!(labels, ["phase"]);
    assert_eq!(found.origin.comments, ["phase: x"]);
    assert_eq!(warnings(text).len(), 1);
    check_a_real_cali_file();
}

/// The same of real files, where they are.
fn check_a_real_cali_file() {
    let Some(bytes) = corpus("caliper/lulesh.cali") else { return };
    let text = String::from_utf8(bytes.clone()).unwrap();
    let found = profile(bytes);
    // The last but one value of a record is its mean, the one before the sum.
    let rows = text.lines().filter(|line| line.starts_with("__rec=ctx"));
    let values =
        rows.map(|line| line.rsplit_once("data=").unwrap().1.split('=').collect::<Vec<_>>());
    let (mut sum, mut count) = (0.0, 0);
    for row in values {
        sum += row[2].parse::<f64>().unwrap();
        count += row[4].parse::<i64>().unwrap();
    }
    let index = metric(&found, "sum#time.duration");
    let total = found.metric_total(index).0 as f64
        / 10f64.powi(found.metrics[index.index()].decimals.into());
    assert!((total - sum).abs() < 1e-9);
    assert_eq!(found.metric_total(metric(&found, "count")).0, count);
    let totals = crate::measured::total_values(&found, metric(&found, "count"));
    assert_eq!((totals["main"], totals["CalcEnergyForElems"]), (count - 1, 350));
}

/// What Caliper's `inclusive_sum` writes, without the sums themselves.
#[test]
fn inclusive_values_alone_are_made_exclusive() {
    let found = profile(
        r#"{"data":[[2.0,0,0],[1.5,0,1],[0.25,0,2],[3.0,1,0],[1.0,1,2]],
        "columns":["inclusive#sum#time.duration","mpi.rank","path"],
        "column_metadata":[{"is_value":true,"attribute.unit":"sec"},{"is_value":true},{"is_value":false}],
        "nodes":[{"column":"path","label":"main"},{"column":"path","label":"solve","parent":0},
        {"column":"path","label":"step","parent":1}]}"#,
    );
    // By rank: on rank 1 `solve` has no value of its own, so `step` is the nearest below `main`.
    assert_eq!(folded(&found, MetricId(0)), ["main 250", "main;solve 125", "main;solve;step 125"]);
    assert_eq!(found.metric_total(MetricId(0)).0, 500);
    let totals = crate::measured::total_values(&found, MetricId(0));
    assert_eq!((totals["main"], totals["solve"], totals["step"]), (500, 250, 125));
    assert_eq!(
        (found.metrics[0].name.as_str(), &*found.metrics[0].unit),
        ("sum#time.duration", "seconds")
    );
    assert!(found.metrics[0].combining.is_sum());
    let text = "__rec=node,id=19,attr=10,data=268,parent=3\n__rec=node,id=20,attr=8,data=region,parent=19\n\
                __rec=node,id=30,attr=8,data=inclusive#sum#time.duration.ns,parent=1\n\
                __rec=node,id=40,attr=20,data=main\n__rec=node,id=41,attr=20,data=f,parent=40\n\
                __rec=ctx,ref=40,attr=30,data=100\n__rec=ctx,ref=41,attr=30,data=30\n";
    let found = profile(text);
    assert_eq!(folded(&found, MetricId(0)), ["main 70", "main;f 30"]);
    assert_eq!(found.metrics[0].unit, "nanoseconds");
}

#[test]
fn means_extremes_and_shares_do_not_add_up_and_have_the_unit_of_what_they_are_of() {
    use profile::{Combine, Combining};
    let found = profile(
        r#"{"data":[[1.5,0.5,1.0,0.75,2,40,0]],
        "columns":["sum#time.duration","min#time.duration","max#time.duration","avg#time.duration","count",
        "percent_total#sum#time.duration","path"],
        "column_metadata":[{"is_value":true,"attribute.unit":"sec"},{"is_value":true},{"is_value":true},
        {"is_value":true},{"is_value":true},{"is_value":true},{"is_value":false}],
        "nodes":[{"column":"path","label":"main"}]}"#,
    );
    let units: Vec<_> = found.metrics.iter().map(|metric| metric.unit.as_str()).collect();
    assert_eq!(units, ["seconds", "seconds", "seconds", "seconds", "count", "percent"]);
    let combining: Vec<_> = found.metrics.iter().map(|metric| metric.combining).collect();
    let mean = Combining { weight: Some(MetricId(4)), ..Combining::everywhere(Combine::Mean) };
    let everywhere = Combining::everywhere;
    let expected = [
        everywhere(Combine::Sum),
        everywhere(Combine::Minimum),
        everywhere(Combine::Maximum),
        mean,
        everywhere(Combine::Sum),
        everywhere(Combine::None),
    ];
    assert_eq!(combining, expected);
    // Old files have no units: a mean of whole microseconds is decimal, and no time in seconds.
    let text = "__rec=node,id=30,attr=8,data=sum#time.duration,parent=1\n\
                __rec=node,id=31,attr=8,data=avg#time.duration,parent=5\n\
                __rec=ctx,attr=30=31,data=25=12.5\n";
    let found = profile(text);
    let units: Vec<_> = found.metrics.iter().map(|metric| metric.unit.as_str()).collect();
    assert_eq!(units, ["microseconds", "microseconds"]);
}

#[test]
fn call_paths_come_before_regions_and_every_attribute_stays() {
    let found = profile(
        r#"{"data":[[10,1,3,"eager",7],[20,1,2,null,8]],
        "columns":["count","path","source.function#callpath.address","mpi.protocol","iteration#main"],
        "column_metadata":[{"is_value":true},{"is_value":false},{"is_value":false},{"is_value":true},{"is_value":true}],
        "nodes":[{"column":"path","label":"region"},{"column":"path","label":"loop","parent":0},
        {"column":"source.function#callpath.address","label":"main"},
        {"column":"source.function#callpath.address","label":"work","parent":2}]}"#,
    );
    assert_eq!(folded(&found, MetricId(0)), ["main 20", "main;work 10"]);
    assert_eq!(found.metrics.len(), 1);
    let mut labels: Vec<String> = (found.label_sets.all_labels())
        .map(|label| {
            let value = match label.value {
                profile::LabelValue::Text(text) => found.text(text).to_owned(),
                profile::LabelValue::Number(number, _) => number.to_string(),
            };
            format!("{}={value}", found.text(label.key))
        })
        .collect();
    labels.sort();
    labels.dedup();
    assert_eq!(labels, ["iteration#main=7", "iteration#main=8", "mpi.protocol=eager", "path=loop"]);
}

/// What ran in no region is not a whole of the regions, whose values hold those below them.
#[test]
fn a_record_without_a_region_stands_beside_the_others() {
    let found = profile(
        r#"{"data":[[0.5,null,4],[10,0,4],[7,1,3],[2,2,4]],"columns":["sum#inclusive#sum#time.duration","path",
        "avg.count#inclusive#sum#time.duration"],"column_metadata":[{"is_value":true,"attribute.unit":"sec"},
        {"is_value":false},{"is_value":true}],
        "nodes":[{"column":"path","label":"main"},{"column":"path","label":"solve","parent":0},
        {"column":"path","label":"MPI_Init"}]}"#,
    );
    assert_eq!(found.metrics[0].decimals, 1);
    assert_eq!(folded(&found, MetricId(0)), [" 5", "MPI_Init 20", "main 30", "main;solve 70"]);
    assert_eq!(found.metric_total(MetricId(0)).0, 125);
    // How many values a mean is of.
    let count = metric(&found, "avg.count#inclusive#sum#time.duration");
    assert_eq!(found.metrics[count.index()].unit, "count");
    assert_eq!(folded(&found, count), [" 4", "MPI_Init 4", "main 4", "main;solve 3"]);
}
