import type { AccessTotals } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { plainLines } from '../../state/accesses.ts';
import type { ChosenElement } from '../../state/accesses-view.ts';
import { useApp } from '../../state/services.ts';
import { formatBytes, formatInteger, formatThings } from '../../text/units.ts';
import { useCells } from './cells.ts';
import { count, sameIteration } from './iterations.ts';
import { chosenOf, countOf, elementOf, find, indicesOf, isSame, labelsOf } from './containers.ts';
import { touchedBy } from './elements.ts';
import { missesOf, totalsOf } from './histogram.ts';
import { type Marks, paintCells, paintMarks, readAccessesPalette } from './paint.ts';
import { cellAt, fittingSide, placed } from './places.ts';
import { ElementTip } from './ElementTip.tsx';
import type { Told } from './told.ts';
import { allText, rangeText } from './words.ts';

/** Taller figures are made of smaller cells. */
const HEIGHT = 420;

/** A container, element by element. */
export function ContainerFigure(props: {
  readonly told: Told;
  readonly number: number;
  /** Pixels that it may be wide. */
  readonly room: number;
}) {
  const app = useApp();
  const { accesses } = app;
  const { told, number } = props;
  const container = told.run.result.containers[number]!;
  const { shape } = container;
  const name = labelsOf(told.run)[number]!;
  const shapeKey = shape.join(',');
  const places = useMemo(
    () => placed(shape, fittingSide(shape, props.room - 12, HEIGHT)),
    [shapeKey, props.room],
  );
  const [ground, top] = [useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null)];
  const cursor = useSignal<number | undefined>(undefined);
  const pointer = useSignal<{ x: number; y: number } | undefined>(undefined);
  const theme = app.theme.shown.value;
  const palette = useMemo(() => readAccessesPalette(document.documentElement), [theme]);
  const cells = useCells(told, number, places);

  useLayoutEffect(() => {
    if (ground.current === null || cells === undefined) return;
    paintCells(ground.current, { places, cells, colour: told.colour, palette });
  }, [told, cells, places, palette]);

  const marks = useMarks(told, number, cursor.value);
  useLayoutEffect(() => {
    if (top.current !== null) paintMarks(top.current, { places, shape, marks, palette });
  });

  const elementAt = (event: MouseEvent): number | undefined => {
    const box = top.current?.getBoundingClientRect();
    if (box === undefined) return undefined;
    const cell = cellAt(places, event.clientX - box.left, event.clientY - box.top);
    if (cell === undefined) return undefined;
    const indices = cell.map((index, dimension) => index * places.bins[dimension]!);
    return elementOf(shape, indices);
  };
  const toggle = (element: number) => {
    const { chosen } = accesses.view.peek();
    const own = chosenOf(told.run, { number, element });
    const others = chosen.filter((one) => !isSame(told.run, one, own));
    const isNew = others.length === chosen.length;
    accesses.update({ chosen: isNew ? [...others, own] : others }, 'replace');
    if (isNew) accesses.hovered.value = own;
  };
  /** The element some cells away in a dimension, of which 0 is the innermost. */
  const moved = (element: number, out: number, by: number): number => {
    const indices = indicesOf(shape, element);
    const dimension = Math.max(0, shape.length - 1 - out);
    if (dimension >= shape.length) return element;
    const bin = places.bins[dimension]!;
    const next = Math.floor(indices[dimension]! / bin) + by;
    indices[dimension] = Math.min(places.cells[dimension]! - 1, Math.max(0, next)) * bin;
    return elementOf(shape, indices);
  };
  const move = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    if (by !== undefined) {
      const out = by.out + (event.shiftKey ? by.further : 0);
      cursor.value = cursor.value === undefined ? 0 : moved(cursor.value, out, by.by);
      accesses.hovered.value = chosenOf(told.run, { number, element: cursor.value });
    } else if (event.key === 'Enter' && cursor.value !== undefined) {
      toggle(cursor.value);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const ranged = rangeText(told.run, accesses.view.value.range, accesses.isRecorded.value);
  const totals = totalsOf(told.run, number, plainLines(accesses.view.value));
  const isOne = places.bins.every((bin) => bin === 1);
  return (
    <figure class="accesses-container" aria-label={`Container ${name}`}>
      <figcaption>
        <b>{name}</b>
        <code>
          [{shape.map(formatInteger).join(', ')}] × {container.element} B
        </code>
        <span class="mute number" title={captionTitle(totals)}>
          {ranged !== undefined && `${allText(accesses.isRecorded.value)}: `}
          {formatThings(totals.accesses, 'access')} · {formatThings(totals.lines, 'line')} ·{' '}
          {formatThings(missesOf(totals), 'miss')} · {formatBytes(totals.bytes)}
        </span>
        {!isOne && (
          <span class="mute" title="Neighbours share a cell: there are more elements than pixels">
            a cell is {places.bins.join(' × ')} elements
          </span>
        )}
      </figcaption>
      {typeof cells === 'object' && 'problem' in cells ? (
        <p class="mute" role="note">
          {cells.problem}
        </p>
      ) : (
        <div
          class="accesses-plane"
          style={{ width: `${places.width}px`, height: `${places.height}px` }}
          tabIndex={0}
          role="application"
          aria-label={`Elements of ${name}; ${keysOf(shape.length)}, Enter chooses`}
          onKeyDown={move}
          onBlur={() => {
            // What a pointer is at stays told; what the keys were at is told no more.
            if (cursor.value !== undefined && pointer.value === undefined) {
              accesses.hovered.value = undefined;
            }
            cursor.value = undefined;
          }}
        >
          <canvas ref={ground} aria-hidden="true" />
          <canvas
            ref={top}
            aria-hidden="true"
            onMouseMove={(event) => {
              const element = elementAt(event);
              pointer.value =
                element === undefined ? undefined : { x: event.clientX, y: event.clientY };
              const before = find(told.run, accesses.hovered.peek());
              if (element === undefined) {
                if (before?.number === number) accesses.hovered.value = undefined;
              } else if (before?.number !== number || before.element !== element) {
                accesses.hovered.value = chosenOf(told.run, { number, element });
              }
            }}
            onMouseLeave={() => {
              pointer.value = undefined;
              accesses.hovered.value = undefined;
            }}
            onClick={(event) => {
              const element = elementAt(event);
              if (element !== undefined) toggle(element);
            }}
          />
        </div>
      )}
      {pointer.value !== undefined && cells !== undefined && !('problem' in cells) && (
        <ElementTip told={told} number={number} places={places} cells={cells} at={pointer.value} />
      )}
    </figure>
  );
}

/** Which keys move in a container of so many dimensions. */
function keysOf(dimensions: number): string {
  if (dimensions < 3) return 'arrows move';
  if (dimensions < 5) return 'arrows move, with Shift in outer dimensions';
  return 'arrows move, with Shift in outer dimensions, Page Up and Page Down in those outside of them';
}

interface KeyStep {
  readonly by: 1 | -1;
  /** The dimension, counted from the innermost. */
  readonly out: number;
  /** How much further out it is with Shift. */
  readonly further: number;
}

/** Dimensions go across and down in turn, and so do keys: two by arrows, two with Shift, then two by pages. */
const STEPS: Readonly<Record<string, KeyStep>> = {
  ArrowLeft: { by: -1, out: 0, further: 2 },
  ArrowRight: { by: 1, out: 0, further: 2 },
  ArrowUp: { by: -1, out: 1, further: 2 },
  ArrowDown: { by: 1, out: 1, further: 2 },
  PageUp: { by: -1, out: 4, further: 1 },
  PageDown: { by: 1, out: 4, further: 1 },
};

/** What is marked in a container: the iteration, what was chosen, the pointer, the cursor. */
function useMarks(told: Told, number: number, cursor: number | undefined): Marks {
  const { accesses } = useApp();
  const { at, chosen } = accesses.view.value;
  const { run } = told;
  const ofThis = (one: ChosenElement | undefined): readonly number[] => {
    const found = find(run, one);
    return found?.number === number ? [found.element] : [];
  };
  const [reads, writes]: [number[], number[]] = [[], []];
  const played = accesses.run.value.value ?? run;
  const iteration = useMemo(() => {
    if (at === undefined || !run.result.has_each || !played.result.has_each) return undefined;
    // As the player tells it: what an address has beyond the last iteration is the last one.
    const last = Math.min(at, count(played) - 1);
    // Loops that were changed come by the same iteration at another time.
    return played === run || last < 0 ? last : sameIteration(played, last, run);
  }, [at, played, run]);
  if (iteration !== undefined) {
    const { start, reference, element } = run.columns;
    const end = start[iteration + 1] ?? reference.length;
    for (let access = start[iteration] ?? end; access < end; access += 1) {
      const own = run.result.references[reference[access]!]!;
      if (own.container !== number) continue;
      const first = element[access]!;
      for (let one = first; one < first + touchedBy(run, access); one += 1) {
        (own.is_write ? writes : reads).push(one);
      }
    }
  }
  const hovered = accesses.hovered.value;
  return {
    reads,
    writes,
    chosen: chosen.flatMap(ofThis),
    inputs: useInputs(told, number),
    hovered: ofThis(hovered)[0],
    cursor:
      cursor !== undefined && cursor < countOf(run.result.containers[number]!) ? cursor : undefined,
  };
}

/** What is read in the iterations that write the element under the pointer. */
function useInputs(told: Told, number: number): readonly number[] {
  const { accesses } = useApp();
  const hovered = accesses.hovered.value;
  const { run } = told;
  return useMemo(() => {
    if (hovered === undefined || !run.result.has_each) return [];
    const { start, reference, element } = run.columns;
    const target = find(run, hovered);
    const inputs = new Set<number>();
    let from = 0;
    for (let iteration = 0; iteration < start.length; iteration += 1) {
      from = start[iteration]!;
      const end = start[iteration + 1] ?? reference.length;
      let writes = false;
      for (let access = from; access < end && !writes; access += 1) {
        const own = run.result.references[reference[access]!]!;
        writes =
          own.is_write && own.container === target?.number && element[access] === target.element;
      }
      if (!writes) continue;
      for (let access = from; access < end; access += 1) {
        const own = run.result.references[reference[access]!]!;
        if (!own.is_write && own.container === number) inputs.add(element[access]!);
      }
    }
    return [...inputs];
  }, [hovered, run, number]);
}

function captionTitle({ cold, capacity, conflict }: AccessTotals): string {
  return `${formatInteger(cold)} cold, ${formatInteger(capacity)} capacity, ${formatInteger(conflict)} conflict misses; bytes are misses times the line`;
}
