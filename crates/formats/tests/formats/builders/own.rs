//! What is each builder's own: types, files, threads, and errors of writing.

use std::path::Path;
use std::process::Command;

use super::folder;
use super::languages::{builders, language, run, tool};
use crate::measured::profile;
use profile::MetricId;

/// Runs a program that is given line by line; what it asserts is the test.
fn check(name: &str, test: &str, lines: &[&str]) -> std::path::PathBuf {
    let folder = folder(&format!("builders-{test}-{name}"));
    run(&mut language(name).program(&(lines.join("\n") + "\n"), &folder), "");
    folder
}

#[test]
fn many_points_are_written_in_blocks() {
    let folder = check(
        "python",
        "blocks",
        &[
            "import hotframe",
            "with hotframe.Profile('many.hotframe') as profile:",
            "    count = profile.metric('n', 'count')",
            "    for row in range(10_000):",
            "        frame = profile.frame(f'f{row % 700}')",
            "        context = profile.context(profile.context(None, frame), frame)",
            "        time = None if row % 5 else row",
            "        profile.point(context, {count: row}, {'row': str(row // 3)}, time_ns=time)",
        ],
    );
    let found = profile(std::fs::read(folder.join("many.hotframe")).unwrap());
    assert_eq!(found.metric_total(MetricId(0)).0, (0..10_000).sum::<i64>());
    assert_eq!(found.contexts.len(), 1401);
    assert_eq!(found.label_sets.len(), 3335);
    assert_eq!((found.points.time(9995), found.points.time(9996)), (Some(9995), None));
}

#[test]
fn python_takes_paths_threads_and_whole_numbers_of_any_kind() {
    let folder = check(
        "python",
        "own",
        &[
            "import hotframe, io, os, pathlib, threading",
            "def refused(call, *kinds):",
            "    try: call()",
            "    except kinds: return",
            "    raise AssertionError('not refused')",
            "refused(lambda: hotframe.Profile(io.StringIO()), TypeError)",
            "refused(lambda: hotframe.Profile(3), TypeError)",
            "class Whole:",
            "    def __index__(self): return 5",
            "profile = hotframe.Profile(pathlib.Path('threads.hotframe'))",
            "count = profile.metric('n', 'count')",
            "refused(lambda: profile.point(hotframe.Context(0), {0: 1}), TypeError)",
            "refused(lambda: profile.frame(b'f'), TypeError)",
            "def work(name):",
            "    for row in range(5000):",
            "        frame = profile.frame(f'{name}{row % 50}')",
            "        profile.point(profile.stack([frame]), {count: Whole()}, {'row': row})",
            "threads = [threading.Thread(target=work, args=(name,)) for name in 'abcd']",
            "[thread.start() for thread in threads]",
            "[thread.join() for thread in threads]",
            "size = os.path.getsize('threads.hotframe')",
            "profile.flush()",
            "assert os.path.getsize('threads.hotframe') > size, 'flush wrote nothing'",
            "profile.close()",
            "profile.close()",
            "with open('raw.hotframe', 'wb', buffering=0) as raw:",
            "    with hotframe.Profile(raw) as profile: profile.point(hotframe.Context(0), {})",
            "    assert not raw.closed",
        ],
    );
    let found = profile(std::fs::read(folder.join("threads.hotframe")).unwrap());
    assert_eq!((found.points.len(), found.metric_total(MetricId(0)).0), (20_000, 100_000));
    assert_eq!(profile(std::fs::read(folder.join("raw.hotframe")).unwrap()).points.len(), 1);
}

#[test]
fn a_note_that_is_said_again_is_not_written_again() {
    // All other builders write the same bytes: uses.txt has it, too.
    check(
        "python",
        "notes",
        &[
            "import hotframe, os",
            "profile = hotframe.Profile('notes.hotframe')",
            "size = lambda: [profile.flush(), os.path.getsize('notes.hotframe')][1]",
            "profile.note('Slow', 'Why so.')",
            "once = size()",
            "profile.note('Slow', 'Why so.', link='', context=hotframe.Context(0))",
            "assert size() == once",
            "for wrong in ({'line': 3}, {'file': 'a.c'}, {'link': 'a.c'}, {'frame': hotframe.Frame(0)}):",
            "    try: profile.note('New', **wrong)",
            "    except ValueError: pass",
            "    else: raise AssertionError(wrong)",
            "assert size() == once",
        ],
    );
}

#[test]
fn python_is_typed() {
    let mut mypy = tool("HOTFRAME_MYPY", "mypy");
    mypy.args(["--strict", "--python-version", "3.10", "--cache-dir"]);
    mypy.arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("mypy-cache"));
    run(mypy.args(["src/hotframe", "example.py"]).current_dir(builders().join("../python")), "");
}

#[test]
fn javascript_is_typed() {
    let compiler = builders().join("../node_modules/.bin/tsc");
    if !compiler.exists() {
        return eprintln!("not checked: {} is not there", compiler.display());
    }
    let folder = folder("builders-typed-javascript");
    let own = language("javascript").folder();
    std::fs::copy(own.join("hotframe.d.mts"), folder.join("hotframe.d.mts")).unwrap();
    let example = std::fs::read_to_string(own.join("example.mjs")).unwrap();
    // Node's own types are not installed; the example needs two functions of them.
    let node = "declare module \"node:fs\" { function openSync(path: string, way: string): number; \
                function appendFileSync(file: number, bytes: Uint8Array): void; }\n\
                declare const process: { argv: [string, string, string] };\n";
    std::fs::write(folder.join("node.d.ts"), node).unwrap();
    let wrong = "// @ts-expect-error: a frame is not a context\n\
                 profile.context(profile.frame({ function: \"f\" }), main);\n";
    std::fs::write(folder.join("example.mts"), example + wrong).unwrap();
    let strict =
        ["--ignoreConfig", "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext"];
    let mut tsc = Command::new(compiler);
    run(tsc.args(strict).args(["node.d.ts", "example.mts"]).current_dir(&folder), "");
}

#[test]
fn after_an_error_of_writing_every_call_says_so_and_nothing_is_kept() {
    check(
        "go",
        "broken",
        &[
            "package main",
            "import (\"errors\"; \"runtime\"; hotframe \"github.com/hotframe/hotframe/builders/go\")",
            "type full struct{}",
            "func (full) Write([]byte) (int, error) { return 0, errors.New(\"full\") }",
            "func main() {",
            "    profile := hotframe.New(full{}, hotframe.Origin{})",
            "    n := profile.Metric(hotframe.MetricInfo{Name: \"n\"})",
            "    var before, after runtime.MemStats",
            "    runtime.GC(); runtime.ReadMemStats(&before)",
            "    failed := 0",
            "    for row := 0; row < 500000; row++ {",
            "        values := map[hotframe.Metric]int64{n: 1}",
            "        labels := []hotframe.Label{hotframe.NumberLabel(\"row\", int64(row), \"\")}",
            "        if profile.Point(hotframe.Point{Values: values, Labels: labels}) != nil { failed++ }",
            "    }",
            "    runtime.GC(); runtime.ReadMemStats(&after)",
            "    if failed != 500000-4095 { panic(failed) }",
            "    if after.HeapAlloc > before.HeapAlloc+4<<20 { panic(after.HeapAlloc) }",
            "    if profile.Close() == nil { panic(\"closed\") }",
            "}",
        ],
    );
    check(
        "python",
        "broken",
        &[
            "import hotframe, io",
            "class Full(io.RawIOBase):",
            "    def write(self, data): raise OSError('full')",
            "profile = hotframe.Profile(Full())",
            "failed = 0",
            "for row in range(5000):",
            "    try: profile.point(hotframe.Context(0), {})",
            "    except OSError: failed += 1",
            "assert failed == 5000 - 4095, failed",
            "try: profile.close()",
            "except OSError: failed = 0",
            "assert failed == 0",
        ],
    );
    check(
        "javascript",
        "broken",
        &[
            "import { Profile, ROOT } from './hotframe.mjs';",
            "const profile = new Profile(() => { throw new Error('full'); });",
            "let failed = 0;",
            "const say = (call) => { try { call(); } catch (error) { failed += error.message === 'full'; } };",
            "for (let row = 0; row < 5000; row++) say(() => profile.point({ context: ROOT }));",
            "say(() => profile.close());",
            "if (failed !== 5000 - 4095 + 1) throw new Error(`${failed}`);",
        ],
    );
    check(
        "c",
        "broken",
        &[
            "#include <errno.h>",
            "#include \"hotframe.h\"",
            "int main(void) {",
            "    FILE *out = fopen(\"program.c\", \"rb\");",
            "    hf_profile *profile = hf_new(out, NULL);",
            "    const hf_point_info point = {.context = HF_ROOT};",
            "    int failed = 0;",
            "    for (int row = 0; row < 5000; row++) failed += hf_point(profile, &point) == EBADF;",
            "    if (hf_process(profile, \"1\", NULL) != HF_NONE || errno != EBADF) return 1;",
            "    return failed == 5000 - 4095 && hf_close(&profile) == EBADF && profile == NULL ? 0 : 1;",
            "}",
        ],
    );
}
