import type { EventEntry, EventsResult, ViewSpec } from '@hotframe/engine';
import { computed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { resource } from '../../state/resource.ts';
import { useServices } from '../../state/services.ts';
import { formatThings } from '../../text/units.ts';
import { Coordinates } from './Coordinates.tsx';
import { CpuMap } from './CpuMap.tsx';
import { entriesAt } from './bins.ts';
import { EventList } from './EventList.tsx';
import { type Instant, OverTime } from './OverTime.tsx';
import { cpuPattern } from './places.ts';

/** How many events there were, in all and on each processor. */
export function ProcessorsView(props: { readonly spec: ViewSpec }) {
  const { app } = useServices();
  const spec = useSignal(props.spec);
  if (spec.peek() !== props.spec) spec.value = props.spec;
  const hovered = useSignal<string | undefined>(undefined);
  /** The bin of time that the maps show; all of it where there is none. */
  const instant = useSignal<Instant | undefined>(undefined);

  const loads = useMemo(() => {
    const all = computed(() => JSON.stringify(spec.value));
    const totals = resource(all, (view, signal) => events(view, 'total', null, signal));
    const event = computed(() => {
      const rows = totals.state.value.value?.rows ?? [];
      const asked = app.view.value.event ?? app.profile.metricInfo.value?.name;
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
      return JSON.stringify([{ ...spec.value, filters }, name]);
    });
    const cpus = resource(input, (text, signal) => {
      const [view, name] = JSON.parse(text) as [ViewSpec, string];
      return events(JSON.stringify(view), 'cpu', name, signal);
    });
    return { totals, event, cpus };
  }, []);
  useEffect(
    () => () => {
      loads.totals.dispose();
      loads.cpus.dispose();
    },
    [],
  );
  function events(
    view: string,
    by: string,
    event: string | null,
    signal: AbortSignal,
  ): Promise<EventsResult> {
    const params = { view: JSON.parse(view) as ViewSpec, by, event };
    return app.engine.call('events', params, { signal }).then(({ result }) => result);
  }

  const totals = loads.totals.state.value;
  const cpus = loads.cpus.state.value;
  const event = loads.event.value;
  const chosen = new Set(
    app.view.value.filters.filter(({ kind }) => kind === 'label_focus').map((f) => f.pattern),
  );
  const toggle = (cpu: number) => {
    const pattern = cpuPattern(cpu);
    const others = app.view.peek().filters.filter((filter) => !filter.pattern.startsWith('cpu=^'));
    const filters = chosen.has(pattern)
      ? others
      : [...others, { kind: 'label_focus' as const, pattern }];
    app.update({ filters }, 'push');
  };
  const error = totals.error ?? cpus.error;
  const entries = new Map<string, EventEntry>();
  for (const entry of cpus.value?.rows ?? []) entries.set(entry.group, entry);
  const runs = totals.value?.runs ?? [];
  const isCompared = runs.length === 2;
  const places = cpus.value?.places ?? [];
  const at = instant.value?.bins.result.name === event ? instant.value : undefined;
  const shown = {
    places,
    entries: at === undefined ? entries : entriesAt(at.bins, at.bin),
    hovered,
    chosen,
    toggle,
  };
  return (
    <div class="processors">
      <EventList
        rows={totals.value?.rows ?? []}
        runs={runs}
        chosen={event}
        onChoose={(name) => app.update({ event: name }, 'push')}
      />
      <div class="processors-maps">
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
              {isCompared ? (
                <>
                  <CpuMap
                    {...shown}
                    title={sideTitle('Base', runs[0], at !== undefined)}
                    side={0}
                  />
                  <CpuMap {...shown} title={sideTitle('New', runs[1], at !== undefined)} side={1} />
                  <CpuMap {...shown} title="Change" side="change" />
                </>
              ) : (
                <CpuMap {...shown} title={sideTitle('', runs[0], at !== undefined)} side={0} />
              )}
            </div>
            {isCompared && <Coordinates {...shown} />}
          </>
        )}
        {event !== undefined && runs.length > 0 && (
          <OverTime spec={props.spec} event={event} runs={runs} instant={instant} />
        )}
        {(totals.pending || cpus.pending) && <div class="busy" />}
      </div>
    </div>
  );
}

function sideTitle(name: string, runs: number | undefined, isInstant: boolean): string {
  const of =
    (runs ?? 1) > 1 ? `${isInstant ? 'mean' : 'median'} of ${formatThings(runs!, 'run')}` : '';
  return [name, of].filter((text) => text !== '').join(', ');
}
