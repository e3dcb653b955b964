//! Interpreters of Python that are on this machine. None is ever downloaded.

#![allow(
    clippy::disallowed_methods,
    reason = "folders of the user and of this worker; untrusted programs do not write there"
)]

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::Error;

/// An interpreter, and what it says of how it was built: two of one version may differ in that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interpreter {
    /// The program, without links.
    pub program: PathBuf,
    /// `3.12.1`.
    pub version: String,
    /// `CPython`.
    pub implementation: String,
    /// The compiler that it was built with.
    pub compiler: String,
    /// What its `configure` was asked for.
    pub configured: String,
    /// `pgo`, `lto`, `debug`, `free-threaded`, `jit`: those that it was built with.
    pub flags: Vec<String>,
    /// BLAKE3 of the program and of its own library, in hexadecimal digits.
    pub hash: String,
    /// Files and folders without which it does not run, besides its program: its libraries. The folder that
    /// it was installed into is none of them, it may be somebody's home. Not told to others.
    #[serde(skip)]
    pub parts: Vec<PathBuf>,
}

/// What an interpreter tells of itself, as JSON.
const ASK: &str = r#"
import sys, json
try:
    import sysconfig
    get = lambda name: sysconfig.get_config_var(name) or ''
except Exception:
    get = lambda name: ''
import platform, os
args, cflags = str(get('CONFIG_ARGS')), str(get('PY_CFLAGS')) + ' ' + str(get('PY_CORE_CFLAGS'))
flags = []
if '--enable-optimizations' in args or '-fprofile-use' in cflags: flags.append('pgo')
if '--with-lto' in args or '-flto' in cflags: flags.append('lto')
if get('Py_DEBUG'): flags.append('debug')
if get('Py_GIL_DISABLED'): flags.append('free-threaded')
if '--enable-experimental-jit' in args: flags.append('jit')
library = os.path.join(str(get('LIBDIR')), str(get('LDLIBRARY')))
base = os.path.realpath(getattr(sys, '_base_executable', None) or sys.executable)
prefix, beside = sys.base_prefix, os.path.dirname(base)
try:
    parts = [sysconfig.get_path(name) for name in ('stdlib', 'platstdlib')]
except Exception:
    parts = [os.path.dirname(os.__file__)]
# Libraries are found beside the program (PyPy), or from it on (../lib).
is_pypy = platform.python_implementation() == 'PyPy'
for folder in {beside, os.path.join(os.path.dirname(beside), 'lib'), os.path.join(prefix, 'lib'), str(get('LIBDIR'))}:
    names = os.listdir(folder) if os.path.isdir(folder) else []
    parts += [os.path.join(folder, name) for name in names
              if name.startswith(('libpython', 'libpypy')) or is_pypy and name.startswith('lib') and '.so' in name]
# All libraries of such a folder belong together.
if os.path.isdir(os.path.join(prefix, 'conda-meta')): parts.append(os.path.join(prefix, 'lib'))
print(json.dumps({
    'parts': [part for part in parts if part and os.path.exists(part)],
    'program': base, 'version': platform.python_version(),
    'implementation': platform.python_implementation(), 'compiler': platform.python_compiler(),
    'configured': args, 'flags': flags,
    'library': library if get('Py_ENABLE_SHARED') and os.path.isfile(library) else ''}))
"#;

#[derive(Deserialize)]
struct Answer {
    program: PathBuf,
    version: String,
    implementation: String,
    compiler: String,
    configured: String,
    flags: Vec<String>,
    library: PathBuf,
    parts: Vec<PathBuf>,
}

impl Interpreter {
    /// Asks an interpreter what it is; the same program is asked once.
    ///
    /// # Errors
    /// It is none, or does not answer.
    pub fn new(program: &Path) -> Result<Interpreter, Error> {
        static KNOWN: Mutex<BTreeMap<PathBuf, Interpreter>> = Mutex::new(BTreeMap::new());
        let lock = || KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = lock().get(program) {
            return Ok(known.clone());
        }
        let found = ask(program)?;
        lock().insert(program.to_owned(), found.clone());
        Ok(found)
    }

    /// The interpreter that a plan means: a path, a name on PATH, or a version, of which the parts
    /// that are given count.
    ///
    /// # Errors
    /// There is none, or several are meant.
    pub fn meant(text: &str, folder: &Path) -> Result<Interpreter, Error> {
        if text.contains('/') {
            let home = std::env::var_os("HOME").map(PathBuf::from);
            let path = match (text.strip_prefix("~/"), home) {
                (Some(rest), Some(home)) => home.join(rest),
                _ => folder.join(text),
            };
            return Interpreter::new(&path);
        }
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            let paths = std::env::var_os("PATH").unwrap_or_default();
            let found = std::env::split_paths(&paths).map(|path| path.join(text));
            let found =
                found.filter(|path| path.is_file()).find_map(|path| Interpreter::new(&path).ok());
            return found.ok_or_else(|| {
                Error::refused(
                    format!("there is no interpreter '{text}' on PATH"),
                    "name it by its version (3.12), or by its path",
                )
            });
        }
        let all = find_interpreters();
        let is_meant = |one: &&Interpreter| {
            one.version == text
                || one.version.strip_prefix(text).is_some_and(|r| r.starts_with('.'))
        };
        let meant: Vec<&Interpreter> = all.iter().filter(is_meant).collect();
        match &meant[..] {
            [one] => Ok((*one).clone()),
            [] => Err(Error::refused(
                format!("there is no Python {text} on this machine, there are: {}", list(&all)),
                "install it, or name an interpreter by its path; none is downloaded",
            )),
            several => {
                let several: Vec<Interpreter> = several.iter().map(|&one| one.clone()).collect();
                Err(Error::refused(
                    format!("Python {text} may be several: {}", list(&several)),
                    "name one by its full version or by its path",
                ))
            }
        }
    }

    /// Whether a plan names a program that is to run isolated alone, and so is not asked what it is: one in
    /// the plan's folder, or among what was sent to this machine.
    pub(crate) fn is_isolated(text: &str, folder: &Path, sent: &Path) -> bool {
        // As it is written and as it is found: what stands around a link counts, too (`pyvenv.cfg`).
        let mut path = PathBuf::new();
        for part in folder.join(text).components() {
            match part {
                Component::ParentDir => _ = path.pop(),
                part => path.push(part),
            }
        }
        let real = folder.join(text).canonicalize().unwrap_or_else(|_| path.clone());
        let is_below = |folder: &Path| path.starts_with(folder) || real.starts_with(folder);
        text.contains('/') && !text.starts_with("~/") && (is_below(folder) || is_below(sent))
    }

    /// For people: `CPython 3.12.1, pgo, lto`.
    pub fn title(&self) -> String {
        let words = [format!("{} {}", self.implementation, self.version)];
        words.into_iter().chain(self.flags.iter().cloned()).collect::<Vec<_>>().join(", ")
    }
}

fn list(all: &[Interpreter]) -> String {
    let one = |one: &Interpreter| format!("{} ({})", one.version, one.program.display());
    match all {
        [] => "none".to_owned(),
        all => all.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}

/// Interpreters of pyenv and uv, of the system, and those on PATH: each once, by version and path.
pub fn find_interpreters() -> Vec<Interpreter> {
    let mut programs: Vec<PathBuf> = vec![];
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let pyenv = std::env::var_os("PYENV_ROOT").map_or_else(|| home.join(".pyenv"), PathBuf::from);
    for folder in [pyenv.join("versions"), home.join(".local/share/uv/python")] {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        programs.extend(entries.map(|entry| entry.path().join("bin/python3")));
    }
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&paths).chain(["/usr/bin".into(), "/usr/local/bin".into()]);
    for folder in folders {
        // A script of pyenv's is not an interpreter, and the same as those above.
        if folder.ends_with("shims") {
            continue;
        }
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        programs.extend(entries.map(|entry| entry.path()).filter(|path| is_named_so(path)));
    }
    let mut found: Vec<Interpreter> = vec![];
    let mut seen: Vec<PathBuf> = vec![];
    for program in programs {
        let Ok(real) = program.canonicalize() else { continue };
        if seen.contains(&real) {
            continue;
        }
        seen.push(real);
        if let Ok(one) = Interpreter::new(&program)
            && !found.iter().any(|other| other.program == one.program)
        {
            found.push(one);
        }
    }
    let numbers = |version: &str| -> Vec<u32> {
        version.split('.').map(|part| part.parse().unwrap_or(0)).collect()
    };
    found.sort_by(|a, b| (numbers(&a.version), &a.program).cmp(&(numbers(&b.version), &b.program)));
    found
}

/// `python3`, `python3.12`, `pypy3`; not `python3-config`.
fn is_named_so(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let rest = name.strip_prefix("python3").or_else(|| name.strip_prefix("pypy3"));
    rest.is_some_and(|rest| {
        rest.is_empty()
            || rest.strip_prefix('.').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
    })
}

fn ask(program: &Path) -> Result<Interpreter, Error> {
    let failed = |output: String| Error::Tool {
        program: program.display().to_string(),
        output,
        what: format!("{} is not an interpreter of Python 3", program.display()),
    };
    let mut command = Command::new(program);
    // Without sites, variables and the current folder: they are not the interpreter.
    command.args(["-I", "-S", "-c", ASK]).stdin(Stdio::null());
    let said =
        bounded_output(&mut command, Duration::from_secs(20)).map_err(|e| failed(e.to_string()))?;
    let answer: Answer =
        serde_json::from_slice(&said).map_err(|error| failed(error.to_string()))?;
    let Answer { program: real, library, .. } = &answer;
    let mut hasher = blake3::Hasher::new();
    for file in [real, library] {
        if !file.as_os_str().is_empty() {
            let open = std::fs::File::open(file).map_err(Error::reading(file))?;
            hasher.update_reader(open).map_err(Error::reading(file))?;
        }
    }
    let hash = hasher.finalize().to_hex().to_string();
    let Answer { program, version, implementation, compiler, configured, flags, parts, .. } =
        answer;
    Ok(Interpreter { program, version, implementation, compiler, configured, flags, hash, parts })
}

/// What a command writes, if it ends well and in time.
pub(crate) fn bounded_output(command: &mut Command, longest: Duration) -> std::io::Result<Vec<u8>> {
    use std::io::{Error as IoError, Read as _};
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
    let reading = std::thread::spawn(move || {
        let mut said = vec![];
        let _ = out.as_mut().map(|out| out.take(1 << 20).read_to_end(&mut said));
        said
    });
    let complaints = std::thread::spawn(move || {
        let mut said = vec![];
        let _ = err.as_mut().map(|err| err.take(1 << 16).read_to_end(&mut said));
        said
    });
    let start = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if start.elapsed() > longest => {
                child.kill()?;
                child.wait()?;
                return Err(IoError::other("it does not end"));
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let said = reading.join().unwrap_or_default();
    if status.success() {
        return Ok(said);
    }
    let complaints = complaints.join().unwrap_or_default();
    let complaints = String::from_utf8_lossy(&complaints);
    Err(IoError::other(format!("it ended with {status}: {}", complaints.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreters_say_what_they_are() {
        let all = find_interpreters();
        assert!(!all.is_empty(), "there is a Python 3 wherever tests run");
        for one in &all {
            assert!(one.version.starts_with("3.") && one.hash.len() == 64, "{one:?}");
            let same = Interpreter::meant(one.program.to_str().unwrap(), Path::new("")).unwrap();
            assert_eq!(&same, one);
        }
        let none = Interpreter::meant("2.99", Path::new("")).unwrap_err().to_string();
        assert!(
            none.contains("there is no Python 2.99") && none.contains(&all[0].version),
            "{none}"
        );
        assert!(Interpreter::new(Path::new("/bin/true")).is_err());
        assert!(
            is_named_so(Path::new("/x/python3.12")) && !is_named_so(Path::new("python3-config"))
        );
    }

    #[test]
    fn programs_of_the_plan_and_those_that_were_sent_are_isolated() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let (home, sent) = (at("home"), at("sent"));
        for folder in [&home, &sent] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("own"), "").unwrap();
        }
        std::os::unix::fs::symlink(sent.join("own"), home.join("link")).unwrap();
        std::os::unix::fs::symlink(home.join("own"), at("into")).unwrap();
        let is_isolated = |text: &str| Interpreter::is_isolated(text, &home, &sent);
        for text in ["./own", "link/", "../sent/own", "../into", "../home/own"] {
            assert!(is_isolated(text), "{text}");
            let whole = home.join(text);
            assert!(is_isolated(whole.to_str().unwrap()), "{whole:?}");
        }
        for text in ["python3", "3.12", "/usr/bin/python3", "~/bin/python3", "../python3"] {
            assert!(!is_isolated(text), "{text}");
        }
    }

    #[test]
    fn what_an_interpreter_needs_is_not_all_that_stands_beside_it() {
        for one in find_interpreters() {
            assert!(one.parts.iter().any(|part| part.join("os.py").is_file()), "{one:?}");
            let prefix = one.program.ancestors().nth(2).unwrap();
            assert!(one.parts.iter().all(|part| !prefix.starts_with(part)), "{one:?}");
        }
    }
}
