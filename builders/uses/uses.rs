//! Says the calls of uses.txt to the Rust builder.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, Write};

use hotframe_builder::{
    Combine, ContextRow, Error, Frame, FrameRow, Kind, Member, MemberRow, Metric, MetricRow,
    Module, ModuleRow, Note, Origin, Point, ProcessRow, Profile, ThreadRow, Value,
};

/// What comes of a call: that types rule it out, or what the builder says.
enum Fault {
    Unsayable,
    Of(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Fault::Of(error)
    }
}

/// Rows of a larger profile: the only way to name a row that does not exist.
struct Foreign {
    metrics: Vec<MetricRow>,
    modules: Vec<ModuleRow>,
    frames: Vec<FrameRow>,
    contexts: Vec<ContextRow>,
    processes: Vec<ProcessRow>,
    threads: Vec<ThreadRow>,
    members: Vec<MemberRow>,
}

fn foreign() -> Result<Foreign, Error> {
    let mut profile = Profile::new(io::sink(), &Origin::default());
    let mut rows = Foreign {
        metrics: vec![],
        modules: vec![],
        frames: vec![],
        contexts: vec![ContextRow::ROOT],
        processes: vec![],
        threads: vec![],
        members: vec![],
    };
    for number in 0..10 {
        let name = number.to_string();
        rows.metrics.push(profile.metric(&Metric::new(&name, ""))?);
        rows.modules.push(profile.module(&Module { path: &name, ..Module::default() })?);
        let frame = profile.frame(&Frame { function: &name, ..Frame::default() })?;
        rows.frames.push(frame);
        rows.contexts.push(profile.context(ContextRow::ROOT, frame)?);
        rows.processes.push(profile.process(&name, "")?);
        rows.threads.push(profile.thread(&name, "", None)?);
        rows.members.push(profile.member(&Member { name: &name, ..Member::default() })?);
    }
    Ok(rows)
}

struct Arguments(HashMap<String, Vec<u8>>);

impl Arguments {
    fn text(&self, key: &str) -> Result<&str, Fault> {
        match self.0.get(key).map(|bytes| std::str::from_utf8(bytes)) {
            None => Ok(""),
            Some(Ok("null") | Err(_)) => Err(Fault::Unsayable),
            Some(Ok(text)) => Ok(text),
        }
    }

    fn pair(&self, key: &str) -> Result<Option<(&str, &str)>, Fault> {
        match self.text(key)?.split_once(':') {
            Some(("null", _) | (_, "null")) => Err(Fault::Unsayable),
            pair => Ok(pair),
        }
    }

    fn given<N: std::str::FromStr>(&self, key: &str) -> Result<Option<N>, Fault> {
        match self.text(key)? {
            "" => Ok(None),
            text => text.parse().map(Some).or(Err(Fault::Unsayable)),
        }
    }

    fn number<N: std::str::FromStr + Default>(&self, key: &str) -> Result<N, Fault> {
        Ok(self.given(key)?.unwrap_or_default())
    }

    fn row<R: Copy>(&self, key: &str, rows: &[R]) -> Result<Option<R>, Fault> {
        match self.given::<usize>(key)? {
            None => Ok(None),
            Some(row) => rows.get(row).copied().map(Some).ok_or(Fault::Unsayable),
        }
    }
}

fn call(profile: &mut Profile, rows: &Foreign, what: &str, given: &Arguments) -> Result<(), Fault> {
    match what {
        "metric" => metric(profile, rows, given)?,
        "default" => {
            let metric = given.row("metric", &rows.metrics)?.ok_or(Fault::Unsayable)?;
            profile.default_metric(metric)?;
        }
        "duration" => profile.duration(given.number("ns")?)?,
        "module" => {
            profile.module(&Module {
                path: given.text("path")?,
                memory_start: given.number("start")?,
                memory_limit: given.number("limit")?,
                ..Module::default()
            })?;
        }
        "frame" => frame(profile, rows, given)?,
        "context" => {
            let parent = given.row("parent", &rows.contexts)?.ok_or(Fault::Unsayable)?;
            let frame = given.row("frame", &rows.frames)?.ok_or(Fault::Unsayable)?;
            profile.context(parent, frame)?;
        }
        "process" => drop(profile.process(given.text("id")?, "")?),
        "thread" => {
            let process = given.row("process", &rows.processes)?;
            profile.thread(given.text("id")?, "", process)?;
        }
        "member" => {
            let (name, time_ns) = (given.text("name")?, given.number("time")?);
            profile.member(&Member { name, time_ns, ..Member::default() })?;
        }
        "point" => point(profile, rows, given)?,
        "note" => {
            given.text("note")?;
            profile.note(&Note {
                title: given.text("title")?,
                text: given.text("text")?,
                link: given.text("link")?,
                context: given.row("context", &rows.contexts)?.unwrap_or_default(),
                frame: given.row("frame", &rows.frames)?,
                file: given.text("file")?,
                line: given.number("line")?,
            })?;
        }
        "flush" => profile.flush()?,
        _ => return Err(Fault::Unsayable),
    }
    Ok(())
}

fn metric(profile: &mut Profile, rows: &Foreign, given: &Arguments) -> Result<(), Fault> {
    let ways = [Combine::Sum, Combine::Maximum, Combine::Minimum, Combine::Last, Combine::Mean];
    let way = given.number::<usize>("contexts")?;
    profile.metric(&Metric {
        decimals: given.number("decimals")?,
        over_contexts: *ways.get(way).ok_or(Fault::Unsayable)?,
        weight: given.row("weight", &rows.metrics)?,
        ..Metric::new(given.text("name")?, given.text("unit")?)
    })?;
    Ok(())
}

fn frame(profile: &mut Profile, rows: &Foreign, given: &Arguments) -> Result<(), Fault> {
    let kinds = [Kind::Code, Kind::Loop, Kind::Data, Kind::Region, Kind::Block];
    let kind = *kinds.get(given.number::<usize>("kind")?).ok_or(Fault::Unsayable)?;
    given.text("frame")?;
    profile.frame(&Frame {
        function: given.text("function")?,
        file: given.text("file")?,
        line: given.number("line")?,
        column: given.number("column")?,
        start_line: given.number("start_line")?,
        module: given.row("module", &rows.modules)?,
        address: given.number("address")?,
        kind,
        instruction: given.text("instruction")?,
        system_name: given.text("system_name")?,
        ..Frame::default()
    })?;
    Ok(())
}

fn point(profile: &mut Profile, rows: &Foreign, given: &Arguments) -> Result<(), Fault> {
    if given.0.contains_key("point") || given.text("values")?.is_empty() {
        return Err(Fault::Unsayable);
    }
    let mut values = vec![];
    for (metric, value) in rows.metrics.iter().zip(given.text("values")?.split(',')) {
        values.push((*metric, value.parse().or(Err(Fault::Unsayable))?));
    }
    let label = given.pair("label")?.map(|(key, value)| (key, Value::Text(value)));
    let link = given
        .pair("link")?
        .map(|(role, context)| (role, rows.contexts[context.parse::<usize>().unwrap_or_default()]));
    profile.point(&Point {
        context: given.row("context", &rows.contexts)?.ok_or(Fault::Unsayable)?,
        values: &values,
        labels: label.as_slice(),
        time_ns: given.given("time")?,
        thread: given.row("thread", &rows.threads)?,
        cpu: given.given("cpu")?,
        member: given.row("member", &rows.members)?,
        links: link.as_slice(),
    })?;
    Ok(())
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (hex, rest) = part.split_at(2);
        out.push(u8::from_str_radix(hex, 16).unwrap_or_default());
        out.extend(rest.as_bytes());
    }
    out
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let rows = foreign()?;
    let mut profile: Option<Profile<File>> = None;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split(' ');
        let what = words.next().unwrap_or_default();
        if what == "case" {
            let path = format!("{folder}/{}.hotframe", words.next().unwrap_or_default());
            profile = Some(Profile::create(path, &Origin::default())?);
            continue;
        }
        if what == "end" || what == "close" {
            // Nothing can be said to a profile that is closed: it is gone.
            if let Some(profile) = profile.take() {
                profile.close()?;
            }
            if what == "close" {
                println!("ok");
            }
            continue;
        }
        let given = words.filter_map(|word| word.split_once('='));
        let given =
            Arguments(given.map(|(key, value)| (key.to_owned(), unescaped(value))).collect());
        let outcome = match &mut profile {
            Some(profile) => call(profile, &rows, what, &given),
            None => Err(Fault::Unsayable),
        };
        writeln!(
            io::stdout(),
            "{}",
            match outcome {
                Ok(()) => "ok",
                Err(Fault::Unsayable) => "unsayable",
                Err(Fault::Of(Error::Wrong(_))) => "refused",
                Err(Fault::Of(error)) => return Err(error.into()),
            }
        )?;
    }
    Ok(())
}
