//! `hotframe sdfg simulate` of C, by clang and Polly, and of Python, by what goes by the name of DaCe.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn simulate(arguments: &[&str], python: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    command.args(["sdfg", "simulate"]).args(arguments);
    if let Some(folder) = python {
        command.env("PYTHONPATH", folder);
    }
    command.output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(output: &Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Loops that are exported now are those that were, and parts of a file are chosen by their functions.
#[test]
fn loops_of_c_are_exported_on_the_way() {
    let probe = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
    let has = |version: &str| probe(&format!("clang{version}")) && probe(&format!("opt{version}"));
    if !has("-14") && !has("") {
        eprintln!("left out: loops of C (no clang and opt of LLVM 14)");
        return;
    }
    let sizes = ["--set", "m=20,n=24,p=28", "--cache", "1K", "--format", "json"];
    let of = |name: &str| {
        let file = samples::testdata("jscop").join(name);
        json(&simulate(&[&[file.to_str().unwrap()][..], &sizes].concat(), None))
    };
    let (now, then) = (of("gemm.c"), of("gemm.jscop"));
    assert_eq!(now["totals"], then["totals"]);
    assert_eq!(now["totals"]["accesses"].as_u64().unwrap() % (20 * 24), 0);

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.c");
    let text = "void twice(long n, double *restrict a) { for (long i = 0; i < n; i++) a[i] *= 2; }\n\
        void sum(long n, double *restrict a, double *restrict b) {\n\
          for (long i = 0; i < n; i++) a[i] += b[i]; }\n";
    fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let said = refused(&simulate(&[file, "--set", "n=10"], None));
    assert!(said.contains("--function: sum, twice"), "{said}");
    let own =
        json(&simulate(&[file, "--function", "twice", "--set", "n=10", "--format", "json"], None));
    assert_eq!(own["totals"]["accesses"], 20);
    let said = refused(&simulate(&[file, "--function", "half"], None));
    assert!(said.contains("no loops or graph called half"), "{said}");
    fs::write(folder.path().join("bad.c"), "int x[").unwrap();
    let bad = folder.path().join("bad.c");
    let said = refused(&simulate(&[bad.to_str().unwrap()], None));
    assert!(said.contains("failed") && said.contains("error:"), "{said}");
}

/// A file of Python is a program, which is run if that is allowed, with whatever DaCe there is.
#[test]
fn graphs_of_python_are_made_by_running_it_if_allowed() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("left out: graphs of Python (no python3)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // What the script asks of DaCe, and no more: a program knows its graph, which saves itself.
    let parser = folder.path().join("dace/frontend/python");
    fs::create_dir_all(&parser).unwrap();
    let graph = super::graph();
    fs::write(folder.path().join("graph.json"), &graph).unwrap();
    let stored = folder.path().join("graph.json");
    let module = format!(
        "class SDFG:\n    def save(self, path):\n        open(path, 'w').write(open({:?}).read())\n",
        stored.to_str().unwrap()
    );
    fs::write(folder.path().join("dace/__init__.py"), module).unwrap();
    fs::write(parser.join("../__init__.py"), "").unwrap();
    fs::write(parser.join("__init__.py"), "").unwrap();
    let text =
        "import dace\nclass DaceProgram:\n    def to_sdfg(self):\n        return dace.SDFG()\n";
    fs::write(parser.join("parser.py"), text).unwrap();
    let program = folder.path().join("square.py");
    let text = "from dace.frontend.python.parser import DaceProgram\nsquare = DaceProgram()\n";
    fs::write(&program, text).unwrap();
    let program = program.to_str().unwrap();

    let said = refused(&simulate(&[program, "--set", "N=9"], Some(folder.path())));
    assert!(said.contains("--run-python"), "{said}");
    let allowed = [program, "--run-python", "--set", "N=9", "--format", "json"];
    let own = json(&simulate(&allowed, Some(folder.path())));
    let same =
        json(&simulate(&[stored.to_str().unwrap(), "--set", "N=9", "--format", "json"], None));
    assert_eq!(own["totals"], same["totals"]);
    fs::write(folder.path().join("none.py"), "x = 1\n").unwrap();
    let none = folder.path().join("none.py");
    let said = refused(&simulate(&[none.to_str().unwrap(), "--run-python"], Some(folder.path())));
    assert!(said.contains("no program of DaCe"), "{said}");
}
