//! The tools.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, tool, tool_handler, tool_router};
use serde_json::{Value, json};

use super::record::Record;
use super::roots::Roots;
use super::tool_arguments::{
    Advice, Callers, Diff, Experiment, GraphCost, Hottest, Open, Simulate, Timeline, Words,
};
use super::{consent, own, question, small};

/// Longest that a report may take.
const LONGEST: Duration = Duration::from_secs(300);
/// Longest that a recording may take.
const LONGEST_RECORDING: Duration = Duration::from_secs(3600);

/// What clients are told first.
const ABOUT: &str = "Performance data of programs: profiles and traces of any format, comparisons, experiments, and \
     dataflow graphs of DaCe. Begin with `open`, then `hottest`, and `callers` of what is hot. Values are in the \
     unit that the answer names, exact unless the answer says otherwise (`warnings` tell what readers \
     repaired or skipped). Answers are the JSON of `hotframe`'s commands; `left_out` counts what did not fit.";

/// The server.
#[derive(Clone)]
pub(super) struct Tools {
    roots: Arc<Roots>,
    /// Most characters of an answer.
    most: usize,
    /// Whether commands are run without asking the user about each.
    records_unasked: bool,
    tool_router: ToolRouter<Tools>,
}

type Answer = Result<CallToolResult, ErrorData>;
type Context = RequestContext<RoleServer>;

#[tool_router]
impl Tools {
    pub(super) fn new(roots: Roots, records_unasked: bool, most: usize) -> Tools {
        let tool_router = Tools::tool_router();
        Tools { roots: Arc::new(roots), most, records_unasked, tool_router }
    }

    #[tool(
        description = "Tell what profiles hold: format, metrics with their totals, threads, members, labels, time, and warnings. Same as `hotframe info`.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn open(&self, Parameters(asked): Parameters<Open>, context: Context) -> Answer {
        let mut words = Words::of(&self.roots, &["info"]);
        let said = words.files(&asked.files);
        self.answer(said, words, context).await
    }

    #[tool(
        description = "Where a metric was spent: functions by self value, or a call tree. `path` is the stack from the outermost frame, `self` what a function took itself, `total` with what it called. Same as `hotframe show`.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn hottest(&self, Parameters(asked): Parameters<Hottest>, context: Context) -> Answer {
        let mut words = Words::of(&self.roots, &["show"]);
        words.maybe("view", asked.view.as_deref());
        words.maybe("granularity", asked.granularity.as_deref());
        words.maybe("sort", asked.sort.as_deref());
        words.rows(asked.limit);
        asked.look.say(&mut words);
        let said = words.files(&asked.files);
        self.answer(said, words, context).await
    }

    #[tool(
        description = "What is worth looking at: what rules say of functions (allocation in loops, waiting for locks, garbage collection, copies, recursion, and those of the user's files), each with its share of the program, why, and what to do. Same as `hotframe advice`.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn advice(&self, Parameters(asked): Parameters<Advice>, context: Context) -> Answer {
        let mut words = Words::of(&self.roots, &["advice"]);
        words.rows(asked.limit);
        asked.look.say(&mut words);
        let said = words.files(&asked.files);
        self.answer(said, words, context).await
    }

    #[tool(
        description = "Callers and callees of functions that match a regular expression, with what went through each call. Same as `hotframe show --peek`.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn callers(&self, Parameters(asked): Parameters<Callers>, context: Context) -> Answer {
        let mut words = Words::of(&self.roots, &["show"]);
        words.option("peek", &asked.function);
        words.rows(asked.limit);
        asked.look.say(&mut words);
        let said = words.files(&asked.files);
        self.answer(said, words, context).await
    }

    #[tool(
        description = "What changed between two profiles or two sets of runs, the largest changes first. With several runs on both sides each change is tested: `p` and `q` tell whether chance would do it. Same as `hotframe diff`.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn diff(&self, Parameters(asked): Parameters<Diff>, context: Context) -> Answer {
        let mut words = Words::of(&self.roots, &["diff"]);
        words.maybe("view", asked.view.as_deref());
        words.maybe("normalise", asked.normalise.as_deref());
        match asked.view.as_deref() {
            Some("timeline") => words.stretches(asked.limit),
            _ => words.rows(asked.limit),
        }
        asked.look.say(&mut words);
        let said = if asked.base.is_empty() || asked.new.is_empty() {
            Err("both `base` and `new` need a file".to_owned())
        } else {
            words.files_of("base", &asked.base).and_then(|()| words.files_of("new", &asked.new))
        };
        self.answer(said, words, context).await
    }

    #[tool(
        description = "What happened when, in profiles that tell of time: tracks, spans by name, gaps between them, states of threads, the critical path, marks. `time` chooses a range. Same as `hotframe show --view timeline|spans|...`.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn timeline(&self, Parameters(asked): Parameters<Timeline>, context: Context) -> Answer {
        let mut words = Words::of(&self.roots, &["show"]);
        words.option("view", asked.view.as_deref().unwrap_or("timeline"));
        if let Some(span) = asked.span {
            words.option("span", &span.to_string());
        }
        words.rows(asked.limit);
        asked.look.say(&mut words);
        let said = asked.check_view().and_then(|()| words.files(&asked.files));
        self.answer(said, words, context).await
    }

    #[tool(
        description = "What a dataflow graph moves and computes, symbolically and at given sizes, without running it. Same as `hotframe sdfg cost`.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn graph_cost(
        &self,
        Parameters(asked): Parameters<GraphCost>,
        context: Context,
    ) -> Answer {
        let mut words = Words::of(&self.roots, &["sdfg", "cost"]);
        words.options("set", &asked.set);
        words.rows(asked.limit);
        let said = words.files(&[asked.file]);
        self.answer(said, words, context).await
    }

    #[tool(
        description = "Simulate every access of a part of a dataflow graph or of loops on caches: what misses and why, and what changes of layout or loops would do. Same as `hotframe sdfg simulate`.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn simulate(&self, Parameters(asked): Parameters<Simulate>, context: Context) -> Answer {
        let mut words = Words::of(&self.roots, &["sdfg", "simulate"]);
        words.maybe("scope", asked.scope.as_deref());
        words.maybe("cache", asked.cache.as_deref());
        words.options("set", &asked.set);
        words.options("what-if", &asked.what_if);
        words.rows(asked.limit);
        let is_taken = |ending: &&str| asked.file.ends_with(ending);
        let said = if [".sdfg", ".sdfgz", ".jscop"].iter().any(is_taken) {
            words.files(&[asked.file])
        } else {
            Err(format!("{} is neither .sdfg, .sdfgz nor .jscop", asked.file))
        };
        self.answer(said, words, context).await
    }

    #[cfg(target_os = "linux")]
    #[tool(
        description = "What an experiment found: means of each condition with intervals, effects (`summary`), which functions make the difference between conditions (`compare`), values over commits (`history`). Same as `hotframe experiment`.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn experiment(
        &self,
        Parameters(asked): Parameters<Experiment>,
        context: Context,
    ) -> Answer {
        let report = asked.report.as_deref().unwrap_or("summary");
        let is_known = ["summary", "compare", "history"].contains(&report);
        let mut words = Words::of(&self.roots, &["experiment", if is_known { report } else { "" }]);
        words.maybe("function", asked.function.as_deref());
        words.options("base", &asked.base);
        words.options("new", &asked.new);
        match report {
            "compare" => words.rows(asked.limit),
            _ => words.rows = asked.limit.unwrap_or(words.rows),
        }
        let said = if is_known {
            words.files(&[asked.file])
        } else {
            Err(format!("there is no report {report}: summary, compare or history"))
        };
        self.answer(said, words, context).await
    }

    #[cfg(target_os = "linux")]
    #[tool(
        description = "Run a command and measure it. Answers where the recording is and what is in it. The command can do everything that it can do when the user runs it, so the user is asked first.",
        annotations(read_only_hint = false, destructive_hint = true, open_world_hint = true)
    )]
    async fn record(&self, Parameters(asked): Parameters<Record>, context: Context) -> Answer {
        let folder = self.roots.first().to_owned();
        let (words, file) = match asked.words(&folder) {
            Ok(said) => said,
            Err(error) => return Ok(failure(error)),
        };
        if !self.records_unasked
            && let Err(error) =
                consent::ask(&context.peer, &asked.command, &folder, &file.name).await
        {
            return Ok(failure(error));
        }
        let said = tokio::select! {
            () = context.ct.cancelled() => return Ok(failure("it was cancelled".to_owned())),
            said = own::run(&words, &folder, LONGEST_RECORDING) => said,
        };
        let said = match said {
            Ok(said) => said,
            Err(error) => return Ok(failure(error)),
        };
        if !file.is_written() {
            return Ok(failure(said.error));
        }
        let info =
            vec!["info".into(), "--format=json".into(), "--".into(), OsString::from(&file.name)];
        let info = self.report(info, 20, &context).await.unwrap_or_else(Value::String);
        let told = json!({
            "file": file.name,
            "exit_code": said.code,
            "said": said.error,
            "info": info,
        });
        Ok(success(&told))
    }
}

impl Tools {
    /// Runs the command that the words are.
    async fn answer(&self, said: Result<(), String>, words: Words<'_>, context: Context) -> Answer {
        if let Err(error) = said {
            return Ok(failure(error));
        }
        let rows = words.rows;
        let report = self.report(words.finish(), rows, &context).await;
        Ok(report.map_or_else(failure, |report| success(&report)))
    }

    async fn report(
        &self,
        words: Vec<OsString>,
        rows: usize,
        context: &Context,
    ) -> Result<Value, String> {
        let answer = question::ask(words, LONGEST, context.ct.cancelled()).await;
        let answer = answer.map_err(|error| in_words_of_tools(error.trim()))?;
        let report = serde_json::from_slice(&answer);
        let report = report.map_err(|error| format!("the answer is not JSON: {error}"))?;
        Ok(small::small(report, rows, self.most))
    }
}

fn success(report: &Value) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(report.to_string())])
}

/// What the model is told, so that it can ask otherwise.
fn failure(error: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(error)])
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Tools {
    /// Runs a tool. An argument that it does not have is refused: it would be taken for heard.
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(tool) = self.tool_router.get(&request.name) {
            let known = tool.input_schema.get("properties").and_then(Value::as_object);
            let names = || known.into_iter().flat_map(|known| known.keys());
            let asked = request.arguments.iter().flat_map(|asked| asked.keys());
            if let Some(unknown) =
                asked.into_iter().find(|name| !names().any(|known| known == *name))
            {
                let known: Vec<&str> = names().map(String::as_str).collect();
                return Ok(failure(format!(
                    "{} has no argument {unknown}; it has: {}",
                    request.name,
                    known.join(", ")
                ))
                .into());
            }
        }
        self.tool_router.call(ToolCallContext::new(self, request, context)).await
    }

    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::default();
        info.capabilities = ServerCapabilities::builder().enable_tools().build();
        info.server_info = Implementation::new("hotframe", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(ABOUT.to_owned());
        info
    }
}

/// What the command line says of its options, said of a tool's parameters, which are called the same.
fn in_words_of_tools(error: &str) -> String {
    const AROUND: [char; 3] = ['\'', '`', '’'];
    let lines = error.trim_start_matches("error: ").lines().map(str::trim);
    let is_told = |line: &&str| {
        !line.is_empty() && !line.starts_with("Usage:") && !line.starts_with("For more information")
    };
    let mut told = vec![];
    for line in lines.filter(is_told) {
        let mut words = line.split(' ').peekable();
        while let Some(word) = words.next() {
            let bare = word.trim_start_matches(AROUND);
            // With a value it is what was given.
            let option = bare.strip_prefix("--").filter(|name| !name.is_empty());
            let Some(option) = option.filter(|name| !name.contains('=')) else {
                told.push(word.to_owned());
                continue;
            };
            let end = option.find(|sign: char| !sign.is_ascii_lowercase() && sign != '-');
            let (name, mut rest) = option.split_at(end.unwrap_or(option.len()));
            // What stands for a value in usages.
            if let Some(value) = words.next_if(|next| rest.is_empty() && next.starts_with('<')) {
                rest = value.split_once('>').map_or("", |(_, rest)| rest);
            }
            let rest = rest.trim_start_matches(AROUND);
            told.push(format!("`{}`{rest}", name.replace('-', "_")));
        }
    }
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use super::in_words_of_tools;

    #[test]
    fn reports_options_as_parameters() {
        let clap = "error: invalid value 'x' for '--view <VIEW>'\n  [possible values: flat]\n\n\
                    For more information, try '--help'.";
        for (said, told) in [
            (clap, "invalid value 'x' for `view` [possible values: flat]"),
            ("H has no value: --set H=NUMBER", "H has no value: `set` H=NUMBER"),
            ("give it by --what-if, or leave it", "give it by `what_if`, or leave it"),
            ("invalid value '--output=x'", "invalid value '--output=x'"),
            ("a -- b has no metric x-y", "a -- b has no metric x-y"),
        ] {
            assert_eq!(in_words_of_tools(said), told);
        }
    }
}
