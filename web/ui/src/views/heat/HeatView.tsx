import type { Filter, FilterKind, ViewSpec } from '@hotframe/engine';
import { computed, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { changeState, stateOf } from '../../state/address-part.ts';
import { useCommands } from '../../state/commands.ts';
import { distinct } from '../../state/distinct.ts';
import { answers, results } from '../../state/resource.ts';
import { useServices } from '../../state/services.ts';
import { formatFigure, formatShare, formatThings, type Unit } from '../../text/units.ts';
import { useMade } from '../../widgets/made.ts';
import { Pick } from '../../widgets/Pick.tsx';
import { PictureStates } from '../../widgets/PictureStates.tsx';
import { useChart } from '../charts/ChartFrame.tsx';
import { rangesOf, timeLabel } from '../timeline/times.ts';
import {
  chosenCells,
  columnChoices,
  gridOf,
  type Rectangle,
  rectangleOf,
  rectanglePattern,
  ROWS,
  standardColumn,
  stretchesOf,
} from './grid.ts';
import { cellAt, paintHeat } from './painting.ts';
import { HEAT_PART } from './state.ts';

/** Filters of which each side of a comparison may have its own. */
const SIDE_KINDS: ReadonlySet<FilterKind> = new Set<FilterKind>([
  'label_focus',
  'label_ignore',
  'time',
  'during',
  'around',
]);

type Cell = readonly [column: number, row: number];

/** When how much was: columns are seconds, rows are fractions of one. */
export function HeatView(props: { readonly spec: ViewSpec }) {
  const { app, commands } = useServices();
  const { element, size, spec, at: placeOf } = useChart(props.spec);
  const canvas = useRef<HTMLCanvasElement>(null);
  const hovered = useSignal<Cell | undefined>(undefined);
  const pressed = useSignal<{ readonly from: Cell; readonly to: Cell } | undefined>(undefined);
  /** The cell of the keyboard, and where its rectangle began. */
  const walked = useSignal<{ readonly from: Cell; readonly to: Cell } | undefined>(undefined);
  /** What is to be compared with the range that is kept. */
  const second = useSignal<{ readonly from: Cell; readonly to: Cell } | undefined>(undefined);
  const isRange = useComputed(() => app.view.value.filters.some(({ kind }) => kind === 'time'));

  const loads = useMade(() => {
    const document = distinct(() => ({ document: spec.value.document }));
    const tracks = results(app.engine, 'tracks', document);
    const grid = computed(() => {
      const known = tracks.state.value.value;
      if (known === undefined) return undefined;
      const length = Math.max(1, known.length);
      const { column } = stateOf(app.view.value, HEAT_PART);
      return gridOf(known.origin, length, column ?? standardColumn(length));
    });
    const input = distinct(() => {
      const known = grid.value;
      if (known === undefined) return undefined;
      const { search } = app.view.value;
      // The range that is chosen here does not take away what it is chosen from.
      const filters = spec.value.filters.filter(({ kind }) => kind !== 'time');
      const found: readonly Filter[] = search === '' ? [] : [{ kind: 'search', pattern: search }];
      const view = { ...spec.value, filters: [...filters, ...found] };
      return { view, from: known.begin, cell: known.cell, cells: known.columns * ROWS };
    });
    return { tracks, grid, heat: answers(app.engine, 'heat', input) };
  });

  const grid = loads.grid.value;
  const { origin, length } = loads.tracks.state.value.value ?? { origin: 0, length: 1 };
  const { value: answer, error, pending } = loads.heat.state.value;
  // A new grid's cells are not older grid's.
  const columns = answer?.columns.value;
  const values = grid && columns?.length === grid.columns * ROWS ? columns : undefined;
  const summary = useComputed(() => {
    const all = loads.heat.state.value.value?.columns.value ?? [];
    let [most, sum] = [0, 0];
    for (const value of all) {
      most = Math.max(most, value);
      sum += value;
    }
    return { most, sum };
  }).value;
  const metric = app.profile.summary.value?.metrics[app.profile.metric.value];
  const unit: Unit = metric ?? { unit: '', decimals: 0 };
  const told = (value: number) =>
    value > 0 && value < 1 ? `less than ${formatFigure(1, unit)}` : formatFigure(value, unit);

  useSignalEffect(() => {
    const shown = loads.grid.value;
    const cells = loads.heat.state.value.value?.columns.value;
    const { filters } = app.view.value;
    const held = [pressed.value, walked.value, second.value];
    app.theme.shown.value;
    const room = size.value;
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined || shown === undefined || room.width === 0)
      return;
    if (cells === undefined || cells.length !== shown.columns * ROWS) return;
    const known = loads.tracks.state.value.value ?? { origin: 0, length: 1 };
    const ranges = filters.flatMap(({ kind, pattern }) =>
      kind === 'time' ? rangesOf(known.origin, known.length, pattern) : [],
    );
    const outlined = held.flatMap((one) => (one ? [rectangleOf(one.from, one.to)] : []));
    paintHeat(context, room, {
      grid: shown,
      origin: known.origin,
      length: known.length,
      values: cells,
      most: cells.reduce((one, other) => Math.max(one, other), 0),
      chosen: ranges.length > 0 ? chosenCells(shown, ranges) : undefined,
      outlined,
    });
  });

  const choose = (rectangle: Rectangle | undefined) => {
    if (grid === undefined) return;
    const others = app.view.peek().filters.filter(({ kind }) => kind !== 'time');
    const pattern = rectangle && rectanglePattern(origin, grid, rectangle);
    const filters =
      pattern === undefined ? others : [...others, { kind: 'time' as const, pattern }];
    app.update({ filters }, 'push');
  };
  /** Opens what some cells have against the range that is kept. */
  const compare = (rectangle: Rectangle) => {
    if (grid === undefined) return;
    const { filters } = app.view.peek();
    const base = filters.filter(({ kind }) => SIDE_KINDS.has(kind));
    const others = base.filter(({ kind }) => kind !== 'time');
    if (others.length === base.length) {
      app.notices.notice.value = 'Keep a range first: the other is compared with it.';
      return;
    }
    const pattern = rectanglePattern(origin, grid, rectangle);
    const now = [...others, { kind: 'time' as const, pattern }];
    app.profile.compareParts(base, now).catch(app.notices.fail);
  };
  const walk = (by: Cell, extend: boolean) => {
    if (grid === undefined) return;
    const { from, to } = walked.peek() ?? { from: [0, 0] as const, to: [-by[0], -by[1]] as const };
    const next: Cell = [
      Math.min(grid.columns - 1, Math.max(0, to[0] + by[0])),
      Math.min(ROWS - 1, Math.max(0, to[1] + by[1])),
    ];
    walked.value = { from: extend ? from : next, to: next };
  };
  useCommands(commands, () => element.current, {
    left: () => walk([-1, 0], false),
    right: () => walk([1, 0], false),
    parent: () => walk([0, 1], false),
    child: () => walk([0, -1], false),
    extend_left: () => walk([-1, 0], true),
    extend_right: () => walk([1, 0], true),
    extend_up: () => walk([0, 1], true),
    extend_down: () => walk([0, -1], true),
    choose_range() {
      const at = walked.peek();
      if (at !== undefined) choose(rectangleOf(at.from, at.to));
    },
    compare_ranges() {
      const at = second.peek() ?? walked.peek();
      if (at !== undefined) compare(rectangleOf(at.from, at.to));
    },
    whole: () => choose(undefined),
    escape() {
      if (second.peek() !== undefined) second.value = undefined;
      else if (walked.peek() !== undefined) walked.value = undefined;
      else choose(undefined);
    },
  });

  const cellOf = (event: PointerEvent): Cell | undefined => {
    return grid && cellAt(size.peek(), grid, ...placeOf(event));
  };
  const press = (event: PointerEvent) => {
    const from = cellOf(event);
    if (from === undefined || event.button !== 0) return;
    element.current?.setPointerCapture(event.pointerId);
    element.current?.focus({ preventScroll: true });
    walked.value = undefined;
    pressed.value = { from, to: from };
  };
  const move = (event: PointerEvent) => {
    const at = cellOf(event);
    hovered.value = at;
    const held = pressed.peek();
    if (held !== undefined && at !== undefined) pressed.value = { from: held.from, to: at };
  };
  const release = (event: PointerEvent) => {
    const held = pressed.peek();
    pressed.value = undefined;
    if (held === undefined) return;
    second.value = event.shiftKey && isRange.peek() ? held : undefined;
    if (second.peek() === undefined) choose(rectangleOf(held.from, held.to));
  };

  const at =
    pressed.value ?? walked.value ?? (hovered.value && { from: hovered.value, to: hovered.value });
  const search = app.view.value.search;
  return (
    <div class="heat">
      <div class="heat-told">
        {grid !== undefined && (
          <Pick
            label="Column"
            choices={columnChoices(length).map((column) => ({
              value: String(column),
              label: timeLabel(column),
              title: `${formatThings(Math.ceil(length / column), 'column')}`,
            }))}
            value={String(grid.column)}
            onChange={(column) => changeState(app, HEAT_PART, { column: Number(column) })}
          />
        )}
        <span class="mute">
          {grid && `each cell ${timeLabel(grid.cell)}`}
          {search !== '' && ' · of what the search finds'}
        </span>
        {second.value !== undefined && (
          <button
            type="button"
            class="plain on"
            title="What these cells have against the range that is kept (C)"
            onClick={() => {
              const at = second.peek();
              if (at !== undefined) compare(rectangleOf(at.from, at.to));
            }}
          >
            Compare with the kept range
          </button>
        )}
        <Legend most={told(summary.most)} />
      </div>
      <div
        ref={element}
        class="picture"
        data-scope="heat"
        role="application"
        aria-label="Heat map"
        aria-roledescription="heat map"
        tabIndex={0}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={() => {
          pressed.value = undefined;
        }}
        onPointerLeave={() => {
          hovered.value = undefined;
        }}
      >
        <canvas ref={canvas} aria-hidden="true" />
        <PictureStates error={error} pending={pending || loads.tracks.state.value.pending} />
      </div>
      <output class="heat-at" aria-live="polite">
        {at !== undefined && grid !== undefined && values !== undefined ? (
          <CellTold
            rectangle={rectangleOf(at.from, at.to)}
            {...{ grid, values, origin, told }}
            sum={summary.sum}
          />
        ) : (
          <span class="mute">
            {answer !== undefined && answer.result.untimed !== 0
              ? `${told(answer.result.untimed)} have no time and are not here`
              : isRange.value
                ? 'Shift + drag over other cells compares them with the kept range'
                : 'Drag over cells: everything else shows their time'}
          </span>
        )}
      </output>
    </div>
  );
}

/** What some cells are together. */
function CellTold(props: {
  readonly rectangle: Rectangle;
  readonly grid: ReturnType<typeof gridOf>;
  readonly values: Float64Array;
  readonly origin: number;
  readonly sum: number;
  told(value: number): string;
}) {
  const { rectangle, grid, values, origin, sum, told } = props;
  const stretches = stretchesOf(grid, rectangle);
  let value = 0;
  for (let column = rectangle.columns[0]; column <= rectangle.columns[1]; column++) {
    for (let row = rectangle.rows[0]; row <= rectangle.rows[1]; row++)
      value += values[column * ROWS + row]!;
  }
  const lasts = stretches.reduce((all, { from, to }) => all + to - from, 0);
  const [first, last] = [stretches[0]!, stretches.at(-1)!];
  return (
    <>
      <b>{told(value)}</b> <span class="mute">{formatShare(sum === 0 ? 0 : value / sum)}</span>{' '}
      {timeLabel(origin + first.from, grid.cell)} to {timeLabel(origin + last.to, grid.cell)}
      <span class="mute">
        {stretches.length > 1
          ? ` · ${formatThings(stretches.length, 'part')}, ${timeLabel(lasts)} together`
          : ` · ${timeLabel(lasts)}`}
      </span>
    </>
  );
}

/** What the colours stand for. */
function Legend({ most }: { readonly most: string }) {
  return (
    <span class="heat-legend" role="img" aria-label={`Colours from 0 to ${most}`}>
      0<i aria-hidden="true" />
      {most}
    </span>
  );
}
