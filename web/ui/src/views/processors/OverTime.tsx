import type { ViewSpec } from '@hotframe/engine';
import { computed, type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { followSize } from '../../canvas/surface.ts';
import { useCommands } from '../../state/commands.ts';
import { resource } from '../../state/resource.ts';
import { useServices } from '../../state/services.ts';
import type { Choice } from '../../state/view-state.ts';
import { formatFigure, formatThings } from '../../text/units.ts';
import { Pick } from '../../widgets/Pick.tsx';
import { rangePattern, rangesOf } from '../timeline/times.ts';
import { type Bins, between, binLabel, cellOf, mostOf } from './bins.ts';
import { MigrationFigures } from './MigrationFigures.tsx';
import { binAt, FOOT, type Link, paintBins, rowHeight } from './paint-bins.ts';

type By = 'cpu' | 'core' | 'cache' | 'node' | 'socket' | 'thread' | 'process' | 'total';

const BY: readonly Choice<By>[] = [
  { value: 'cpu', label: 'Processor', title: 'A row a processor' },
  { value: 'core', label: 'Core', title: 'Processors of a core together' },
  { value: 'cache', label: 'Last-level cache', title: 'Processors that share a last-level cache' },
  { value: 'node', label: 'Node of memory', title: 'Processors near the same memory (NUMA)' },
  { value: 'socket', label: 'Socket', title: 'Processors of a socket together' },
  { value: 'thread', label: 'Thread', title: 'A row a thread, by name' },
  { value: 'process', label: 'Process', title: 'A row a process, by name' },
  { value: 'total', label: 'All', title: 'One row' },
];

type Along = 'time' | 'progress';

const ALONG: readonly Choice<Along>[] = [
  { value: 'time', label: 'Time', title: 'Stretches of time' },
  {
    value: 'progress',
    label: 'Progress',
    title: 'Equal parts of each run, however long it took',
  },
];

/** How many bins a picture has at most. */
const BINS = 240;
/** More links are a tangle. */
const MOST_LINKS = 400;
/** More pictures are none that anybody compares. */
const MOST_SETS = 12;

/** What is looked at: a bin of what is drawn, by processor. */
export interface Instant {
  readonly bins: Bins;
  readonly bin: number;
  readonly label: string;
}

/** An event over time, a row for each processor or thread; the instant that is pointed at is everybody's. */
export function OverTime(props: {
  readonly spec: ViewSpec;
  readonly event: string | undefined;
  readonly runs: readonly number[];
  readonly instant: Signal<Instant | undefined>;
}) {
  const { app, commands } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const spec = useSignal(props.spec);
  if (spec.peek() !== props.spec) spec.value = props.spec;
  const event = useSignal(props.event);
  if (event.peek() !== props.event) event.value = props.event;
  const by = useSignal<By>('cpu');
  const along = useSignal<Along>('time');
  const byRun = useSignal(false);
  const bin = useSignal<number | undefined>(undefined);
  const row = useSignal<number | undefined>(undefined);
  const dragged = useSignal<readonly [number, number] | undefined>(undefined);

  const loads = useMemo(() => {
    const document = computed(() => spec.value.document);
    const tracks = resource(document, (of, abort) =>
      app.engine.call('tracks', { document: of }, { signal: abort }).then(({ result }) => result),
    );
    // The range that is chosen here does not take away what it is chosen from.
    const view = computed(() => {
      const filters = spec.value.filters.filter(({ kind }) => kind !== 'time');
      return JSON.stringify({ ...spec.value, filters });
    });
    const asked = computed(() =>
      event.value === undefined
        ? undefined
        : JSON.stringify([view.value, by.value, event.value, along.value, byRun.value]),
    );
    const bins = resource(asked, (text, signal) => {
      const [view, by, event, along, is_by_run] = JSON.parse(text) as [
        string,
        By,
        string,
        Along,
        boolean,
      ];
      const params = {
        view: JSON.parse(view) as ViewSpec,
        by,
        event,
        bins: along === 'progress' ? 100 : BINS,
        is_progress: along === 'progress',
        is_by_run,
        groups: by === 'thread' || by === 'process' ? 40 : 1024,
      };
      return app.engine.call('event_bins', params, { signal });
    });
    const moved = resource(view, (text, signal) => {
      const params = { view: JSON.parse(text) as ViewSpec, most: MOST_LINKS };
      return app.engine.call('migrations', params, { signal });
    });
    return { tracks, bins, moved };
  }, []);
  useEffect(
    () => () => {
      loads.tracks.dispose();
      loads.bins.dispose();
      loads.moved.dispose();
    },
    [],
  );

  const { value: bins, error, pending } = loads.bins.state.value;
  const { origin, length } = loads.tracks.state.value.value ?? { origin: 0, length: 1 };
  const moved = loads.moved.state.value.value;
  const isProgress = bins !== undefined && bins.result.width < 1;
  const count = bins?.result.bins ?? 0;
  useSignalEffect(() => {
    const shown = loads.bins.state.value.value;
    const at = bin.value;
    const isWhole = shown !== undefined && at !== undefined && at < shown.result.bins;
    props.instant.value =
      isWhole && by.value === 'cpu' && !byRun.value
        ? { bins: shown, bin: at, label: binLabel(shown, origin, at, shown.result.width < 1) }
        : undefined;
  });

  const choose = (range: readonly [number, number] | undefined) => {
    const others = app.view.peek().filters.filter(({ kind }) => kind !== 'time');
    if (range === undefined || bins === undefined || isProgress) {
      if (range === undefined) app.update({ filters: others }, 'push');
      return;
    }
    const { begin, width } = bins.result;
    const window = { from: begin + range[0] * width, to: begin + (range[1] + 1) * width };
    const pattern = rangePattern(origin, window, width);
    app.update({ filters: [...others, { kind: 'time' as const, pattern }] }, 'push');
  };
  const walk = (columns: number, rows: number, extend: boolean) => {
    if (bins === undefined) return;
    const inside = (value: number, all: number) => Math.min(all - 1, Math.max(0, value));
    const next = inside((bin.peek() ?? -columns) + columns, count);
    dragged.value = extend ? [dragged.peek()?.[0] ?? bin.peek() ?? next, next] : undefined;
    bin.value = next;
    if (rows !== 0) row.value = inside((row.peek() ?? -rows) + rows, bins.result.groups.length);
  };
  useCommands(commands, () => element.current, {
    left: () => walk(-1, 0, false),
    right: () => walk(1, 0, false),
    parent: () => walk(0, -1, false),
    child: () => walk(0, 1, false),
    extend_left: () => walk(-1, 0, true),
    extend_right: () => walk(1, 0, true),
    choose_range() {
      const range = dragged.peek();
      const at = bin.peek();
      if (range !== undefined) choose(between(...range));
      else if (at !== undefined) choose([at, at]);
    },
    whole: () => choose(undefined),
    escape() {
      if (bin.peek() !== undefined) {
        bin.value = undefined;
        row.value = undefined;
        dragged.value = undefined;
      } else choose(undefined);
    },
  });

  const chosen = useMemo(() => {
    const patterns = app.view.value.filters.filter(({ kind }) => kind === 'time');
    const [range] = patterns.flatMap(({ pattern }) => rangesOf(origin, length, pattern));
    if (range === undefined || bins === undefined || isProgress) return undefined;
    const { begin, width } = bins.result;
    const inside = (value: number) => Math.min(count - 1, Math.max(0, value));
    const from = inside(Math.floor((range.from - begin) / width + 1e-6));
    return [
      from,
      Math.max(from, inside(Math.ceil((range.to - begin) / width - 1e-6) - 1)),
    ] as const;
  }, [app.view.value.filters, bins, origin, length]);

  const shown = { bins, origin, isProgress, bin, row, dragged, chosen, choose };
  const sets = bins?.result.runs.slice(0, MOST_SETS) ?? [];
  const isCompared = props.runs.length === 2;
  const runs = props.runs.reduce((all, one) => all + one, 0);
  const at = bin.value;
  return (
    <section class="over-time" aria-label="Over time">
      <div class="over-time-told">
        <h2>
          {props.event}{' '}
          <span class="mute">
            over time
            {bins?.result.unit ? (isShare(bins) ? ', of a processor' : ', per second') : ''}
          </span>
        </h2>
        <Pick label="By" choices={BY} value={by.value} onChange={(to) => (by.value = to)} />
        <Pick
          label="Along"
          choices={ALONG}
          value={along.value}
          onChange={(to) => {
            along.value = to;
            bin.value = undefined;
            dragged.value = undefined;
          }}
        />
        {runs > 1 && (
          <button
            type="button"
            class={`plain ${byRun.value ? 'on' : ''}`}
            aria-pressed={byRun.value}
            title="A picture for each run"
            onClick={() => (byRun.value = !byRun.value)}
          >
            Each run
          </button>
        )}
        {bins !== undefined && <Legend bins={bins} />}
      </div>
      {error !== undefined && error.code !== 'disconnected' && (
        <div class="message">
          <h2>{error.message}</h2>
          <p>{error.hint}</p>
        </div>
      )}
      <div
        ref={element}
        class={`bins ${pending ? 'pending' : ''}`}
        data-scope="heat"
        role="application"
        aria-label="Events over time"
        aria-roledescription="heat map"
        tabIndex={0}
      >
        {bins !== undefined &&
          sets.map((names, set) => (
            <Strip
              key={set}
              {...shown}
              bins={bins}
              set={set}
              title={setTitle(names, set, isCompared && !byRun.value, sets.length)}
              links={
                by.value === 'cpu' && !byRun.value && !isProgress ? linksOf(bins, moved, set) : []
              }
            />
          ))}
      </div>
      <output class="heat-at" aria-live="polite">
        {bins !== undefined && at !== undefined && at < count ? (
          <Told bins={bins} origin={origin} bin={at} row={row.value} isProgress={isProgress} />
        ) : (
          <span class="mute">
            {isProgress
              ? 'Click a part: the processors show it'
              : 'Click a bin: the processors show it; drag over some: everything else shows their time'}
            {bins !== undefined && bins.result.runs.length > MOST_SETS
              ? ` · the first ${MOST_SETS} of ${formatThings(bins.result.runs.length, 'run')}`
              : ''}
            {bins?.result.notes.map((note) => ` · ${note}`)}
          </span>
        )}
      </output>
      {moved !== undefined && (
        <MigrationFigures migrations={moved.result} isCompared={isCompared} />
      )}
    </section>
  );
}

function setTitle(names: readonly string[], set: number, isSide: boolean, sets: number): string {
  const runs = names.length > 1 ? formatThings(names.length, 'run') : '';
  if (isSide) return [set === 0 ? 'Base' : 'New', runs].filter((text) => text !== '').join(', ');
  return sets > 1 ? (names[0] ?? '') : runs;
}

interface Shown {
  readonly origin: number;
  readonly isProgress: boolean;
  readonly bin: Signal<number | undefined>;
  readonly row: Signal<number | undefined>;
  readonly dragged: Signal<readonly [number, number] | undefined>;
  readonly chosen: readonly [number, number] | undefined;
  choose(range: readonly [number, number]): void;
}

/** A set of runs: a row a group, a column a bin. */
function Strip(
  props: Shown & {
    readonly bins: Bins;
    readonly set: number;
    readonly title: string;
    readonly links: readonly Link[];
  },
) {
  const { bins, set, title, links, bin, row, dragged, chosen } = props;
  const { app } = useServices();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  useEffect(() => (host.current === null ? undefined : followSize(host.current, size)), []);
  const rows = bins.result.groups.length;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined || size.value.width === 0) return;
    const held = dragged.value;
    paintBins(context, size.value, {
      bins,
      set,
      origin: props.origin,
      isProgress: props.isProgress,
      most: mostOf(bins),
      instant: bin.value,
      row: row.value,
      range: held === undefined ? chosen : between(...held),
      links,
    });
  }, [bins, links, chosen, size.value, bin.value, row.value, dragged.value, app.theme.shown.value]);
  const place = (event: PointerEvent): readonly [number, number] | undefined => {
    const box = host.current?.getBoundingClientRect();
    if (box === undefined) return undefined;
    const tall = (box.height - FOOT) / Math.max(1, rows);
    const at = Math.floor((event.clientY - box.top) / tall);
    return [
      binAt(box.width, bins.result.bins, event.clientX - box.left),
      Math.min(rows - 1, Math.max(0, at)),
    ];
  };
  return (
    <figure class="strip">
      {title !== '' && <figcaption>{title}</figcaption>}
      <div
        ref={host}
        class="cells"
        style={{ height: `${rows * rowHeight(rows) + FOOT}px` }}
        onPointerDown={(event) => {
          const at = place(event);
          if (at === undefined || event.button !== 0) return;
          host.current?.setPointerCapture(event.pointerId);
          dragged.value = [at[0], at[0]];
          [bin.value, row.value] = at;
        }}
        onPointerMove={(event) => {
          const at = place(event);
          const held = dragged.peek();
          if (at === undefined || !host.current?.hasPointerCapture(event.pointerId)) return;
          if (held !== undefined) dragged.value = [held[0], at[0]];
          [bin.value, row.value] = at;
        }}
        onPointerUp={() => {
          const held = dragged.peek();
          dragged.value = undefined;
          if (held !== undefined && held[0] !== held[1]) props.choose(between(...held));
        }}
        onPointerCancel={() => {
          dragged.value = undefined;
        }}
      >
        <canvas ref={canvas} aria-hidden="true" />
      </div>
    </figure>
  );
}

/** Migrations between rows that are drawn. */
function linksOf(
  { result }: Bins,
  moved:
    | {
        readonly columns: {
          readonly side: Uint8Array;
          readonly time: Float64Array;
          readonly from: Uint32Array;
          readonly to: Uint32Array;
        };
      }
    | undefined,
  set: number,
): readonly Link[] {
  const columns = moved?.columns;
  if (columns === undefined) return [];
  const rows = new Map(result.places.map((place, row) => [place, row] as const));
  const links: Link[] = [];
  columns.time.forEach((time, number) => {
    const [from, to] = [rows.get(columns.from[number]!), rows.get(columns.to[number]!)];
    if (columns.side[number] !== set || from === undefined || to === undefined) return;
    const at = (time - result.begin) / result.width;
    if (at >= 0 && at <= result.bins) links.push({ at, from, to });
  });
  return links;
}

/** Whether values are nanoseconds in a second, which are told as a share of one processor. */
function isShare({ result }: Bins): boolean {
  return result.unit === 'nanoseconds';
}

function text(bins: Bins, value: number | undefined): string {
  if (value === undefined) return '–';
  const { unit, decimals } = bins.result;
  if (unit === null) return value === 0 ? '0' : value.toPrecision(4);
  // Time in a second of time: how many processors were at it.
  if (isShare(bins)) {
    const share = value / 10 ** (decimals + 7);
    return `${share.toFixed(share < 10 ? 1 : 0)} %`;
  }
  return `${formatFigure(value, { unit, decimals })}/s`;
}

/** What one bin has, in each set. */
function Told(props: {
  readonly bins: Bins;
  readonly origin: number;
  readonly bin: number;
  readonly row: number | undefined;
  readonly isProgress: boolean;
}) {
  const { bins, origin, bin, isProgress } = props;
  const { groups, runs } = bins.result;
  const row = Math.min(props.row ?? 0, groups.length - 1);
  const told = runs.slice(0, 2).map((_, set) => {
    const { value, samples, error, isEnough } = cellOf(bins, set, row, bin);
    const sure = error !== undefined && isEnough ? ` ± ${(error * 100).toFixed(0)} %` : '';
    // What was counted has none.
    if (samples === 0) return text(bins, value);
    const few = isEnough ? '' : ', next to nothing';
    return `${text(bins, value)}${sure} (${formatThings(samples, 'sample')}${few})`;
  });
  return (
    <>
      <b>{groups[row]}</b> {told.join(' → ')}{' '}
      <span class="mute">{binLabel(bins, origin, bin, isProgress)}</span>
    </>
  );
}

/** What the colours stand for. */
function Legend({ bins }: { readonly bins: Bins }) {
  const most = text(bins, mostOf(bins));
  return (
    <span class="bins-legend">
      <span class="heat-legend" role="img" aria-label={`Colours from 0 to ${most}`}>
        0<i aria-hidden="true" />
        {most}
      </span>
      <span class="few-legend">
        <i aria-hidden="true" /> less than 10 samples
      </span>
    </span>
  );
}
