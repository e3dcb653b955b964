//! Interpreters and packages of cells.

use std::fs;
use std::path::Path;

use crate::Trial;

/// A package in a version, as a wheel without anything that is compiled.
fn wheel(folder: &Path, version: &str, code: &str) {
    wheel_with(folder, version, &[("hotframe_effect.py", code)]);
}

fn wheel_with(folder: &Path, version: &str, files: &[(&str, &str)]) {
    use std::io::Write as _;
    let name = folder.join(format!("hotframe_effect-{version}-py3-none-any.whl"));
    let info = format!("hotframe_effect-{version}.dist-info");
    let metadata = format!("Metadata-Version: 2.1\nName: hotframe_effect\nVersion: {version}\n");
    let tag = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
    let names: String = files.iter().map(|(name, _)| format!("{name},,\n")).collect();
    let record = format!("{names}{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n");
    let mut zip = zip::ZipWriter::new(fs::File::create(name).unwrap());
    let plain =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let files = files.iter().map(|&(name, text)| (name.to_owned(), text));
    for (name, text) in files.chain([
        (format!("{info}/METADATA"), &*metadata),
        (format!("{info}/WHEEL"), tag),
        (format!("{info}/RECORD"), &record),
    ]) {
        zip.start_file(name, plain).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

/// Versions of interpreters that are here, which can make environments.
fn interpreters() -> Vec<String> {
    let all = experiment::find_interpreters();
    let is_usual = |one: &&experiment::Interpreter| {
        one.implementation == "CPython" && one.program.to_string_lossy().contains("pyenv")
    };
    let of = |minor: &str| all.iter().filter(is_usual).find(|one| one.version.starts_with(minor));
    ["3.9.", "3.12."].into_iter().filter_map(of).map(|one| one.version.clone()).collect()
}

#[test]
fn cells_have_their_interpreter_and_their_packages() {
    let versions = interpreters();
    if versions.len() < 2 {
        eprintln!("left out: there are not two interpreters of pyenv");
        assert!(std::env::var_os("CI").is_none());
        return;
    }
    let trial = Trial::new("packages");
    fs::create_dir(trial.path("wheels")).unwrap();
    wheel(&trial.path("wheels"), "1.0", "VALUE = 5\n");
    wheel(&trial.path("wheels"), "2.0", "VALUE = 7\n");
    trial.write(
        "p.py",
        "import sys, hotframe_effect\n\
         open('out.txt', 'w').write(f'main;python{sys.version_info[1]} {hotframe_effect.VALUE}\\n')\n",
    );
    let plan = format!(
        "name = \"p\"\nrepeats = 0\ncommand = [\"python\", \"p.py\"]\nruns = 2\nrecorder = \"file\"\n\
         file = \"out.txt\"\nfind_links = [\"wheels\"]\n[source]\nfiles = [\"p.py\"]\n\
         [matrix]\ninterpreter = [\"{0}\", \"{1}\", \"2.99\"]\n\
         [matrix.requirements]\nhotframe_effect = [\"1.0\", \"2.0\", \"3.0\"]\n\
         [[exclude]]\ninterpreter = \"2.99\"\nhotframe_effect = \"2.0\"\n\
         [[exclude]]\ninterpreter = \"2.99\"\nhotframe_effect = \"3.0\"\n\
         [[exclude]]\ninterpreter = \"{0}\"\nhotframe_effect = \"2.0\"\n\
         [[exclude]]\ninterpreter = \"{1}\"\nhotframe_effect = \"1.0\"\n\
         [[exclude]]\ninterpreter = \"{1}\"\nhotframe_effect = \"3.0\"\n",
        versions[0], versions[1]
    );
    trial.write("plan.toml", &plan);
    let (ok, told) = trial.experiment(&[]);
    // What one cell lacks is told, and the others go on.
    assert!(!ok && told.contains("there is no Python 2.99 on this machine"), "{told}");
    assert!(told.contains("interpreter=2.99 hotframe_effect=1.0 #1 failed"), "{told}");
    let missing = "hotframe_effect=3.0 #1 failed: hotframe_effect==3.0 is not available for Python";
    assert!(told.contains(missing), "{told}");
    let found = trial.found();
    let mut total = 0;
    for (version, package, value) in [(&versions[0], "1.0", 5), (&versions[1], "2.0", 7)] {
        let run = format!("interpreter={version} hotframe_effect={package} #2");
        let packages = Some(format!("hotframe_effect {package}"));
        assert_eq!(found.fact(&run, "packages"), packages.as_deref());
        let build = found.fact(&run, "interpreter version").unwrap();
        assert_eq!(build, format!("CPython {version}"));
        assert_eq!(found.fact(&run, "interpreter hash").unwrap().len(), 64);
        total += 2 * value;
    }
    let run = format!("interpreter={} hotframe_effect=3.0 #1", versions[0]);
    assert_eq!(found.fact(&run, "failure"), Some("user"), "{run}");
    assert_eq!(found.profile.metric_total(profile::MetricId(0)).0, total);
    // Environments are read-only, and used again by the next plan.
    let environments = trial.folder.join("store/environments");
    let count = || fs::read_dir(&environments).unwrap().count();
    let before = count();
    trial.write("plan.toml", &plan.replace("runs = 2", "runs = 3"));
    trial.experiment(&[]);
    assert_eq!(count(), before);
}

/// A package can have an interpreter do something when it begins (`.pth` files), or when it is built. Where
/// the program is isolated, neither happens outside of the isolation.
#[test]
fn packages_of_isolated_programs_run_nothing_while_they_are_installed() {
    let uv = std::env::var_os("HOTFRAME_UV").map(std::path::PathBuf::from);
    if uv.is_none() {
        eprintln!("left out: no uv here (HOTFRAME_UV): pip alone installs");
        assert!(std::env::var_os("CI").is_none());
    }
    for installer in std::iter::once(None).chain(uv.as_deref().map(Some)) {
        let store = tempfile::tempdir().unwrap();
        let trial = Trial::new("pth").stored_in(&store);
        let wheels = trial.path("wheels");
        fs::create_dir(&wheels).unwrap();
        let mark = tempfile::tempdir().unwrap();
        let mark = mark.path().join("ran");
        let begins = format!(
            "import os; open({mark:?}, 'a').write('x') if os.path.isdir({:?}) else None\n",
            mark.parent().unwrap()
        );
        let files = [("hotframe_effect.py", "VALUE = 5\n"), ("hotframe_effect.pth", &*begins)];
        wheel_with(&wheels, "1.0", &files);
        trial.write("p.py", "import hotframe_effect, sys\nassert hotframe_effect.VALUE == 5\nassert hotframe_effect.__cached__ and __import__('os').path.exists(hotframe_effect.__cached__)\n");
        let plan = "name = \"p\"\nrepeats = 0\nisolated = true\ncommand = [\"python3\", \"p.py\"]\nruns = 1\nrecorder = \"time\"\n\
                    requirements = [\"hotframe_effect==1.0\"]\nfind_links = [\"wheels\"]\n[source]\nfiles = [\"p.py\"]\n";
        trial.write("plan.toml", plan);
        let (ok, told) = trial.experiment_with(&[], installer);
        assert!(ok, "{told}");
        assert!(!mark.exists(), "it ran outside, with {installer:?}");
        // What would have to be built is refused, and so are options by which it would be.
        for (number, (requirement, reason)) in [
            ("--no-binary :all:", "wheels installed alone"),
            ("hotframe_effect @ file:///x/hotframe_effect-1.0.tar.gz", "wheels installed alone"),
            ("./hotframe_effect", "wheels installed alone"),
            ("-e .", "wheels installed alone"),
        ]
        .into_iter()
        .enumerate()
        {
            let plan = plan.replace("hotframe_effect==1.0", requirement);
            let plan = plan.replace("name = \"p\"", &format!("name = \"p{number}\""));
            trial.write("plan.toml", &plan);
            let (ok, told) = trial.experiment_with(&[], installer);
            assert!(!ok && told.contains(reason), "{requirement}: {told}");
        }
        assert!(!mark.exists(), "it ran outside, with {installer:?}");
    }
}
