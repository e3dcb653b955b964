// Generated from crates/protocol by `cargo xtask codegen`; do not edit.

export type AccessReference = { 
/**
 * The number of its container.
 */
container: number, 
/**
 * Whether it writes.
 */
is_write: boolean, 
/**
 * Where it is and what it does, for people.
 */
origin: string, 
/**
 * The edge of the graph whose data moves, an element; none for loops.
 */
edge: number | null, 
/**
 * Numbers of the variables of loops around it, outermost first.
 */
loops: Array<number>, 
/**
 * What it does in the first level; lines are those of its container and 0 here.
 */
totals: AccessTotals, };

export type AccessTotals = { 
/**
 * How often a level was asked.
 */
accesses: number, 
/**
 * Lines that were touched.
 */
lines: number, 
/**
 * First touches of a line in the whole run.
 */
cold: number, 
/**
 * What a cache misses besides that has as many lines, which may stand anywhere, and gives way to what
 * was used least recently.
 */
capacity: number, 
/**
 * What is missed more; below 0 where sets keep what that one would not.
 */
conflict: number, 
/**
 * Misses in bytes of lines.
 */
bytes: number, };

export type AccessedContainer = { 
/**
 * Its name.
 */
name: string, 
/**
 * Bytes of an element.
 */
element: number, 
/**
 * Elements by dimension, outermost first.
 */
shape: Array<number>, 
/**
 * By dimension, elements from one to the next.
 */
strides: Array<number>, 
/**
 * Elements from the base to the one whose indices are all 0.
 */
offset: number, 
/**
 * Address of the base.
 */
base: number, 
/**
 * What its accesses do in the first level.
 */
totals: AccessTotals, };

export type AccessesCaches = { 
/**
 * At least one.
 */
levels: Array<CacheLevel>, 
/**
 * Which line gives way.
 */
replacement: LineReplacement, 
/**
 * What levels have of each other's lines.
 */
inclusion: LevelInclusion, 
/**
 * Whether writes go through to memory, instead of when their line is replaced.
 */
writes_through: boolean, 
/**
 * Whether a write that misses does not bring its line.
 */
writes_around: boolean, 
/**
 * Whether a miss of the first level brings the next line, too.
 */
prefetches_next: boolean, 
/**
 * So many levels, the nearest, each thread of a schedule has of its own. They are not kept coherent.
 */
private: number, };

/** Columns of [`crate::Request::AccessesElements`], one entry a cell. */
export interface AccessesElementsColumns {
  /** Accesses of its elements. */
  readonly accesses: Float64Array;
  /** First touches of a line. */
  readonly cold: Float64Array;
  /** Misses besides. */
  readonly capacity: Float64Array;
  /** The smallest stack distance; -1 where there is none. */
  readonly minimum: Float64Array;
  /** The median of an element (the lower of the two in the middle), the largest of the cell's; -1 where */
  /** there is none. */
  readonly median: Float64Array;
  /** The largest; -1 where there is none. */
  readonly maximum: Float64Array;
}

export type AccessesElementsParams = { 
/**
 * Which accesses.
 */
program: AccessesProgram, 
/**
 * The number of the container.
 */
container: number, 
/**
 * The first level's lines, which may stand anywhere and give way to what was used least recently.
 */
lines: number, 
/**
 * By dimension, outermost first, how many elements are one cell; at least 1.
 */
bins: Array<number>, };

export type AccessesElementsResult = { 
/**
 * Cells by dimension, outermost first; columns are in row-major order of them.
 */
cells: Array<number>, 
/**
 * Elements of the container.
 */
elements: number, 
/**
 * Elements that are accessed.
 */
touched: number, };

export type AccessesProgram = { 
/**
 * A dataflow graph, loops, or recorded accesses.
 */
document: number, 
/**
 * The element of a graph; none for all of the document.
 */
element: number | null, 
/**
 * Of recorded accesses: arrays at addresses, as `--range` writes them.
 */
ranges: Array<string>, 
/**
 * Values of symbols; others are as suggested.
 */
symbols: Array<SymbolSetting>, 
/**
 * Changes of layout and loops, done in turn, as `hotframe sdfg simulate --what-if` writes them.
 */
changes: Array<string>, 
/**
 * Which thread does which iterations, as `--schedule` writes it; empty for one thread.
 */
schedule: string, 
/**
 * Whether a write that combines reads first, instead of counting once.
 */
combining_reads: boolean, 
/**
 * Whether containers stand right behind each other, instead of each on lines of its own.
 */
packed: boolean, 
/**
 * Bytes of a cache line, a power of two.
 */
line: number, };

export type AccessesRamp = { 
/**
 * Which map.
 */
colours: GraphColours, 
/**
 * Its colours.
 */
ramp: Array<string>, };

export type AccessesRequest = { "method": "accesses_sizes", "params": AccessesSizesParams } | { "method": "accesses_run", "params": AccessesRunParams } | { "method": "accesses_elements", "params": AccessesElementsParams } | { "method": "accesses_search", "params": AccessesSearchParams } | { "method": "accesses_text", "params": AccessesTextParams };

/** Columns of [`crate::Request::AccessesRun`]. Those of single accesses are in their order, and */
/** empty where not each is told. */
export interface AccessesRunColumns {
  /** By access, its reference. */
  readonly reference: Uint32Array;
  /** By access, its element: the place of its indices in row-major order. */
  readonly element: Uint32Array;
  /** By access, its line. */
  readonly line: Uint32Array;
  /** By access, how many other lines were touched since its line was last; 4294967295 at first touch. */
  readonly distance: Uint32Array;
  /** By access, a bit a level from the lowest: whether that level was asked and missed. */
  readonly missed: Uint8Array;
  /** By access, the line that it drove out of the first level; 4294967295 for none. */
  readonly victim: Uint32Array;
  /** By access, how many elements it touches, from its own on: 0 behind the end of a container; empty */
  /** where each touches one. */
  readonly elements: Uint32Array;
  /** By line, its place among all lines of the address space; empty where its number is that. */
  readonly place: Float64Array;
  /** The first access of each iteration; of recorded accesses each is one, which reads, writes, or both. */
  readonly start: Uint32Array;
  /** By iteration, values of all variables. */
  readonly value: Float64Array;
  /** By pair of a container and a distance that occurred, the container. */
  readonly histogram_container: Uint32Array;
  /** By pair, the distance in lines; infinite for first touches, -1 for what is beyond what was */
  /** followed. */
  readonly histogram_distance: Float64Array;
  /** By pair, how often. */
  readonly histogram_count: Float64Array;
}

export type AccessesRunParams = { 
/**
 * Which accesses.
 */
program: AccessesProgram, 
/**
 * Through which caches.
 */
caches: AccessesCaches, 
/**
 * Tells every access where there are no more than so many; 0 for sums alone.
 */
each: number, 
/**
 * Distances are followed up to so many lines, and to the largest cache; what is forgotten sooner repeats
 * sooner, so that large programs take less time.
 */
depth: number, };

export type AccessesRunResult = { 
/**
 * What is accessed.
 */
containers: Array<AccessedContainer>, 
/**
 * Places in the program that access.
 */
references: Array<AccessReference>, 
/**
 * Variables of loops.
 */
variables: Array<string>, 
/**
 * All accesses, in the first level.
 */
totals: AccessTotals, 
/**
 * Levels of caches, the nearest first.
 */
levels: Array<LevelTotals>, 
/**
 * Lines that were driven out, by whom and of whom, those of most lines first.
 */
evictions: Array<LineEvictions>, 
/**
 * How numbers came about: `exact`.
 */
method: string, 
/**
 * Touches that were simulated one by one; what repeats them was counted.
 */
simulated: number, 
/**
 * Whether columns tell every access.
 */
has_each: boolean, 
/**
 * What was taken for granted.
 */
notes: Array<string>, 
/**
 * Parts that are left out, and why; numbers are at least so large then.
 */
left_out: Array<LeftOutPart>, 
/**
 * How distances up to which lines were followed; further ones are counted as beyond.
 */
depth: number, };

export type AccessesSearchParams = { 
/**
 * Which accesses; their changes are done first.
 */
program: AccessesProgram, 
/**
 * Through which caches.
 */
caches: AccessesCaches, 
/**
 * Most variants to simulate.
 */
most: number, };

export type AccessesSearchResult = { 
/**
 * Misses by level without any of them.
 */
plain: Array<number>, 
/**
 * Those that miss least first.
 */
variants: Array<AccessesVariant>, 
/**
 * How many were simulated.
 */
simulated: number, 
/**
 * How many are forbidden, or cannot be simulated.
 */
refused: number, 
/**
 * Whether none near the best is left.
 */
has_ended: boolean, };

export type AccessesSizesParams = { 
/**
 * A dataflow graph, loops, or recorded accesses.
 */
document: number, 
/**
 * The element of a graph; none for all of the document.
 */
element: number | null, };

export type AccessesSizesResult = { 
/**
 * File name without folders.
 */
title: string, 
/**
 * What the part is called.
 */
part: string, 
/**
 * The element of a graph that is the part; none for all of it, and for loops.
 */
element: number | null, 
/**
 * What sizes and positions depend on, by name.
 */
symbols: Array<AccessesSymbol>, 
/**
 * Whether they were recorded: there are no loops, sizes and changes then.
 */
is_recorded: boolean, 
/**
 * Colours of values, from the smallest to the largest, at equal distances, by map.
 */
ramps: Array<AccessesRamp>, };

export type AccessesSymbol = { 
/**
 * Its name.
 */
name: string, 
/**
 * A value at which every access can be looked at, in proportion to those of the others.
 */
small: number, 
/**
 * The value that the document suggests, or a usual one.
 */
whole: number, };

export type AccessesText = "c" | "numpy" | "dace";

export type AccessesTextParams = { 
/**
 * Which accesses.
 */
program: AccessesProgram, 
/**
 * In which language.
 */
language: AccessesText, };

export type AccessesVariant = { 
/**
 * The changes, done in turn.
 */
changes: Array<string>, 
/**
 * Misses by level.
 */
misses: Array<number>, };

export type AdviceInfo = { 
/**
 * What kind of thing it is.
 */
title: string, 
/**
 * What is said.
 */
text: string, 
/**
 * Where more is said; may be empty.
 */
link: string, 
/**
 * Where the rule stands, or that it is a note of the profile.
 */
origin: string, 
/**
 * Identity of the function, as functions are told apart; none of the whole program, and of what was not
 * measured.
 */
key: number | null, 
/**
 * Its name, with its place where another function has the same name.
 */
name: string, 
/**
 * Its file; may be empty.
 */
file: string, 
/**
 * Its line, or the one that a note is about; 0 if unknown.
 */
line: number, 
/**
 * The functions around it, where it is about one call path: `main › parse`.
 */
path: string, 
/**
 * Its value where the rule fits, with what it is of: `1.2 s of cpu`; `not measured`; or empty.
 */
value: string, 
/**
 * What that is of the whole program, from 0 to 1; none where there is no value.
 */
share: number | null, 
/**
 * Whether call paths, by which that was chosen, are an estimate.
 */
is_estimated: boolean, };

export type AdviceParams = { 
/**
 * Filters and metric; rules look at functions, whatever its granularity.
 */
view: ViewSpec, 
/**
 * Rules besides those that the engine has.
 */
rules: Array<AdviceRuleInfo>, 
/**
 * Most rows.
 */
limit: number, };

export type AdviceResult = { 
/**
 * The profile's notes, then where rules fit: of both the largest share first.
 */
rows: Array<AdviceInfo>, 
/**
 * Rows that are left out.
 */
more: number, 
/**
 * Rules that ask for what the profile does not have, each a sentence.
 */
left_out: Array<string>, };

export type AdviceRuleInfo = { 
/**
 * A few words: what kind of thing it is.
 */
title: string, 
/**
 * Regular expression of the functions' names; empty for all.
 */
name: string, 
/**
 * Regular expression of their files' paths; empty for all.
 */
file: string, 
/**
 * Regular expression of their modules' names; empty for all.
 */
module: string, 
/**
 * Regular expression of names one of which is further out on the stack; empty where that is the same.
 */
below: string, 
/**
 * Only what happens inside a loop, of profiles that know loops.
 */
in_loop: boolean, 
/**
 * Only what happens while the same function is on the stack already.
 */
recursive: boolean, 
/**
 * Only points that link contexts, each at the one that has this role; empty for all, where they count.
 */
role: string, 
/**
 * The metric, by name; empty for the one that is looked at.
 */
metric: string, 
/**
 * What the metric must count; none for anything.
 */
unit: AdviceUnit | null, 
/**
 * Which value decides.
 */
of: AdviceValue, 
/**
 * What that is at least of the whole program, in percent.
 */
share: number, 
/**
 * A formula over the function's values, which must have a value other than 0; empty for none.
 */
when: string, 
/**
 * What is said, as plain text.
 */
text: string, 
/**
 * Where more is said; may be empty.
 */
link: string, 
/**
 * Where the rule stands, for people: a file and a line.
 */
origin: string, };

export type AdviceUnit = "time" | "bytes" | "count";

export type AdviceValue = "total" | "self";

export type AlignParams = { 
/**
 * The document: several recordings, or a comparison.
 */
document: number, 
/**
 * What stands together in time, as `--align` takes it: `start`, `clock`, `at:NAME`, `progress`,
 * `progress:NAME`, or by hand `#2=1.5s`.
 */
by: string, };

/** Columns of [`crate::ProfileRequest::Bars`], one entry a function; and `scale`, whose entries are */
/** the total of the program and self of all functions that are not told. Lengths and spreads are */
/** in the integers of the metric. */
export interface BarsColumns {
  /** Self value. */
  readonly self_value: BigInt64Array;
  /** Total value. */
  readonly total_value: BigInt64Array;
  /** Length of the bar of self: the value, or the mean of members. No number where there is none. */
  readonly self_length: Float64Array;
  /** The same of total. */
  readonly total_length: Float64Array;
  /** Self of the member with the least of it; empty where bars are not means, as are the next. */
  readonly self_least: Float64Array;
  /** Self of the member with the most of it. */
  readonly self_most: Float64Array;
  /** Total of the member with the least of it. */
  readonly total_least: Float64Array;
  /** Total of the member with the most of it. */
  readonly total_most: Float64Array;
  /** Total of the program, self of what is not told. */
  readonly scale: BigInt64Array;
}

export type BarsResult = { 
/**
 * Functions in all.
 */
total_rows: number, 
/**
 * Whether totals are estimates, for the file tells no call paths.
 */
estimated: boolean, 
/**
 * One entry a function.
 */
rows: Array<FunctionInfo>, 
/**
 * Where bars are means: over how many members, or over how many runs of the shown side of a
 * comparison.
 */
members: number | null, 
/**
 * Ticks of the axis, evenly apart, from its begin to its end.
 */
ticks: Array<number>, };

export type BuildProfileParams = { 
/**
 * What the document is called.
 */
name: string, 
/**
 * Its metrics.
 */
metrics: Array<BuiltMetric>, 
/**
 * Number of the metric to show first.
 */
default_metric: number, 
/**
 * What people are to be told of it.
 */
comments: Array<string>, };

export type BuiltMetric = { 
/**
 * Name.
 */
name: string, 
/**
 * Unit, such as `nanoseconds`.
 */
unit: string, 
/**
 * Values are integers that count 10^-decimals of the unit.
 */
decimals: number, 
/**
 * What several values are together: `sum`, `maximum`, `minimum`, `last`, `mean` or `none`.
 */
combine: string, 
/**
 * The metric that weights a mean.
 */
weight: number | null, };

/** Columns of methods that answer a file. */
export interface BytesColumns {
  /** The file. */
  readonly bytes: Uint8Array;
}

export type CacheLevel = { 
/**
 * Its bytes.
 */
size: number, 
/**
 * Ways of a set; none where a line may stand anywhere.
 */
ways: number | null, };

/** Columns of [`crate::ProfileRequest::CallGraph`]: one entry a drawn function; one a call, the */
/** largest first; the points of their routes; and `scale`, whose entries are the total of the */
/** program, self of the functions below the least share, and self of those beyond the most. */
export interface CallGraphColumns {
  /** Of a function: its box, in view units from the upper left corner. */
  readonly x: Float64Array;
  /** Upper edge. */
  readonly y: Float64Array;
  /** Width. */
  readonly width: Float64Array;
  /** Height. */
  readonly height: Float64Array;
  /** How much larger than the smallest it is drawn. */
  readonly size: Float64Array;
  /** Self value. */
  readonly self_value: BigInt64Array;
  /** Total value, which counts once under recursion. */
  readonly total_value: BigInt64Array;
  /** Of a call: the caller, as a place among the drawn functions. */
  readonly caller: Uint32Array;
  /** The callee. */
  readonly callee: Uint32Array;
  /** Value of the samples that have the call on their stack, each counted once. */
  readonly value: BigInt64Array;
  /** Where its points end in `route_x` and `route_y`; they begin where those of the call */
  /** before it end. */
  readonly route_end: Uint32Array;
  /** Points from caller to callee, in view units. */
  readonly route_x: Float64Array;
  /** The same downwards. */
  readonly route_y: Float64Array;
  /** Total of the program, self below the least share, self beyond the most functions. */
  readonly scale: BigInt64Array;
}

export type CallGraphParams = { 
/**
 * The view; its shape does not matter.
 */
view: ViewSpec, 
/**
 * Share of the program that the total of a drawn function is at least, 0 to 1.
 */
least_node: number, 
/**
 * Share of the program that the value of a drawn call is at least, 0 to 1.
 */
least_edge: number, 
/**
 * Most functions to draw: those with the largest totals.
 */
most: number, };

export type CallGraphResult = { 
/**
 * Functions in all, those that are not drawn among them.
 */
total_rows: number, 
/**
 * Functions whose totals are below the least share.
 */
below: number, 
/**
 * Functions that are not drawn because there would be too many.
 */
beyond: number, 
/**
 * Calls between drawn functions whose values are below the least share.
 */
calls_below: number, 
/**
 * Calls that a function which is not drawn takes part in.
 */
calls_apart: number, 
/**
 * Whether call paths are estimated, and with them the values of calls.
 */
estimated: boolean, 
/**
 * One entry a drawn function, the one with the largest total first.
 */
rows: Array<FunctionInfo>, 
/**
 * Width and height of the drawing, in view units.
 */
size: [number, number], };

export type ChangeDirection = "growth" | "fall";

export type ChangeInfo = { 
/**
 * The kind of change.
 */
tag: ChangeTag, 
/**
 * What can be said of it.
 */
verdict: VerdictInfo | null, 
/**
 * How likely chance alone makes runs differ so, where it was tested.
 */
p_value: number | null, 
/**
 * The same, adjusted for the number of nodes that were tested (Benjamini and Hochberg).
 */
adjusted: number | null, 
/**
 * What the function is in the base, where it has another name, file or line there.
 */
matched: MatchInfo | null, };

export type ChangeTag = "added" | "deleted" | "larger" | "smaller" | "unchanged";

export type ChangeVerdict = "more" | "less" | "same" | "unknown";

export type ChosenNode = { 
/**
 * Index into the document's roles.
 */
role: number, 
/**
 * The tree that the node belongs to.
 */
shape: Shape, 
/**
 * Keys from below the whole program down to the node.
 */
path: Array<number>, };

export type ChosenSide = { 
/**
 * The filters in words; empty where all of the side counts.
 */
filters: string, 
/**
 * How many seconds it is: of the recording, or of all threads together.
 */
length_s: number, 
/**
 * Whether threads have times of their own, which are added up.
 */
of_threads: boolean, 
/**
 * How many spans count, at least in part.
 */
spans: number, 
/**
 * How many of the spans or marks that the filters choose time by are in it.
 */
chosen_by: number | null, };

export type Collapse = "none" | "direct" | "all";

export type ColourBy = "module" | "file" | "function" | "self_share" | "change";

export type ColumnEntry = { name: string, kind: ColumnKind, offset: number, count: number, };

export type ColumnKind = "u8" | "u32" | "i64" | "f64";

export type CommonAncestor = { 
/**
 * Function name.
 */
name: string, 
/**
 * Source file; may be empty.
 */
file: string, 
/**
 * Line from which the path to the first context goes on; 0 if unknown.
 */
first_line: number, 
/**
 * Line from which the path to the second context goes on; 0 if unknown.
 */
second_line: number, };

export type CompareParams = { 
/**
 * The base.
 */
base: Array<number>, 
/**
 * The new side.
 */
new: Array<number>, 
/**
 * Whether the sides are sorted out by age: then the older measurement is the base, or where
 * the files do not tell, what was opened first.
 */
by_age: boolean, 
/**
 * What makes values of both sides comparable.
 */
normalise: Normalise, 
/**
 * Differences up to this share (0 to 1) of the larger value are noise; for runs, chance is
 * asked instead.
 */
noise: number, 
/**
 * What is compared of base and new side, where that is not all; they may then be the same document.
 * Filters of samples and of time alone: those of frames apply to both.
 */
filters?: [Array<Filter>, Array<Filter>], };

export type ComparedCost = { 
/**
 * What it is of.
 */
name: string, 
/**
 * Its unit.
 */
unit: string, 
/**
 * Before; none where there was none.
 */
base: number | null, 
/**
 * After.
 */
new: number | null, 
/**
 * Before, in terms of symbols.
 */
base_expression: string, 
/**
 * After, in terms of symbols.
 */
new_expression: string, };

export type ComparedElement = { 
/**
 * The element after.
 */
new: GraphMatch, 
/**
 * The number of the element before.
 */
base: number, 
/**
 * The costs that differ.
 */
costs: Array<ComparedCost>, };

export type ComparedMetric = { 
/**
 * Its name in the profiles.
 */
name: string, 
/**
 * The base's values.
 */
base: number, 
/**
 * The new profile's values.
 */
new: number, 
/**
 * Both added up.
 */
both: number, 
/**
 * New less base.
 */
change: number, 
/**
 * New over base.
 */
ratio: number, };

export type ComparisonInfo = { 
/**
 * Title of the base.
 */
base: string, 
/**
 * Title of the new profile.
 */
new: string, 
/**
 * Whether [`crate::ProfileRequest::Swap`] can turn it round.
 */
swaps: boolean, 
/**
 * How many runs each side is the mean of, base first.
 */
runs: [number, number], 
/**
 * Whether changes are told from noise by the runs, by a test of every node.
 */
tested: boolean, 
/**
 * What makes values of both sides comparable.
 */
normalise: Normalise, 
/**
 * Of a comparison of parts: what was chosen of base and new side.
 */
chosen: [ChosenSide, ChosenSide] | null, 
/**
 * The metrics that are compared.
 */
metrics: Array<ComparedMetric>, };

/** Columns of [`crate::ProfileRequest::ConcurrencyChart`], one entry a cell. */
export interface ConcurrencyChartColumns {
  /** The most at once. */
  readonly most: Float64Array;
  /** The mean. */
  readonly mean: Float64Array;
}

export type ConcurrencyChartParams = { 
/**
 * The view.
 */
view: ViewSpec, 
/**
 * The identifier of a row of [`crate::ListKind::Concurrency`].
 */
row: string, 
/**
 * From when on, in nanoseconds after [`TracksResult::origin`].
 */
from: number, 
/**
 * Until when.
 */
to: number, 
/**
 * In how many cells of one length, at most 4,096; fewer where they would be shorter than a nanosecond.
 */
cells: number, };

export type ConcurrencyChartResult = { 
/**
 * What it is of.
 */
title: string, 
/**
 * The most at once in any cell.
 */
most: number, };

export type ContainerMemory = { 
/**
 * Its name.
 */
name: string, 
/**
 * The inner graph that it is of; empty for the outermost one.
 */
graph: string, 
/**
 * Its bytes.
 */
bytes: GraphCost, 
/**
 * When its memory is there, in words.
 */
alive: string, 
/**
 * First and last places in [`GraphMemoryResult::states`] of states one after the other that it is
 * alive in. What iterations have is in none.
 */
spans: Array<[number, number]>, };

export type CostCertainty = "exact" | "at_most" | "estimated" | "unknown" | "measured";

export type CostQuantity = "work" | "depth" | "movement" | "parallelism" | "intensity";

export type CountedOperations = "dace" | "every";

export type CounterInfo = { 
/**
 * The number of its track.
 */
track: number, 
/**
 * Name.
 */
name: string, 
/**
 * Unit; may be empty.
 */
unit: string, 
/**
 * The smallest value.
 */
least: number, 
/**
 * The largest value.
 */
most: number, };

/** Columns of [`crate::ProfileRequest::CriticalPath`]: its stretches by time. */
export interface CriticalPathColumns {
  /** The track, of a flow where it arrives. */
  readonly track: Uint32Array;
  /** The row in which a span is drawn; 0 for others. */
  readonly row: Uint32Array;
  /** 0 for a span, 1 for waiting, 2 for a flow. */
  readonly kind: Uint32Array;
  /** Begin in nanoseconds after [`TracksResult::origin`]. */
  readonly begin: Float64Array;
  /** End. */
  readonly end: Float64Array;
}

export type CriticalPathParams = { 
/**
 * The view. Its filters choose the span where you do not.
 */
view: ViewSpec, 
/**
 * The row of the span. Without it, the path is that of the longest span that the filters keep, or of
 * the longest that filters of [`crate::FilterKind::During`] name.
 */
span: number | null, };

export type CriticalPathResult = { 
/**
 * The span whose path it is. None if the filters keep none. Filters of time do not cut the path.
 */
span: PathSpan | null, 
/**
 * How many stretches the path has; the columns hold the first 50,000.
 */
stretches: number, };

export type DefineMetricParams = { 
/**
 * The document.
 */
document: number, 
/**
 * What to call it; empty for the text of the formula.
 */
name: string, 
/**
 * The formula, such as `misses / instructions` or `max_of(bytes)`.
 */
formula: string, };

/** Columns of [`crate::ProfileRequest::Details`]. The first four have one entry a metric; the others go with */
/** the lists of the result and are in the view's metric. */
export interface DetailsColumns {
  /** Self values of the node. */
  readonly self_value: BigInt64Array;
  /** Total values of the node. */
  readonly total_value: BigInt64Array;
  /** Total values of its parent. */
  readonly parent_total: BigInt64Array;
  /** Total of the program. */
  readonly program_total: BigInt64Array;
  /** Self and total of the function in the whole view, in the view's metric. */
  readonly function: BigInt64Array;
  /** One entry a caller. */
  readonly callers: BigInt64Array;
  /** One entry a callee. */
  readonly callees: BigInt64Array;
  /** One entry a label value. */
  readonly labels: BigInt64Array;
  /** Self value, one entry a line. */
  readonly lines: BigInt64Array;
}

export type DetailsResult = { 
/**
 * Which build of the view the node numbers belong to.
 */
instance: number, 
/**
 * Function name, or what stands for it at the view's granularity.
 */
name: string, 
/**
 * Name with its place, where another function has the same name.
 */
label: string | null, 
/**
 * The linker's name where it differs.
 */
system_name: string, 
/**
 * Identity of the frame at the view's granularity.
 */
key: number, 
/**
 * What the frame stands for.
 */
kind: LocationKind, 
/**
 * Source file; may be empty.
 */
file: string, 
/**
 * Line; 0 if unknown.
 */
line: number, 
/**
 * Line where the function starts; 0 if unknown.
 */
start_line: number, 
/**
 * Module; may be empty.
 */
module: string, 
/**
 * Build id of the module; may be empty.
 */
build_id: string, 
/**
 * Address in hexadecimal; may be empty.
 */
address: string, 
/**
 * Whether it was inlined into its caller.
 */
inlined: boolean, 
/**
 * Of each metric, whether its total is an estimate, as the file tells no call paths.
 */
estimated: Array<boolean>, 
/**
 * From below the whole program down to the node.
 */
path: Array<NodeName>, 
/**
 * Callers of the function in the whole view, largest first.
 */
callers: Array<NamedKey>, 
/**
 * Callers that `callers` leaves out.
 */
more_callers: number, 
/**
 * What the function calls in the whole view, largest first.
 */
callees: Array<NamedKey>, 
/**
 * Callees that `callees` leaves out.
 */
more_callees: number, 
/**
 * How values below the node spread over threads, labels and the like, largest first within
 * each key.
 */
labels: Array<FacetShare>, 
/**
 * How many `labels` leaves out.
 */
more_labels: number, 
/**
 * Source positions that the node stands for, largest first: parts of its total in a top-down
 * tree, of its self value elsewhere.
 */
lines: Array<LineShare>, 
/**
 * Source positions that `lines` leaves out.
 */
more_lines: number, 
/**
 * The metric that values of the lists are in: the view's, or for a derived one the measured
 * metric that it begins with.
 */
list_metric: number, 
/**
 * Of a comparison: the kind of change.
 */
change: ChangeInfo | null, };

export type Direction = "rising" | "steady" | "falling";

/** Columns of [`crate::ProfileRequest::Distribution`]. `self_value` and `total_value` have one entry a */
/** member; the others are the histogram of the totals. */
export interface DistributionColumns {
  /** Self value of the node in a member. */
  readonly self_value: BigInt64Array;
  /** Total value of the node in a member. */
  readonly total_value: BigInt64Array;
  /** Edges of the bins, one more than bins, in 10^-decimals of the unit. */
  readonly edges: Float64Array;
  /** Members in a bin. */
  readonly counts: Uint32Array;
}

export type DistributionResult = { 
/**
 * Which build of the view the node numbers belong to.
 */
instance: number, 
/**
 * The measured metric that values are in.
 */
metric: number, 
/**
 * The members, in their order.
 */
members: Array<MemberInfo>, 
/**
 * Whether members came in an order of time, so that a trend is one over time.
 */
timed: boolean, 
/**
 * Of a comparison of runs: how many members belong to the base; the others are new.
 */
base_members: number | null, 
/**
 * Members that stand apart so far that the histogram leaves them out.
 */
beyond: number, 
/**
 * The usual figures of the total values.
 */
figures: Figures | null, 
/**
 * Which members stand apart from the others (beyond Tukey's fences).
 */
outliers: Array<number>, 
/**
 * Whether values rise or fall from member to member.
 */
trend: TrendInfo | null, 
/**
 * Of a comparison of runs: by how much the means differ.
 */
interval: IntervalInfo | null, };

export type DocumentInfo = { 
/**
 * Its number.
 */
document: number, 
/**
 * File name, with as many folders as tell it from the others.
 */
title: string, 
/**
 * What it was opened by, with all folders that are known: the same whatever else is open. Of
 * what was made of others, its title.
 */
name: string, 
/**
 * How far it is.
 */
state: DocumentState, 
/**
 * The request that makes it again, where it was made of other open documents.
 */
made_by: MadeBy | null, };

export type DocumentParams = { 
/**
 * The document.
 */
document: number, };

export type DocumentState = { "kind": "loading", } | { "kind": "ready", 
/**
 * Its kind, `profile` or `graph`, by which a page knows what to show and to ask.
 */
shows: string, } | { "kind": "failed", 
/**
 * Why.
 */
error: ProtocolError, };

export type DocumentsResult = { 
/**
 * In the order of opening.
 */
documents: Array<DocumentInfo>, 
/**
 * Whether an editor is there that [`crate::SessionRequest::OpenSource`] reaches.
 */
opens_source: boolean, 
/**
 * Whether experiments may be run, as [`crate::RunsRequest`] asks for them.
 */
may_run: boolean, 
/**
 * Random, one a process: after another connection the same documents have the same numbers if
 * this is the same.
 */
session: string, };

export type DoneResult = Record<symbol, never>;

export type EdgeQuantity = "none" | "movement" | "simulated";

export type EditorDocument = { 
/**
 * Its path; of several that are one profile, their paths with NULs between.
 */
path: string, 
/**
 * Its number for pages.
 */
document: number, };

export type EditorFrames = { 
/**
 * The file of a Unix socket that speaks HTTP: a WebSocket at `/socket`, what scripts need below
 * `/python/`.
 */
path: string, 
/**
 * What requests carry as `token`.
 */
token: string, };

export type EditorFunction = { 
/**
 * Name of the function.
 */
name: string, 
/**
 * Its number among all functions of the profile, which names tell apart no further: lists and pictures
 * by function have the same.
 */
key: number, 
/**
 * Path of the profile that knows it.
 */
path: string, };

export type EditorGraph = { 
/**
 * Its file.
 */
path: string, 
/**
 * Its number for pages.
 */
document: number, 
/**
 * Its name for people.
 */
title: string, };

export type EditorHotFunction = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its number in the profile, see [`EditorFunction::key`].
 */
key: number, 
/**
 * Its own value.
 */
self: string, 
/**
 * With what it calls.
 */
total: string, 
/**
 * Address of its file; none where that is not here.
 */
uri: string | null, 
/**
 * Where it stands.
 */
line: number, };

export type EditorInstruction = { 
/**
 * The line that it is of, from 0; none where the text of today has none for it.
 */
line: number | null, 
/**
 * `vec.rs:120`: the line of another file that it is of, or one that is gone; empty otherwise.
 */
elsewhere: string, 
/**
 * Where it stands in its module, as a hexadecimal number.
 */
address: string, 
/**
 * Name of the module without folders; empty if unknown.
 */
module: string, 
/**
 * What it is, as a disassembler writes it; empty where neither profile nor binary tell.
 */
text: string, 
/**
 * Its own value and that with what it calls; empty where nothing was measured at it.
 */
values: string, 
/**
 * Whether no instruction of the function has a larger value of its own, and it has one.
 */
is_hottest: boolean, };

export type EditorInstructions = { 
/**
 * Of the profile.
 */
title: string, 
/**
 * Name of the metric.
 */
metric: string, 
/**
 * Why some have no text, and what else is to be known of them.
 */
notes: Array<string>, 
/**
 * By function of the linker, the largest first, then as they stand in memory.
 */
instructions: Array<EditorInstruction>, };

export type EditorInstructionsOf = { 
/**
 * Address of its file.
 */
uri: string, 
/**
 * Its number, see [`EditorFunction::key`].
 */
key: number, };

export type EditorLine = { 
/**
 * From 0.
 */
line: number, 
/**
 * Its own share of the whole, from 0 to 1.
 */
self: number, 
/**
 * With what it calls, from 0 to 1.
 */
total: number, 
/**
 * Both as a text.
 */
text: string, };

export type EditorLines = { 
/**
 * Of the profile.
 */
title: string, 
/**
 * Name of the metric.
 */
metric: string, 
/**
 * Whether lines may be wrong, because the file changed.
 */
is_stale: boolean, 
/**
 * In the order of the file.
 */
lines: Array<EditorLine>, };

export type EditorLocate = { 
/**
 * The file, as the profile names it.
 */
file: string, 
/**
 * Of the profile.
 */
title: string, };

export type EditorMetric = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its unit, as the profile names it.
 */
unit: string, 
/**
 * Of the whole profile; of several runs their mean.
 */
total: string, 
/**
 * Of how many runs values are the mean.
 */
runs: number, };

export type EditorOpened = { 
/**
 * Those that are there or being read.
 */
documents: Array<EditorDocument>, };

export type EditorPage = { 
/**
 * Where it is served.
 */
address: string, };

export type EditorProfile = { 
/**
 * Its file; of several that are one profile, their paths with NULs between.
 */
path: string, 
/**
 * Its number for pages.
 */
document: number, 
/**
 * Its name for people.
 */
title: string, 
/**
 * Whether it is there.
 */
state: EditorProfileState, 
/**
 * Whether it is the one that is told of.
 */
is_active: boolean, 
/**
 * Whether the active one is compared with it.
 */
is_base: boolean, 
/**
 * Place of the told metric in `metrics`.
 */
metric: number, 
/**
 * None while it is being read.
 */
metrics: Array<EditorMetric>, 
/**
 * The hottest first.
 */
functions: Array<EditorHotFunction>, };

export type EditorProfileState = "reading" | "ready";

export type EditorProfiles = { 
/**
 * In the order of opening; those that are being read last.
 */
profiles: Array<EditorProfile>, 
/**
 * Whether somebody said what is compared, or that nothing is; pages show it then.
 */
base_is_chosen: boolean, 
/**
 * Dataflow graphs, which have pages and say nothing of lines.
 */
graphs: Array<EditorGraph>, };

export type ErrorCode = "bad_request" | "unknown_document" | "unreadable" | "bad_pattern" | "bad_formula" | "view_expired" | "cancelled" | "limit" | "no_source" | "wrong_kind" | "not_allowed" | "left_out";

export type EstimateInfo = { 
/**
 * Its identity at the view's granularity.
 */
key: number, 
/**
 * Whether something of it was measured then, and estimated by that.
 */
measured: boolean, 
/**
 * Up to which call, and what is known of the rest, with its interval.
 */
text: string, };

export type EstimatesResult = { 
/**
 * One entry a function that is not exact to its end.
 */
rows: Array<EstimateInfo>, };

/** Columns of [`crate::ProfileRequest::EventBins`]: a cell a row, by set, then group, then bin. */
export interface EventBinsColumns {
  /** Events per second over all the time that runs spent in the bin, or the value of a metric; not */
  /** a number where there is none. */
  readonly value: Float64Array;
  /** Samples of all runs. */
  readonly samples: Float64Array;
  /** Standard error that comes of sampling, as a share; not a number where there is none. */
  readonly error: Float64Array;
  /** Whether there are samples enough to say something. */
  readonly enough: Uint8Array;
}

export type EventBinsParams = { 
/**
 * The view: what its filters keep is counted, in the time that they keep.
 */
view: ViewSpec, 
/**
 * What events are added up by, as in [`EventsParams::by`].
 */
by: string, 
/**
 * The event or metric; none for the first of the file.
 */
event: string | null, 
/**
 * How many bins there may be; their width is a round number of a millisecond at least.
 */
bins: number, 
/**
 * Whether each run is divided into so many equal parts at most, however long it took.
 */
is_progress: boolean, 
/**
 * Which runs are looked at together, as in [`EventsParams::sets`].
 */
sets: string, 
/**
 * The most groups; those with the least are one.
 */
groups: number, };

export type EventBinsResult = { 
/**
 * The event or metric.
 */
name: string, 
/**
 * Unit of an event, whose values are per second; none of a metric.
 */
unit: string | null, 
/**
 * Values of an event count ten to the minus so many of its unit.
 */
decimals: number, 
/**
 * `lower`, `higher` or `neutral`; none if that is not known.
 */
better: string | null, 
/**
 * What the groups are called.
 */
groups: Array<string>, 
/**
 * By group, the number of the processor or of what processors share; none of others.
 */
places: Array<number | null>, 
/**
 * What the sets are called, as in [`EventsResult::sets`].
 */
sets: Array<string>, 
/**
 * Names of the runs, by set.
 */
runs: Array<Array<string>>, 
/**
 * Begin of the first bin, in nanoseconds after [`crate::TracksResult::origin`]; 0 of progress.
 */
begin: number, 
/**
 * Length of a bin in nanoseconds; of progress, its share of a run.
 */
width: number, 
/**
 * How many bins there are.
 */
bins: number, 
/**
 * What is to be known of it.
 */
notes: Array<string>, };

export type EventDifference = { 
/**
 * Median of the new runs by that of the base's.
 */
ratio: number | null, 
/**
 * Where it lies with 95 % confidence, if there are two runs a side.
 */
interval: [number, number] | null, 
/**
 * `more`, `less`, `same` or `unknown`.
 */
verdict: string, 
/**
 * Why it is unknown, or whether the change is one for the better; may be empty.
 */
reason: string, };

export type EventEntry = { 
/**
 * What the group is called.
 */
group: string, 
/**
 * The event as the file names it, or the metric.
 */
name: string, 
/**
 * Unit of an event; none of a metric that is made of events.
 */
unit: string | null, 
/**
 * Values of an event count ten to the minus so many of its unit.
 */
decimals: number, 
/**
 * `lower`, `higher` or `neutral`; none if that is not known.
 */
better: string | null, 
/**
 * What it counts; may be empty.
 */
description: string, 
/**
 * As the sets of the result.
 */
sides: Array<EventFigures | null>, 
/**
 * Of a comparison by its sides.
 */
change: EventDifference | null, };

export type EventFigures = { 
/**
 * The median over the runs in which it was measured; none if it was in none.
 */
median: number | null, 
/**
 * The least.
 */
least: number | null, 
/**
 * The most.
 */
most: number | null, 
/**
 * The median of values per second; none of metrics.
 */
per_second: number | null, 
/**
 * Samples of all runs.
 */
samples: number, 
/**
 * Standard error of sampling, as a share.
 */
error: number | null, 
/**
 * Share of the time that it was counted, where counters were shared.
 */
coverage: number | null, 
/**
 * Whether each run has ten samples at least.
 */
is_enough: boolean, };

export type EventPlace = { 
/**
 * What the group is called.
 */
group: string, 
/**
 * Name of the machine; empty if there is one only.
 */
machine: string, 
/**
 * Number of the processor.
 */
cpu: number, 
/**
 * Number of its core.
 */
core: number | null, 
/**
 * Of its last-level cache.
 */
cache: number | null, 
/**
 * Of its node of memory.
 */
node: number | null, 
/**
 * Of its socket.
 */
socket: number | null, };

export type EventsParams = { 
/**
 * The view: what its filters keep is counted.
 */
view: ViewSpec, 
/**
 * What events are added up by: `total`, `cpu`, `core`, `cache`, `node`, `socket`, `thread`,
 * `process`, `function`, `line`, `file` or `module`; of the last four the thousand that have the
 * most of the first event.
 */
by: string, 
/**
 * The event or metric that is told of; none for all.
 */
event: string | null, 
/**
 * Which runs are looked at together: `sides` of a comparison (of anything else all), those whose
 * `names` differ in their number alone, or `runs` each for itself.
 */
sets: string, };

export type EventsResult = { 
/**
 * What the sets are called, base first of a comparison; empty where all there is is one.
 */
sets: Array<string>, 
/**
 * How many runs each has.
 */
runs: Array<number>, 
/**
 * By group in their order, then events in the order of the file, then metrics.
 */
rows: Array<EventEntry>, 
/**
 * Where each group is, of processors; empty for others.
 */
places: Array<EventPlace>, 
/**
 * What could not be compared.
 */
notes: Array<string>, };

export type ExperimentCell = { 
/**
 * For people.
 */
title: string, 
/**
 * By factor, which of its levels.
 */
levels: Array<number | null>, 
/**
 * Runs that count.
 */
runs: number, 
/**
 * Runs that do not.
 */
left_out: number, 
/**
 * A label filter that keeps the runs that count.
 */
pattern: string, };

export type ExperimentChange = { 
/**
 * The first step after it, a row of the line's steps.
 */
step: number, 
/**
 * The last measured step before it.
 */
before: number, 
/**
 * For people.
 */
sentence: string, };

export type ExperimentDifference = { 
/**
 * Its key.
 */
key: number, 
/**
 * What it is called.
 */
label: string, 
/**
 * The base's mean for people.
 */
base: string, 
/**
 * The new one.
 */
new: string, 
/**
 * Both means, in the unit.
 */
means: [number, number], 
/**
 * The difference, in the unit.
 */
difference: ExperimentEstimate, 
/**
 * How many times; none where something is 0 or below.
 */
ratio: ExperimentEstimate | null, 
/**
 * Of all with at most this, at most that share is there by chance.
 */
q: number, 
/**
 * Whether it is more than chance.
 */
believed: boolean, };

export type ExperimentDifferencesParams = { 
/**
 * Filters, metric and granularity.
 */
view: ViewSpec, 
/**
 * What is asked of whole runs.
 */
quantity: ExperimentQuantity, 
/**
 * Cells of the base.
 */
base: Array<number>, 
/**
 * Cells of the new side.
 */
new: Array<number>, 
/**
 * Whether functions count with what they call.
 */
total: boolean, 
/**
 * Most functions.
 */
count: number, };

export type ExperimentDifferencesResult = { 
/**
 * The quantity of whole runs.
 */
title: string, 
/**
 * By how much it differs, in a sentence.
 */
whole: string, 
/**
 * What functions are compared in.
 */
of_functions: string, 
/**
 * The unit of that.
 */
unit: string, 
/**
 * Why base and new side of a row do not divide to its ratio; empty where they do.
 */
ratio_note: string, 
/**
 * Functions of both sides, those that are believed first.
 */
rows: Array<ExperimentDifference>, 
/**
 * How many there are.
 */
total_rows: number, 
/**
 * Functions of one side alone.
 */
only: Array<ExperimentOnly>, 
/**
 * How many there are.
 */
total_only: number, 
/**
 * What else is to be known.
 */
notes: Array<string>, };

export type ExperimentEffect = { 
/**
 * For people.
 */
title: string, 
/**
 * The factors, each with its level that is compared with its first one.
 */
levels: Array<[number, number]>, 
/**
 * How many times; none where something is 0 or below.
 */
ratio: ExperimentEstimate | null, 
/**
 * Of all with at most this, at most that share is there by chance.
 */
q: number, 
/**
 * Whether it is more than chance.
 */
believed: boolean, };

export type ExperimentEffectsResult = { 
/**
 * The quantity.
 */
title: string, 
/**
 * Levels of factors against the first ones.
 */
single: Array<ExperimentEffect>, 
/**
 * What two levels do that neither does alone, the surest first.
 */
together: Array<ExperimentEffect>, };

export type ExperimentEstimate = { 
/**
 * The value, of a quantity in its unit.
 */
value: number, 
/**
 * In 95 of 100 experiments the true value is above this.
 */
low: number | null, 
/**
 * The same below this.
 */
high: number | null, 
/**
 * The value for people.
 */
text: string, 
/**
 * The interval for people, or why there is none.
 */
interval: string, };

export type ExperimentFactor = { 
/**
 * What it is called.
 */
name: string, 
/**
 * What it was, in order.
 */
levels: Array<string>, };

export type ExperimentHistoryParams = { 
/**
 * Filters, metric and granularity.
 */
view: ViewSpec, 
/**
 * What is asked of each run.
 */
quantity: ExperimentQuantity, 
/**
 * By what; `revision`, or the only factor, where none is named.
 */
factor: string | null, };

export type ExperimentHistoryResult = { 
/**
 * What the numbers are.
 */
caption: string, 
/**
 * The unit of the quantity.
 */
unit: string, 
/**
 * The factor.
 */
factor: string, 
/**
 * One for each combination of the other factors.
 */
lines: Array<ExperimentLine>, };

export type ExperimentLine = { 
/**
 * Levels of the other factors; empty where there are none.
 */
title: string, 
/**
 * Oldest first.
 */
steps: Array<ExperimentStep>, 
/**
 * Where it jumps.
 */
changes: Array<ExperimentChange>, };

export type ExperimentMatrixResult = { 
/**
 * The quantity.
 */
title: string, 
/**
 * Its unit.
 */
unit: string, 
/**
 * What the numbers are.
 */
caption: string, 
/**
 * What is to be known of them.
 */
notes: Array<string>, 
/**
 * By cell.
 */
cells: Array<ExperimentValue>, };

export type ExperimentOnly = { 
/**
 * Its key.
 */
key: number, 
/**
 * What it is called.
 */
label: string, 
/**
 * Whether that is the new side.
 */
is_new: boolean, 
/**
 * Its mean there, for people.
 */
mean: string, 
/**
 * The same in the unit.
 */
mean_value: number, 
/**
 * Runs there in which it is.
 */
runs: number, 
/**
 * All runs there.
 */
of_runs: number, };

export type ExperimentParams = { 
/**
 * The document.
 */
document: number, 
/**
 * The first run that is told.
 */
first: number, 
/**
 * How many runs are told at most.
 */
count: number, };

export type ExperimentQuantity = { "kind": "measure", 
/**
 * Its name.
 */
name: string, } | { "kind": "metric", } | { "kind": "function", 
/**
 * Its key.
 */
key: number, 
/**
 * Whether what it calls counts, too.
 */
total: boolean, };

export type ExperimentQuantityParams = { 
/**
 * Filters, metric and granularity.
 */
view: ViewSpec, 
/**
 * What is asked of each run.
 */
quantity: ExperimentQuantity, };

export type ExperimentResult = { 
/**
 * What was varied.
 */
factors: Array<ExperimentFactor>, 
/**
 * The conditions.
 */
cells: Array<ExperimentCell>, 
/**
 * Figures of whole runs, by name.
 */
measures: Array<string>, 
/**
 * How many runs there are.
 */
total_runs: number, 
/**
 * Those that were asked for.
 */
runs: Array<ExperimentRun>, };

export type ExperimentRun = { 
/**
 * What it is called.
 */
name: string, 
/**
 * Its cell.
 */
cell: number, 
/**
 * Why it does not count, or how the machine was disturbed; empty where nothing was wrong.
 */
trouble: string, 
/**
 * What is known of it: names and texts.
 */
facts: Array<[string, string]>, };

export type ExperimentStep = { 
/**
 * What it is called.
 */
level: string, 
/**
 * Its cell.
 */
cell: number, 
/**
 * The mean of its runs; none where it was not measured.
 */
mean: ExperimentEstimate | null, 
/**
 * The commit; empty if that is not known.
 */
commit: string, 
/**
 * What the commit is about.
 */
subject: string, };

export type ExperimentValue = { 
/**
 * The mean of its runs; none where it was not measured.
 */
mean: ExperimentEstimate | null, 
/**
 * Runs in which it was measured.
 */
runs: number, 
/**
 * How many times the least of all cells it is; none where that is 0 or below.
 */
to_best: number | null, 
/**
 * The same for people.
 */
to_best_text: string, };

export type ExportSvgParams = { 
/**
 * The view.
 */
view: ViewSpec, 
/**
 * Instance that `root` belongs to; none if `root` is 0.
 */
instance: number | null, 
/**
 * Node that fills the width; 0 is the whole program.
 */
root: number, 
/**
 * Width in pixels.
 */
width: number, 
/**
 * The colours of the picture.
 */
theme: ThemeName, 
/**
 * What decides the colour.
 */
colour: ColourBy, 
/**
 * Regular expression to highlight; empty for none.
 */
search: string, 
/**
 * What frames are called.
 */
labels: LabelBy, };

export type ExportTimelineSvgParams = { 
/**
 * Tracks from above, the part of time, and the width of it in pixels.
 */
lanes: LanesParams, 
/**
 * The colours of the picture.
 */
theme: ThemeName, 
/**
 * What decides the colours of bars.
 */
colour: ColourBy, 
/**
 * The outermost rows of a track are at its bottom.
 */
upwards: boolean, };

export type FacetKind = "process" | "thread" | "cpu" | "member" | "label";

export type FacetShare = { 
/**
 * What the value is.
 */
kind: FacetKind, 
/**
 * Label key, or the name of the kind.
 */
key: string, 
/**
 * Text, or number with unit.
 */
value: string, 
/**
 * A label filter pattern that selects it, and whatever else is called the same.
 */
pattern: string, 
/**
 * Label filter patterns that together select this thread or process alone. Empty where it is neither,
 * or where none do.
 */
only: Array<string>, };

export type Figures = { 
/**
 * How many members have the node.
 */
present: number, 
/**
 * Smallest.
 */
min: number, 
/**
 * Largest.
 */
max: number, 
/**
 * Arithmetic mean.
 */
mean: number, 
/**
 * The one in the middle.
 */
median: number, 
/**
 * Standard deviation of the sample; none for a single value.
 */
deviation: number | null, 
/**
 * The value that 95 of 100 do not exceed.
 */
p95: number, };

export type Filter = { 
/**
 * What the filter does.
 */
kind: FilterKind, 
/**
 * What it looks for: function, file or module; for labels `key=pattern`, `pattern`, or a
 * range such as `bytes=1kb:2mb`; for time `1.2s..3.4s`; for marks
 * `GC=5ms`.
 */
pattern: string, };

export type FilterEffect = { 
/**
 * Share (0 to 1) of the unfiltered value left after this filter and the ones before it.
 */
kept: number, 
/**
 * Whether anything matched at all.
 */
matched: boolean, };

export type FilterKind = "focus" | "search" | "ignore" | "hide" | "show" | "show_from" | "label_focus" | "label_ignore" | "time" | "during" | "around";

export type FiltersResult = { 
/**
 * One entry a filter.
 */
filters: Array<FilterEffect>, 
/**
 * Of a comparison whose members are runs: how many of base and new the filters leave. Values
 * are means of these.
 */
runs: [number, number] | null, 
/**
 * What is to be told of filters of time: samples that have none, ranges outside of the recording.
 */
notes: Array<string>, };

/** Columns of [`crate::ProfileRequest::Find`], one entry a frame, the widest first. */
export interface FindColumns {
  /** Node number. */
  readonly node: Uint32Array;
  /** Row, 0 for the root node. */
  readonly row: Uint32Array;
  /** Left edge as a share of the root node's width. */
  readonly x: Float64Array;
  /** Width as a share of the root node's width. */
  readonly width: Float64Array;
}

export type FindMarkParams = { 
/**
 * The view: its filters of time choose the instants.
 */
view: ViewSpec, 
/**
 * What happened.
 */
kind: string, 
/**
 * The last one that was found: its track and its time in nanoseconds after
 * [`TracksResult::origin`]; else the one behind the time is wanted.
 */
behind: number | null, 
/**
 * That time.
 */
from: number, 
/**
 * Backwards.
 */
back: boolean, };

export type FindMarkResult = { 
/**
 * How many there are.
 */
count: number, 
/**
 * The place of the found one among all, by time; those of one time by track.
 */
at: number, 
/**
 * Its track.
 */
track: number, 
/**
 * Its time in nanoseconds.
 */
time: number, };

export type FindParams = { 
/**
 * The view.
 */
view: ViewSpec, 
/**
 * The build of the view that `root` is of; not needed for the whole program.
 */
instance: number | null, 
/**
 * The node to look at and below.
 */
root: number, 
/**
 * What people typed: words that are all found in function, file or module. Each is a regular
 * expression, or text as it stands where it is none; case counts where there is a capital letter.
 * What begins with `^` or has a backslash is one expression.
 */
pattern: string, 
/**
 * Finds the frames of this function instead.
 */
function: FunctionRef | null, 
/**
 * Most frames to find.
 */
limit: number, };

export type FindResult = { 
/**
 * The build of the view that the nodes are of.
 */
instance: number, 
/**
 * Whether there are further ones.
 */
more: boolean, };

export type FindSpanParams = { 
/**
 * The view.
 */
view: ViewSpec, 
/**
 * Regular expression: function, file or module.
 */
search: string, 
/**
 * Where to look from: nanoseconds after [`TracksResult::origin`].
 */
from: number, 
/**
 * The span to go on behind, where there is one: 1 and its row; else 0.
 */
span: number, 
/**
 * Backwards.
 */
back: boolean, };

export type FindSpanResult = { 
/**
 * How many match.
 */
count: number, 
/**
 * 1 and the row of the next one; 0 where none matches.
 */
span: number, 
/**
 * Its place among all that match, by begin.
 */
at: number, 
/**
 * Its track.
 */
track: number, 
/**
 * The row in which it is drawn.
 */
row: number, 
/**
 * Begin in nanoseconds.
 */
begin: number, 
/**
 * Length in nanoseconds of the axis.
 */
length: number, };

/** Columns of [`crate::ProfileRequest::Flame`], one entry a box, by row and then from left to right; and */
/** `scale`, which has three entries: total of the program, of the root node, of its parent. Of */
/** [`crate::ProfileRequest::Treemap`], where boxes of a row are by parent and then from the largest. */
export interface FlameColumns {
  /** Node number; of a merged box the first of its nodes. */
  readonly node: Uint32Array;
  /** Node number of the parent; the node's own for the whole program. */
  readonly parent: Uint32Array;
  /** Row, 0 for the root node. */
  readonly row: Uint32Array;
  /** Left edge as a share of the root node's width; of a treemap in view units. */
  readonly x: Float64Array;
  /** Width as a share of the root node's width; of a treemap in view units. */
  readonly width: Float64Array;
  /** Of a treemap: upper edge in view units. Empty for flame graphs, as is the next. */
  readonly y: Float64Array;
  /** Height in view units. */
  readonly height: Float64Array;
  /** Index into `names`. */
  readonly name: Uint32Array;
  /** Index into `modules`. */
  readonly module: Uint32Array;
  /** Index into `files`. */
  readonly file: Uint32Array;
  /** 0 for a box of its own; n for n sibling frames drawn as one. */
  readonly merged: Uint32Array;
  /** Bits, [`crate::FlameFlag`]. */
  readonly flags: Uint32Array;
  /** Identity of the frame at the view's granularity. */
  readonly key: Uint32Array;
  /** What colours decide from, see [`ColourBy`]: places among the colours of groups by module */
  /** (the lowest byte), by file and by function, then four bits each for the step of self in */
  /** total and for that of the change (0 for none, 7 for unchanged). 0 for a merged box. */
  readonly colours: Uint32Array;
  /** Self value in the view's metric (of a merged box: the sum). */
  readonly self_value: BigInt64Array;
  /** Total value in the view's metric (of a merged box: the sum). */
  readonly total_value: BigInt64Array;
  /** Total of the program, of the root node, of the root node's parent. */
  readonly scale: BigInt64Array;
  /** Of a comparison, or of a metric whose values are changes: 0 for a merged box, else 1 and */
  /** the place in the list of [`crate::ChangeTag`]. Empty for others. */
  readonly tag: Uint32Array;
  /** Of a comparison: total value in the base. Empty for others, as is the next. */
  readonly base_value: BigInt64Array;
  /** Total value in the new profile. */
  readonly new_value: BigInt64Array;
}

export type FlameParams = { 
/**
 * The view.
 */
view: ViewSpec, 
/**
 * Instance that `root` belongs to; none if `root` is 0.
 */
instance: number | null, 
/**
 * Node that fills the width; 0 is the whole program.
 */
root: number, 
/**
 * Left edge of the wanted part.
 */
from: number, 
/**
 * Right edge of the wanted part.
 */
to: number, 
/**
 * Width of the wanted part in view units (for a page: CSS pixels).
 */
width: number, 
/**
 * First wanted row.
 */
first_row: number, 
/**
 * Number of wanted rows.
 */
rows: number, 
/**
 * What to highlight, see [`crate::FindParams::pattern`]; empty for none.
 */
search: string, 
/**
 * What frames are called.
 */
labels: LabelBy, };

export type FlameResult = { 
/**
 * Which build of the view the node numbers belong to.
 */
instance: number, 
/**
 * Frames that are drawn merged because each is narrower than a view unit.
 */
merged_frames: number, 
/**
 * Rows from the root to the deepest box in the wanted horizontal part, at this resolution; of a
 * treemap its levels.
 */
total_rows: number, 
/**
 * Narrowest box that is drawn on its own, in view units: 1, or more where there would be
 * too many boxes. Of a treemap: share of the root that a box of its own has at least.
 */
narrowest: number, 
/**
 * Names that the column `name` indexes. Functions that share a name and not a place have an
 * entry each.
 */
names: Array<string>, 
/**
 * What entries of `names` are shown as, where that is not the name alone.
 */
labels: Array<NameLabel>, 
/**
 * Modules that the column `module` indexes; entry 0 is the empty name.
 */
modules: Array<string>, 
/**
 * Files that the column `file` indexes; entry 0 is the empty name.
 */
files: Array<string>, 
/**
 * The nodes from the whole program to the root node.
 */
breadcrumb: Array<NodeName>, };

export type FlowInfo = { 
/**
 * Name; may be empty.
 */
name: string, 
/**
 * Tracks where it leaves and where it arrives.
 */
tracks: [number, number], 
/**
 * When, in nanoseconds.
 */
times: [number, number], };

export type FormatInfo = { 
/**
 * Short name, as options take it.
 */
name: string, 
/**
 * One line for people.
 */
title: string, 
/**
 * Usual file name endings.
 */
extensions: Array<string>, 
/**
 * Whether it is read.
 */
reads: boolean, 
/**
 * Whether it is written.
 */
writes: boolean, };

export type FormatsResult = { 
/**
 * In the order in which they are tried.
 */
formats: Array<FormatInfo>, };

export type FunctionInfo = { 
/**
 * Its identity at the view's granularity.
 */
key: number, 
/**
 * Its name, or what stands for it at the view's granularity.
 */
name: string, 
/**
 * Name with its place, where another function has the same name.
 */
label: string | null, 
/**
 * Source file; may be empty.
 */
file: string, 
/**
 * Line; 0 if unknown.
 */
line: number, 
/**
 * Module; may be empty.
 */
module: string, 
/**
 * The colours of its groups, see [`crate::FlameColumns::colours`].
 */
colours: number, 
/**
 * Of a comparison: the kind of change of the total.
 */
tag: ChangeTag | null, 
/**
 * Of a comparison: what can be said of the change of the total.
 */
verdict: VerdictInfo | null, 
/**
 * Of a comparison of runs: the p-value of the change of the total, adjusted for all functions
 * that were tested; none where it was too small to be tested.
 */
adjusted: number | null, 
/**
 * Of a comparison of runs, where it was tested: by how much the totals of a run differ.
 */
interval: IntervalInfo | null, };

export type FunctionRef = { 
/**
 * The profile, which may be a side of the comparison that is asked.
 */
document: number, 
/**
 * Its number among all functions of that profile.
 */
key: number, };

/** Columns of [`crate::ProfileRequest::Functions`]: row-major, an entry for each of the asked metrics a */
/** function; `scale` has one entry for each of these: the total of the program. */
export interface FunctionsColumns {
  /** Self values. */
  readonly self_value: BigInt64Array;
  /** Total values. */
  readonly total_value: BigInt64Array;
  /** Total of the program. */
  readonly scale: BigInt64Array;
}

export type FunctionsParams = { 
/**
 * The view; its shape does not matter.
 */
view: ViewSpec, 
/**
 * The metrics to tell, by index. A function is listed if it has a value in any of them.
 */
metrics: Array<number>, 
/**
 * What the functions are sorted by. The largest come first, whatever their sign; in a derived
 * metric, whose sign says which way something goes, the highest, but for a change.
 */
sort: Sort, 
/**
 * Keeps functions that match, see [`crate::FindParams::pattern`]; empty for all.
 */
filter: string, 
/**
 * Of a comparison: keeps those whose total grew or fell.
 */
direction: ChangeDirection | null, 
/**
 * First wanted function.
 */
first: number, 
/**
 * Number of wanted functions.
 */
count: number, };

export type FunctionsResult = { 
/**
 * Functions in all.
 */
total_rows: number, 
/**
 * Whether totals are estimates, for the file tells no call paths.
 */
estimated: boolean, 
/**
 * One entry a function.
 */
rows: Array<FunctionInfo>, };

export type FusedContainer = { 
/**
 * Its name.
 */
name: string, 
/**
 * Nothing else uses it: it need not be written at all.
 */
is_private: boolean, };

export type Granularity = "function" | "name" | "file" | "line" | "module" | "address";

export type GraphBasis = "each" | "whole";

export type GraphCode = { 
/**
 * The language: `Python`, `C++`.
 */
language: string, 
/**
 * As it is written.
 */
text: string, };

export type GraphColours = "heat" | "viridis" | "cividis";

export type GraphCompareParams = { 
/**
 * The graph after.
 */
document: number, 
/**
 * The graph before.
 */
base: number, 
/**
 * Values of symbols, in both.
 */
symbols: Array<SymbolSetting>, };

export type GraphCompareResult = { 
/**
 * Costs of both programs.
 */
totals: Array<ComparedCost>, 
/**
 * Bytes moved by container, the largest change first.
 */
containers: Array<ComparedCost>, 
/**
 * Elements in both, of which costs differ; the first of them.
 */
changed: Array<ComparedElement>, 
/**
 * How many there are.
 */
changed_count: number, 
/**
 * Elements in both.
 */
matched: number, 
/**
 * Elements of the graph before that are gone; the first of them.
 */
removed: Array<GraphMatch>, 
/**
 * How many there are.
 */
removed_count: number, 
/**
 * Elements that are new; the first of them.
 */
added: Array<GraphMatch>, 
/**
 * How many there are.
 */
added_count: number, };

export type GraphContainer = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it is: `array`, `scalar`, `stream`, `view` ...
 */
kind: string, 
/**
 * Type of an element in DaCe's words.
 */
element_type: string, 
/**
 * Elements in each dimension.
 */
shape: Array<string>, 
/**
 * Lives in the graph only.
 */
transient: boolean, 
/**
 * Memory in DaCe's words.
 */
storage: string, };

export type GraphCost = { 
/**
 * `work`, `movement`, `depth`, `parallelism`, `intensity`, `memory`, `time` ...
 */
name: string, 
/**
 * Its unit, as in [`GraphLegend::unit`].
 */
unit: string, 
/**
 * In terms of symbols; empty for what was measured.
 */
expression: string, 
/**
 * The value, for people who want all digits; none where a symbol is unset or there is none.
 */
exact: string | null, 
/**
 * The value as a number.
 */
value: number | null, 
/**
 * What can be said of the value.
 */
certainty: CostCertainty, 
/**
 * Why there is no value, or why it may be less; else empty.
 */
note: string, };

export type GraphCountingParams = { 
/**
 * The document.
 */
document: number, 
/**
 * What counts.
 */
operations: CountedOperations, };

/** Columns of [`crate::Request::GraphDrawing`]. Boxes stand in preorder: what is in a box stands */
/** behind it; the first is the outermost graph. Several boxes are of one element where data that */
/** is only read is drawn near each use: the first has no [`crate::BoxFlag::COPY`]. `edge_...` has */
/** one entry an edge, `point_...` one a point of an edge. An edge is vertical in its points, so */
/** that a curve through them does not leave the room between layers, except between two points of */
/** one height, which a line joins. */
export interface GraphDrawingColumns {
  /** Number of the element. */
  readonly element: Uint32Array;
  /** Place of the box that it is in; the first box's own. */
  readonly parent: Uint32Array;
  /** Left edge. */
  readonly x: Float64Array;
  /** Upper edge. */
  readonly y: Float64Array;
  /** Width. */
  readonly width: Float64Array;
  /** Height. */
  readonly height: Float64Array;
  /** Place in the list of kinds, [`GraphKind`]. */
  readonly kind: Uint32Array;
  /** Its label, index into `texts`. */
  readonly label: Uint32Array;
  /** Range, shape, condition, index into `texts`. */
  readonly note: Uint32Array;
  /** Bits, [`crate::BoxFlag`]. */
  readonly flags: Uint32Array;
  /** Number of the edge's element. */
  readonly edge_element: Uint32Array;
  /** Place of the box that it comes from. */
  readonly edge_from: Uint32Array;
  /** Place of the box that it goes to. */
  readonly edge_to: Uint32Array;
  /** Data, or condition and assignments, index into `texts`. */
  readonly edge_label: Uint32Array;
  /** Bits, [`crate::EdgeFlag`]. */
  readonly edge_flags: Uint32Array;
  /** Place of its first point; the last one ends where the next edge begins. */
  readonly edge_first_point: Uint32Array;
  /** Across. */
  readonly point_x: Float64Array;
  /** Down. */
  readonly point_y: Float64Array;
}

export type GraphDrawingParams = { 
/**
 * What is to be seen.
 */
view: GraphView, };

export type GraphDrawingResult = { 
/**
 * Width of the drawing.
 */
width: number, 
/**
 * Height of the drawing.
 */
height: number, 
/**
 * The depth that it was drawn with.
 */
depth: number, 
/**
 * Texts that the columns index; entry 0 is empty.
 */
texts: Array<string>, 
/**
 * Nodes that are left out, as the view wants it.
 */
hidden: number, 
/**
 * Edges that lead from or to hidden nodes and could not be drawn on.
 */
lost_edges: number, };

export type GraphElementParams = { 
/**
 * The document.
 */
document: number, 
/**
 * The element.
 */
element: number, 
/**
 * What is laid over the graph.
 */
show: GraphShow, };

export type GraphElementResult = { 
/**
 * How DaCe names it: `0/1/2/-1`.
 */
id: string, 
/**
 * What it is; none for an edge.
 */
kind: GraphKind | null, 
/**
 * Its label.
 */
label: string, 
/**
 * The containers that it is in, the outermost first.
 */
path: Array<GraphStep>, 
/**
 * What else is known about it.
 */
properties: Array<GraphProperty>, 
/**
 * Each time that it is reached.
 */
each: Array<GraphCost>, 
/**
 * In the whole run.
 */
whole: Array<GraphCost>, 
/**
 * How often it is reached in a run.
 */
times: GraphCost, 
/**
 * Of a comparison: what it costs in the other graph; empty where it has no partner.
 */
base: Array<GraphCost>, 
/**
 * What was measured.
 */
measured: Array<GraphCost>, 
/**
 * Its code.
 */
code: GraphCode | null, 
/**
 * Where it was written.
 */
source: GraphSource | null, 
/**
 * The edges at it; of an edge the nodes that it joins.
 */
neighbours: Array<GraphNeighbour>, };

export type GraphFusion = { 
/**
 * The map that writes.
 */
first: GraphMatch, 
/**
 * The map that reads.
 */
second: GraphMatch, 
/**
 * What is between them.
 */
between: Array<FusedContainer>, 
/**
 * Why they cannot be one map as they are; empty where they can.
 */
obstacle: string, 
/**
 * Bytes of accesses that go away in the whole run, or, where it is not known how often the maps
 * are reached, each time that they are.
 */
saved: GraphCost, };

export type GraphFusionsParams = { 
/**
 * The document.
 */
document: number, 
/**
 * Values of symbols.
 */
symbols: Array<SymbolSetting>, 
/**
 * Most pairs wanted.
 */
limit: number, };

export type GraphFusionsResult = { 
/**
 * Pairs that can be one map first, then by what they save in the whole run.
 */
fusions: Array<GraphFusion>, 
/**
 * Pairs that are not among them.
 */
left_out: number, };

export type GraphKind = "graph" | "state" | "region" | "loop" | "conditional" | "branch" | "jump" | "access" | "stream" | "tasklet" | "map" | "map_exit" | "consume" | "consume_exit" | "nested" | "library" | "opaque";

export type GraphLegend = { 
/**
 * What is told, in words.
 */
title: string, 
/**
 * The unit: `operations`, `bytes`, `elements`, `operations/byte`, `nanoseconds`; empty for plain
 * numbers.
 */
unit: string, 
/**
 * Values at positions, from 0 to 1.
 */
ticks: Array<LegendTick>, 
/**
 * How many values are in each of equal parts of the positions.
 */
bins: Array<number>, 
/**
 * Values that the scale is made from: those outside of scopes where there are any.
 */
values: number, 
/**
 * Values below the scale, drawn at 0.
 */
below: number, 
/**
 * Values above the scale, drawn at 1.
 */
above: number, 
/**
 * Elements that have no value.
 */
without: number, 
/**
 * Categories, if they are not values.
 */
categories: Array<LegendCategory>, 
/**
 * Why elements that were measured have no value; empty where there is nothing to say.
 */
note: string, };

export type GraphMatch = { 
/**
 * The element.
 */
element: number, 
/**
 * How DaCe names it.
 */
id: string, 
/**
 * What it is; none for an edge.
 */
kind: GraphKind | null, 
/**
 * Its label; of an edge its data.
 */
label: string, 
/**
 * The containers that it is in, the outermost first: what has to be open for it to be seen.
 */
path: Array<number>, };

export type GraphMeasureParams = { 
/**
 * The graph.
 */
document: number, 
/**
 * A report of DaCe, or any profile, that is open as a document.
 */
measured: number, };

export type GraphMeasureResult = { 
/**
 * What was joined.
 */
measurement: GraphMeasurement, };

export type GraphMeasurement = { 
/**
 * File name without folders.
 */
title: string, 
/**
 * Names and units of what it measured.
 */
metrics: Array<GraphMetric>, 
/**
 * Elements that got a value.
 */
elements: number, 
/**
 * What could not be joined, and why.
 */
warnings: Array<WarningInfo>, };

export type GraphMemoryParams = { 
/**
 * The document.
 */
document: number, 
/**
 * Values of symbols.
 */
symbols: Array<SymbolSetting>, };

export type GraphMemoryResult = { 
/**
 * The first states of the outermost graph, in its order.
 */
states: Array<StateMemory>, 
/**
 * How many more states there are.
 */
states_left_out: number, 
/**
 * Where most is alive; none where symbols are not set.
 */
peak: StateMemory | null, 
/**
 * Containers that have memory of their own, the largest first; before them those whose size is not
 * known.
 */
containers: Array<ContainerMemory>, 
/**
 * How many more containers there are.
 */
containers_left_out: number, };

export type GraphMetric = { 
/**
 * Its name, which [`NodeQuantity::Measured`] repeats: `time`, `PAPI_L3_TCM`.
 */
name: string, 
/**
 * Its unit: `nanoseconds`, `count`.
 */
unit: string, };

export type GraphNeighbour = { 
/**
 * Whether it leads here, rather than away.
 */
comes_in: boolean, 
/**
 * The edge.
 */
edge: number, 
/**
 * The element at its other end.
 */
other: number, 
/**
 * That element's label.
 */
label: string, 
/**
 * What moves, with its subset; empty for edges that order only.
 */
data: string, 
/**
 * How much moves.
 */
movement: GraphCost | null, };

/** Columns of [`crate::Request::GraphOverlay`], one entry a box or an edge of the drawing. What */
/** has no value is not a number (NaN). */
export interface GraphOverlayColumns {
  /** The value on the box. */
  readonly node_value: Float64Array;
  /** 0 to 1; of categories the place in the legend's list. Containers that are open have a */
  /** value and no position: what is in them tells it. */
  readonly node_position: Float64Array;
  /** The value on the edge. */
  readonly edge_value: Float64Array;
  /** 0 to 1. */
  readonly edge_position: Float64Array;
}

export type GraphOverlayParams = { 
/**
 * The drawing.
 */
view: GraphView, 
/**
 * What is laid over it.
 */
show: GraphShow, };

export type GraphOverlayResult = { 
/**
 * Of the values on boxes; none where they have none.
 */
nodes: GraphLegend | null, 
/**
 * Of the values on edges.
 */
edges: GraphLegend | null, 
/**
 * Colours at equal distances from position 0 to 1, as `#rrggbb`.
 */
ramp: Array<string>, 
/**
 * Costs of the whole program.
 */
totals: Array<GraphCost>, 
/**
 * Symbols that are not set and that something depends on.
 */
unset: Array<string>, };

export type GraphProperty = { 
/**
 * `shape`, `strides`, `storage`, `range` ...
 */
name: string, 
/**
 * Its value.
 */
value: string, };

export type GraphRequest = { "method": "graph_summary", "params": DocumentParams } | { "method": "graph_drawing", "params": GraphDrawingParams } | { "method": "graph_overlay", "params": GraphOverlayParams } | { "method": "graph_element", "params": GraphElementParams } | { "method": "graph_search", "params": GraphSearchParams } | { "method": "graph_scaling", "params": GraphScalingParams } | { "method": "graph_compare", "params": GraphCompareParams } | { "method": "graph_measure", "params": GraphMeasureParams } | { "method": "graph_sum", "params": GraphSumParams } | { "method": "graph_counting", "params": GraphCountingParams } | { "method": "graph_memory", "params": GraphMemoryParams } | { "method": "graph_fusions", "params": GraphFusionsParams } | { "method": "graph_roofline", "params": GraphRooflineParams } | { "method": "graph_svg", "params": GraphSvgParams };

export type GraphRooflineParams = { 
/**
 * The drawing, whose boxes are meant.
 */
view: GraphView, 
/**
 * Values of symbols.
 */
symbols: Array<SymbolSetting>, 
/**
 * Most points wanted; those with the most work come first.
 */
limit: number, 
/**
 * What the machine can do at most.
 */
machine: RooflineMachine, };

export type GraphRooflineResult = { 
/**
 * The most work first.
 */
points: Array<RooflinePoint>, 
/**
 * Boxes with work and movement that are not among them.
 */
left_out: number, 
/**
 * Operations for each byte below which memory is the limit.
 */
ridge: number, 
/**
 * How many of the points are below it even if every element moved once.
 */
memory_bound: number, 
/**
 * How many are below it, and above it if every element moved once, or where that is not known:
 * reuse decides.
 */
between: number, 
/**
 * States of the outermost graph, the longest first.
 */
states: Array<PredictedState>, 
/**
 * States that are not among them.
 */
states_left_out: number, 
/**
 * Seconds of the whole run, if all its operations and all its bytes overlap; none where symbols
 * are not set.
 */
predicted_s: PredictedTime | null, 
/**
 * Boxes and states without values at these sizes: they are among neither.
 */
without_value: number, 
/**
 * Why what was measured is not told of some; empty where there is nothing to say.
 */
note: string, };

export type GraphScale = "mean" | "median" | "histogram" | "linear" | "exponential";

/** Columns of [`crate::Request::GraphScaling`], one entry a value of the symbol, spread evenly by */
/** their logarithm. */
export interface GraphScalingColumns {
  /** Value of the symbol. */
  readonly at: Float64Array;
  /** The cost; no number where it has no value. */
  readonly cost: Float64Array;
}

export type GraphScalingParams = { 
/**
 * The document.
 */
document: number, 
/**
 * The element; none for the whole program.
 */
element: number | null, 
/**
 * The cost.
 */
quantity: CostQuantity, 
/**
 * Values of all symbols.
 */
symbols: Array<SymbolSetting>, 
/**
 * The symbol that varies; the others stay. Empty: only the ranking is wanted.
 */
symbol: string, 
/**
 * The smallest value.
 */
from: number, 
/**
 * The largest value.
 */
to: number, };

export type GraphScalingResult = { 
/**
 * The cost in terms of symbols.
 */
expression: string, 
/**
 * The power of the symbol with which the cost grows, fitted to the larger half of the values;
 * none where there are too few.
 */
exponent: number | null, 
/**
 * Which symbol matters most, first.
 */
ranking: Array<SymbolEffect>, };

export type GraphSearchParams = { 
/**
 * The document.
 */
document: number, 
/**
 * Text to find in labels, data names and kinds, without regard to case; `kind:map` and `data:A`
 * narrow it.
 */
text: string, 
/**
 * Most matches wanted.
 */
limit: number, };

export type GraphSearchResult = { 
/**
 * In the order of the program.
 */
matches: Array<GraphMatch>, 
/**
 * How many there are.
 */
total: number, };

export type GraphShow = { 
/**
 * Values of symbols; what is not set has no value.
 */
symbols: Array<SymbolSetting>, 
/**
 * On boxes.
 */
nodes: NodeQuantity, 
/**
 * On edges.
 */
edges: EdgeQuantity, 
/**
 * For [`EdgeQuantity::Simulated`]; else it may be left out.
 */
simulation: GraphSimulation | null, 
/**
 * Each time that the element is reached, or in the whole run.
 */
basis: GraphBasis, 
/**
 * Bytes rather than elements, where both make sense.
 */
in_bytes: boolean, 
/**
 * From values to colours.
 */
scale: GraphScale, 
/**
 * The colours.
 */
colours: GraphColours, 
/**
 * A graph to compare with: values become differences, this graph less that one.
 */
against: number | null, };

export type GraphSimulation = { 
/**
 * Through which caches; the first level's misses count.
 */
caches: AccessesCaches, 
/**
 * Bytes of a line.
 */
line: number, 
/**
 * Whether containers stand right behind each other.
 */
packed: boolean, 
/**
 * Whether a write that combines reads first.
 */
combining_reads: boolean, };

export type GraphSource = { 
/**
 * The file as the graph names it.
 */
file: string, 
/**
 * From 1.
 */
line: number, };

export type GraphStep = { 
/**
 * The element.
 */
element: number, 
/**
 * Its label.
 */
label: string, 
/**
 * What it is.
 */
kind: GraphKind, };

export type GraphSumParams = { 
/**
 * The document.
 */
document: number, 
/**
 * The elements.
 */
elements: Array<number>, 
/**
 * Values of symbols.
 */
symbols: Array<SymbolSetting>, };

export type GraphSumResult = { 
/**
 * The elements that are added up, in the order that they were asked for.
 */
counted: Array<GraphMatch>, 
/**
 * Those that are not, because another one that is asked for has them in it, moves what they
 * move, or because they have no costs.
 */
left_out: Array<GraphMatch>, 
/**
 * Work, movement and distinct bytes of all of them in the whole run.
 */
whole: Array<GraphCost>, };

export type GraphSummaryResult = { 
/**
 * File name without folders.
 */
title: string, 
/**
 * The outermost graph's name.
 */
name: string, 
/**
 * The version of DaCe that wrote the file, as it says; else empty.
 */
dace_version: string, 
/**
 * What counts as an operation.
 */
operations: CountedOperations, 
/**
 * Nodes that send or receive over the network.
 */
communications: number, 
/**
 * The outermost and all nested graphs.
 */
graphs: number, 
/**
 * States of all graphs.
 */
states: number, 
/**
 * Nodes of all states.
 */
nodes: number, 
/**
 * Dataflow edges of all states.
 */
edges: number, 
/**
 * How deep containers nest; the outermost graph is 0.
 */
depth: number, 
/**
 * What costs depend on, by name.
 */
symbols: Array<GraphSymbol>, 
/**
 * Data containers of the outermost graph, by name.
 */
containers: Array<GraphContainer>, 
/**
 * What the reader repaired or skipped, and what the analysis assumed.
 */
warnings: Array<WarningInfo>, 
/**
 * How long opening took, in seconds, where the host measured it.
 */
opened_s: number | null, 
/**
 * What was measured and joined, in the order of joining.
 */
measurements: Array<GraphMeasurement>, };

export type GraphSvgParams = { 
/**
 * The drawing.
 */
view: GraphView, 
/**
 * What is laid over it.
 */
show: GraphShow, 
/**
 * Dark colours.
 */
dark: boolean, };

export type GraphSymbol = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its type in DaCe's words; empty for what data decides.
 */
element_type: string, 
/**
 * Why nothing but the data tells it; empty for a size that a caller chooses.
 */
unknown: string, 
/**
 * A value to begin with.
 */
suggested: number, 
/**
 * Whether nothing tells its value: what is suggested is an example.
 */
is_example: boolean, };

export type GraphView = { 
/**
 * The document.
 */
document: number, 
/**
 * Containers less deep than this are open (states of the outermost graph are 1 deep); none
 * for as deep as leaves a drawing that can be overlooked.
 */
depth: number | null, 
/**
 * Containers that are open whatever their depth.
 */
opened: Array<number>, 
/**
 * Containers that are closed whatever their depth.
 */
closed: Array<number>, 
/**
 * Kinds of nodes that are left out; edges go on to what is behind them.
 */
hidden: Array<GraphKind>, 
/**
 * Width of the place that it is drawn for, in percent of its height: what is much taller is
 * cut into columns. None for a place as tall as it takes.
 */
aspect: number | null, };

export type Header = { "kind": "request", 
/**
 * Chosen by the caller, unique among its open requests.
 */
id: number, 
/**
 * Method and parameters.
 */
request: Request, } | { "kind": "cancel", 
/**
 * The request to stop.
 */
id: number, } | { "kind": "response", 
/**
 * The request it answers.
 */
id: number, 
/**
 * The method's result type.
 */
result: unknown, } | { "kind": "error", 
/**
 * The request it answers; 0 where the request could not be read.
 */
id: number, 
/**
 * What went wrong.
 */
error: ProtocolError, } | { "kind": "progress", 
/**
 * The request it speaks of.
 */
id: number, 
/**
 * How far.
 */
progress: Progress, };

/** Columns of [`crate::ProfileRequest::Heat`]. */
export interface HeatColumns {
  /** By stretch, what the metric sums up to in it. A sample counts where it is, one that lasted by its */
  /** share, a span by its own time. */
  readonly value: Float64Array;
}

export type HeatParams = { 
/**
 * The view: its metric is added up, of what its filters keep.
 */
view: ViewSpec, 
/**
 * Begin of the first stretch, in nanoseconds after [`TracksResult::origin`].
 */
from: number, 
/**
 * Length of each stretch in nanoseconds.
 */
cell: number, 
/**
 * How many stretches; at most a million.
 */
cells: number, };

export type HeatResult = { 
/**
 * What is before or behind the stretches, in the metric's units.
 */
outside: number, 
/**
 * What has no time.
 */
untimed: number, };

export type IdleParams = { 
/**
 * Which document.
 */
document: number, 
/**
 * The tracks on which nothing is.
 */
tracks: Array<number>, 
/**
 * Most stretches; the longest are told.
 */
limit: number, };

export type IdleResult = { 
/**
 * Begin and end, in nanoseconds after [`TracksResult::origin`], in their order: no span runs, no
 * sample lasts and no instant is between. Values of series do not count.
 */
stretches: Array<[number, number]>, };

export type InstructionInfo = { 
/**
 * As the binary states it, in hexadecimal; as the profile has it where there is no text.
 */
address: string, 
/**
 * As an assembler has it; empty if unknown.
 */
text: string, 
/**
 * Number of its source file; none if unknown.
 */
file: number | null, 
/**
 * From 1; 0 if unknown.
 */
line: number, 
/**
 * Number of its basic block in its section: code that is entered at its first instruction and left
 * after its last.
 */
block: number, };

export type InstructionSection = { 
/**
 * Path of the module; empty if unknown.
 */
module: string, 
/**
 * The linker's name of the function that has the code; empty if unknown.
 */
symbol: string, 
/**
 * How many of the instructions it has.
 */
count: number, 
/**
 * Why the text of its instructions is not known, and what to do; empty where it is.
 */
problem: string, 
/**
 * Whether the text is that of a binary of which nobody knows whether it is the measured build: the
 * profile has no build id.
 */
unchecked: boolean, };

/** Columns of [`crate::ProfileRequest::Instructions`]: a row an instruction. */
export interface InstructionsColumns {
  /** Value of the samples whose innermost frame is the function at the instruction. */
  readonly self_value: BigInt64Array;
  /** Value of the samples with the function at the instruction on their stack, each counted once. */
  readonly total_value: BigInt64Array;
  /** Self and total of the function. */
  readonly function: BigInt64Array;
  /** Self value of the function at no instruction that is told; no entry where there is none. */
  readonly unplaced: BigInt64Array;
  /** Totals of the program, an entry a metric. */
  readonly scale: BigInt64Array;
}

export type InstructionsResult = { 
/**
 * Where the instructions stand, those with the largest values first.
 */
sections: Array<InstructionSection>, 
/**
 * The instructions of all sections, one section after the other, each by address.
 */
instructions: Array<InstructionInfo>, 
/**
 * Source files that instructions are of.
 */
files: Array<string>, 
/**
 * Measured instructions that are left out because there are too many.
 */
more: number, 
/**
 * Whether totals are estimates.
 */
estimated: boolean, };

export type IntervalInfo = { 
/**
 * New less base.
 */
estimate: number, 
/**
 * Where the 95 % interval begins.
 */
low: number, 
/**
 * Where it ends.
 */
high: number, };

export type LabelBy = "function" | "module" | "place";

/** Columns of [`crate::ProfileRequest::Lanes`]: bars, one entry each, by track, row and time; how */
/** busy tracks are, an entry a view unit; marks, an entry a view unit that has any; values of series. */
export interface LanesColumns {
  /** Of a bar, the place of its track among the wanted. */
  readonly bar_of: Uint32Array;
  /** Its row. */
  readonly bar_row: Uint32Array;
  /** Its begin in nanoseconds. */
  readonly bar_begin: Float64Array;
  /** Its end in nanoseconds. */
  readonly bar_end: Float64Array;
  /** Its length in nanoseconds as it was measured: another one where its recording is stretched. */
  readonly bar_length: Float64Array;
  /** Index into `names`. */
  readonly bar_name: Uint32Array;
  /** Its number, to ask for more: 1 and the row of a span, or 0 for frames of samples. */
  readonly bar_span: Uint32Array;
  /** Of frames of samples, to ask for more: 1 and the point of the first sample; else 0. */
  readonly bar_point: Uint32Array;
  /** How many frames stand around it in the stack of that sample; 0 for spans. */
  readonly bar_depth: Uint32Array;
  /** How many stand in it besides. */
  readonly bar_merged: Uint32Array;
  /** Bits, [`crate::FlameFlag`]. */
  readonly bar_flags: Uint32Array;
  /** What colours decide from, see [`ColourBy`]. */
  readonly bar_colours: Uint32Array;
  /** The place of the track among the wanted. */
  readonly busy_of: Uint32Array;
  /** Which view unit. */
  readonly busy_unit: Uint32Array;
  /** The share of it in which anything runs, 0 to 1. */
  readonly busy_share: Float64Array;
  /** What runs longest there, as an index into `names`. */
  readonly busy_name: Uint32Array;
  /** What colours decide from. */
  readonly busy_colours: Uint32Array;
  /** The place of the track among the wanted. */
  readonly mark_of: Uint32Array;
  /** The time of the first mark in the view unit, in nanoseconds. */
  readonly mark_time: Float64Array;
  /** Its kind, as an index into `names`. */
  readonly mark_name: Uint32Array;
  /** How many stand there besides. */
  readonly mark_merged: Uint32Array;
  /** Index into [`TracksResult::counters`]. */
  readonly value_of: Uint32Array;
  /** Which view unit. */
  readonly value_unit: Uint32Array;
  /** The smallest value in it, that before it included. */
  readonly value_least: Float64Array;
  /** The largest value in it. */
  readonly value_most: Float64Array;
}

export type LanesParams = { 
/**
 * The view: what its filters leave out is pale.
 */
view: ViewSpec, 
/**
 * Begin of the wanted part.
 */
from: number, 
/**
 * Its end.
 */
to: number, 
/**
 * Its width in view units (for a page: CSS pixels).
 */
width: number, 
/**
 * What is wanted.
 */
tracks: Array<LanesWanted>, 
/**
 * Regular expression to highlight; empty for none.
 */
search: string, };

export type LanesResult = { 
/**
 * Names that columns index.
 */
names: Array<string>, 
/**
 * Of each wanted track, how many rows it has in the wanted part.
 */
rows: Array<number>, 
/**
 * There are more bars than an answer has.
 */
is_cut: boolean, };

export type LanesWanted = { 
/**
 * Its number.
 */
track: number, 
/**
 * First wanted row.
 */
first_row: number, 
/**
 * Number of wanted rows; 0 for how busy it is alone.
 */
rows: number, 
/**
 * How busy the tracks under it are in place of its own: the mean over those, itself included,
 * that have spans or samples.
 */
group: boolean, };

export type LeftOutPart = { 
/**
 * Which.
 */
what: string, 
/**
 * Why.
 */
why: string, };

export type LegendCategory = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its colour, as `#rrggbb`.
 */
colour: string, 
/**
 * How many elements are of it.
 */
count: number, };

export type LegendTick = { 
/**
 * 0 to 1.
 */
position: number, 
/**
 * The value there.
 */
value: number, 
/**
 * `mean`, `median`, or nothing.
 */
label: string, };

export type LevelInclusion = "none" | "inclusive" | "exclusive";

export type LevelTotals = { 
/**
 * Its bytes.
 */
size: number, 
/**
 * Ways of a set; none where a line may stand anywhere.
 */
ways: number | null, 
/**
 * What it was asked and missed.
 */
totals: AccessTotals, };

export type LineEvictions = { 
/**
 * Which level, from 0.
 */
level: number, 
/**
 * The reference whose access drove lines out.
 */
by: number, 
/**
 * The one that had touched them last.
 */
of: number, 
/**
 * How many lines.
 */
lines: number, };

export type LineReplacement = "lru" | "plru" | "fifo";

export type LineShare = { 
/**
 * Source file.
 */
file: string, 
/**
 * Line; 0 if unknown.
 */
line: number, };

export type LinkedContext = { 
/**
 * Function name; empty where the context is the whole program or shows no frame.
 */
name: string, 
/**
 * Name with its place, where another function has the same name.
 */
label: string | null, 
/**
 * Source file; may be empty.
 */
file: string, 
/**
 * Line; 0 if unknown.
 */
line: number, 
/**
 * Keys of its node in the top-down view.
 */
path: Array<number>, };

export type ListInfo = { 
/**
 * Which one it is.
 */
list: ListKind, 
/**
 * Whether this profile may have rows of it.
 */
may_have_rows: boolean, 
/**
 * The list of one profile that it takes the place of in this comparison.
 */
stands_for: ListKind | null, 
/**
 * What its tab is called.
 */
label: string, 
/**
 * What it shows.
 */
title: string, 
/**
 * What the field that narrows it is called.
 */
filter: string, 
/**
 * What the menu of a row is called.
 */
row: string, 
/**
 * Why there may be no rows.
 */
empty: string, };

export type ListKind = "span_changes" | "spans" | "longest_spans" | "gaps" | "concurrency" | "thread_states" | "critical_path" | "marks" | "tracks";

export type ListParams = { 
/**
 * The view. Its filters choose what is listed, and those of time clip it.
 */
view: ViewSpec, 
/**
 * Which list.
 */
list: ListKind, 
/**
 * The row of the span that the list is of: only the critical path is of one. Without it, of the longest.
 */
span: number | null, 
/**
 * Regular expression that a row must match. Empty for all rows.
 */
filter: string, 
/**
 * The key of the column to sort by. Without one, rows keep the list's own order.
 */
sort: string | null, 
/**
 * Whether to reverse the order.
 */
reverse: boolean, 
/**
 * Most rows to answer with. A page gets at most 10,000.
 */
limit: number, 
/**
 * Who reads it, which decides the columns.
 */
reader: TableReaders, };

export type LocateParams = { 
/**
 * The view.
 */
view: ViewSpec, 
/**
 * Keys from below the whole program down to the node.
 */
path: Array<number>, };

export type LocateResult = { 
/**
 * Which build of the view the node numbers belong to.
 */
instance: number, 
/**
 * The nodes along the path, without the whole program; shorter than the path where the view
 * has no such node.
 */
nodes: Array<NodeName>, };

export type LocationKind = "code" | "loop" | "data" | "region" | "block";

export type MachineParams = { 
/**
 * Measure now: that takes about three seconds, all processors and up to a gigabyte of memory.
 */
measure: boolean, };

export type MachineResult = { 
/**
 * What was measured; none where nobody did.
 */
measured: RooflineMachine | null, 
/**
 * How many threads measured it; 0 where nobody did.
 */
threads: number, 
/**
 * The caches of a processor, the nearest first, as `32K:8,1M:16`; empty where they are not told.
 */
caches: string, };

export type MadeBy = { "method": "compare" } & CompareParams | { "method": "merge" } & MergeParams;

export type MatchInfo = { 
/**
 * Its name in the base.
 */
was: string, 
/**
 * Its file in the base, or the module where no file is known.
 */
was_in: string, 
/**
 * The rule that matched them: `line`, `moved`, `clone`, `template` or `renamed`.
 */
rule: string, 
/**
 * How alike they are, from 0 to 1.
 */
score: number, };

export type MemberInfo = { 
/**
 * Its name.
 */
name: string, 
/**
 * A label filter pattern that selects it.
 */
pattern: string, 
/**
 * When it was measured, in seconds since 1970, if known.
 */
time_s: number | null, };

export type MemberSplit = { 
/**
 * As [`SplitMembersParams::by`] takes it.
 */
by: string, 
/**
 * For people.
 */
title: string, };

export type MergeParams = { 
/**
 * The documents.
 */
documents: Array<number>, };

export type MetricInfo = { 
/**
 * Name, such as `cpu` or `inuse_space`.
 */
name: string, 
/**
 * Unit as the file has it, such as `nanoseconds`, `bytes`, `count`.
 */
unit: string, 
/**
 * Values are integers that count 10^-decimals of the unit.
 */
decimals: number, 
/**
 * The formula of a derived metric. Its values do not add up; the smallest 64-bit integer
 * stands for 'no value'.
 */
formula: string | null, 
/**
 * Whether its values add up: those of formulas do not, nor those of measured metrics that
 * combine in another way.
 */
adds_up: boolean, 
/**
 * Whether its values are changes: those below 0 fall, and widths are magnitudes.
 */
signed: boolean, 
/**
 * What several values are together over contexts: `sum`, `maximum`, `minimum`, `last`, `mean`
 * or `none`.
 */
combine: string, };

export type MetricResult = { 
/**
 * Index among the document's metrics; that of an equal one that was defined before.
 */
metric: number, };

export type MigrationLevel = { 
/**
 * `core`, `cache`, `node`, `socket`, `machine`, or `unknown` where no file tells.
 */
shares: string, 
/**
 * How many there are, of all runs together.
 */
count: number, };

export type MigrationSet = { 
/**
 * What it is called, as in [`EventsResult::sets`].
 */
name: string, 
/**
 * How many runs it has.
 */
runs: number, 
/**
 * What tells of them: the scheduler's `switches` of all, the kernel's `events` of those that were
 * recorded; of `samples` there are at least so many.
 */
told_by: string, 
/**
 * How many samples see besides, where events tell that may not be of all threads.
 */
seen: number, 
/**
 * Migrations of all runs together.
 */
count: number, 
/**
 * The same by the nearest that both processors share, from the nearest on.
 */
levels: Array<MigrationLevel>, };

/** Columns of [`crate::ProfileRequest::Migrations`]: a migration a row, by set. */
export interface MigrationsColumns {
  /** The set. */
  readonly set: Uint32Array;
  /** Place of the thread's name in the result. */
  readonly thread: Uint32Array;
  /** When it left its processor, or was last seen there, in nanoseconds after */
  /** [`crate::TracksResult::origin`]. */
  readonly time: Float64Array;
  /** The processor that it was on. */
  readonly from: Uint32Array;
  /** The one that it went to; 4294967295 if no file tells. */
  readonly to: Uint32Array;
}

export type MigrationsParams = { 
/**
 * The view: what its filters keep counts, by the processor, the stack and the time that a thread
 * left.
 */
view: ViewSpec, 
/**
 * The most migrations that come one by one; of more, none does.
 */
most: number, 
/**
 * Which runs are looked at together, as in [`EventsParams::sets`].
 */
sets: string, };

export type MigrationsResult = { 
/**
 * By set of runs.
 */
sets: Array<MigrationSet>, 
/**
 * Names of the threads that the columns tell of.
 */
threads: Array<string>, 
/**
 * What is to be known of it.
 */
notes: Array<string>, };

export type NameLabel = { 
/**
 * Index into the names.
 */
name: number, 
/**
 * Name and place.
 */
label: string, };

export type NamedKey = { 
/**
 * Identity of the frame at the view's granularity.
 */
key: number, 
/**
 * Name, with its place where another function has the same name.
 */
name: string, };

export type NoColumns = Readonly<Record<string, never>>;

export type NoParams = Record<symbol, never>;

export type NodeName = { 
/**
 * Node number.
 */
node: number, 
/**
 * Identity of the frame at the view's granularity.
 */
key: number, 
/**
 * Name, with its place where another function has the same name.
 */
name: string, };

export type NodeParams = { 
/**
 * The view.
 */
view: ViewSpec, 
/**
 * Instance that `node` belongs to; none if `node` is 0.
 */
instance: number | null, 
/**
 * The node.
 */
node: number, };

export type NodeQuantity = { "kind": "none", } | { "kind": "work", } | { "kind": "depth", } | { "kind": "parallelism", } | { "kind": "intensity", } | { "kind": "movement", } | { "kind": "network", } | { "kind": "memory", } | { "kind": "storage", } | { "kind": "measured", 
/**
 * Its name.
 */
name: string, } | { "kind": "bandwidth", } | { "kind": "rate", };

export type NodesResult = { 
/**
 * Which build of the view the node numbers belong to.
 */
instance: number, 
/**
 * The nodes.
 */
nodes: Array<number>, };

export type Normalise = { "kind": "absolute", } | { "kind": "total", } | { "kind": "frame", 
/**
 * Regular expression over function, file and module.
 */
pattern: string, };

export type NormaliseParams = { 
/**
 * The comparison.
 */
document: number, 
/**
 * What makes values of both sides comparable.
 */
normalise: Normalise, };

export type OpenFilesParams = { 
/**
 * Their paths.
 */
paths: Array<string>, };

export type OpenSourceParams = { 
/**
 * The document that names the file.
 */
document: number, 
/**
 * The file as the document names it.
 */
file: string, 
/**
 * From 1; 0 where it is unknown.
 */
line: number, 
/**
 * Whether the editor gets the keyboard.
 */
take_focus: boolean, };

export type OpenedResult = { 
/**
 * The new document.
 */
document: number, };

export type Order = "value" | "name";

export type PairInfo = { 
/**
 * The context of the first role.
 */
first: LinkedContext, 
/**
 * The context of the second role.
 */
second: LinkedContext, 
/**
 * The innermost function that both paths go through; none where nothing is common to both.
 */
ancestor: CommonAncestor | null, 
/**
 * Points that join the two.
 */
points: number, 
/**
 * Pairs of contexts that are equal at the view's granularity and are therefore this one; lines
 * and ancestor are those of the largest.
 */
merged: number, };

/** Columns of [`crate::ProfileRequest::Pairs`]: `value` is row-major, `metrics` entries a pair; the others have */
/** one entry a metric. */
export interface PairsColumns {
  /** Sums over the points that join the pair. */
  readonly value: BigInt64Array;
  /** Sums over all pairs. */
  readonly pairs_total: BigInt64Array;
  /** Totals of the program, without narrowing. */
  readonly program_total: BigInt64Array;
}

export type PairsParams = { 
/**
 * The view; what its role view chooses narrows the pairs.
 */
view: ViewSpec, 
/**
 * Role of the first contexts, as index into the document's roles.
 */
first: number, 
/**
 * Role of the second contexts.
 */
second: number, 
/**
 * Most pairs wanted.
 */
count: number, };

export type PairsResult = { 
/**
 * The pairs, one where they are equal at the view's granularity; largest in the view's metric
 * first.
 */
pairs: Array<PairInfo>, 
/**
 * How many pairs there are.
 */
total_pairs: number, 
/**
 * Measured metrics a pair has, in the profile's order: the stride of the column.
 */
metrics: number, 
/**
 * The measured metric that ranks them: the view's, or the one that stands for it.
 */
metric: number, };

export type PathSpan = { 
/**
 * Name.
 */
name: string, 
/**
 * The name of its track, with the recording where there are several.
 */
track: string, 
/**
 * Where it is.
 */
place: TimePlace, };

export type PredictedState = { 
/**
 * The element.
 */
element: number, 
/**
 * Its label.
 */
label: string, 
/**
 * Seconds predicted for the whole run: at least those where every element moves once each time
 * that the state runs.
 */
predicted_s: PredictedTime, 
/**
 * Seconds measured in the whole run.
 */
time_s: number | null, };

export type PredictedTime = { 
/**
 * If every element moved once; none where that is not known.
 */
least: number | null, 
/**
 * If each access moved.
 */
most: number, };

export type ProfileRequest = { "method": "summary", "params": DocumentParams } | { "method": "tree_table", "params": TreeTableParams } | { "method": "profile_tables", "params": DocumentParams } | { "method": "write_profile", "params": DocumentParams } | { "method": "flame", "params": FlameParams } | { "method": "rows", "params": RowsParams } | { "method": "hottest_path", "params": NodeParams } | { "method": "locate", "params": LocateParams } | { "method": "details", "params": NodeParams } | { "method": "distribution", "params": NodeParams } | { "method": "define_metric", "params": DefineMetricParams } | { "method": "compare", "params": CompareParams } | { "method": "swap", "params": DocumentParams } | { "method": "normalise", "params": NormaliseParams } | { "method": "merge", "params": MergeParams } | { "method": "split_members", "params": SplitMembersParams } | { "method": "align", "params": AlignParams } | { "method": "functions", "params": FunctionsParams } | { "method": "estimates", "params": ViewParams } | { "method": "advice", "params": AdviceParams } | { "method": "bars", "params": FunctionsParams } | { "method": "scatter", "params": ScatterParams } | { "method": "treemap", "params": TreemapParams } | { "method": "call_graph", "params": CallGraphParams } | { "method": "export_calls_csv", "params": ViewParams } | { "method": "source_lines", "params": SourceLinesParams } | { "method": "instructions", "params": NodeParams } | { "method": "search", "params": SearchParams } | { "method": "find", "params": FindParams } | { "method": "filters", "params": ViewParams } | { "method": "tracks", "params": DocumentParams } | { "method": "lanes", "params": LanesParams } | { "method": "idle", "params": IdleParams } | { "method": "span", "params": SpanParams } | { "method": "find_span", "params": FindSpanParams } | { "method": "heat", "params": HeatParams } | { "method": "events", "params": EventsParams } | { "method": "event_bins", "params": EventBinsParams } | { "method": "migrations", "params": MigrationsParams } | { "method": "sampled_frame", "params": SampledFrameParams } | { "method": "find_mark", "params": FindMarkParams } | { "method": "list", "params": ListParams } | { "method": "concurrency_chart", "params": ConcurrencyChartParams } | { "method": "thread_bars", "params": ThreadBarsParams } | { "method": "critical_path", "params": CriticalPathParams } | { "method": "pairs", "params": PairsParams } | { "method": "export_svg", "params": ExportSvgParams } | { "method": "export_timeline_svg", "params": ExportTimelineSvgParams } | { "method": "export_spans_csv", "params": ViewParams } | { "method": "export_csv", "params": RowsParams } | { "method": "experiment", "params": ExperimentParams } | { "method": "experiment_matrix", "params": ExperimentQuantityParams } | { "method": "experiment_effects", "params": ExperimentQuantityParams } | { "method": "experiment_differences", "params": ExperimentDifferencesParams } | { "method": "experiment_history", "params": ExperimentHistoryParams } | { "method": "export_functions_csv", "params": FunctionsParams };

/** Columns of [`crate::ProfileRequest::ProfileTables`]: the profile as it was read, no filter applied. Rows */
/** name rows of other tables by number; 4294967295 stands for none. */
export interface ProfileTablesColumns {
  /** By context, in preorder: its parent; its own for the whole program. */
  readonly context_parent: Uint32Array;
  /** By context: its location; none for the whole program. */
  readonly context_location: Uint32Array;
  /** By location: its first frame; frames go on to the next location's first one, outermost first. */
  readonly location_frame: Uint32Array;
  /** By location: the text of its module. */
  readonly location_module: Uint32Array;
  /** By location: its address; 0 where none is known. */
  readonly location_address: BigInt64Array;
  /** By frame: its function. */
  readonly frame_function: Uint32Array;
  /** By frame: its line; 0 where none is known. */
  readonly frame_line: Uint32Array;
  /** By function: the text of its name. */
  readonly function_name: Uint32Array;
  /** By function: the text of its source file. */
  readonly function_file: Uint32Array;
  /** By function: the line where it starts; 0 where none is known. */
  readonly function_line: Uint32Array;
  /** By point: its context. */
  readonly point_context: Uint32Array;
  /** Values of points, by metric. */
  readonly point_value: BigInt64Array;
  /** By point: nanoseconds from the start of its member; empty where no point has a time. */
  readonly point_time: BigInt64Array;
  /** By point: its thread, a text; empty where no point has one. */
  readonly point_thread: Uint32Array;
  /** By point: its member; empty where the profile came alone. */
  readonly point_member: Uint32Array;
  /** By point: its set of labels. */
  readonly point_labels: Uint32Array;
  /** By set of labels: where its labels end in the two next columns. */
  readonly labels_end: Uint32Array;
  /** By label: the text of its key. */
  readonly label_key: Uint32Array;
  /** By label: the text of its value, with its unit if it is a number. */
  readonly label_value: Uint32Array;
  /** Where each text ends. */
  readonly text_end: Uint32Array;
  /** All texts. */
  readonly text: Uint8Array;
}

export type ProfileTablesResult = { 
/**
 * Contexts, the whole program among them.
 */
contexts: number, 
/**
 * Points.
 */
points: number, 
/**
 * Measured metrics: values have all points of the first metric, then all of the next.
 */
metrics: number, };

export type Progress = { 
/**
 * What is being done, for people, such as `reading`.
 */
phase: string, 
/**
 * Bytes done.
 */
done: number, 
/**
 * Bytes in all; 0 when unknown.
 */
total: number, };

export type ProtocolError = { 
/**
 * The kind of failure.
 */
code: ErrorCode, 
/**
 * What went wrong and where, for people.
 */
message: string, 
/**
 * What to do about it, for people; empty where nothing can be said.
 */
hint: string, };

export type QueueExperiment = { 
/**
 * What the queue calls it.
 */
name: string, 
/**
 * What methods call it, where it was begun from the page.
 */
run: string | null, 
/**
 * Its runs by where they are.
 */
counts: RunCounts, 
/**
 * Runs that go on.
 */
running: Array<QueueJob>, 
/**
 * Runs that failed, the last first; at most a few.
 */
failed: Array<QueueJob>, };

export type QueueJob = { 
/**
 * What it is.
 */
job: string, 
/**
 * For people.
 */
title: string, 
/**
 * Seconds since it began to run, or ended.
 */
since_s: number, 
/**
 * What its worker says, or why it failed.
 */
what: string, };

export type QueueResult = { 
/**
 * Those that were heard of within the last minutes.
 */
workers: Array<QueueWorker>, 
/**
 * Those that have something to tell, what is run first.
 */
experiments: Array<QueueExperiment>, };

export type QueueWorker = { 
/**
 * Its name.
 */
name: string, 
/**
 * Seconds since it was heard of.
 */
silent_s: number, 
/**
 * What it runs; empty for nothing.
 */
runs: string, 
/**
 * Seconds since it began with that; 0 where it runs nothing.
 */
since_s: number, };

export type ReadAsParams = { 
/**
 * The document, read or unreadable.
 */
document: number, 
/**
 * Name of the format that its bytes are in.
 */
format: string, };

export type ReportAnonymize = "paths" | "names";

export type ReportParams = { 
/**
 * What the report shows. What a document was made of comes along.
 */
documents: Array<number>, 
/**
 * The address of the view that it begins with, in numbers of documents as they are here.
 */
view: string, 
/**
 * What is replaced; none to leave all as it is.
 */
anonymize: ReportAnonymize | null, 
/**
 * What people wrote about it, as plain text.
 */
note: string, 
/**
 * Scripts that are shared with it.
 */
scripts: Array<ReportScript>, 
/**
 * Whether it has Python inside, which runs scripts.
 */
python: boolean, };

export type ReportResult = { 
/**
 * What the file is to be called.
 */
file_name: string, };

export type ReportScript = { 
/**
 * What it is called.
 */
name: string, 
/**
 * Python.
 */
text: string, };

export type Request = SessionRequest | RunsRequest | ProfileRequest | GraphRequest | AccessesRequest;

export type RoleView = { 
/**
 * Index into the document's roles.
 */
role: number, 
/**
 * Only points whose contexts of these roles lie in the chosen nodes count.
 */
chosen: Array<ChosenNode>, };

export type RooflineMachine = { 
/**
 * Bytes from memory in a second.
 */
bandwidth: number, 
/**
 * Operations in a second.
 */
peak: number, };

export type RooflinePoint = { 
/**
 * The element.
 */
element: number, 
/**
 * Its label.
 */
label: string, 
/**
 * Operations for each byte.
 */
intensity: number, 
/**
 * Operations for each byte if every element moved once each time that the element is reached;
 * none where that is not known.
 */
intensity_of_distinct: number | null, 
/**
 * Operations in the whole run.
 */
work: number, 
/**
 * Bytes in the whole run.
 */
bytes: number, 
/**
 * Seconds measured in the whole run.
 */
time_s: number | null, 
/**
 * Seconds predicted for the whole run.
 */
predicted_s: PredictedTime, 
/**
 * Operations in a second: reached, where the time was measured, else attainable if each access
 * moves.
 */
rate: number, 
/**
 * Operations in a second that are attainable if every element moves once.
 */
most_rate: number | null, };

export type RowFinds = { "kind": "spans", "name": string } | { "kind": "marks", "name": string };

export type RowInfo = { 
/**
 * Node number.
 */
node: number, 
/**
 * Identity of the frame at the view's granularity.
 */
key: number, 
/**
 * 0 for children of the root.
 */
depth: number, 
/**
 * Whether it can be unfolded.
 */
has_children: boolean, 
/**
 * Whether it is unfolded.
 */
expanded: boolean, 
/**
 * Whether its own name matches the filter.
 */
matched: boolean, 
/**
 * Function name, or what stands for it at the view's granularity.
 */
name: string, 
/**
 * Name with its place, where another function has the same name.
 */
label: string | null, 
/**
 * Source file; may be empty.
 */
file: string, 
/**
 * Line; 0 if unknown.
 */
line: number, 
/**
 * Module; may be empty.
 */
module: string, 
/**
 * The colours of its groups, see [`crate::FlameColumns::colours`].
 */
colours: number, 
/**
 * Of a comparison: the kind of change.
 */
tag: ChangeTag | null, };

export type RowName = { 
/**
 * The name, for people.
 */
text: string, 
/**
 * The source file. May be empty.
 */
file: string, 
/**
 * A few words after the name, such as `asynchronous`. May be empty.
 */
remark: string, 
/**
 * What stands after the name in its place where there are no columns of words, as in text. May be empty.
 */
detail: string, 
/**
 * A mark before the name, such as `[+]`. May be empty.
 */
mark: string, 
/**
 * What kind of row it is, for a colour of its own. May be empty.
 */
kind: string, 
/**
 * How deep it is nested.
 */
depth: number, 
/**
 * What its colour is decided from.
 */
colours: number | null, 
/**
 * The name that filters and searches know.
 */
finds: RowFinds | null, };

/** Columns of [`crate::ProfileRequest::Rows`]: row-major, `metrics` entries a row; `scale` has one entry a */
/** metric: the total of the program. */
export interface RowsColumns {
  /** Self values. */
  readonly self_value: BigInt64Array;
  /** Total values. */
  readonly total_value: BigInt64Array;
  /** Total of the program. */
  readonly scale: BigInt64Array;
}

export type RowsParams = { 
/**
 * The view.
 */
view: ViewSpec, 
/**
 * Instance that the node numbers belong to; none if there are none but 0.
 */
instance: number | null, 
/**
 * Node whose children are the first level; 0 is the whole program.
 */
root: number, 
/**
 * Unfolded nodes.
 */
expanded: Array<number>, 
/**
 * What rows are sorted by among siblings.
 */
sort: Sort, 
/**
 * Keeps rows that match, and the rows that lead to them; empty for all.
 */
filter: string, 
/**
 * First wanted row.
 */
first: number, 
/**
 * Number of wanted rows.
 */
count: number, };

export type RowsResult = { 
/**
 * Which build of the view the node numbers belong to.
 */
instance: number, 
/**
 * Visible rows in all.
 */
total_rows: number, 
/**
 * Metrics a row has, measured ones first: the stride of the value columns.
 */
metrics: number, 
/**
 * One entry a row.
 */
rows: Array<RowInfo>, };

export type RunCell = { 
/**
 * For people: `interpreter=3.12 n=5`.
 */
title: string, 
/**
 * Its runs by where they are.
 */
counts: RunCounts, 
/**
 * Seconds of each run that ended well, from its start to its end.
 */
seconds: Array<number>, 
/**
 * What is done now; may be empty.
 */
line: string, 
/**
 * Why the first run that failed did; may be empty.
 */
problem: string, 
/**
 * The job whose log says most: one that runs, else one that failed, else the last that ended.
 */
job: string | null, };

export type RunCounts = { 
/**
 * For a worker, or until they are tried again.
 */
waiting: number, 
/**
 * By a worker.
 */
running: number, 
/**
 * Ended well.
 */
done: number, 
/**
 * Ended badly, or by somebody's wish.
 */
failed: number, };

export type RunFactor = { 
/**
 * What it is called: a package, a parameter, a variable.
 */
name: string, 
/**
 * Its levels.
 */
levels: Array<string>, };

export type RunForm = { 
/**
 * What results are called.
 */
name: string, 
/**
 * The command as it would be typed, with parameters in braces.
 */
command: string, 
/**
 * Who measures.
 */
recorder: RunRecorder, 
/**
 * As plans name them.
 */
interpreters: Array<string>, 
/**
 * Versions by package.
 */
requirements: Array<RunFactor>, 
/**
 * Values by the name that stands in the command.
 */
parameters: Array<RunFactor>, 
/**
 * Values by variable of the environment.
 */
variables: Array<RunFactor>, 
/**
 * How often each cell runs.
 */
runs: number, 
/**
 * Seconds that a run may take.
 */
timeout_s: number, };

export type RunInterpreter = { 
/**
 * How a plan names it: by its version, or where several have that, by its path.
 */
level: string, 
/**
 * `CPython 3.12.1`.
 */
title: string, 
/**
 * The compiler, and what else is known of how it was built: `pgo`, `lto`, `free-threaded`.
 */
build: Array<string>, 
/**
 * The program.
 */
path: string, };

export type RunInterpretersResult = { 
/**
 * By version.
 */
interpreters: Array<RunInterpreter>, 
/**
 * Why no program can be isolated here, so that nothing runs; empty where it can.
 */
obstacle: string, 
/**
 * What holds programs, one line each; empty where nothing can.
 */
in_force: string, 
/**
 * The most that a plan may ask for.
 */
most: RunLimits, };

export type RunLimits = { 
/**
 * Runs of all cells together.
 */
runs: number, 
/**
 * Seconds that a run may take.
 */
timeout_s: number, 
/**
 * Bytes of a file that is sent.
 */
upload_bytes: number, };

export type RunListParams = { 
/**
 * Words, each of which a name of a file or plan, an id, or what a plan asks for has in it; empty
 * for all.
 */
search: string, 
/**
 * How far an experiment of it is.
 */
phase: RunPhase | null, 
/**
 * When one was begun, or the program was sent, in seconds since 1970: from here on.
 */
from_s: number | null, 
/**
 * The same, before this.
 */
to_s: number | null, };

export type RunListResult = { 
/**
 * The newest first.
 */
uploads: Array<RunUpload>, 
/**
 * How many more there are.
 */
left_out: number, };

export type RunLogParams = { 
/**
 * The job.
 */
job: string, 
/**
 * Bytes from the beginning of the log.
 */
from: number, };

export type RunLogResult = { 
/**
 * What was written since.
 */
text: string, 
/**
 * Where to go on, in bytes.
 */
next: number, 
/**
 * How many bytes at the beginning are not kept.
 */
dropped: number, };

export type RunParams = { 
/**
 * What it is called.
 */
run: string, };

export type RunPhase = "waiting" | "preparing" | "running" | "ended" | "stopped" | "failed";

export type RunPlanParams = { 
/**
 * The upload that is run.
 */
upload: string, 
/**
 * What the plan is made of; none where it is written.
 */
form: RunForm | null, 
/**
 * The plan as it is written; counts where there is no form.
 */
text: string, };

export type RunPlanResult = { 
/**
 * The plan.
 */
text: string, 
/**
 * What is wrong with it and where; empty where nothing is.
 */
problem: string, 
/**
 * The first of its cells, for people.
 */
cells: Array<string>, 
/**
 * How many cells there are.
 */
cell_count: number, 
/**
 * How many runs they have together.
 */
run_count: number, };

export type RunRecorder = "calls" | "samples" | "cprofile" | "time";

export type RunStartParams = { 
/**
 * The upload that is run.
 */
upload: string, 
/**
 * The plan.
 */
text: string, 
/**
 * Runs that have ended are made once more.
 */
again: boolean, };

export type RunStatusResult = { 
/**
 * All of it.
 */
summary: RunSummary, 
/**
 * The upload that is run.
 */
upload: string, 
/**
 * The name of the file that was sent.
 */
file: string, 
/**
 * The plan.
 */
text: string, 
/**
 * What is done now, or why it failed; may be empty.
 */
line: string, 
/**
 * In the order of the plan.
 */
cells: Array<RunCell>, 
/**
 * Changes whenever the result does; 0 where there is none.
 */
result_version: number, };

export type RunSummary = { 
/**
 * What methods call it.
 */
run: string, 
/**
 * The plan's name.
 */
name: string, 
/**
 * What tells it from others of the same program: its arguments and conditions, in short.
 */
what: string, 
/**
 * Who measures.
 */
recorder: string, 
/**
 * How far it is.
 */
phase: RunPhase, 
/**
 * Its runs by where they are.
 */
counts: RunCounts, 
/**
 * Whether there is a result.
 */
has_result: boolean, 
/**
 * When it was begun last, in seconds since 1970.
 */
begun_s: number, };

export type RunUpload = { 
/**
 * The first digits of the hash of its bytes and its name: the same file has the same.
 */
id: string, 
/**
 * The name of the file that was sent.
 */
name: string, 
/**
 * Bytes of all its files.
 */
bytes: number, 
/**
 * How many files it has.
 */
files: number, 
/**
 * When it was sent first, in seconds since 1970.
 */
added_s: number, 
/**
 * Python files that may be what is run, the likeliest first.
 */
scripts: Array<string>, 
/**
 * What is to be known of it, each a sentence.
 */
notes: Array<string>, 
/**
 * What was run of it, the newest first.
 */
runs: Array<RunSummary>, };

export type RunUploadResult = { 
/**
 * Bytes received so far.
 */
received: number, 
/**
 * What is kept of it, once the last piece is in.
 */
upload: RunUpload | null, };

export type RunsRequest = { "method": "run_interpreters", "params": NoParams } | { "method": "run_upload", "params": UploadParams } | { "method": "run_plan", "params": RunPlanParams } | { "method": "run_start", "params": RunStartParams } | { "method": "run_status", "params": RunParams } | { "method": "run_log", "params": RunLogParams } | { "method": "run_cancel", "params": RunParams } | { "method": "run_list", "params": RunListParams } | { "method": "run_open", "params": RunParams } | { "method": "queue", "params": NoParams };

export type SampledFrameParams = { 
/**
 * The view whose tree [`SampledFrameResult::path`] is of.
 */
view: ViewSpec, 
/**
 * The point of the sample.
 */
point: number, 
/**
 * How many frames stand around it.
 */
depth: number, };

export type SampledFrameResult = { 
/**
 * Name.
 */
name: string, 
/**
 * Source file; may be empty.
 */
file: string, 
/**
 * Line; 0 if unknown.
 */
line: number, 
/**
 * The track of its thread, where there is one.
 */
track: number | null, 
/**
 * Its time in nanoseconds after [`TracksResult::origin`], where it has one.
 */
time: number | null, 
/**
 * Labels of the sample; at most 64.
 */
labels: Array<[string, string]>, 
/**
 * Keys of its call path, as of [`SpanResult::path`].
 */
path: Array<number>, };

/** Columns of [`crate::ProfileRequest::Scatter`], one entry a placed function; and `scale`, whose */
/** entries are the total of the program, self of all functions that are not placed, and the */
/** largest total. */
export interface ScatterColumns {
  /** 0 in the plot, 1 without calls, 2 with calls and without a value. */
  readonly zone: Uint32Array;
  /** From the left. */
  readonly x: Float64Array;
  /** From the bottom. */
  readonly y: Float64Array;
  /** As a share of the largest. */
  readonly radius: Float64Array;
  /** Calls, recursive ones too. */
  readonly calls: BigInt64Array;
  /** Calls from outside of the function; what has no value where they are not known. */
  readonly primitive: BigInt64Array;
  /** Self value. */
  readonly self_value: BigInt64Array;
  /** Total value. */
  readonly total_value: BigInt64Array;
  /** What stands upwards, in the unit of the metric. */
  readonly mean: Float64Array;
  /** Total of the program, self of what is not placed, the largest total. */
  readonly scale: BigInt64Array;
}

export type ScatterDiagonal = { 
/**
 * The product, in the unit of the metric.
 */
product: number, 
/**
 * Its upper end.
 */
begin: [number, number], 
/**
 * Its lower end.
 */
end: [number, number], };

export type ScatterOf = "own_value" | "total_value";

export type ScatterParams = { 
/**
 * The view; its shape does not matter.
 */
view: ViewSpec, 
/**
 * What is divided by calls.
 */
of: ScatterOf, 
/**
 * Most functions to place: those with the largest totals.
 */
most: number, };

export type ScatterResult = { 
/**
 * What is told: by all calls where primitive ones are not known.
 */
of: ScatterOf, 
/**
 * The metric that is divided: where the view's is a change, both sides of the same.
 */
metric: number, 
/**
 * Why primitive calls are not known; none where they are.
 */
primitive_unknown: string | null, 
/**
 * Functions in all, those that are not placed among them.
 */
total_rows: number, 
/**
 * One entry a placed function, the largest first. Of `colours`, the step of self says instead
 * which share of its calls is recursive.
 */
rows: Array<FunctionInfo>, 
/**
 * Calls at the left and the right edge of the plot.
 */
across: [number, number], 
/**
 * The same for values a call, at its lower and its upper edge.
 */
up: [number, number], 
/**
 * Lines of equal products, calls times value a call.
 */
diagonals: Array<ScatterDiagonal>, };

/** Columns of [`crate::ProfileRequest::Search`]. */
export interface SearchColumns {
  /** Value of all stacks with a matching frame, each counted once, as if they were one function of the */
  /** list; then the program's total. */
  readonly matched: BigInt64Array;
  /** Total of each of `top`. */
  readonly top: BigInt64Array;
}

export type SearchParams = { 
/**
 * The view.
 */
view: ViewSpec, 
/**
 * What people typed, see [`FindParams::pattern`].
 */
pattern: string, };

export type SearchResult = { 
/**
 * Frames (at the view's granularity) that match.
 */
matches: number, 
/**
 * The largest matching ones.
 */
top: Array<NamedKey>, 
/**
 * The metric that the values are in: the view's, or for a derived one the measured metric that it begins
 * with.
 */
list_metric: number, 
/**
 * Share of the program's total that `matched` is; none in a metric that does not add up.
 */
share: number | null, 
/**
 * Whether `matched` is an estimate, as the file tells no call paths.
 */
estimated: boolean, };

export type SessionRequest = { "method": "documents", "params": NoParams } | { "method": "upload", "params": UploadParams } | { "method": "open_files", "params": OpenFilesParams } | { "method": "build_profile", "params": BuildProfileParams } | { "method": "close", "params": DocumentParams } | { "method": "wait", "params": DocumentParams } | { "method": "read_as", "params": ReadAsParams } | { "method": "formats", "params": NoParams } | { "method": "open_source", "params": OpenSourceParams } | { "method": "source_text", "params": SourceTextParams } | { "method": "machine", "params": MachineParams } | { "method": "report", "params": ReportParams };

export type Shape = { "kind": "top_down", } | { "kind": "bottom_up", } | { "kind": "flat", } | { "kind": "callees", 
/**
 * The function, as `key` of its frame at the view's granularity.
 */
key: number, } | { "kind": "callers", 
/**
 * The function, as `key` of its frame at the view's granularity.
 */
key: number, } | { "kind": "all_callers", };

export type Sort = { 
/**
 * The column.
 */
by: SortBy, 
/**
 * Metric index, for `self_value` and `total_value`.
 */
metric: number, 
/**
 * Smallest (or Z) first.
 */
reverse: boolean, };

export type SortBy = "name" | "self_value" | "total_value" | "interval" | "verdict";

/** Columns of [`crate::ProfileRequest::SourceLines`]: a row a line that was measured, from the */
/** top. */
export interface SourceLinesColumns {
  /** From 1. */
  readonly line: Uint32Array;
  /** Value of the samples whose innermost frame is on the line. */
  readonly self_value: BigInt64Array;
  /** Value of the samples with the line on their stack, each counted once. */
  readonly total_value: BigInt64Array;
  /** Totals of the program, an entry a metric. */
  readonly scale: BigInt64Array;
}

export type SourceLinesParams = { 
/**
 * Its metric, filters and role count; shape, granularity and recursion do not matter to lines.
 */
view: ViewSpec, 
/**
 * The file as the profile names it.
 */
file: string, };

export type SourceLinesResult = { 
/**
 * Whether totals are estimates.
 */
estimated: boolean, };

export type SourceTextParams = { 
/**
 * The document that names the file.
 */
document: number, 
/**
 * The file as the document names it.
 */
file: string, };

export type SourceTextResult = { 
/**
 * Where it was read.
 */
path: string, 
/**
 * What is in it.
 */
text: string, 
/**
 * What is to be known of it, each a sentence: that it was written after the recording.
 */
notes: Array<string>, };

export type SpanParams = { 
/**
 * The view whose tree [`SpanResult::path`] is of.
 */
view: ViewSpec, 
/**
 * The row of the span.
 */
span: number, };

export type SpanResult = { 
/**
 * Name.
 */
name: string, 
/**
 * Source file; may be empty.
 */
file: string, 
/**
 * Line; 0 if unknown.
 */
line: number, 
/**
 * The number of its track.
 */
track: number, 
/**
 * Begin in nanoseconds after [`TracksResult::origin`].
 */
begin: number, 
/**
 * End in nanoseconds after it: begin and length, but where its recording is stretched.
 */
end: number, 
/**
 * Length in nanoseconds.
 */
length: number, 
/**
 * Whether it never ends: it lasts `length` at least.
 */
is_unfinished: boolean, 
/**
 * The part of it in which nothing inside ran; none of asynchronous ones and of those that never end.
 */
self_time: number | null, 
/**
 * Keys and values of what is told of it besides; at most 64.
 */
arguments: Array<[string, string]>, 
/**
 * Arrows that leave or reach it; at most 256.
 */
flows: Array<FlowInfo>, 
/**
 * Arrows beyond these.
 */
more_flows: number, 
/**
 * Keys of its call path from below the whole program, where the view is from the top down.
 */
path: Array<number>, };

export type SplitMembersParams = { 
/**
 * The document.
 */
document: number, 
/**
 * What members are made of, as `--members-by` takes it: `process`, `thread`, `cpu` or the key
 * of a label, also as `label:KEY`.
 */
by: string, };

export type StateKind = "running" | "runnable" | "waiting" | "blocked" | "off_processor" | "not_measured";

export type StateMemory = { 
/**
 * The state.
 */
element: number, 
/**
 * Its label.
 */
label: string, 
/**
 * Bytes of what is alive, but for what iterations have for themselves.
 */
alive: GraphCost, 
/**
 * Bytes that each iteration of a scope has for itself, at most.
 */
iteration: GraphCost, 
/**
 * It may run at these sizes.
 */
may_run: boolean, };

export type StatePart = { 
/**
 * Which.
 */
kind: StateKind, 
/**
 * Nanoseconds.
 */
time: number, 
/**
 * The share of the time that counts, 0 to 1.
 */
share: number, };

/** Columns of [`crate::ProfileRequest::Summary`], one entry a metric, derived ones included. */
export interface SummaryColumns {
  /** Sum over all points. */
  readonly total: BigInt64Array;
}

export type SummaryResult = { 
/**
 * File name without folders.
 */
title: string, 
/**
 * Name of the format, such as `pprof`.
 */
format: string, 
/**
 * What wrote it, as far as the file tells; else empty.
 */
producer: string, 
/**
 * Start of the measurement in seconds since 1970, if known.
 */
time_s: number | null, 
/**
 * Length of the measurement in seconds, if known.
 */
duration_s: number | null, 
/**
 * The metrics, in file order.
 */
metrics: Array<MetricInfo>, 
/**
 * Index of the metric to show first.
 */
default_metric: number, 
/**
 * Contexts of the calling context tree.
 */
contexts: number, 
/**
 * Frames (places in code, inlined ones counted).
 */
frames: number, 
/**
 * Functions.
 */
functions: number, 
/**
 * Monitoring points (samples, lines of a collapsed file).
 */
points: number, 
/**
 * Threads that labels or the format name; 0 where nothing tells.
 */
threads: number, 
/**
 * Label keys in use.
 */
label_keys: Array<string>, 
/**
 * Roles of the contexts that points join, such as `allocation`, `use`, `reuse`; empty where
 * every point has one context.
 */
roles: Array<string>, 
/**
 * Lines of time; 0 where the profile has no timestamps.
 */
tracks: number, 
/**
 * Whether some samples tell their processors.
 */
has_processors: boolean, 
/**
 * What began and ended on them: a trace is looked at in time order first.
 */
spans: number, 
/**
 * Free text that the producer left.
 */
comments: Array<string>, 
/**
 * Where the producer explains the profile, if it says so; only http and https addresses.
 */
doc_url: string, 
/**
 * What the reader repaired or skipped.
 */
warnings: Array<WarningInfo>, 
/**
 * How long opening took, in seconds, where the host measured it.
 */
opened_s: number | null, 
/**
 * How many profiles came as one; 0 if it came alone.
 */
members: number, 
/**
 * Whether members ran in several conditions: [`crate::ProfileRequest::Experiment`] tells of them.
 */
is_experiment: boolean, 
/**
 * Whether recordings do not stand in time as they were recorded.
 */
is_aligned: boolean, 
/**
 * What members can be made of ([`crate::ProfileRequest::SplitMembers`]): what some point has.
 * Empty for a comparison.
 */
splits: Array<MemberSplit>, 
/**
 * Whether call paths, and so the totals of trees, are estimated from a call graph.
 */
estimated_paths: boolean, 
/**
 * How many functions are exact up to some call only: [`crate::ProfileRequest::Estimates`] tells of them.
 */
switched_off: number, 
/**
 * What is compared, if it is a comparison.
 */
comparison: ComparisonInfo | null, };

export type SymbolEffect = { 
/**
 * The symbol.
 */
name: string, 
/**
 * How many times as much it costs if the symbol doubles and the others stay.
 */
doubled: number, };

export type SymbolSetting = { 
/**
 * The symbol.
 */
name: string, 
/**
 * A whole number.
 */
value: number, };

export type Table = { 
/**
 * What one row is, such as `name`. For several, add an `s`.
 */
noun: string, 
/**
 * The columns, in the order in which people read them. Each has one cell per row.
 */
columns: Array<TableColumn>, 
/**
 * One identifier per row. It is the same in every answer about the same profile.
 */
ids: Array<string>, 
/**
 * How many rows match, including those given.
 */
total: number, 
/**
 * The key of the column that the rows are sorted by. None where they have an order of their own.
 */
sort: string | null, 
/**
 * What you need to know to read the rows.
 */
notes: Array<string>, };

export type TableCells = { "kind": "name", "values": Array<RowName> } | { "kind": "text", "values": Array<string | null> } | { "kind": "count", "values": Array<number | null> } | { "kind": "counts", "values": Array<[number, number]> } | { "kind": "instant", "values": Array<number | null> } | { "kind": "time", "values": Array<number | null> } | { "kind": "time_change", "values": Array<number | null> } | { "kind": "growth", "values": Array<number | null> } | { "kind": "number", "values": Array<number | null> } | { "kind": "share", "values": Array<number | null> } | { "kind": "flag", "values": Array<boolean> } | { "kind": "place", "values": Array<TimePlace> };

export type TableColumn = { 
/**
 * Its name in JSON and CSV, and the key to sort by.
 */
key: string, 
/**
 * The JSON object that holds it, together with its neighbours of the same group.
 */
group: string | null, 
/**
 * Its heading for people, in lower case.
 */
title: string, 
/**
 * One sentence that explains it. May be empty.
 */
help: string, 
/**
 * Who reads it.
 */
readers: TableReaders, 
/**
 * Which rows come first when you sort by it. Without one, you cannot sort by it.
 */
order: TableOrder | null, 
/**
 * Its cells.
 */
cells: TableCells, };

export type TableOrder = "rising" | "falling";

export type TableReaders = "everyone" | "people" | "programs" | "page";

export type TextResult = { 
/**
 * The text.
 */
text: string, 
/**
 * A file name to save it under.
 */
file_name: string, };

export type ThemeName = "light" | "dark" | "contrast" | "contrast-light";

export type ThreadBar = { 
/**
 * The thread, with the recording where there are several.
 */
thread: string, 
/**
 * Its track; none where it has none.
 */
track: number | null, 
/**
 * The states that it was in, in the order of [`StateKind`]; they add up to the time that counts.
 */
parts: Array<StatePart>, };

export type ThreadBarsParams = { 
/**
 * The view: its filters choose the threads, and those of time the time that counts.
 */
view: ViewSpec, 
/**
 * Regular expression that a row of [`crate::ListKind::ThreadStates`] matches; empty for all.
 */
filter: string, };

export type ThreadBarsResult = { 
/**
 * Threads of which a row matches, as they stand, with all of their states; at most 200.
 */
threads: Array<ThreadBar>, 
/**
 * How many such threads there are.
 */
total: number, };

export type TimePlace = { 
/**
 * Its track; none where it is of several, or of a thread without one.
 */
track: number | null, 
/**
 * The row in which its span is drawn.
 */
row: number | null, 
/**
 * 1 and the row of the span that stands for it; 0 for none.
 */
span: number, 
/**
 * Its begin in nanoseconds after [`TracksResult::origin`].
 */
begin: number, 
/**
 * Its length on the axis; 0 for an instant.
 */
length: number, 
/**
 * Its length as it was measured: another one where its recording is stretched.
 */
lasts: number, };

export type TrackInfo = { 
/**
 * Its number.
 */
track: number, 
/**
 * Its name.
 */
name: string, 
/**
 * The recording that it is of, where there are several and it is under no other track.
 */
recording: string, 
/**
 * What it is of: `process`, `thread`, `task`, `processor`, `queue` or `lane`.
 */
kind: string, 
/**
 * 0 for those under no other one.
 */
depth: number, 
/**
 * Spans.
 */
spans: number, 
/**
 * Nanoseconds in which one of them ran at least; where there are samples and no spans, what the thread ran.
 */
busy: number, 
/**
 * The share of that in all the time that its recording's own clock tells between begin and end of the
 * axis.
 */
busy_share: number, 
/**
 * Instants.
 */
marks: number, 
/**
 * Samples of its thread that have a time.
 */
samples: number, 
/**
 * Label filters that together keep what is of its thread, or of its process, alone. Empty where it is
 * of neither, or where no filter tells it from others.
 */
only: Array<string>, };

export type TracksResult = { 
/**
 * The first time of all, in nanoseconds after the start of the profile: other times count from it.
 */
origin: number, 
/**
 * From the first time to the last, in nanoseconds.
 */
length: number, 
/**
 * Tracks as they are shown: children behind their parents.
 */
tracks: Array<TrackInfo>, 
/**
 * Tracks that are left out of the list, which ends at 10,000.
 */
more: number, 
/**
 * Series of values.
 */
counters: Array<CounterInfo>, 
/**
 * Its lists, also those that it has no rows of.
 */
lists: Array<ListInfo>, };

/** Columns of [`crate::ProfileRequest::TreeTable`]: nodes in preorder, the whole program first; places by */
/** number; texts as UTF-8 one after the other. */
export interface TreeTableColumns {
  /** Number of the parent; its own for the whole program. */
  readonly parent: Uint32Array;
  /** What each node stands for, a number of the columns of places. */
  readonly place: Uint32Array;
  /** Self values, by metric. The smallest 64-bit integer stands for 'no value'. */
  readonly self_value: BigInt64Array;
  /** Total values, by metric. The smallest 64-bit integer stands for 'no value'. */
  readonly total_value: BigInt64Array;
  /** Totals of the metric that was asked for: all nodes of the first member, then all of the next. */
  readonly member_total: BigInt64Array;
  /** By place: the text of its name. */
  readonly place_name: Uint32Array;
  /** By place: the text of its function's name; empty for what is not a function. */
  readonly place_function: Uint32Array;
  /** By place: the text of its source file; empty where none is known. */
  readonly place_file: Uint32Array;
  /** By place: the text of its module; empty where none is known. */
  readonly place_module: Uint32Array;
  /** By place: the line; 0 where none is known. */
  readonly place_line: Uint32Array;
  /** By place: 1 for what stands for a function (or what the granularity has for one), 0 for the whole */
  /** program and for the outer levels of the flat tree. */
  readonly place_is_frame: Uint8Array;
  /** Where each text ends. */
  readonly text_end: Uint32Array;
  /** All texts. */
  readonly text: Uint8Array;
}

export type TreeTableParams = { 
/**
 * The view.
 */
view: ViewSpec, 
/**
 * Most nodes that are wanted: a tree of more is refused, not cut.
 */
most: number, 
/**
 * A metric whose totals are wanted by member, too.
 */
members_of: number | null, };

export type TreeTableResult = { 
/**
 * Nodes, the whole program among them.
 */
nodes: number, 
/**
 * Metrics, measured ones first: value columns have all nodes of the first metric, then all of the next.
 */
metrics: number, 
/**
 * The members that filters leave, by name, where totals by member were asked for.
 */
members: Array<string>, };

export type TreemapParams = { 
/**
 * The view.
 */
view: ViewSpec, 
/**
 * Instance that `root` belongs to; none if `root` is 0.
 */
instance: number | null, 
/**
 * Node that fills the picture; 0 is the whole program.
 */
root: number, 
/**
 * Width of the picture in view units (for a page: CSS pixels).
 */
width: number, 
/**
 * Height of the picture in view units.
 */
height: number, 
/**
 * Share of the root that a box of its own has at least, 0 to 1.
 */
least: number, 
/**
 * What to highlight, see [`crate::FindParams::pattern`]; empty for none.
 */
search: string, 
/**
 * What frames are called.
 */
labels: LabelBy, };

export type TrendInfo = { 
/**
 * Which way values go.
 */
direction: Direction, 
/**
 * Change from a member to the next, in 10^-decimals of the unit: the line of least
 * squares, or where a few wild members turn it against the test, the median slope of pairs
 * (Theil and Sen).
 */
slope: number, 
/**
 * How likely values without a trend go as much one way (Mann and Kendall).
 */
p_value: number, 
/**
 * Where values got high early and were never given back: the smallest since then, as a share
 * of the largest.
 */
kept: number | null, };

export type UploadParams = { 
/**
 * Chosen by the page, one per file.
 */
upload: number, 
/**
 * The file's name.
 */
name: string, 
/**
 * Bytes sent before this piece.
 */
offset: number, 
/**
 * Whether this is the last piece.
 */
last: boolean, 
/**
 * Name of the format that the file is in; none to recognise it.
 */
format: string | null, };

export type UploadResult = { 
/**
 * Bytes received so far.
 */
received: number, 
/**
 * The new document, once the last piece is in.
 */
document: number | null, };

export type VerdictInfo = { 
/**
 * What runs show.
 */
verdict: ChangeVerdict, 
/**
 * Why they show neither, such as one run on a side; empty otherwise.
 */
reason: string, };

export type ViewParams = { 
/**
 * The view.
 */
view: ViewSpec, };

export type ViewSpec = { 
/**
 * The open document.
 */
document: number, 
/**
 * Index into the document's metrics: the measured ones, then the derived ones.
 */
metric: number, 
/**
 * Which tree.
 */
shape: Shape, 
/**
 * What makes two frames the same.
 */
granularity: Granularity, 
/**
 * Applied in order.
 */
filters: Array<Filter>, 
/**
 * How siblings are ordered.
 */
order: Order, 
/**
 * Which calls of functions from themselves are drawn as one frame.
 */
collapse_recursion: Collapse, 
/**
 * Which of the contexts that points join is shown; none for the one where a point's values
 * count. With a role, filters look at all contexts of a point.
 */
role: RoleView | null, };

export type WarningInfo = { 
/**
 * What happened, with the first place where it did.
 */
message: string, 
/**
 * How often.
 */
count: number, };

/** What each method answers. */
export interface Replies {
  readonly documents: { result: DocumentsResult; columns: NoColumns };
  readonly upload: { result: UploadResult; columns: NoColumns };
  readonly open_files: { result: OpenedResult; columns: NoColumns };
  readonly build_profile: { result: OpenedResult; columns: NoColumns };
  readonly close: { result: DocumentsResult; columns: NoColumns };
  readonly wait: { result: DocumentInfo; columns: NoColumns };
  readonly read_as: { result: OpenedResult; columns: NoColumns };
  readonly formats: { result: FormatsResult; columns: NoColumns };
  readonly open_source: { result: DoneResult; columns: NoColumns };
  readonly source_text: { result: SourceTextResult; columns: NoColumns };
  readonly machine: { result: MachineResult; columns: NoColumns };
  readonly report: { result: ReportResult; columns: BytesColumns };
  readonly run_interpreters: { result: RunInterpretersResult; columns: NoColumns };
  readonly run_upload: { result: RunUploadResult; columns: NoColumns };
  readonly run_plan: { result: RunPlanResult; columns: NoColumns };
  readonly run_start: { result: RunParams; columns: NoColumns };
  readonly run_status: { result: RunStatusResult; columns: NoColumns };
  readonly run_log: { result: RunLogResult; columns: NoColumns };
  readonly run_cancel: { result: DoneResult; columns: NoColumns };
  readonly run_list: { result: RunListResult; columns: NoColumns };
  readonly run_open: { result: OpenedResult; columns: NoColumns };
  readonly queue: { result: QueueResult; columns: NoColumns };
  readonly summary: { result: SummaryResult; columns: SummaryColumns };
  readonly tree_table: { result: TreeTableResult; columns: TreeTableColumns };
  readonly profile_tables: { result: ProfileTablesResult; columns: ProfileTablesColumns };
  readonly write_profile: { result: DoneResult; columns: BytesColumns };
  readonly flame: { result: FlameResult; columns: FlameColumns };
  readonly rows: { result: RowsResult; columns: RowsColumns };
  readonly hottest_path: { result: NodesResult; columns: NoColumns };
  readonly locate: { result: LocateResult; columns: NoColumns };
  readonly details: { result: DetailsResult; columns: DetailsColumns };
  readonly distribution: { result: DistributionResult; columns: DistributionColumns };
  readonly define_metric: { result: MetricResult; columns: NoColumns };
  readonly compare: { result: OpenedResult; columns: NoColumns };
  readonly swap: { result: OpenedResult; columns: NoColumns };
  readonly normalise: { result: OpenedResult; columns: NoColumns };
  readonly merge: { result: OpenedResult; columns: NoColumns };
  readonly split_members: { result: OpenedResult; columns: NoColumns };
  readonly align: { result: OpenedResult; columns: NoColumns };
  readonly functions: { result: FunctionsResult; columns: FunctionsColumns };
  readonly estimates: { result: EstimatesResult; columns: NoColumns };
  readonly advice: { result: AdviceResult; columns: NoColumns };
  readonly bars: { result: BarsResult; columns: BarsColumns };
  readonly scatter: { result: ScatterResult; columns: ScatterColumns };
  readonly treemap: { result: FlameResult; columns: FlameColumns };
  readonly call_graph: { result: CallGraphResult; columns: CallGraphColumns };
  readonly export_calls_csv: { result: TextResult; columns: NoColumns };
  readonly source_lines: { result: SourceLinesResult; columns: SourceLinesColumns };
  readonly instructions: { result: InstructionsResult; columns: InstructionsColumns };
  readonly search: { result: SearchResult; columns: SearchColumns };
  readonly find: { result: FindResult; columns: FindColumns };
  readonly filters: { result: FiltersResult; columns: NoColumns };
  readonly tracks: { result: TracksResult; columns: NoColumns };
  readonly lanes: { result: LanesResult; columns: LanesColumns };
  readonly idle: { result: IdleResult; columns: NoColumns };
  readonly span: { result: SpanResult; columns: NoColumns };
  readonly find_span: { result: FindSpanResult; columns: NoColumns };
  readonly heat: { result: HeatResult; columns: HeatColumns };
  readonly events: { result: EventsResult; columns: NoColumns };
  readonly event_bins: { result: EventBinsResult; columns: EventBinsColumns };
  readonly migrations: { result: MigrationsResult; columns: MigrationsColumns };
  readonly sampled_frame: { result: SampledFrameResult; columns: NoColumns };
  readonly find_mark: { result: FindMarkResult; columns: NoColumns };
  readonly list: { result: Table; columns: NoColumns };
  readonly concurrency_chart: { result: ConcurrencyChartResult; columns: ConcurrencyChartColumns };
  readonly thread_bars: { result: ThreadBarsResult; columns: NoColumns };
  readonly critical_path: { result: CriticalPathResult; columns: CriticalPathColumns };
  readonly pairs: { result: PairsResult; columns: PairsColumns };
  readonly export_svg: { result: TextResult; columns: NoColumns };
  readonly export_timeline_svg: { result: TextResult; columns: NoColumns };
  readonly export_spans_csv: { result: TextResult; columns: NoColumns };
  readonly export_csv: { result: TextResult; columns: NoColumns };
  readonly experiment: { result: ExperimentResult; columns: NoColumns };
  readonly experiment_matrix: { result: ExperimentMatrixResult; columns: NoColumns };
  readonly experiment_effects: { result: ExperimentEffectsResult; columns: NoColumns };
  readonly experiment_differences: { result: ExperimentDifferencesResult; columns: NoColumns };
  readonly experiment_history: { result: ExperimentHistoryResult; columns: NoColumns };
  readonly export_functions_csv: { result: TextResult; columns: NoColumns };
  readonly graph_summary: { result: GraphSummaryResult; columns: NoColumns };
  readonly graph_drawing: { result: GraphDrawingResult; columns: GraphDrawingColumns };
  readonly graph_overlay: { result: GraphOverlayResult; columns: GraphOverlayColumns };
  readonly graph_element: { result: GraphElementResult; columns: NoColumns };
  readonly graph_search: { result: GraphSearchResult; columns: NoColumns };
  readonly graph_scaling: { result: GraphScalingResult; columns: GraphScalingColumns };
  readonly graph_compare: { result: GraphCompareResult; columns: NoColumns };
  readonly graph_measure: { result: GraphMeasureResult; columns: NoColumns };
  readonly graph_sum: { result: GraphSumResult; columns: NoColumns };
  readonly graph_counting: { result: OpenedResult; columns: NoColumns };
  readonly graph_memory: { result: GraphMemoryResult; columns: NoColumns };
  readonly graph_fusions: { result: GraphFusionsResult; columns: NoColumns };
  readonly graph_roofline: { result: GraphRooflineResult; columns: NoColumns };
  readonly graph_svg: { result: TextResult; columns: NoColumns };
  readonly accesses_sizes: { result: AccessesSizesResult; columns: NoColumns };
  readonly accesses_run: { result: AccessesRunResult; columns: AccessesRunColumns };
  readonly accesses_elements: { result: AccessesElementsResult; columns: AccessesElementsColumns };
  readonly accesses_search: { result: AccessesSearchResult; columns: NoColumns };
  readonly accesses_text: { result: TextResult; columns: NoColumns };
}

/** What the language server's own requests and commands give. */
export interface EditorReplies {
  readonly 'hotframe/profiles': EditorProfiles;
  readonly 'hotframe/function': EditorFunction | null;
  readonly 'hotframe/lines': EditorLines | null;
  readonly 'hotframe/instructions': EditorInstructions | null;
  readonly 'hotframe.open': EditorOpened;
  readonly 'hotframe.page': EditorPage;
  readonly 'hotframe.frames': EditorFrames;
}

/** The notification that something about what is loaded is new. */
export const EDITOR_CHANGED = 'hotframe/changed';

/** The request to choose the file here that a file of a profile is. */
export const EDITOR_LOCATE = 'hotframe/locate';

/** Bits of the `flags` of [`crate::FlameColumns`]. */
export const FlameFlag = {
  /** The box matches the search. */
  MATCHES: 1,
  /** It has no source position. */
  NO_SOURCE: 2,
  /** It was inlined into its caller. */
  INLINED: 4,
  /** It holds recursive calls of its function. */
  RECURSIVE: 8,
  /** It has no source file though others have: it is drawn pale. */
  PALE: 16,
  /** Of a comparison: its runs do not show whether it changed. It is hatched. */
  UNSURE: 32,
  /** A span that never ends: it lasts at least as long as it is drawn. */
  UNFINISHED: 64,
} as const;

/** Bits of the `flags` of [`crate::GraphDrawingColumns`]. */
export const BoxFlag = {
  /** The box can be folded and unfolded. */
  FOLDABLE: 1,
  /** It is unfolded. */
  UNFOLDED: 2,
  /** It has a source line. */
  SOURCE: 4,
  /** It is data that lives in the graph only. */
  TRANSIENT: 8,
  /** An element that another box is of as well, which stands before it. */
  COPY: 16,
} as const;

/** Bits of the `edge_flags` of [`crate::GraphDrawingColumns`]. */
export const EdgeFlag = {
  /** The edge orders only. */
  ORDERS_ONLY: 1,
  /** It combines with what is there. */
  COMBINES: 2,
  /** Data decides how much moves. */
  DYNAMIC: 4,
  /** It joins blocks and not nodes. */
  INTERSTATE: 8,
  /** It is outside of all scopes and nested graphs. */
  OUTERMOST: 16,
  /** It says which data a view is of, so that nothing moves. */
  BINDS_VIEW: 32,
} as const;

/** Every GraphKind, in the order of its numbers. */
export const GRAPH_KINDS: readonly GraphKind[] = ["graph", "state", "region", "loop", "conditional", "branch", "jump", "access", "stream", "tasklet", "map", "map_exit", "consume", "consume_exit", "nested", "library", "opaque"];

/** Every ChangeTag, in the order of its numbers. */
export const CHANGE_TAGS: readonly ChangeTag[] = ["added", "deleted", "larger", "smaller", "unchanged"];
