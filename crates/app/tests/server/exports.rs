//! Pictures and tables of what is shown.

use std::path::PathBuf;

use protocol::*;

use super::page::{rows, view};
use super::rows::two_levels;
use super::{Server, cpu, sample};

#[test]
fn pictures_of_runs_show_what_changed() {
    let run = |side: &str, run: u32| sample(&format!("runs/{side}-{run}.pb.gz"));
    let files: Vec<PathBuf> =
        ["before", "after"].iter().flat_map(|side| (1..=5).map(move |at| run(side, at))).collect();
    let server = Server::start(&files);
    let mut page = server.page();
    let compare = CompareParams {
        base: (0..5).collect(),
        new: (5..10).collect(),
        by_age: false,
        normalise: Normalise::Absolute {},
        noise: 0.0,
        filters: None,
    };
    let (compared, _) = page.call::<serde_json::Value>(ProfileRequest::Compare(compare));
    let document = compared["document"].as_u64().unwrap() as u32;
    let picture = ExportSvgParams {
        // Both sides of the first metric.
        view: ViewSpec { metric: 2, ..view(document) },
        instance: None,
        root: 0,
        width: 1_200.0,
        theme: ThemeName::Light,
        colour: ColourBy::Change,
        search: String::new(),
        labels: LabelBy::Function,
    };
    let (svg, _) = page.call::<TextResult>(ProfileRequest::ExportSvg(picture));
    // What takes more is orange, what takes less blue, whatever the sign on it says.
    let mut found = [0, 0];
    for one in svg.text.split("<g>") {
        let Some((_, text)) = one.split_once("</title>") else { continue };
        let Some((_, fill)) = text.split_once("fill=\"#") else { continue };
        let part = |at: usize| u8::from_str_radix(&fill[at..at + 2], 16).unwrap();
        let (red, blue) = (part(0), part(4));
        for (index, signs) in [["[A]", "[+]"], ["[D]", "[-]"]].into_iter().enumerate() {
            if signs.iter().any(|sign| text.contains(sign)) && !text.contains(" all<") {
                assert_eq!(red > blue, index == 0, "{text}");
                found[index] += 1;
            }
        }
    }
    assert!(found[0] > 0 && found[1] > 0, "{found:?}");
}

#[test]
fn exports_hold_what_is_shown() {
    let server = cpu();
    let mut page = server.page();
    let params = ExportSvgParams {
        view: view(0),
        instance: None,
        root: 0,
        width: 1_200.0,
        theme: ThemeName::Dark,
        colour: ColourBy::Module,
        search: String::new(),
        labels: LabelBy::Function,
    };
    let (svg, _) = page.call::<TextResult>(ProfileRequest::ExportSvg(params.clone()));
    assert!(svg.file_name.ends_with(".svg") && svg.file_name.contains("cpu"), "{}", svg.file_name);
    assert!(svg.text.starts_with("<svg ") && svg.text.trim_end().ends_with("</svg>"));
    let (_, [outer, _], _) = two_levels(&mut page);
    assert!(svg.text.contains(&outer.name), "{} is missing", outer.name);
    let bad = ExportSvgParams { search: r"(\w{1000}){1000}".to_owned(), ..params };
    assert_eq!(page.refused(ProfileRequest::ExportSvg(bad)), ErrorCode::BadPattern);

    let (top, values) = page.call::<RowsResult>(ProfileRequest::Rows(rows(view(0))));
    let (csv, _) = page.call::<TextResult>(ProfileRequest::ExportCsv(rows(view(0))));
    assert!(csv.file_name.ends_with(".csv"), "{}", csv.file_name);
    let mut lines = csv.text.split_terminator("\r\n");
    let head = lines.next().unwrap();
    assert_eq!(head.split(',').count(), 5 + 2 * top.metrics as usize, "{head}");
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len(), top.rows.len());
    for (index, (line, row)) in lines.iter().zip(&top.rows).enumerate() {
        assert!(line.contains(&row.name.replace('"', "\"\"")), "{line} is not {row:?}");
        let last = (index + 1) * top.metrics as usize - 1;
        let total = values.i64("total_value")[last].to_string();
        assert_eq!(line.rsplit(',').next(), Some(total.as_str()), "{line}");
    }
}
