import { formatShare, formatThings } from '../../text/units.ts';
import { timeLabel } from '../timeline/times.ts';
import { type Grid, type Rectangle, ROWS, stretchesOf } from './grid.ts';

/** What some cells are together. */
export function CellSummary(props: {
  readonly rectangle: Rectangle;
  readonly grid: Grid;
  readonly values: Float64Array;
  readonly origin: number;
  readonly sum: number;
  format(value: number): string;
}) {
  const { rectangle, grid, values, origin, sum, format } = props;
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
      <b>{format(value)}</b> <span class="mute">{formatShare(sum === 0 ? 0 : value / sum)}</span>{' '}
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
export function Legend({ most }: { readonly most: string }) {
  return (
    <span class="heat-legend" role="img" aria-label={`Colours from 0 to ${most}`}>
      0<i aria-hidden="true" />
      {most}
    </span>
  );
}
