import type { ViewSpec } from '@hotframe/engine';
import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { stateOf } from '../../state/address-part.ts';
import { useCommands } from '../../state/commands.ts';
import { distinct } from '../../state/distinct.ts';
import { resource } from '../../state/resource.ts';
import { useServices } from '../../state/services.ts';
import { formatShare, formatThings, formatValue, shareOf } from '../../text/units.ts';
import { useFollowed } from '../../widgets/followed.ts';
import { useMade } from '../../widgets/made.ts';
import { letGo, pickFunction } from '../charts/chosen.ts';
import { CHARTS_KEYS } from '../charts/keys.ts';
import { CHARTS_PART } from '../charts/state.ts';
import { onSharedAxes } from './axes.ts';
import { type BesideInput, type BesidePane, isPane, loadPanes, onlyIn } from './loading.ts';
import { OnlyIn } from './OnlyIn.tsx';
import { Pane } from './Pane.tsx';
import { openProfiles } from './profiles.ts';

/** Most profiles that stand side by side: more have no room. */
const MOST_PANES = 6;

/** The same chart of all open profiles; a function is lit in all of them. */
export function BesideView(props: {
  readonly spec: ViewSpec;
  readonly chart: 'bars' | 'scatter';
  /** Leads to the other charts. */
  readonly picker: ComponentChildren;
}) {
  const { app, commands } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const spec = useFollowed(props.spec);
  const hovered = useSignal<string | undefined>(undefined);
  /** What was chosen that the shown profile does not have. */
  const elsewhere = useSignal<string | undefined>(undefined);
  const panes = useMade(() => {
    const input = distinct((): BesideInput => {
      const { name, unit } = app.profile.metricInfo.value;
      const { by, of } = stateOf(app.view.value, CHARTS_PART);
      const first = spec.value.document;
      const all = openProfiles(app).map(({ document, title }) => ({ document, title }));
      // The shown one stands first.
      const documents = [
        ...all.filter(({ document }) => document === first),
        ...all.filter(({ document }) => document !== first),
      ].slice(0, MOST_PANES);
      return {
        documents,
        spec: spec.value,
        metric: { name, unit },
        chart: props.chart,
        by: by === 'total' ? 'total_value' : 'self_value',
        of,
      };
    });
    return resource(input, (asked, abort) => loadPanes(app.engine, asked, abort));
  });
  const loaded = panes.state.value.value ?? [];
  const panesOf = loaded.filter(isPane);
  const shared = onSharedAxes(panesOf.flatMap(({ scatter }) => scatter ?? []));
  const shown = panesOf.map((pane, at) => ({ ...pane, scatter: pane.scatter && shared[at] }));
  const problems = loaded.flatMap((one) => (isPane(one) ? [] : [one]));
  const own = shown.find(({ document }) => document === props.spec.document);
  const chosen = useComputed(() => {
    const { fn } = app.view.value;
    const all = panes.state.value.value ?? [];
    const pane = all.filter(isPane).find(({ document }) => document === spec.value.document);
    const known = pane?.functions.find(({ key }) => key === fn)?.name;
    return known ?? elsewhere.value;
  });
  const lit = useComputed(() => hovered.value ?? chosen.value);
  const pick = (name: string | undefined) => {
    const key = own?.functions.find((one) => one.name === name)?.key;
    elsewhere.value = key === undefined ? name : undefined;
    pickFunction(app, key);
  };
  const walk = (step: -1 | 1) => {
    const names = own?.functions.map(({ name }) => name) ?? [];
    const at = names.indexOf(chosen.peek() ?? '');
    const next = names[Math.max(0, at + step)];
    if (next !== undefined) pick(next);
  };
  useCommands(commands, () => element.current, {
    parent: () => walk(-1),
    child: () => walk(1),
    row_first: () => pick(own?.functions[0]?.name),
    open_sandwich() {
      const { fn } = app.view.peek();
      if (fn !== undefined) app.profile.openFunction(fn);
    },
    escape() {
      elsewhere.value = undefined;
      letGo(app);
    },
  });
  const only = onlyIn(shown);
  const ticks = shown
    .map(({ bars }) => bars?.ticks ?? [])
    .reduce((most, one) => (reach(one) > reach(most) ? one : most), []);
  const left = openProfiles(app).length - loaded.length;
  return (
    <div class="scatter beside">
      <div class="tools">
        {props.picker}
        {props.chart === 'bars' && (
          <span class="bars-key">
            <i aria-hidden="true" class="total" /> total <i aria-hidden="true" /> self
          </span>
        )}
        <span class="mute">functions are matched by name</span>
        <span class="grow" />
        {loaded.length > 0 && left > 0 && (
          <span class="mute">{formatThings(left, 'more profile')} not shown</span>
        )}
      </div>
      <div
        ref={element}
        class="beside-panes"
        data-scope={CHARTS_KEYS.scope}
        role="application"
        aria-roledescription="charts side by side"
        aria-label="Functions of all open profiles"
        tabIndex={0}
      >
        {shown.map((pane, at) => (
          <Pane
            key={pane.document}
            pane={pane}
            only={new Set(only?.[at]?.map(({ name }) => name))}
            ticks={ticks}
            lit={lit}
            onHover={(name) => {
              hovered.value = name;
            }}
            onPick={pick}
          />
        ))}
        {panes.state.value.pending && <div class="busy" />}
      </div>
      <div>
        {shown.length > 1 && (
          <div class="only-lists">
            {only === undefined ? (
              <p class="mute">Too many functions to tell which are in one profile only.</p>
            ) : (
              shown.map((pane, at) => (
                <OnlyIn
                  key={pane.document}
                  pane={pane}
                  functions={only[at] ?? []}
                  lit={lit.value}
                  onHover={(name) => {
                    hovered.value = name;
                  }}
                  onPick={pick}
                />
              ))
            )}
          </div>
        )}
        {problems.map(({ document, title, problem, hint }) => (
          <p key={document} class="beside-problem mute" title={hint}>
            <b>{title}</b>: {problem}
          </p>
        ))}
        <div class="chart-at">
          <output aria-live="polite">
            {lit.value === undefined ? (
              <span class="mute">Hover over a function to highlight it everywhere</span>
            ) : (
              <>
                <b>{lit.value}</b> {shown.map((pane) => told(pane, lit.value!)).join(' · ')}
              </>
            )}
          </output>
        </div>
      </div>
    </div>
  );
}

/** What a profile has of a function. */
function told(pane: BesidePane, name: string): string {
  const found = pane.functions.filter((one) => one.name === name);
  if (found.length === 0) {
    return `${pane.title}: ${pane.unlisted > 0 ? 'not among its largest' : 'not there'}`;
  }
  const figures = found.map(({ self, total }) => {
    const shares = [self, total].map((value) => formatShare(shareOf(value, pane.whole)));
    return (
      `self ${formatValue(self, pane.metric)} (${shares[0]}), ` +
      `total ${formatValue(total, pane.metric)} (${shares[1]})`
    );
  });
  return `${pane.title}: ${figures.join(' and ')}`;
}

/** From the first tick to the last. */
function reach(ticks: readonly number[]): number {
  return (ticks.at(-1) ?? 0) - (ticks[0] ?? 0);
}
