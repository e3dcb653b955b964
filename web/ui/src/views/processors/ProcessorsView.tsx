import type { EventEntry, EventsParams, ViewSpec } from '@hotframe/engine';
import { computed, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { changeState, stateOf } from '../../state/address-part.ts';
import { distinct } from '../../state/distinct.ts';
import { drawnPicture, type ExportedTable, fileName, useExports } from '../../state/exports.ts';
import { results } from '../../state/resource.ts';
import { useServices } from '../../state/services.ts';
import { useFollowed } from '../../widgets/followed.ts';
import { useMade } from '../../widgets/made.ts';
import { Coordinates, type Line } from './Coordinates.tsx';
import { CpuMap } from './CpuMap.tsx';
import { entriesAt } from './bins.ts';
import { EventList } from './EventList.tsx';
import { type Drawn, type Instant, OverTime } from './OverTime.tsx';
import { chosenCpus, cpuPattern } from './places.ts';
import { pictureOf } from './picture.ts';
import { type RunSets, setTitle } from './sets.ts';
import { binsCsv, eventsCsv } from './sheets.ts';
import { PROCESSORS_PART, type Sets } from './state.ts';

/** More pictures are none that anybody compares. */
const MOST_SETS = 12;

/** Of more lines none is told from others. */
const MOST_LINES = 40;

/** The entries with the most, in their order. */
function largest(rows: readonly EventEntry[]): readonly EventEntry[] {
  if (rows.length <= MOST_LINES) return rows;
  const most = ({ sides }: EventEntry) => Math.max(...sides.map((side) => side?.median ?? 0));
  const least = rows.map(most).sort((one, other) => other - one)[MOST_LINES - 1]!;
  return rows.filter((entry) => most(entry) >= least).slice(0, MOST_LINES);
}

/** What events are asked for with. */
interface Asked {
  readonly view: ViewSpec;
  readonly by: EventsParams['by'];
  readonly event: string | null;
  readonly sets: Sets;
}

/** How many events there were, in all and on each processor. */
export function ProcessorsView(props: { readonly spec: ViewSpec }) {
  const { app } = useServices();
  const spec = useFollowed(props.spec);
  const hovered = useSignal<string | undefined>(undefined);
  /** The bin of time that the maps show; all of it where there is none. */
  const instant = useSignal<Instant | undefined>(undefined);
  const drawn = useSignal<Drawn | undefined>(undefined);
  const pane = useRef<HTMLDivElement>(null);

  const loads = useMade(() => {
    const sets = computed(() => stateOf(app.view.value, PROCESSORS_PART).sets);
    const all = distinct((): Asked => ({
      view: spec.value,
      by: 'total',
      event: null,
      sets: sets.value,
    }));
    const totals = results(app.engine, 'events', all);
    const event = computed(() => {
      const rows = totals.state.value.value?.rows ?? [];
      const asked =
        stateOf(app.view.value, PROCESSORS_PART).event ?? app.profile.metricInfo.value?.name;
      // Metrics of comparisons have their side behind their name.
      const isAsked = ({ name }: EventEntry) =>
        name === asked || (asked?.startsWith(`${name} (`) ?? false);
      return (rows.find(isAsked) ?? rows[0])?.name;
    });
    // The processors that are chosen here do not take the others away.
    const input = computed(() => {
      const name = event.value;
      if (name === undefined) return undefined;
      const filters = spec.value.filters.filter(({ pattern }) => !pattern.startsWith('cpu=^'));
      return [{ ...spec.value, filters }, name] as const;
    });
    const ofCpus = distinct((): Asked | undefined => {
      const [view, event] = input.value ?? [];
      return view && event ? { view, by: 'cpu', event, sets: sets.value } : undefined;
    });
    const cpus = results(app.engine, 'events', ofCpus);
    // What the lines of the coordinates are, if not processors.
    const ofLines = distinct((): Asked | undefined => {
      const [view, event] = input.value ?? [];
      const { by } = stateOf(app.view.value, PROCESSORS_PART);
      const isOther = by !== 'cpu' && by !== 'total';
      return view && event && isOther ? { view, by, event, sets: sets.value } : undefined;
    });
    return { totals, event, cpus, lines: results(app.engine, 'events', ofLines) };
  });
  useExports(() => {
    const table = (label: string, title: string, csv: () => string): ExportedTable => ({
      label,
      title,
      csv() {
        const file = `${label.toLowerCase().replace(' ', '-')}.csv`;
        return Promise.resolve({ text: csv(), file_name: fileName(app, file) });
      },
    });
    return {
      pictures: [drawnPicture(app, 'Processors', () => pictureOf(pane.current, drawn.peek()))],
      tables: [
        table('Events', 'Every event and metric, by set of runs', () =>
          eventsCsv(loads.totals.state.peek().value),
        ),
        table('Over time', 'What is drawn over time, a row a bin', () =>
          binsCsv(drawn.peek()?.bins),
        ),
      ],
    };
  }, []);

  const totals = loads.totals.state.value;
  const cpus = loads.cpus.state.value;
  const event = loads.event.value;
  const chosen = chosenCpus(app.view.value.filters);
  const toggle = (cpu: number) => keep([cpu]);
  /** Keeps some processors; all again where they are kept. */
  const keep = (cpus: readonly number[]) => {
    const pattern = cpuPattern(cpus);
    const others = app.view.peek().filters.filter((filter) => !filter.pattern.startsWith('cpu=^'));
    const isKept =
      others.length < app.view.peek().filters.length &&
      cpus.every((cpu) => chosen.has(cpu)) &&
      cpus.length === chosen.size;
    const filters = isKept ? others : [...others, { kind: 'label_focus' as const, pattern }];
    app.update({ filters }, 'push');
  };
  const error = totals.error ?? cpus.error;
  const entries = new Map<string, EventEntry>();
  for (const entry of cpus.value?.rows ?? []) entries.set(entry.group, entry);
  const runs = totals.value?.runs ?? [];
  const names = totals.value?.sets ?? [];
  const isCompared = totals.value?.rows.some(({ change }) => change !== null) ?? false;
  const sets: RunSets = { names, runs, isCompared };
  const places = cpus.value?.places ?? [];
  const at = instant.value?.bins.result.name === event ? instant.value : undefined;
  const shown = {
    places,
    entries: at === undefined ? entries : entriesAt(at.bins, at.bin),
    hovered,
    chosen,
    toggle,
  };
  /** A line each of what is chosen to be rows below. */
  const linesOf = (): readonly Line[] => {
    const others = loads.lines.state.value.value;
    if (others !== undefined && at === undefined)
      return largest(others.rows).map((entry, at) => ({ group: entry.group, number: at, entry }));
    return places.flatMap(({ group, cpu }) => {
      const entry = shown.entries.get(group);
      return entry === undefined ? [] : [{ group, number: cpu, cpu, entry }];
    });
  };
  return (
    <div class="processors">
      <EventList
        rows={totals.value?.rows ?? []}
        sets={sets}
        chosen={event}
        onChoose={(name) => changeState(app, PROCESSORS_PART, { event: name })}
      />
      <div ref={pane} class="processors-maps">
        {error !== undefined && error.code !== 'disconnected' && (
          <div class="message">
            <h2>{error.message}</h2>
            <p>{error.hint}</p>
          </div>
        )}
        {places.length > 0 && (
          <>
            <h2>
              {event}{' '}
              <span class="mute">
                by processor
                {at !== undefined && ` · ${at.label}`}
                {at !== undefined && at.bins.result.unit !== null && ', per second'}
              </span>
            </h2>
            <div class="cpu-maps">
              {runs.slice(0, MOST_SETS).map((_, set) => (
                <CpuMap
                  key={set}
                  {...shown}
                  title={setTitle(sets, set, at !== undefined)}
                  side={set}
                />
              ))}
              {isCompared && <CpuMap {...shown} title="Change" side="change" />}
            </div>
            {runs.length > MOST_SETS && (
              <p class="mute">
                The first {MOST_SETS} of {runs.length} sets are drawn; the table has all.
              </p>
            )}
            {runs.length > 1 && (
              <Coordinates {...shown} lines={linesOf()} sets={sets} keep={keep} />
            )}
          </>
        )}
        {event !== undefined && runs.length > 0 && (
          <OverTime spec={props.spec} event={event} sets={sets} instant={instant} drawn={drawn} />
        )}
        {(totals.pending || cpus.pending) && <div class="busy" />}
      </div>
    </div>
  );
}
