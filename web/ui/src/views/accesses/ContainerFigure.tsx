import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useApp } from '../../state/services.ts';
import { formatBytes, formatInteger } from '../../text/units.ts';
import { useCells } from './cells.ts';
import { elementOf, indicesOf } from './elements.ts';
import { type Marks, paintCells, paintMarks, readAccessesPalette } from './paint.ts';
import { cellAt, fittingSide, placed } from './places.ts';
import { ElementTip } from './ElementTip.tsx';
import type { Told } from './told.ts';

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
  const { name, shape } = container;
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
    const others = chosen.filter((one) => one.container !== name || one.element !== element);
    const isNew = others.length === chosen.length;
    accesses.update(
      { chosen: isNew ? [...others, { container: name, element }] : others },
      'replace',
    );
    if (isNew) {
      accesses.hovered.value = { container: name, element };
    }
  };
  const move = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    if (by !== undefined) {
      const indices = indicesOf(shape, cursor.value ?? 0);
      const last = shape.length - 1;
      const dimension = Math.max(0, event.shiftKey ? last - 2 : last - (by.down ? 1 : 0));
      if (dimension >= shape.length) return;
      const stride = places.bins[dimension]!;
      const next = (indices[dimension] ?? 0) + by.by * stride;
      indices[dimension] = Math.min(shape[dimension]! - 1, Math.max(0, next));
      cursor.value = cursor.value === undefined ? 0 : elementOf(shape, indices);
      accesses.hovered.value = { container: name, element: cursor.value };
    } else if (event.key === 'Enter' && cursor.value !== undefined) {
      toggle(cursor.value);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const { totals } = container;
  const isOne = places.bins.every((bin) => bin === 1);
  return (
    <figure class="accesses-container" aria-label={`Container ${name}`}>
      <figcaption>
        <b>{name}</b>
        <code>
          [{shape.map(formatInteger).join(', ')}] × {container.element} B
        </code>
        <span class="mute number" title={captionTitle(told, number)}>
          {formatInteger(totals.accesses)} accesses · {formatInteger(totals.lines)} lines ·{' '}
          {formatInteger(totals.cold + totals.capacity + totals.conflict)} misses ·{' '}
          {formatBytes(totals.bytes)}
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
          aria-label={`Elements of ${name}; arrows move, Enter chooses`}
          onKeyDown={move}
          onBlur={() => {
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
              const before = accesses.hovered.peek();
              if (element === undefined) {
                if (before?.container === name) accesses.hovered.value = undefined;
              } else if (before?.container !== name || before.element !== element) {
                accesses.hovered.value = { container: name, element };
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

const STEPS: Readonly<Record<string, { readonly by: 1 | -1; readonly down: boolean }>> = {
  ArrowLeft: { by: -1, down: false },
  ArrowRight: { by: 1, down: false },
  ArrowUp: { by: -1, down: true },
  ArrowDown: { by: 1, down: true },
};

/** What is marked in a container: the iteration, what was chosen, the pointer, the cursor. */
function useMarks(told: Told, number: number, cursor: number | undefined): Marks {
  const { accesses } = useApp();
  const { at, chosen } = accesses.view.value;
  const { run } = told;
  const { name } = run.result.containers[number]!;
  const [reads, writes]: [number[], number[]] = [[], []];
  const iteration = at ?? undefined;
  if (iteration !== undefined && run.result.has_each) {
    const { start, reference, element } = run.columns;
    const end = start[iteration + 1] ?? reference.length;
    for (let access = start[iteration] ?? end; access < end; access += 1) {
      const own = run.result.references[reference[access]!]!;
      if (own.container === number) (own.is_write ? writes : reads).push(element[access]!);
    }
  }
  const hovered = accesses.hovered.value;
  return {
    reads,
    writes,
    chosen: chosen.filter(({ container }) => container === name).map(({ element }) => element),
    inputs: useInputs(told, number),
    hovered: hovered?.container === name ? hovered.element : undefined,
    cursor,
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
    const target = run.result.containers.findIndex(({ name }) => name === hovered.container);
    const inputs = new Set<number>();
    let from = 0;
    for (let iteration = 0; iteration < start.length; iteration += 1) {
      from = start[iteration]!;
      const end = start[iteration + 1] ?? reference.length;
      let writes = false;
      for (let access = from; access < end && !writes; access += 1) {
        const own = run.result.references[reference[access]!]!;
        writes = own.is_write && own.container === target && element[access] === hovered.element;
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

function captionTitle(told: Told, number: number): string {
  const { cold, capacity, conflict } = told.run.result.containers[number]!.totals;
  return `${formatInteger(cold)} cold, ${formatInteger(capacity)} capacity, ${formatInteger(conflict)} conflict misses; bytes are misses times the line`;
}
