//! What programs need to be asked for so that their functions have names: told before they run.

use std::path::Path;

use crate::{Finding, RecordOptions};

/// Programs that make code while they run, or interpret it.
struct Runtime {
    names: &'static [&'static str],
    /// A part of an option or of a variable that asks for names.
    asks: &'static [&'static str],
    /// Variables that may hold options.
    variables: &'static [&'static str],
    without: &'static str,
    advice: &'static str,
}

const RUNTIMES: [Runtime; 4] = [
    Runtime {
        names: &["node", "nodejs"],
        asks: &["--perf-basic-prof", "--perf-prof", "--interpreted-frames-native-stack"],
        variables: &["NODE_OPTIONS"],
        without: "functions of JavaScript will have no names",
        advice: "node --perf-basic-prof lets Node write them down",
    },
    Runtime {
        names: &["java"],
        asks: &["PerfMap", "perf-map", "libperf"],
        variables: &["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"],
        without: "functions of Java will have no names",
        advice: "java -XX:+PreserveFramePointer -XX:+DumpPerfMapAtExit (Java 17 and later) writes them down",
    },
    Runtime {
        names: &["dotnet"],
        asks: &["PerfMapEnabled"],
        variables: &["DOTNET_PerfMapEnabled", "COMPlus_PerfMapEnabled"],
        without: "functions of .NET will have no names",
        advice: "DOTNET_PerfMapEnabled=1 lets .NET write them down",
    },
    Runtime {
        names: &["python"],
        asks: &["perf"],
        variables: &["PYTHONPERFSUPPORT", "PYTHON_PERF_JIT_SUPPORT"],
        without: "perf sees functions of the interpreter, not of Python",
        advice: "`hotframe record python` samples Python; or run python3 -X perf (3.12 and later)",
    },
];

/// What is missing, for a program that runs by itself.
pub(super) fn names(asked: &RecordOptions) -> Option<Finding> {
    let program = Path::new(asked.command.first()?).file_name()?.to_string_lossy().into_owned();
    let runtime = RUNTIMES.iter().find(|runtime| runtime.is(&program))?;
    let own =
        |name: &&str| asked.environment.get(*name).cloned().or_else(|| std::env::var(name).ok());
    let mut values = runtime.variables.iter().filter_map(|name| Some((name, own(name)?)));
    let asks = |text: &str| runtime.asks.iter().any(|part| text.contains(part));
    let is_set = values.any(|(name, value)| {
        asks(&value)
            || asks(name) && value != "0"
            || name.starts_with("PYTHON") && !matches!(&*value, "" | "0")
    });
    let is_option = |word: &str| word.starts_with('-') || word == "perf" || word == "perf_jit";
    let is_asked = asked.command[1..].iter().any(|word| is_option(word) && asks(word));
    (!is_set && !is_asked).then(|| Finding::note(runtime.without, runtime.advice))
}

impl Runtime {
    /// `python3.12` is one of Python.
    fn is(&self, program: &str) -> bool {
        let version = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || c == '.');
        self.names.iter().any(|name| program.strip_prefix(name).is_some_and(version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(command: &[&str], environment: &[(&str, &str)]) -> Option<String> {
        let mut asked =
            RecordOptions::new("x", command.iter().map(|&word| word.to_owned()).collect());
        asked.environment =
            environment.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        names(&asked).map(|finding| finding.what)
    }

    #[test]
    fn does_not_report_who_asks_for_names() {
        let told = |command: &[&str]| hint(command, &[]).unwrap_or_default();
        assert!(told(&["/usr/bin/node", "a.js"]).contains("JavaScript"));
        assert_eq!(told(&["node", "--perf-basic-prof", "a.js"]), "");
        assert!(told(&["java", "-jar", "a.jar"]).contains("Java"));
        assert_eq!(told(&["java", "-XX:+DumpPerfMapAtExit", "A"]), "");
        assert!(told(&["python3.12", "a.py"]).contains("Python"));
        assert_eq!(told(&["python3", "-X", "perf", "a.py"]), "");
        assert_eq!(told(&["python3", "-Xperf_jit", "a.py"]), "");
        assert!(told(&["python3", "perf.py"]).contains("Python"));
        assert_eq!(told(&["./nodes"]), "");
        assert_eq!(told(&["pythonic"]), "");
        assert_eq!(hint(&["node", "a.js"], &[("NODE_OPTIONS", "--perf-basic-prof")]), None);
        assert_eq!(hint(&["python3", "a.py"], &[("PYTHONPERFSUPPORT", "1")]), None);
        assert!(hint(&["python3", "a.py"], &[("PYTHONPERFSUPPORT", "0")]).is_some());
        assert_eq!(hint(&["dotnet", "a.dll"], &[("DOTNET_PerfMapEnabled", "1")]), None);
        assert!(hint(&["dotnet", "a.dll"], &[("DOTNET_PerfMapEnabled", "0")]).is_some());
    }
}
