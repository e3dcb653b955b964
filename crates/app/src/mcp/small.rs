//! Answers that fit into a context window.

use serde_json::{Map, Value, json};

/// Least rows of a list that are kept, however long they are.
const LEAST_ROWS: usize = 3;
/// Warnings and other texts that are kept, however few rows are asked for.
const MOST_TEXTS: usize = 20;
/// Most characters of a text within a row: names of templates have thousands.
const LONGEST_TEXT: usize = 400;

/// Makes a report of the command line small: at most `rows` of each list and `characters` in all. What
/// is left out is told in `left_out`; of what the command itself leaves out only that there is more.
pub(super) fn small(report: Value, rows: usize, characters: usize) -> Value {
    let Value::Object(mut report) = report else { return report };
    // Tools say what they answer themselves.
    report.remove("version");
    let mut told = vec![];
    let mut lists = lists(&report);
    for name in &lists {
        // Who asks for two rows still wants to know that one of the runs failed.
        let is_texts = report[name].as_array().is_some_and(|all| all.iter().all(Value::is_string));
        let most = if is_texts { rows.max(MOST_TEXTS) } else { rows };
        cut(&mut report, name, most, &mut told);
    }
    shorten(&mut report, &mut told);
    // The longest list gives way first.
    while length(&report) > characters {
        let longest = |name: &&String| report[name.as_str()].to_string().len();
        let Some(name) = lists.iter().max_by_key(longest).cloned() else { break };
        let count = report[&name].as_array().map_or(0, Vec::len);
        if count <= LEAST_ROWS {
            lists.retain(|other| *other != name);
            continue;
        }
        cut(&mut report, &name, LEAST_ROWS.max(count * 3 / 4), &mut told);
    }
    if !told.is_empty() {
        let hint = "ask for other rows by `limit`, or for fewer by filters such as `focus`";
        let told: Map<String, Value> = told.into_iter().collect();
        report.insert("left_out".to_owned(), json!({ "at_least": told, "hint": hint }));
    }
    Value::Object(report)
}

fn length(report: &Map<String, Value>) -> usize {
    report.iter().map(|(name, value)| name.len() + value.to_string().len() + 4).sum()
}

/// Names of the members that are lists of rows.
fn lists(report: &Map<String, Value>) -> Vec<String> {
    // Numbers are not rows: how many runs each side has.
    let is_list = |value: &Value| {
        value.as_array().is_some_and(|rows| !rows.is_empty() && !rows.iter().all(Value::is_number))
    };
    report.iter().filter(|(_, value)| is_list(value)).map(|(name, _)| name.clone()).collect()
}

/// Leaves the first rows of a list, and of a tree the heaviest.
fn cut(report: &mut Map<String, Value>, name: &str, rows: usize, told: &mut Vec<(String, Value)>) {
    let Some(list) = report.get_mut(name).and_then(Value::as_array_mut) else { return };
    let left = list.len().saturating_sub(rows) as u64;
    if left == 0 {
        return;
    }
    if list.iter().any(|row| row["depth"].as_u64() > Some(0)) {
        keep_heaviest(list, rows);
    } else {
        list.truncate(rows);
    }
    match told.iter_mut().find(|(known, _)| known == name) {
        Some((_, count)) => *count = json!(count.as_u64().unwrap_or(0) + left),
        None => told.push((name.to_owned(), json!(left))),
    }
}

/// Takes the lightest leaves off a tree in preorder, until so many rows are left.
fn keep_heaviest(tree: &mut Vec<Value>, rows: usize) {
    let depth = |row: &Value| row["depth"].as_u64().unwrap_or(0);
    let weight = |row: &Value| {
        let total = &row["total"];
        total.as_f64().or(total["difference"].as_f64()).map_or(0.0, f64::abs)
    };
    while tree.len() > rows {
        let is_leaf =
            |at: &usize| tree.get(at + 1).is_none_or(|next| depth(next) <= depth(&tree[*at]));
        // Of equal ones the last.
        let lightest = (0..tree.len())
            .rev()
            .filter(is_leaf)
            .min_by(|&one, &other| weight(&tree[one]).total_cmp(&weight(&tree[other])));
        let Some(lightest) = lightest else { break };
        tree.remove(lightest);
    }
}

/// Cuts texts in the middle: both ends of a name tell what it is.
fn shorten(report: &mut Map<String, Value>, told: &mut Vec<(String, Value)>) {
    let mut count = 0u64;
    let mut open: Vec<&mut Value> = report.values_mut().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if text.chars().count() > LONGEST_TEXT => {
                let letters: Vec<char> = text.chars().collect();
                let part = LONGEST_TEXT / 2;
                let ends = [&letters[..part], &letters[letters.len() - part..]];
                let [first, last] = ends.map(|part| part.iter().collect::<String>());
                *text = format!("{first}…{last}");
                count += 1;
            }
            Value::Array(all) => open.extend(all.iter_mut()),
            Value::Object(all) => open.extend(all.values_mut()),
            _ => {}
        }
    }
    if count > 0 {
        told.push(("middles of long texts".to_owned(), json!(count)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_have_all_warnings() {
        let warnings: Vec<String> = (0..5).map(|at| format!("warning {at}")).collect();
        let mut report = report(9);
        report["warnings"] = json!(warnings);
        let few = small(report, 2, 100_000);
        assert_eq!(few["rows"].as_array().map(Vec::len), Some(2));
        assert_eq!(few["warnings"], json!(warnings));
        let many: Vec<String> = (0..99).map(|at| format!("warning {at}")).collect();
        let few = small(json!({ "warnings": many }), 2, 100_000);
        assert_eq!(few["left_out"]["at_least"]["warnings"], 79);
    }

    fn report(rows: usize) -> Value {
        let row = |at: usize| json!({ "function": format!("function {at}"), "self": at });
        json!({ "total": 7, "rows": (0..rows).map(row).collect::<Vec<_>>(), "warnings": [] })
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        assert_eq!(small(report(20), 20, 4000), report(20));
        assert_eq!(small(json!([1, 2]), 1, 1), json!([1, 2]));
    }

    #[test]
    fn what_does_not_is_counted() {
        let cut = small(report(50), 20, 4000);
        assert_eq!(cut["rows"].as_array().unwrap().len(), 20);
        assert_eq!(cut["rows"][0], report(1)["rows"][0]);
        assert_eq!(cut["left_out"]["at_least"], json!({ "rows": 30 }));
        let cut = small(report(50), 50, 1000);
        let kept = cut["rows"].as_array().unwrap().len();
        assert!((LEAST_ROWS..30).contains(&kept), "{kept}");
        assert_eq!(cut["left_out"]["at_least"]["rows"], json!(50 - kept));
        assert!(cut["rows"].to_string().len() < 1000);
        assert_eq!(cut["total"], json!(7));
        assert_eq!(small(report(50), 50, 1)["rows"].as_array().unwrap().len(), LEAST_ROWS);
    }

    #[test]
    fn trees_keep_their_heaviest_rows() {
        let rows = [("a", 0, 9), ("b", 1, 1), ("c", 1, 8), ("d", 2, 8), ("e", 0, -5), ("f", 0, 1)];
        let tree = |differences: bool| {
            let row = |(name, depth, total): (&str, u64, i64)| {
                let total = if differences { json!({ "difference": total }) } else { json!(total) };
                json!({ "function": name, "depth": depth, "total": total })
            };
            json!({ "rows": rows.map(row) })
        };
        for differences in [false, true] {
            for (count, kept) in [(5, "abcde"), (4, "acde"), (3, "acd")] {
                let cut = small(tree(differences), count, 4000);
                let rows = cut["rows"].as_array().unwrap().iter();
                let names: String = rows.map(|row| row["function"].as_str().unwrap()).collect();
                assert_eq!(names, kept);
                assert_eq!(cut["left_out"]["at_least"]["rows"], json!(6 - count));
            }
        }
    }

    #[test]
    fn long_names_keep_both_ends() {
        let long = json!({ "rows": [{ "function": format!("a{}é", "x".repeat(5000)) }] });
        let cut = small(long, 10, 100);
        let name = cut["rows"][0]["function"].as_str().unwrap();
        assert!(name.starts_with("ax") && name.ends_with("xé") && name.chars().count() == 401);
        assert_eq!(cut["left_out"]["at_least"]["middles of long texts"], json!(1));
    }
}
