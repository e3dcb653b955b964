import type { ListInfo, ListKind, TrackInfo } from '@hotframe/engine';
import type { Answers } from './page.fixture.tsx';
import { matches, stacksEngine } from './profile.fixture.ts';

/** A span of a trace, in nanoseconds. */
interface Span {
  readonly track: number;
  readonly row: number;
  readonly name: string;
  readonly begin: number;
  readonly length: number;
}

const SECOND = 1_000_000_000;

const TRACK: TrackInfo = {
  track: 0,
  name: '',
  recording: '',
  kind: 'thread',
  depth: 1,
  spans: 0,
  busy: 0,
  busy_share: 0,
  marks: 0,
  samples: 0,
  only: [],
};

/** A list that a profile has. */
export function listed(list: ListKind, label: string, more: Partial<ListInfo> = {}): ListInfo {
  const texts = { title: '', filter: `Filter ${label.toLowerCase()}`, row: '', empty: '' };
  return { list, label, may_have_rows: true, stands_for: null, ...texts, ...more };
}

/** A process with three threads, and the spans on them. */
const SPANS: readonly Span[] = [
  { track: 1, row: 0, name: 'run', begin: 0, length: 1000 },
  { track: 1, row: 1, name: 'load', begin: 0, length: 300 },
  { track: 1, row: 1, name: 'compute', begin: 300, length: 600 },
  { track: 1, row: 2, name: 'select', begin: 400, length: 100 },
  { track: 1, row: 2, name: 'select', begin: 600, length: 200 },
  { track: 2, row: 0, name: 'buzz', begin: 100, length: 50 },
  { track: 3, row: 0, name: 'buzz', begin: 200, length: 300 },
].map((span) => ({ ...span, begin: span.begin * 1e6, length: span.length * 1e6 }));

const TRACKS: readonly TrackInfo[] = [
  { ...TRACK, name: 'Main', kind: 'process', depth: 0, marks: 1 },
  ...['Main thread', 'bee two', 'bee "one"'].map((name, index) => {
    const track = index + 1;
    const own = SPANS.filter((span) => span.track === track);
    const busy = own.filter(({ row }) => row === 0).reduce((sum, { length }) => sum + length, 0);
    const only = [`thread=(?-i)^${name}$`];
    return { ...TRACK, track, name, spans: own.length, busy, busy_share: busy / SECOND, only };
  }),
];

/** When the last of them ends. */
const LAST = Math.max(...SPANS.map(({ begin, length }) => begin + length));

/** An engine that has a trace of a second; times are not filtered. */
export function traceEngine(more: Answers = {}): Answers {
  const pathOf = ({ track, row, begin }: Span) =>
    SPANS.filter(
      (span) =>
        span.track === track &&
        span.row <= row &&
        span.begin <= begin &&
        span.begin + span.length > begin,
    )
      .toSorted((a, b) => a.row - b.row)
      .map(({ name }) => 10 + NAMES.indexOf(name));
  return {
    ...stacksEngine('run;load 300\nrun;compute;select 300\nrun;compute 300\nbuzz 350', {
      tracks: TRACKS.length,
      spans: SPANS.length,
    }),
    tracks: () => ({
      result: {
        origin: 0,
        length: LAST,
        tracks: [...TRACKS],
        more: 0,
        counters: [],
        lists: [
          listed('spans', 'Spans'),
          listed('critical_path', 'Critical path'),
          listed('marks', 'Marks'),
        ],
      },
    }),
    idle: () => ({ result: { stretches: [] } }),
    lanes({ tracks, search }) {
      const wanted = tracks.map(({ track }) => track);
      const bars = SPANS.map((span, index) => ({ ...span, index }))
        .filter(({ track }) => tracks.some((one) => one.track === track && one.rows > 0))
        .toSorted((a, b) => wanted.indexOf(a.track) - wanted.indexOf(b.track) || a.row - b.row);
      const u32 = (value: (bar: (typeof bars)[number]) => number) => Uint32Array.from(bars, value);
      const f64 = (value: (bar: (typeof bars)[number]) => number) => Float64Array.from(bars, value);
      const none = () => new Uint32Array();
      const isFound = (name: string) => search !== '' && matches(name, search);
      return {
        result: {
          names: [...NAMES],
          rows: wanted.map(
            (track) =>
              1 + Math.max(-1, ...bars.filter((bar) => bar.track === track).map(({ row }) => row)),
          ),
          is_cut: false,
        },
        columns: {
          bar_of: u32(({ track }) => wanted.indexOf(track)),
          bar_row: u32(({ row }) => row),
          bar_begin: f64(({ begin }) => begin),
          bar_end: f64(({ begin, length }) => begin + length),
          bar_length: f64(({ length }) => length),
          bar_name: u32(({ name }) => NAMES.indexOf(name)),
          bar_span: u32(({ index }) => index + 1),
          bar_point: u32(() => 0),
          bar_depth: u32(() => 0),
          bar_merged: u32(() => 0),
          bar_flags: u32(({ name }) => (isFound(name) ? 1 : 0)),
          bar_colours: u32(() => 0),
          busy_of: none(),
          busy_unit: none(),
          busy_share: new Float64Array(),
          busy_name: none(),
          busy_colours: none(),
          mark_of: none(),
          mark_time: new Float64Array(),
          mark_name: none(),
          mark_merged: none(),
          value_of: none(),
          value_unit: none(),
          value_least: new Float64Array(),
          value_most: new Float64Array(),
        },
      };
    },
    span({ span }) {
      const { name, track, begin, length } = SPANS[span]!;
      return {
        result: {
          name,
          file: `${name}.py`,
          line: 7,
          track,
          begin,
          end: begin + length,
          length,
          is_unfinished: false,
          self_time: length / 2,
          arguments: [['count', '3']],
          flows: [],
          more_flows: 0,
          path: pathOf(SPANS[span]!),
        },
      };
    },
    find_span({ search, span, back }) {
      const found = SPANS.map((one, index) => ({ ...one, index }))
        .filter(({ name }) => matches(name, search))
        .toSorted((a, b) => a.begin - b.begin);
      const last = found.findIndex(({ index }) => index + 1 === span);
      const at = last < 0 ? 0 : (last + (back ? -1 : 1) + found.length) % found.length;
      const next = found[at];
      if (next === undefined) throw new Error(`no span is called ${search}`);
      const { index, track, row, begin, length } = next;
      return {
        result: { count: found.length, span: index + 1, at, track, row, begin, length },
      };
    },
    ...more,
  };
}

/** The names of the functions in the order of their keys. */
const NAMES = ['buzz', 'compute', 'load', 'run', 'select'];
