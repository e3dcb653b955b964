//! What the page's sources must not import, and must not ask for.

use std::path::{Component, Path, PathBuf};

use super::finding::Finding;

/// The rooms of `web/ui/src`, from the bottom up: each may import what stands before it. `host` draws
/// the page in what it lives in, and `theme` are its styles.
const ROOMS: [&str; 9] =
    ["text", "canvas", "state", "widgets", "views", "documents", "shell", "theme", "host"];

/// What only `host` asks, and the entry points beside the rooms.
const ASKED_BY_HOST: [&str; 5] = [
    "acquireVsCodeApi",
    "window.location",
    "document.location",
    "history.pushState",
    "history.replaceState",
];

/// How a view of a profile is named by its id, which only its own folder does.
const NAMES_A_VIEW: [&str; 3] = ["view: '", "view === '", "view !== '"];

/// The rooms that know views by their values alone.
const KNOW_NO_VIEW: [&str; 3] = ["state", "documents", "shell"];

/// Where the page's sources are.
const SOURCES: &str = "web/ui/src";

/// Whether a file is a source of the page.
pub(super) fn is_source(file: &Path) -> bool {
    let is_script = file.extension().is_some_and(|end| end == "ts" || end == "tsx");
    is_script && file.starts_with(SOURCES)
}

/// Checks one source of the page.
pub(super) fn check(file: &Path, source: &str) -> Vec<Finding> {
    let finding = |line, message| Finding { file: file.to_path_buf(), line, message };
    // What stands beside the rooms starts the page in one host each.
    let Some(room) = room_of(file) else { return vec![] };
    let mut findings = vec![];
    for (text, line) in source.lines().zip(1..) {
        if let Some(other) = imported(file, text)
            && let Some(target) = room_of(&other)
            && place(&target) > place(&room)
        {
            let message = format!(
                "`{room}` must not import from `{target}`, which stands above it: move the code \
                 down, or pass in what it needs"
            );
            findings.push(finding(line, message));
        }
        let asks = ASKED_BY_HOST.iter().find(|word| text.contains(**word));
        if let Some(word) = asks.filter(|_| room != "host") {
            let message = format!("`{word}` is for `host` alone: ask the page's `Host`");
            findings.push(finding(line, message));
        }
        let names = NAMES_A_VIEW.iter().find(|word| text.contains(**word));
        let knows = KNOW_NO_VIEW.contains(&room.as_str()) && !is_test(file);
        if let Some(word) = names.filter(|_| knows) {
            let message = format!(
                "`{word}` names a view: ask the shown view, or add what is asked to `View` in \
                 `state/view.ts`"
            );
            findings.push(finding(line, message));
        }
    }
    findings
}

/// Whether a source is a test, or what tests stand on.
fn is_test(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or("");
    name.contains(".test.") || name.contains(".fixture.")
}

/// Where a room stands; one that the table does not know stands below all, and above all for others.
fn place(room: &str) -> usize {
    ROOMS.iter().position(|known| *known == room).unwrap_or(usize::MAX)
}

/// The room of a file, none for those beside the rooms.
fn room_of(file: &Path) -> Option<String> {
    let inside = file.strip_prefix(SOURCES).ok()?;
    let mut parts = inside.components();
    let room = parts.next()?.as_os_str().to_str()?.to_owned();
    parts.next().map(|_| room)
}

/// The file that a line imports by a relative path; `from` may stand on a line of its own.
fn imported(file: &Path, line: &str) -> Option<PathBuf> {
    let text = line.trim_start();
    let is_import =
        text.starts_with("import ") || text.starts_with("export ") || text.starts_with('}');
    if !is_import {
        return None;
    }
    let quoted = text.split('\'').nth(1)?;
    if !quoted.starts_with('.') {
        return None;
    }
    let mut path = file.parent()?.to_path_buf();
    for part in Path::new(quoted).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(file: &str, source: &str) -> Vec<String> {
        check(Path::new(file), source).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn rooms_import_what_stands_below_them() {
        let state = "web/ui/src/state/graph.ts";
        let below = "import { visible } from '../text/names.ts';\nimport { a } from './b.ts';\n";
        assert_eq!(messages(state, below), [] as [&str; 0]);
        let above = "import {\n  a,\n} from '../views/graph/drawing.ts';\n";
        let found = check(Path::new(state), above);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].line, 3);
        assert!(found[0].message.contains("`state` must not import from `views`"));
        let deep = "export { a } from '../../shell/Shell.tsx';";
        assert_eq!(messages("web/ui/src/documents/graph/page.tsx", deep).len(), 1);
        assert!(messages("web/ui/src/main.browser.ts", "import './host/start.tsx';").is_empty());
    }

    #[test]
    fn views_are_named_in_their_folders() {
        let names = "app.update({ view: 'table' }, 'push');";
        assert_eq!(messages("web/ui/src/documents/profile/commands.ts", names).len(), 1);
        assert_eq!(messages("web/ui/src/state/tree.ts", "if (view === 'linked') {").len(), 1);
        assert!(messages("web/ui/src/views/table/view.tsx", names).is_empty());
        assert!(messages("web/ui/src/state/url.test.ts", names).is_empty());
        assert!(messages("web/ui/src/state/a.ts", "app.update({ view: id }, 'push');").is_empty());
    }

    #[test]
    fn only_the_host_asks_what_the_page_lives_in() {
        let asks = "const api = acquireVsCodeApi();";
        assert_eq!(messages("web/ui/src/views/a.ts", asks).len(), 1);
        assert!(messages("web/ui/src/host/webview.ts", asks).is_empty());
    }
}
