import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { plainLines } from '../../state/accesses.ts';
import type { AccessOverlay } from '../../state/accesses-view.ts';
import { useApp } from '../../state/services.ts';
import { formatInteger, formatThings } from '../../text/units.ts';
import { type Cells, type Together, togetherOf } from './cells.ts';
import { find, indicesOf, labelsOf } from './containers.ts';
import { about, addressOf, lineOf } from './elements.ts';
import { cellOfElement, type Places } from './places.ts';
import type { Told } from './told.ts';
import { addressText, rangeText, valueText } from './words.ts';

/** Away from the pointer, so that it hides nothing of what it tells. */
const AWAY = 14;

const TOGETHER: Readonly<Record<Together, string>> = {
  sum: 'all elements of the cell together',
  least: 'the least of the elements of the cell',
  most: 'the most of the elements of the cell',
};

/** Overlays that tell what no sum of an element's own accesses does. */
const OF_OTHERS: readonly AccessOverlay[] = ['evictions', 'related', 'lines'];

/** What the element under the pointer tells, exactly. */
export function ElementTip(props: {
  readonly told: Told;
  readonly number: number;
  readonly places: Places;
  readonly cells: Cells;
  readonly at: { readonly x: number; readonly y: number };
}) {
  const { accesses } = useApp();
  const { told, number, places, cells, at } = props;
  const { run } = told;
  const box = useRef<HTMLDivElement>(null);
  const hovered = accesses.hovered.value;
  const view = accesses.view.value;
  const container = run.result.containers[number]!;
  const found = find(run, hovered);
  const element = found?.number === number ? found.element : undefined;
  const lines = plainLines(view);
  const known = useMemo(
    () =>
      element === undefined || !run.result.has_each
        ? undefined
        : about(run, number, element, lines, view.range),
    [run, number, element, lines, view.range],
  );
  useLayoutEffect(() => {
    const tip = box.current;
    if (tip === null) return;
    const { width, height } = tip.getBoundingClientRect();
    const left = at.x + AWAY + width > innerWidth - 8 ? at.x - AWAY - width : at.x + AWAY;
    const top = at.y + AWAY + height > innerHeight - 8 ? at.y - AWAY - height : at.y + AWAY;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${Math.max(8, top)}px`;
  });
  if (element === undefined) return null;
  const ranged = rangeText(run, view.range, accesses.isRecorded.value);
  const isOne = places.bins.every((bin) => bin === 1);
  const value = cells.values[cellOfElement(places, container.shape, element)] ?? Number.NaN;
  return (
    <div ref={box} class="tooltip" role="tooltip">
      <b>
        {labelsOf(run)[number]}[{rangesOf(container.shape, places, element).join(', ')}]
      </b>
      {known === undefined || !isOne ? (
        <>
          <p class="number">
            {Number.isNaN(value) ? 'first touches alone' : valueText(value, view)}
          </p>
          {!isOne && <p class="mute">{TOGETHER[togetherOf(view)]}</p>}
        </>
      ) : (
        <>
          <p class="number">
            {formatThings(known.reads, 'read')}, {formatThings(known.writes, 'write')}
          </p>
          <p class="number">
            misses: {formatInteger(known.cold)} cold, {formatInteger(known.capacity)} capacity
            {known.conflict !== 0 && `, ${formatInteger(known.conflict)} conflict`}
          </p>
          {known.distances.length > 0 && (
            <p class="number">
              distance {formatInteger(known.distances[0]!)} to{' '}
              {formatInteger(known.distances.at(-1)!)}, median{' '}
              {formatInteger(known.distances[(known.distances.length - 1) >> 1]!)}, in lines
            </p>
          )}
          {OF_OTHERS.includes(view.overlay) && <p class="number">{valueText(value, view)}</p>}
        </>
      )}
      {ranged !== undefined && view.overlay !== 'lines' && <p class="mute">{ranged} alone</p>}
      {isOne && (
        <p class="mute number">
          line {formatInteger(lineOf(container, element, run.program.line))}, address{' '}
          {addressText(addressOf(container, element), accesses.isRecorded.value)}
        </p>
      )}
    </div>
  );
}

/** By dimension, the indices of the elements that share the cell of one. */
function rangesOf(shape: readonly number[], places: Places, element: number): readonly string[] {
  return indicesOf(shape, element).map((index, dimension) => {
    const bin = places.bins[dimension]!;
    const first = Math.floor(index / bin) * bin;
    const last = Math.min(first + bin, shape[dimension]!) - 1;
    return first === last ? String(first) : `${first}–${last}`;
  });
}
