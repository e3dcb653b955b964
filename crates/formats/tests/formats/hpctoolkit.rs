//! HPCToolkit's databases, and what Hatchet reads of a real one.

use crate::folders::HeldFolder;
use crate::measured::{folded, profile, testdata, total_values, warnings};
use formats::{Opened, ReadOptions};
use profile::{LocationKind, MetricId};

fn open(folder: &HeldFolder) -> Opened {
    formats::read_folder(folder, &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn ranks_and_threads_keep_their_values() {
    let found = open(&HeldFolder::new(&testdata("hpctoolkit/field"))).profile;
    assert_eq!(
        (found.metrics[0].name.as_str(), found.metrics[0].unit.as_str()),
        ("CPUTIME", "microseconds")
    );
    assert_eq!((found.processes.len(), found.threads.len()), (2, 3));
    let of_thread = |thread: u32| -> i64 {
        let rows = (0..found.points.len())
            .filter(|&point| found.points.thread(point).unwrap().0 == thread);
        rows.map(|point| found.points.row(point)[0]).sum()
    };
    assert_eq!([of_thread(0), of_thread(1), of_thread(2)], [4240, 3950, 1360]);
    assert_eq!(
        folded(&found, MetricId(0)),
        [
            "main 1200",
            "main;loop at field.c:24 6000",
            "main;loop at field.c:24;sow<int> 1300",
            "main;loop at field.c:24;sow<int>;next 150",
            "main;sqrt 900",
        ]
    );
    assert!(found.locations.kind.contains(&LocationKind::Loop));
    for line in [21, 26, 28, 6, 3, 33] {
        assert!(found.frames.line.contains(&line), "line {line}");
    }
    let modules: Vec<_> = found.modules.iter().map(|module| found.text(module.name)).collect();
    assert_eq!(modules, ["/opt/demo/field", "/lib/libm.so.6"]);
    check_a_real_folder();
}

#[test]
fn the_xml_alone_has_the_sums() {
    let bytes = std::fs::read(testdata("hpctoolkit/field/experiment.xml")).unwrap();
    let found = profile(&bytes);
    assert_eq!(found.metric_total(MetricId(0)).0, 4240 + 3950 + 1360);
    let told = warnings(&bytes);
    assert!(told.iter().any(|warning| warning.contains("open the folder")), "{told:?}");
    let cut = &bytes[..bytes.len() - 80];
    assert!(warnings(cut).iter().any(|warning| warning.contains("cut short")));
}

#[test]
fn a_damaged_rank_says_which_file() {
    let mut folder = HeldFolder::new(&testdata("hpctoolkit/field"));
    let name = folder.files[0].path.clone();
    folder.bytes.insert(name.clone(), b"HPCPROF-metricdb__00.10l".to_vec());
    let error = formats::read_folder(&folder, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains(&name), "{error}");
}

/// The same of real files, where they are.
fn check_a_real_folder() {
    let Some(folder) = ::samples::corpus("hpctoolkit-xml/cpi") else { return };
    let found = open(&HeldFolder::new(&folder)).profile;
    assert_eq!((found.processes.len(), found.threads.len()), (4, 4));
    // Sums over the four ranks, as Hatchet's `from_hpctoolkit` gives them.
    assert_eq!(found.metric_total(MetricId(0)).0, 3_998_242);
    let totals = total_values(&found, MetricId(0));
    for (name, value) in [("main", 3_998_242), ("PMPI_Finalize", 3_998_242)] {
        assert_eq!(totals[name], value, "{name}");
    }
}
