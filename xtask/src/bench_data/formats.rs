//! Files of each format that profilers write by the hundred megabytes: converted from a pprof file
//! of the same bench data, or a sample that is repeated until it is large.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;

use super::files::{files, partial};
use super::size::{Size, Variant};
use crate::{command, workspace};

/// Where a large file of a format comes from.
pub(crate) struct Recipe {
    /// Name of the format.
    pub(crate) format: &'static str,
    /// Ending of the file.
    ending: &'static str,
    made: Made,
}

enum Made {
    /// Converted by Hotframe.
    Converted(Size, Variant),
    /// A sample below `testdata`, of which a part is repeated.
    Repeated(&'static str, Part),
}

/// What of a sample is repeated.
enum Part {
    /// All of it.
    Whole,
    /// All lines that start so, after the sample itself.
    Lines(&'static [&'static str]),
    /// What stands behind the first `start` and before the last `end`, with commas between.
    Elements { start: &'static str, end: &'static str },
}

impl Recipe {
    const fn converted(format: &'static str, ending: &'static str, size: Size) -> Recipe {
        Recipe { format, ending, made: Made::Converted(size, Variant::Repeat) }
    }

    const fn repeated(
        format: &'static str,
        ending: &'static str,
        sample: &'static str,
        part: Part,
    ) -> Recipe {
        Recipe { format, ending, made: Made::Repeated(sample, part) }
    }
}

/// The formats whose files become large.
pub(crate) const RECIPES: &[Recipe] = &[
    Recipe::converted("hotframe", "hotframe", Size::L),
    Recipe::converted("pprof", "pb", Size::M),
    Recipe::converted("otlp", "otlp", Size::M),
    Recipe::converted("callgrind", "callgrind", Size::L),
    Recipe::converted("collapsed", "collapsed", Size::K),
    Recipe::converted("cpuprofile", "cpuprofile", Size::K),
    Recipe::converted("speedscope", "speedscope.json", Size::K),
    Recipe::converted("firefox", "firefox.json", Size::M),
    Recipe::repeated("perf-script", "perf-script", "perf-script/inlined.perf-script", Part::Whole),
    Recipe::repeated("austin", "austin", "austin/wall.austin", Part::Lines(&["P"])),
    Recipe::repeated("v8log", "v8.log", "v8log/main.v8.log", Part::Lines(&["tick,"])),
    Recipe::repeated(
        "heaptrack",
        "txt",
        "heaptrack/heaptrack.larder-inlined.txt",
        Part::Lines(&["+ ", "- "]),
    ),
    Recipe::repeated("jfr", "jfr", "jfr/plain.jfr", Part::Whole),
    Recipe::repeated(
        "trace-event",
        "json",
        "trace-event/default.trace.json",
        Part::Elements { start: "{\"traceEvents\": [", end: "], \"viztracer_metadata" },
    ),
    Recipe::repeated(
        "dhat",
        "dhat.json",
        "dhat/rust.dhat.json",
        Part::Elements { start: "\"pps\": [", end: "],\n\"ftbl\"" },
    ),
];

/// A file of a format, made if it is not there yet, by `hotframe` if it is converted.
pub(crate) fn large_file(recipe: &Recipe, hotframe: &Path) -> anyhow::Result<PathBuf> {
    let folder = workspace::target().join("bench-data/formats");
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("large.{}", recipe.ending));
    if file.exists() {
        return Ok(file);
    }
    let new = partial(&file);
    match &recipe.made {
        Made::Converted(size, variant) => {
            super::files::write(&[*size], false)?;
            let [raw, _] = files(*size, *variant);
            let mut convert = Command::new(hotframe);
            convert.arg("convert").arg(raw).args(["--to", recipe.format, "-o"]).arg(&new);
            command::run(convert.stderr(Stdio::null()))?;
        }
        Made::Repeated(sample, part) => {
            let path = workspace::root().join("testdata").join(sample);
            let sample = fs::read(&path).with_context(|| path.display().to_string())?;
            repeat(&sample, part, &mut BufWriter::new(File::create(&new)?))?;
        }
    }
    fs::rename(new, &file)?;
    Ok(file)
}

/// How large repeated files become.
const BYTES: usize = 64 << 20;

fn repeat(sample: &[u8], part: &Part, out: &mut impl Write) -> anyhow::Result<()> {
    let (before, repeated, separator, after) = match part {
        Part::Whole => (vec![], sample.to_vec(), &b""[..], vec![]),
        Part::Lines(starts) => {
            let chosen = sample.split_inclusive(|&byte| byte == b'\n');
            let chosen =
                chosen.filter(|line| starts.iter().any(|s| line.starts_with(s.as_bytes())));
            (sample.to_vec(), chosen.flatten().copied().collect(), &b""[..], vec![])
        }
        Part::Elements { start, end } => {
            let text = std::str::from_utf8(sample)?;
            let from = text.find(start).context("the start is missing")? + start.len();
            let to = text.rfind(end).context("the end is missing")?;
            let part =
                |range: std::ops::Range<usize>| sample.get(range).unwrap_or_default().to_vec();
            (part(0..from), part(from..to), &b","[..], part(to..sample.len()))
        }
    };
    anyhow::ensure!(!repeated.is_empty(), "nothing of the sample is to be repeated");
    out.write_all(&before)?;
    for round in 0..BYTES.div_ceil(repeated.len()) {
        if round > 0 {
            out.write_all(separator)?;
        }
        out.write_all(&repeated)?;
    }
    out.write_all(&after)?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_repeated_between_head_and_tail() {
        let text = |sample: &str, part: &Part| {
            let mut out = vec![];
            repeat(sample.as_bytes(), part, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.len() >= BYTES);
            (text[..12].to_owned(), text[text.len() - 6..].to_owned())
        };
        let part = Part::Elements { start: "[", end: "]" };
        assert_eq!(text("{[{1}]}", &part), ("{[{1},{1},{1".to_owned(), "},{1}]}"[1..].to_owned()));
        let part = Part::Lines(&["t,"]);
        assert_eq!(
            text("h\nt,1\nt,2\n", &part),
            ("h\nt,1\nt,2\nt,".to_owned(), "1\nt,2\n".to_owned())
        );
    }
}
