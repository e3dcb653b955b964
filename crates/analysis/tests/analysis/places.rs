//! Where groups of frames are: [`FrameKeys::place`].

use analysis::{FrameKeys, Granularity, GroupPlace};
use profile::{Metric, Place, Profile, ProfileBuilder};

/// Lines that were measured, with where their functions start where that is known.
const MEASURED: [(&str, &str, u32, u32); 6] = [
    ("parse", "a.py", 10, 31),
    ("parse", "a.py", 10, 12),
    ("load", "a.py", 0, 90),
    ("load", "a.py", 0, 70),
    ("main", "b.py", 0, 0),
    ("load", "c.py", 5, 6),
];

fn profile() -> Profile {
    let mut builder = ProfileBuilder::new(vec![Metric::new("samples", "count")]);
    for (function, file, start_line, line) in MEASURED {
        let place =
            Place { function, file, start_line, line, module: "lib.so", ..Place::default() };
        let place = builder.place(&place);
        let context = builder.stack([place]);
        let labels = builder.labels.add(&[]);
        builder.points.push(context, labels, &[1]);
    }
    builder.finish()
}

/// Name, file, number of files and line of every group.
fn places(granularity: Granularity) -> Vec<(String, String, usize, u32)> {
    let profile = profile();
    let keys = FrameKeys::new(&profile, granularity);
    let place = |key| {
        let GroupPlace { file, files, line, module, .. } = keys.place(&profile, key);
        assert_eq!(module, "lib.so");
        (keys.name(&profile, key).into_owned(), file.to_owned(), files, line)
    };
    keys.all().map(place).collect()
}

fn group(name: &str, file: &str, files: usize, line: u32) -> (String, String, usize, u32) {
    (name.to_owned(), file.to_owned(), files, line)
}

#[test]
fn a_function_is_where_it_starts_or_else_at_its_first_line() {
    let expected = [
        group("parse", "a.py", 0, 10),
        group("load", "a.py", 0, 70),
        group("main", "b.py", 0, 0),
        group("load", "c.py", 0, 5),
    ];
    assert_eq!(places(Granularity::Function), expected);
}

#[test]
fn merged_files_have_no_single_place() {
    let by_name =
        [group("parse", "a.py", 0, 10), group("load", "", 2, 0), group("main", "b.py", 0, 0)];
    assert_eq!(places(Granularity::Name), by_name);
    let by_file = ["a.py", "b.py", "c.py"].map(|file| group(file, file, 0, 0));
    assert_eq!(places(Granularity::File), by_file);
    assert_eq!(places(Granularity::Module), [group("lib.so", "", 0, 0)]);
}

#[test]
fn a_line_is_where_it_is() {
    let lines: Vec<u32> = places(Granularity::Line).into_iter().map(|(.., line)| line).collect();
    assert_eq!(lines, MEASURED.map(|(.., line)| line));
}
