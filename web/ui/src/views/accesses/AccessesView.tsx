import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { cachesOf, DEFAULT_ACCESSES_VIEW as DEFAULT } from '../../state/accesses-view.ts';
import { useApp } from '../../state/services.ts';
import { formatThings } from '../../text/units.ts';
import { DETAILS, DetailsSplitters, SHEET } from '../../widgets/DetailsSplitters.tsx';
import { TabbedPanel } from '../../widgets/TabbedPanel.tsx';
import { shares, useSize } from '../../widgets/Splitter.tsx';
import { ChangesPanel } from './ChangesPanel.tsx';
import { ContainerFigure } from './ContainerFigure.tsx';
import { labelsOf } from './containers.ts';
import { ElementPanel } from './ElementPanel.tsx';
import { AccessesLegend } from './Legend.tsx';
import { NumbersPanel } from './NumbersPanel.tsx';
import { Player } from './Player.tsx';
import { SizesPanel } from './SizesPanel.tsx';
import { useBothTold } from './told.ts';

/** Of more accesses than these elements tell no sums: `MOST_EACH` of the simulation. */
const MOST_BY_ELEMENT = 2 ** 25;

/** Accesses: containers element by element, the iteration that is looked at, and a panel. */
export function AccessesView() {
  const app = useApp();
  const [details, sheet] = [useSize(DETAILS), useSize(SHEET)];
  const panel = app.detailsOpen.value;
  return (
    <main
      class={panel ? 'main accesses-main with-details' : 'main accesses-main'}
      style={{ '--details': `${details}px`, ...shares('sheet', sheet) }}
    >
      <div class="accesses-stage" data-scope="accesses">
        <Containers />
        <Player />
      </div>
      {panel && (
        <>
          <DetailsSplitters />
          <Panel />
        </>
      )}
    </main>
  );
}

function Containers() {
  const { accesses } = useApp();
  const both = useBothTold();
  const stage = useRef<HTMLDivElement>(null);
  const width = useWidth(stage);
  const failed = accesses.sizes.value.error ?? accesses.run.value.error;
  if (failed !== undefined && failed.code !== 'disconnected') {
    return (
      <div class="accesses-containers" role="alert">
        <p class="problem">{failed.message}</p>
        <WaysOut />
      </div>
    );
  }
  if (both === undefined) return <div class="accesses-containers" aria-busy="true" />;
  const { shown: told, base } = both;
  const { run } = told;
  const baseProblem = accesses.baseProblem.value;
  const isRecorded = accesses.isRecorded.value;
  const where = isRecorded ? 'of shorter recordings' : 'at smaller sizes';
  const what = isRecorded ? 'single accesses' : 'iterations, related accesses';
  // Two pictures beside each other have half of the room each.
  const room = base === undefined ? width : width / 2 - 20;
  return (
    <div ref={stage} class="accesses-containers" aria-busy={accesses.run.value.pending}>
      {run.result.containers.length === 0 && (
        <p class="mute">
          {run.result.left_out.length === 0
            ? 'Nothing is accessed here: scalars and registers are not memory, and at these sizes loops may be empty.'
            : `Nothing that can be simulated is accessed here; ${formatThings(run.result.left_out.length, 'part')} left out.`}
        </p>
      )}
      {run.result.containers.length === 0 && run.result.left_out.length > 0 && (
        <ul class="accesses-notes mute">
          {run.result.left_out.slice(0, 5).map(({ what, why }, index) => (
            <li key={index}>
              left out: {what}: {why}
            </li>
          ))}
        </ul>
      )}
      {baseProblem !== undefined && (
        <p class="problem" role="alert">
          There is no picture from before all changes: {baseProblem}
        </p>
      )}
      {!run.result.has_each && (
        <p class="mute accesses-note" role="note">
          These are {formatThings(run.result.totals.accesses, 'access')}: too many to go through one
          by one here.{' '}
          {run.result.totals.accesses > MOST_BY_ELEMENT
            ? `Elements show sums of up to ${formatThings(MOST_BY_ELEMENT, 'access')}. Accesses, ${what}, lines and evictions are shown ${where}.`
            : `Elements show sums. ${what}, lines and evictions are shown ${where}.`}
        </p>
      )}
      <AccessesLegend told={told} />
      {labelsOf(run).map((name, number) => {
        const before = base === undefined ? -1 : labelsOf(base.run).indexOf(name);
        const figure = <ContainerFigure key={name} told={told} number={number} room={room} />;
        if (base === undefined || before < 0) return figure;
        return (
          <div key={name} class="accesses-pair" role="group" aria-label={name}>
            <div>
              <span class="mute">before</span>
              <ContainerFigure told={base} number={before} room={room} />
            </div>
            <div>
              <span class="mute">after</span>
              {figure}
            </div>
          </div>
        );
      })}
    </div>
  );
}

/** What was set and may be why there is no answer, each to be taken back. */
function WaysOut() {
  const { accesses } = useApp();
  const view = accesses.view.value;
  const { changes, symbols, schedule, cache, line, lines, inclusion, scope, ranges } = view;
  const back = [
    {
      isSet: changes.length > 0,
      label: `Undo ${changes.at(-1)}`,
      change: { changes: changes.slice(0, -1) },
    },
    { isSet: ranges.length > 0, label: 'Arrays without ranges', change: { ranges: [] } },
    { isSet: symbols.length > 0, label: 'Suggested sizes', change: { symbols: [] } },
    { isSet: schedule !== '', label: 'One thread', change: { schedule: '' } },
    {
      isSet: cachesOf(view, 'shown').private > 0,
      label: 'Threads that share caches',
      change: { private: 0 },
    },
    { isSet: cache !== '', label: 'A cache without sets', change: { cache: '' } },
    {
      isSet: inclusion !== DEFAULT.inclusion,
      label: 'Levels that keep whatever was not replaced',
      change: { inclusion: DEFAULT.inclusion },
    },
    {
      isSet: cache === '' && lines !== DEFAULT.lines,
      label: `A cache of ${DEFAULT.lines} lines`,
      change: { lines: DEFAULT.lines },
    },
    {
      isSet: line !== DEFAULT.line,
      label: `Lines of ${DEFAULT.line} bytes`,
      change: { line: DEFAULT.line },
    },
  ];
  return (
    <p>
      {back
        .filter(({ isSet }) => isSet)
        .map(({ label, change }) => (
          <button
            key={label}
            type="button"
            class="control"
            onClick={() => accesses.update({ ...change, at: undefined, range: undefined }, 'push')}
          >
            {label}
          </button>
        ))}
      {scope !== undefined && (
        <button type="button" class="control" onClick={() => accesses.openPart(undefined)}>
          Back to the graph
        </button>
      )}
    </p>
  );
}

const PANELS = [
  { value: 'numbers', label: 'Numbers' },
  { value: 'changes', label: 'What if' },
  { value: 'sizes', label: 'Sizes and caches' },
  { value: 'element', label: 'Element' },
] as const;

/** Width of an element in pixels; that of the window until it is known. */
function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(innerWidth);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.round(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  });
  return width;
}

/** What stands beside the picture. */
function Panel() {
  const { accesses } = useApp();
  const shown = accesses.panel.value;
  return (
    <TabbedPanel class="accesses-panel" tabs={PANELS} shown={accesses.panel}>
      {shown === 'numbers' && <NumbersPanel />}
      {shown === 'changes' && <ChangesPanel />}
      {shown === 'sizes' && <SizesPanel />}
      {shown === 'element' && <ElementPanel />}
    </TabbedPanel>
  );
}
