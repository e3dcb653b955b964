import type { ExperimentCell } from '@hotframe/engine';
import type { ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { formatFigure, formatShare, formatThings } from '../../text/units.ts';
import { shortenName } from '../../text/names.ts';
import { Shapes } from '../charts/Shapes.tsx';
import type { Place as At } from '../charts/shapes.ts';
import { type CellChart, inCell } from './cell-loading.ts';
import { type CellLook, cellShapes, heightOf, keyAt, litShapes } from './cell-shapes.ts';
import { type Place, reason } from './grid.ts';
import { CELL_CHARTS } from './state.ts';

const KINDS = new Map(CELL_CHARTS.map(({ value, label }) => [value, label]));
/** Letters of a function's name above its chart. */
const MOST_OF_NAME = 28;

/** The chart of a cell with its title, what a run takes, and the same of the lit function. */
export function CellChartBox(props: {
  readonly place: Place;
  readonly cell: ExperimentCell | undefined;
  /** Undefined where nothing is drawn, or not yet. */
  readonly chart: CellChart | undefined;
  readonly isLoaded: boolean;
  /** Of the chart, in CSS pixels. */
  readonly width: number;
  readonly side: 'base' | 'new' | undefined;
  readonly isCursor: boolean;
  readonly look: ReadonlySignal<CellLook>;
  /** The key of the function that is lit in all cells. */
  readonly lit: ReadonlySignal<number | undefined>;
  onFocus(): void;
  onHover(key: number | undefined): void;
  onPick(key: number | undefined): void;
  onOpen(): void;
}) {
  const { place, cell, chart, width, side } = props;
  const look = props.look.value;
  const key = props.lit.value;
  const at = `${place.row}.${place.column}`;
  // What is pointed at changes often, what is drawn does not.
  const drawn = useMemo(
    () => chart && <Shapes shapes={cellShapes(chart, width, look)} />,
    [chart, width, look],
  );
  const classes = ['cell', 'chart-cell', side, chart === undefined && 'none'];
  const keyOf = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const where: At = [event.clientX - box.left, event.clientY - box.top];
    return chart && keyAt(chart.drawing, where);
  };
  const told = chart && key !== undefined ? inCell(chart, key) : undefined;
  const tabIndex = props.isCursor ? 0 : -1;
  const hasRuns = cell !== undefined && cell.runs > 0;
  return (
    <td
      class={classes.filter((name) => typeof name === 'string').join(' ')}
      role="gridcell"
      {...(!hasRuns && { 'data-at': at, tabIndex })}
      onFocusIn={props.onFocus}
    >
      {hasRuns ? (
        <button
          type="button"
          class="title"
          data-at={at}
          tabIndex={tabIndex}
          title={`${cell.title}: open its runs alone`}
          onClick={props.onOpen}
        >
          {cell.title}
        </button>
      ) : (
        <span class="why">{reason(cell, undefined)}</span>
      )}
      {hasRuns && props.isLoaded && chart === undefined && <span class="why">not measured</span>}
      {cell !== undefined && (
        <span class="runs">
          {chart !== undefined && <b>{formatFigure(chart.whole, look.unit)}</b>}{' '}
          {formatThings(cell.runs, 'run')}
          {cell.left_out > 0 && `, ${cell.left_out} left out`}
        </span>
      )}
      {hasRuns && (
        <span class="lit">
          {told !== undefined ? (
            <>
              <code>{shortenName(told.name, MOST_OF_NAME)}</code>{' '}
              {formatFigure(told.total, look.unit)}, {formatShare(told.totalShare)}
            </>
          ) : key !== undefined && chart !== undefined ? (
            chart.pane.unlisted > 0 ? (
              'not among its largest'
            ) : (
              'not in it'
            )
          ) : (
            ' '
          )}
        </span>
      )}
      {chart !== undefined && (
        <svg
          role="img"
          aria-label={`${KINDS.get(chart.drawing.kind)} of ${chart.pane.title}`}
          width={width}
          height={heightOf(chart.drawing)}
          onPointerMove={(event) => props.onHover(keyOf(event))}
          onPointerLeave={() => props.onHover(undefined)}
          onClick={(event) => props.onPick(keyOf(event))}
        >
          {drawn}
          {key !== undefined && <Shapes shapes={litShapes(chart.drawing, width, key, look)} />}
        </svg>
      )}
      {side !== undefined && <span class="side">{side}</span>}
    </td>
  );
}
