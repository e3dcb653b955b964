//! Imports between the files of a crate: no circle of many, and roots that only declare.
//!
//! Imports are read as text. A name that a file imports from another one's re-export leads to the file
//! that defines it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::finding::Finding;

/// Most files of a circle. What stands in a larger one cannot be read, tested or moved by itself.
const MOST: usize = 12;

/// Starts of items that are more than a declaration.
const ITEMS: [&str; 13] = [
    "fn ",
    "async ",
    "unsafe ",
    "struct ",
    "enum ",
    "impl ",
    "impl<",
    "const ",
    "static ",
    "trait ",
    "type ",
    "macro_rules!",
    "thread_local!",
];

/// Looks at the production sources of all crates, by crate and file.
pub(super) fn check(sources: &[(&str, &PathBuf, &str)]) -> Vec<Finding> {
    let mut crates = BTreeMap::<&str, Vec<(&Path, &str)>>::new();
    for (name, file, source) in sources {
        crates.entry(name).or_default().push((file, source));
    }
    crates.values().flat_map(|files| circles(files).into_iter().chain(roots(files))).collect()
}

/// Roots of crates with modules, and of folders, that hold code.
fn roots(files: &[(&Path, &str)]) -> Vec<Finding> {
    let is_module = |line: &str| visible(line).starts_with("mod ");
    let is_item = |line: &str| ITEMS.iter().any(|item| visible(line).starts_with(item));
    let mut findings = vec![];
    for (file, source) in files {
        let has_modules = || without_tests(source).lines().any(is_module);
        let name = match file.file_name().and_then(|name| name.to_str()) {
            Some("mod.rs") => "mod.rs",
            // A crate of one file is its root.
            Some("lib.rs") if file.ends_with("src/lib.rs") && has_modules() => "lib.rs",
            _ => continue,
        };
        let item = source.lines().zip(1..).find(|(line, _)| is_item(line));
        findings.extend(item.map(|(_, line)| Finding {
            file: file.to_path_buf(),
            line,
            message: format!(
                "`{name}` declares modules and what is public: put code into a module"
            ),
        }));
    }
    findings
}

/// A line without what says who sees the item.
fn visible(line: &str) -> &str {
    let rest = line.strip_prefix("pub").unwrap_or(line);
    match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((_, rest)) => rest.trim_start(),
        None => rest.trim_start_matches(' '),
    }
}

fn without_tests(source: &str) -> &str {
    source.split("#[cfg(test)]\nmod ").next().unwrap_or(source)
}

/// Circles of imports that are too large.
fn circles(files: &[(&Path, &str)]) -> Vec<Finding> {
    let graph = Graph::new(files);
    graph
        .circles()
        .into_iter()
        .filter(|circle| circle.len() > MOST)
        .map(|circle| {
            let names: Vec<_> =
                circle.iter().map(|&file| files[file].0.display().to_string()).collect();
            let message = format!(
                "{} files import each other in a circle, and {MOST} may: {}",
                names.len(),
                names.join(", ")
            );
            Finding { file: files[circle[0]].0.to_path_buf(), line: 0, message }
        })
        .collect()
}

/// Modules and which of them import which.
struct Graph {
    /// By file, the files that it imports from.
    imports: Vec<BTreeSet<usize>>,
}

/// Where names of a crate lead to.
struct Modules {
    files: HashMap<Vec<String>, usize>,
    /// By module and name, the path that is imported so, and whether others may use it.
    names: HashMap<(Vec<String>, String), (Vec<String>, bool)>,
}

impl Graph {
    fn new(files: &[(&Path, &str)]) -> Graph {
        let paths: Vec<Vec<String>> = files.iter().map(|(file, _)| module_of(file)).collect();
        let mut modules =
            Modules { files: paths.iter().cloned().zip(0..).collect(), names: HashMap::new() };
        let all: Vec<Vec<Use>> =
            files.iter().map(|(_, source)| uses(without_tests(source))).collect();
        for (module, uses) in paths.iter().zip(&all) {
            for one in uses {
                let Some(path) = modules.absolute(module, &one.path) else { continue };
                let own = (module.clone(), one.name.clone());
                if path != [&module[..], std::slice::from_ref(&one.name)].concat() {
                    modules.names.entry(own).or_insert((path, one.is_public));
                }
            }
        }
        let imports = files.iter().enumerate().map(|(file, (_, source))| {
            let module = &paths[file];
            let imported = all[file].iter().filter(|one| !one.is_public).map(|one| &one.path);
            let inline = inline_paths(without_tests(source));
            let found = imported.chain(&inline).filter_map(|path| {
                let path = modules.absolute(module, path).or_else(|| {
                    let (known, _) = modules.names.get(&(module.clone(), path[0].clone()))?;
                    Some([&known[..], &path[1..]].concat())
                })?;
                modules.file(&path, 0)
            });
            found.filter(|&other| other != file).collect()
        });
        Graph { imports: imports.collect() }
    }

    /// All circles: files each of which leads to each other one.
    fn circles(&self) -> Vec<Vec<usize>> {
        let reached: Vec<BTreeSet<usize>> =
            (0..self.imports.len()).map(|file| self.reached_from(file)).collect();
        let mut found: Vec<Vec<usize>> = vec![];
        for (file, ahead) in reached.iter().enumerate() {
            let circle: Vec<usize> =
                ahead.iter().copied().filter(|&other| reached[other].contains(&file)).collect();
            // Each of its files has the same circle: that of the first is told.
            if circle.len() > 1 && circle[0] == file {
                found.push(circle);
            }
        }
        found
    }

    fn reached_from(&self, file: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut open = vec![file];
        while let Some(next) = open.pop() {
            open.extend(self.imports[next].iter().filter(|&&other| reached.insert(other)));
        }
        reached
    }
}

impl Modules {
    /// A path from the root of the crate; none of what is not of this crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let [first, rest @ ..] = path else { return None };
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([module, rest].concat()),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                let above = &module[..module.len().checked_sub(ups)?];
                Some([above, &path[ups..]].concat())
            }
            _ => {
                let child = [module, std::slice::from_ref(first)].concat();
                self.files.contains_key(&child).then(|| [module, path].concat())
            }
        }
    }

    /// The file that a path leads to, through re-exports.
    fn file(&self, path: &[String], depth: usize) -> Option<usize> {
        /// Re-exports of re-exports that are followed.
        const DEEPEST: usize = 8;
        let mut end = 0;
        while end < path.len() && self.files.contains_key(&path[..=end]) {
            end += 1;
        }
        let module = &path[..end];
        if let Some(name) = path.get(end).filter(|_| depth < DEEPEST)
            && let Some((known, true)) = self.names.get(&(module.to_vec(), name.clone()))
        {
            return self.file(&[&known[..], &path[end + 1..]].concat(), depth + 1);
        }
        self.files.get(module).copied()
    }
}

/// `["a", "b"]` for `crates/x/src/a/b.rs` and for `crates/x/src/a/b/mod.rs`.
fn module_of(file: &Path) -> Vec<String> {
    let inside = file.components().skip_while(|part| part.as_os_str() != "src").skip(1);
    let mut parts: Vec<String> =
        inside.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    if let Some(last) = parts.pop() {
        let stem = last.strip_suffix(".rs").unwrap_or(&last);
        if !["lib", "main", "mod"].contains(&stem) {
            parts.push(stem.to_owned());
        }
    }
    parts
}

/// A name that a `use` brings.
struct Use {
    path: Vec<String>,
    name: String,
    is_public: bool,
}

/// All names that are brought at the outer level of a file.
fn uses(source: &str) -> Vec<Use> {
    let mut found = vec![];
    let mut rest = source;
    while let Some(at) = next_use(rest) {
        let Some(end) = rest[at..].find(';') else { break };
        let statement = &rest[at..at + end];
        rest = &rest[at + end..];
        let is_public = statement.starts_with("pub");
        let Some((_, body)) = statement.split_once("use ") else { continue };
        let body: String = body.split_whitespace().collect::<Vec<_>>().join(" ");
        expand(&body, "", &mut |path| {
            let (path, alias) = path.split_once(" as ").unwrap_or((path, ""));
            let parts: Vec<String> = parts_of(path);
            let last = parts.last().cloned().unwrap_or_default();
            let name = if alias.is_empty() { last } else { alias.trim().to_owned() };
            if !parts.is_empty() {
                found.push(Use { path: parts, name, is_public });
            }
        });
    }
    found
}

/// Where a `use` begins that stands at the begin of a line.
fn next_use(source: &str) -> Option<usize> {
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        if visible(line).starts_with("use ") {
            return Some(at);
        }
        at += line.len();
    }
    None
}

fn parts_of(path: &str) -> Vec<String> {
    let parts = path.split("::").map(str::trim);
    parts
        .filter(|part| !part.is_empty() && *part != "self" && *part != "*")
        .map(Into::into)
        .collect()
}

/// Each path of a tree such as `a::{b, c::{d, e}}`.
fn expand(tree: &str, before: &str, each: &mut impl FnMut(&str)) {
    let Some(open) = tree.find('{') else { return each(&format!("{before}{}", tree.trim())) };
    let before = format!("{before}{}", tree[..open].trim());
    let inside = tree[open + 1..].trim_end().strip_suffix('}').unwrap_or(&tree[open + 1..]);
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in inside.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&inside[start..at], &before, each);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !inside[start..].trim().is_empty() {
        expand(&inside[start..], &before, each);
    }
}

/// Paths with `::` outside of comments and imports, from names in lower case.
fn inline_paths(source: &str) -> Vec<Vec<String>> {
    let mut found = vec![];
    for line in source.lines() {
        let code = line.split("//").next().unwrap_or(line);
        if visible(code).starts_with("use ") {
            continue;
        }
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
        for word in code.split(|letter| !is_word(letter)).filter(|word| word.contains("::")) {
            let parts = parts_of(word);
            let is_module =
                parts.first().is_some_and(|first| first.starts_with(char::is_lowercase));
            if is_module && parts.len() > 1 {
                found.push(parts);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sources: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<PathBuf> =
            sources.iter().map(|(file, _)| Path::new("crates/x/src").join(file)).collect();
        let sources: Vec<_> =
            files.iter().zip(sources).map(|(file, (_, source))| ("x", file, *source)).collect();
        check(&sources).iter().map(ToString::to_string).collect()
    }

    fn ring(count: usize) -> Vec<(String, String)> {
        let file = |number: usize| {
            let next = (number + 1) % count;
            (format!("m{number}.rs"), format!("use crate::m{next}::Thing;\n"))
        };
        (0..count).map(file).collect()
    }

    #[test]
    fn a_circle_of_many_files_is_found() {
        for (count, findings) in [(MOST, 0), (MOST + 1, 1)] {
            let ring = ring(count);
            let sources: Vec<_> = ring.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            assert_eq!(found(&sources).len(), findings, "{count}");
        }
    }

    #[test]
    fn a_name_leads_to_the_file_that_defines_it() {
        let mut ring = ring(MOST + 1);
        // The last leads on through a re-export of the root, in a tree and inline.
        ring[MOST].1 = "use crate::{other, Thing as First};\n".to_owned();
        ring.push(("lib.rs".to_owned(), "mod m0;\npub use m0::Thing;\n".to_owned()));
        let text = |ring: &[(String, String)]| {
            let sources: Vec<_> = ring.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            found(&sources)
        };
        assert_eq!(text(&ring).len(), 1);
        ring[MOST].1 = "fn f() { super::m0::f() }\n".to_owned();
        assert_eq!(text(&ring).len(), 1);
        ring[MOST].1 = "// super::m0::f()\n#[cfg(test)]\nmod tests { use crate::m0; }\n".to_owned();
        assert_eq!(text(&ring), Vec::<String>::new());
    }

    #[test]
    fn a_root_with_code_is_found() {
        let root = "//! About.\n\nmod a;\n\npub(crate) fn f() {}\n";
        let findings = found(&[("lib.rs", root), ("a.rs", "")]);
        assert!(findings[0].starts_with("crates/x/src/lib.rs:5: "), "{findings:?}");
        // A crate of one file is its root.
        assert_eq!(found(&[("lib.rs", "fn f() {}\n#[cfg(test)]\nmod tests {}\n")]).len(), 0);
    }

    #[test]
    fn a_folder_with_code_is_found() {
        let found = |source: &str| found(&[("a/mod.rs", source), ("a/b.rs", "fn f() {}\n")]);
        let declares =
            "//! fn f() {}\n\n#[cfg(test)]\nmod tests;\nmod b;\n\npub use b::{\n    f,\n};\n";
        assert_eq!(found(declares), Vec::<String>::new());
        for item in [
            "pub(super) fn f() {}",
            "pub async fn f() {}",
            "struct S;",
            "impl<T> S<T> {}",
            "pub const MOST: usize = 1;",
            "static ON: bool = true;",
            "macro_rules! m {}",
            "#[cfg(test)]\nmod tests {\n    fn f() {}\n}",
        ] {
            let findings = found(&format!("{declares}\n{item}\n"));
            let message = "`mod.rs` declares modules and what is public: put code into a module";
            assert_eq!(findings.len(), 1, "{item}");
            assert!(findings[0].starts_with("crates/x/src/a/mod.rs:1"), "{findings:?}");
            assert!(findings[0].ends_with(message), "{findings:?}");
        }
    }
}
