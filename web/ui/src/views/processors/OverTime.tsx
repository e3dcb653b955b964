import type { ViewSpec } from '@hotframe/engine';
import { computed, type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { changeState, stateOf } from '../../state/address-part.ts';
import { useCommands } from '../../state/commands.ts';
import { distinct } from '../../state/distinct.ts';
import { answers, results } from '../../state/resource.ts';
import { useServices } from '../../state/services.ts';
import { formatThings } from '../../text/units.ts';
import { HEAT_KEYS } from '../heat/keys.ts';
import { type RunSets, setTitle } from './sets.ts';
import { useMade } from '../../widgets/made.ts';
import { Pick } from '../../widgets/Pick.tsx';
import { useFollowed } from '../../widgets/followed.ts';
import { rangePattern, rangesOf } from '../timeline/times.ts';
import { type Bins, between, binLabel } from './bins.ts';
import { MigrationFigures } from './MigrationFigures.tsx';
import type { Link } from './paint-bins.ts';
import { PROCESSORS_PART, ALONG, BY, type By, type ProcessorsViewState, SETS } from './state.ts';
import { Strip } from './Strip.tsx';
import { Legend, rateWords, Told } from './told.tsx';

/** How many bins a picture has at most. */
const BINS = 240;
/** Of more rows those with the least are one. */
const MOST_ROWS: Readonly<Partial<Record<By, number>>> = { thread: 40, process: 40, function: 24 };
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

/** What is drawn. */
export interface Drawn {
  readonly bins: Bins;
  readonly origin: number;
  readonly isProgress: boolean;
  /** By set. */
  readonly links: readonly (readonly Link[])[];
}

/** An event over time, a row for each processor or thread; the instant that is pointed at is everybody's. */
export function OverTime(props: {
  readonly spec: ViewSpec;
  readonly event: string | undefined;
  readonly sets: RunSets;
  readonly instant: Signal<Instant | undefined>;
  /** What is drawn, for whoever saves it. */
  readonly drawn: Signal<Drawn | undefined>;
}) {
  const { app, commands } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const spec = useFollowed(props.spec);
  const event = useFollowed(props.event);
  const { by, along, sets: setsBy } = stateOf(app.view.value, PROCESSORS_PART);
  const bin = useSignal<number | undefined>(undefined);
  const row = useSignal<number | undefined>(undefined);
  const dragged = useSignal<readonly [number, number] | undefined>(undefined);

  const loads = useMade(() => {
    const document = distinct(() => ({ document: spec.value.document }));
    const tracks = results(app.engine, 'tracks', document);
    // The range that is chosen here does not take away what it is chosen from.
    const view = distinct(() => {
      const filters = spec.value.filters.filter(({ kind }) => kind !== 'time');
      return { ...spec.value, filters };
    });
    const rows = computed(() => stateOf(app.view.value, PROCESSORS_PART).by);
    const along = computed(() => stateOf(app.view.value, PROCESSORS_PART).along);
    const sets = computed(() => stateOf(app.view.value, PROCESSORS_PART).sets);
    const asked = distinct(() => {
      if (event.value === undefined) return undefined;
      const isProgress = along.value === 'progress';
      return {
        view: view.value,
        by: rows.value,
        event: event.value,
        bins: isProgress ? 100 : BINS,
        is_progress: isProgress,
        sets: sets.value,
        groups: MOST_ROWS[rows.value] ?? 1024,
      };
    });
    const bins = answers(app.engine, 'event_bins', asked);
    const asking = distinct(() => ({ view: view.value, most: MOST_LINKS, sets: sets.value }));
    const moved = answers(app.engine, 'migrations', asking);
    // Figures are of the range that is chosen, as those of events are.
    const counting = distinct(() => ({ view: spec.value, most: 0, sets: sets.value }));
    const counted = answers(app.engine, 'migrations', counting);
    return { tracks, bins, moved, counted };
  });

  const { value: bins, error, pending } = loads.bins.state.value;
  const { origin, length } = loads.tracks.state.value.value ?? { origin: 0, length: 1 };
  const moved = loads.moved.state.value.value;
  const counted = loads.counted.state.value.value;
  const isProgress = bins !== undefined && bins.result.width < 1;
  const count = bins?.result.bins ?? 0;
  useSignalEffect(() => {
    const shown = loads.bins.state.value.value;
    const at = bin.value;
    const isWhole = shown !== undefined && at !== undefined && at < shown.result.bins;
    props.instant.value =
      isWhole &&
      stateOf(app.view.value, PROCESSORS_PART).by === 'cpu' &&
      shown.result.places.length > 0
        ? { bins: shown, bin: at, label: binLabel(shown, origin, at, shown.result.width < 1) }
        : undefined;
  });

  const choosing = (change: Partial<ProcessorsViewState>) => {
    bin.value = undefined;
    dragged.value = undefined;
    changeState(app, PROCESSORS_PART, { ...change });
  };
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

  const linksBySet = useMemo(
    () =>
      (bins?.result.runs ?? []).map((_, set) =>
        bins !== undefined && by === 'cpu' && !isProgress ? linksOf(bins, moved, set) : [],
      ),
    [bins, moved, by],
  );
  useEffect(() => {
    props.drawn.value = bins && { bins, origin, isProgress, links: linksBySet };
  }, [bins, origin, linksBySet]);
  const shown = { bins, origin, isProgress, bin, row, dragged, chosen, choose };
  const sets = bins?.result.runs.slice(0, MOST_SETS) ?? [];
  const runs = props.sets.runs.reduce((all, one) => all + one, 0);
  const at = bin.value;
  return (
    <section class="over-time" aria-label="Over time">
      <div class="over-time-told">
        <h2>
          {props.event}{' '}
          <span class="mute">
            over time
            {bins === undefined ? '' : rateWords(bins)}
          </span>
        </h2>
        <Pick label="By" choices={BY} value={by} onChange={(to) => choosing({ by: to })} />
        <Pick
          label="Along"
          choices={ALONG}
          value={along}
          onChange={(to) => choosing({ along: to })}
        />
        {runs > 1 && (
          <Pick
            label="Runs"
            choices={SETS}
            value={setsBy}
            onChange={(to) => choosing({ sets: to })}
          />
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
        data-scope={HEAT_KEYS.scope}
        role="application"
        aria-label="Events over time"
        aria-roledescription="heat map"
        tabIndex={0}
      >
        {bins !== undefined &&
          sets.map((_, set) => (
            <Strip
              key={set}
              {...shown}
              bins={bins}
              set={set}
              title={setTitle(setsOf(bins), set, true)}
              links={linksBySet[set] ?? []}
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
      {counted !== undefined && (
        <MigrationFigures migrations={counted.result} isCompared={props.sets.isCompared} />
      )}
    </section>
  );
}

/** The sets of the pictures, which may be older than what is chosen by now. */
function setsOf({ result }: Bins): RunSets {
  const { sets, runs } = result;
  const isCompared = sets.length === 2 && sets[0] === 'base' && sets[1] === 'new';
  return { names: sets, runs: runs.map((names) => names.length), isCompared };
}

/** Migrations between rows that are drawn. */
function linksOf(
  { result }: Bins,
  moved:
    | {
        readonly columns: {
          readonly set: Uint32Array;
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
    if (columns.set[number] !== set || from === undefined || to === undefined) return;
    const at = (time - result.begin) / result.width;
    if (at >= 0 && at <= result.bins) links.push({ at, from, to });
  });
  return links;
}
