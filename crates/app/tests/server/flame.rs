//! Flame graphs.

use std::collections::HashMap;

use protocol::*;

use super::cpu;
use super::page::{Page, flame, view};

/// Checks boxes against each other; gives the number of boxes and the instance.
fn check_flame(page: &mut Page, params: &FlameParams, root_row: u32) -> (usize, u32) {
    const SLACK: f64 = 1e-9;
    let (result, numbers) = page.call::<FlameResult>(ProfileRequest::Flame(params.clone()));
    let (row, x, width) = (numbers.u32("row"), numbers.f64("x"), numbers.f64("width"));
    let (node, parent, merged) =
        (numbers.u32("node"), numbers.u32("parent"), numbers.u32("merged"));
    let total = numbers.i64("total_value");
    let own = numbers.i64("self_value");
    let count = row.len();
    assert!(count > 10, "only {count} boxes");
    for name in ["x", "width"] {
        assert_eq!(numbers.f64(name).len(), count, "{name}");
    }
    for name in ["node", "parent", "name", "module", "file", "merged", "flags", "key"] {
        assert_eq!(numbers.u32(name).len(), count, "{name}");
    }
    assert_eq!((own.len(), total.len()), (count, count));
    for (name, list) in
        [("name", &result.names), ("module", &result.modules), ("file", &result.files)]
    {
        assert!(numbers.u32(name).iter().all(|&index| (index as usize) < list.len()), "{name}");
    }
    let [_, root_total, _] = numbers.i64("scale") else { panic!("scale") };
    let places: Vec<(u32, f64)> = row.iter().copied().zip(x.iter().copied()).collect();
    assert!(places.is_sorted(), "boxes are not by row and from left to right");
    let drawn: HashMap<(u32, u32), usize> =
        (0..count).filter(|&i| merged[i] == 0).map(|i| ((row[i], node[i]), i)).collect();
    for i in 0..count {
        assert!(x[i] >= 0.0 && width[i] > 0.0 && x[i] + width[i] <= 1.0 + SLACK, "box {i}");
        assert!(row[i] < result.total_rows, "box {i} is below the last row");
        assert!(own[i] <= total[i], "box {i}");
        let share = total[i] as f64 / *root_total as f64;
        assert!((share - width[i]).abs() < 1e-6, "box {i} is {} wide for {share}", width[i]);
        if i > 0 && row[i] == row[i - 1] {
            assert!(x[i] + SLACK >= x[i - 1] + width[i - 1], "box {i} overlaps the one before");
        }
        if row[i] > root_row {
            let above = drawn.get(&(row[i] - 1, parent[i]));
            let &above = above.unwrap_or_else(|| panic!("box {i} has no parent above it"));
            assert!(x[i] + SLACK >= x[above], "box {i} sticks out to the left");
            let right = x[above] + width[above];
            assert!(x[i] + width[i] <= right + SLACK, "box {i} sticks out to the right");
        }
    }
    let alone = (0..count).filter(|&i| merged[i] == 0 && row[i] > root_row);
    let narrowest = alone.map(|i| width[i] * params.width).fold(f64::MAX, f64::min);
    assert!(narrowest >= result.narrowest * (1.0 - SLACK), "a box is {narrowest} wide");
    (count, result.instance)
}

#[test]
fn flame_boxes_lie_inside_their_parents() {
    let server = cpu();
    let mut page = server.page();
    let metrics = page.summary(0).0.metrics.len() as u32;
    for shape in [Shape::TopDown {}, Shape::BottomUp {}] {
        for metric in 0..metrics {
            for granularity in [Granularity::Function, Granularity::Line, Granularity::File] {
                let spec = ViewSpec { shape, metric, granularity, ..view(0) };
                check_flame(&mut page, &flame(spec), 0);
            }
        }
        // A wider view has room for more boxes.
        let spec = ViewSpec { shape, ..view(0) };
        let (few, _) =
            check_flame(&mut page, &FlameParams { width: 100.0, ..flame(spec.clone()) }, 0);
        let (many, _) = check_flame(&mut page, &FlameParams { width: 9_000.0, ..flame(spec) }, 0);
        assert!(few < many, "{few} boxes, {many} in more room");
    }

    let (result, numbers) = page.call::<FlameResult>(ProfileRequest::Flame(flame(view(0))));
    let (_, totals) = page.summary(0);
    assert_eq!(numbers.i64("scale"), [totals.i64("total")[0]; 3]);
    assert_eq!((numbers.u32("row")[0], numbers.u32("node")[0]), (0, 0));
    assert_eq!((numbers.f64("x")[0], numbers.f64("width")[0]), (0.0, 1.0));

    // Zoomed to a box of the second row, it fills the width and keeps its value.
    let at = numbers.u32("row").iter().position(|&row| row == 2).unwrap();
    let root = numbers.u32("node")[at];
    let zoomed = FlameParams { root, instance: Some(result.instance), ..flame(view(0)) };
    check_flame(&mut page, &zoomed, 0);
    let (inside, part) = page.call::<FlameResult>(ProfileRequest::Flame(zoomed));
    assert_eq!(part.i64("scale")[1], numbers.i64("total_value")[at]);
    let trail: Vec<u32> = inside.breadcrumb.iter().map(|crumb| crumb.node).collect();
    assert_eq!(trail, [0, numbers.u32("parent")[at], root]);

    // Rows that were not asked for are not sent.
    let window = FlameParams { first_row: 3, rows: 2, ..flame(view(0)) };
    let (_, part) = page.call::<FlameResult>(ProfileRequest::Flame(window));
    assert!(!part.u32("row").is_empty());
    assert!(part.u32("row").iter().all(|row| [3, 4].contains(row)), "{:?}", part.u32("row"));
}

#[test]
fn flame_marks_what_a_search_finds() {
    let server = cpu();
    let mut page = server.page();
    let pattern = "mapaccess2_faststr";
    let params = FlameParams { search: pattern.to_owned(), ..flame(view(0)) };
    let (result, numbers) = page.call::<FlameResult>(ProfileRequest::Flame(params));
    let mut found = 0;
    for (index, flags) in numbers.u32("flags").iter().enumerate() {
        if numbers.u32("merged")[index] > 0 {
            continue;
        }
        let text = |list: &[String], column: &str| {
            list[numbers.u32(column)[index] as usize].contains(pattern)
        };
        let matches = text(&result.names, "name")
            || text(&result.files, "file")
            || text(&result.modules, "module");
        assert_eq!(flags & 1 == 1, matches, "box {index}");
        found += u32::from(matches);
    }
    assert!(found > 0, "nothing is found");
}

/// Functions that call each other have totals that overlap: their sum would be more than there is.
#[test]
fn merged_boxes_of_the_flat_shape_tell_no_total() {
    let server = cpu();
    let mut page = server.page();
    for (shape, adds_up) in [(Shape::TopDown {}, true), (Shape::Flat {}, false)] {
        let narrow = FlameParams { width: 60.0, ..flame(ViewSpec { shape, ..view(0) }) };
        let (_, drawn) = page.call::<FlameResult>(ProfileRequest::Flame(narrow));
        let merged = drawn.u32("merged").iter().zip(drawn.i64("total_value"));
        let totals: Vec<i64> =
            merged.filter(|(merged, _)| **merged > 0).map(|(_, total)| *total).collect();
        assert!(!totals.is_empty());
        assert!(totals.iter().all(|&total| (total != i64::MIN) == adds_up), "{totals:?}");
    }
}
