//! Names and stacks from what stands beside a recording.

use session::{
    Binaries, Collector, FileBytes, Files, Input, ReadOptions, ReadSettings, Watch, warnings,
};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use profile::{FrameId, Location, Metric, Profile, ProfileBuilder};

/// Texts by path, and a folder.
#[derive(Default)]
struct Beside {
    texts: BTreeMap<&'static str, &'static str>,
    folder: Option<PathBuf>,
}

impl Files for Beside {
    fn open(&self, path: &str) -> Option<Arc<dyn FileBytes>> {
        if let Some(text) = self.texts.get(path) {
            return Some(Arc::new(text.as_bytes().to_vec()));
        }
        let file = self.folder.as_ref()?.join(path.rsplit('/').next()?);
        Some(Arc::new(std::fs::read(file).ok()?))
    }

    fn debug_folders(&self) -> Vec<String> {
        vec![]
    }
}

struct Unseen;

impl Watch for Unseen {
    fn watch<'a>(&'a self, bytes: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a> {
        bytes
    }
}

/// The profile of some bytes with what stands beside, and what was told.
fn read(bytes: Vec<u8>, beside: Beside) -> (Profile, Vec<String>) {
    let options = ReadOptions::default();
    let binaries = Some(Binaries { files: Arc::new(beside), are_named: true, disassembler: None });
    let reading = ReadSettings { binaries, ..ReadSettings::default() };
    let mut collector = Collector::new(&options).reading_as(reading);
    let input = Input::File(Box::new(std::io::Cursor::new(bytes)), None);
    collector.add(input, &Unseen, "recording").unwrap();
    let document = collector.finish("recording");
    let told = warnings(&document).into_iter().map(|(message, _)| message).collect();
    (Profile::clone(document.profile()), told)
}

/// Every stack with its samples, frames outermost first.
fn stacks(profile: &Profile) -> BTreeMap<String, i64> {
    let samples = profile.metrics.iter().position(|metric| metric.name == "samples").unwrap_or(0);
    let mut stacks = BTreeMap::new();
    for point in 0..profile.points.len() {
        let mut names = vec![];
        let mut context = profile.points.context[point];
        while let Some(parent) = profile.contexts.parent(context) {
            let location = profile.contexts.location(context).unwrap();
            let frames = profile.locations.frames(location).rev();
            names.extend(frames.map(|row| profile.frame_name(FrameId(row)).into_owned()));
            context = parent;
        }
        names.reverse();
        *stacks.entry(names.join(";")).or_default() += profile.points.row(point)[samples];
    }
    stacks
}

/// A recording of generated code: three addresses of one process.
fn generated() -> Vec<u8> {
    let mut builder = ProfileBuilder::new(vec![Metric::new("samples", "count")]);
    let module = builder.module("/tmp/perf-7.map");
    let at = |address| Location { module, address, ..Location::default() };
    for address in [0x1000, 0x1fff, 0x3000] {
        let location = builder.location(at(address), &[]);
        let context = builder.stack([location]);
        builder.points.push(context, profile::LabelSetId(0), &[1]);
    }
    let mut bytes = vec![];
    let format = formats::format_named("hotframe").unwrap();
    format.write(&builder.finish(), &mut bytes).unwrap();
    bytes
}

#[test]
fn generated_code_has_the_names_of_its_map() {
    let texts = [("/tmp/perf-7.map", "1000 1000 JS:*sum file.js:3\n4000 10 other\n")];
    let (profile, told) = read(generated(), Beside { texts: texts.into(), folder: None });
    let found = stacks(&profile);
    assert_eq!(found.get("JS:*sum file.js:3"), Some(&2), "{found:?}");
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("have no symbol: /tmp/perf-7.map"), "{told:?}");
    assert_eq!(profile.check(), []);
}

#[test]
fn reports_what_is_not_here_with_what_to_do() {
    let (profile, told) = read(generated(), Beside::default());
    assert_eq!(stacks(&profile).len(), 3);
    assert!(told[0].contains("/tmp/perf-7.map is not here"), "{told:?}");
    assert!(told[0].contains("--perf-basic-prof"), "{told:?}");
}

#[test]
fn copied_stacks_reach_the_start_of_the_program() {
    let Some(bytes) = samples::corpus_bytes("perf/hot-dwarf.data") else { return };
    let truth = samples::corpus_bytes("perf/truth/hot-dwarf.expected.json").unwrap();
    let truth: serde_json::Value = serde_json::from_slice(&truth).unwrap();
    let folder = samples::corpus("perf/bin");
    let (profile, _) = read(bytes, Beside { folder, ..Beside::default() });
    let mut found = BTreeMap::<String, u64>::new();
    for (stack, count) in stacks(&profile) {
        // The truth tells the program's part, and counts the recursion.
        let names = stack.split(';').filter(|name| !name.starts_with("[kernel"));
        let mut path: Vec<String> = vec![];
        let mut deep = 0;
        for name in names {
            let name = name.trim_end_matches("_impl").trim_start_matches("__clock");
            let name = match name {
                "_gettime" => "clock_gettime",
                name if name.starts_with("[vdso]") => "[vdso]",
                name => name,
            };
            deep += usize::from(name == "deep");
            if name != "cpu_s" && (name != "deep" || deep == 1) {
                path.push(name.to_owned());
            }
        }
        let path = path.join(";").replace("deep", &format!("deep x{deep}"));
        *found.entry(path).or_default() += count as u64;
    }
    let wanted = truth["stacks_user_part"].as_object().unwrap();
    let wanted = wanted.iter().map(|(stack, count)| (stack.clone(), count.as_u64().unwrap()));
    assert_eq!(found, wanted.collect());
}
