import { fitCanvas } from '../../canvas/surface.ts';
import type { Size } from '../../canvas/rect.ts';
import { timeLabel } from '../timeline/times.ts';
import { type Grid, type Rectangle, ROWS } from './grid.ts';

/** Room beside and below the cells for their times. */
export const GUTTER = 56;
export const FOOT = 20;
const TOP = 8;
const FONT = '11px system-ui, sans-serif';

export interface HeatPicture {
  readonly grid: Grid;
  readonly origin: number;
  /** Where the recording ends, in nanoseconds behind the begin of the first cell. */
  readonly length: number;
  readonly values: Float64Array;
  /** The value of the darkest cell. */
  readonly most: number;
  /** By cell, whether it is chosen; none where nothing is. */
  readonly chosen: Uint8Array | undefined;
  /** What is being dragged over, or the cells of the keyboard. */
  readonly outlined: readonly Rectangle[];
}

/** Where the cells are, in CSS pixels. */
export function plotOf({ width, height }: Size): {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
} {
  return {
    x: GUTTER,
    y: TOP,
    width: Math.max(1, width - GUTTER - 10),
    height: Math.max(1, height - TOP - FOOT),
  };
}

/** Column and row at a place, pushed into the picture. */
export function cellAt(size: Size, grid: Grid, x: number, y: number): readonly [number, number] {
  const plot = plotOf(size);
  const column = Math.floor(((x - plot.x) / plot.width) * grid.columns);
  const row = ROWS - 1 - Math.floor(((y - plot.y) / plot.height) * ROWS);
  const inside = (value: number, count: number) => Math.min(count - 1, Math.max(0, value));
  return [inside(column, grid.columns), inside(row, ROWS)];
}

export function paintHeat(
  context: CanvasRenderingContext2D,
  size: Size,
  { grid, origin, length, values, most, chosen, outlined }: HeatPicture,
): void {
  const scale = devicePixelRatio;
  fitCanvas(context.canvas, size, scale);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const plot = plotOf(size);
  const [wide, tall] = [plot.width / grid.columns, plot.height / ROWS];
  // Edges on whole device pixels: no seams between neighbours.
  const edge = (value: number) => Math.round(value * scale) / scale;
  const left = (column: number) => edge(plot.x + column * wide);
  const top = (row: number) => edge(plot.y + plot.height - (row + 1) * tall);
  const gap = wide >= 6 && tall >= 4 ? 1 / scale : 0;

  context.fillStyle = token('--hover');
  // What is before the begin or behind the end is nothing, not a time in which nothing was.
  const cellsOf = (time: number) => Math.min(grid.columns * ROWS, time / grid.cell);
  const [first, end] = [Math.floor(cellsOf(-grid.begin)), Math.ceil(cellsOf(length - grid.begin))];
  for (let column = 0; column < grid.columns; column++) {
    const from = Math.max(first - column * ROWS, 0);
    const to = Math.min(end - column * ROWS, ROWS);
    if (to <= from) continue;
    const y = top(to - 1);
    context.fillRect(left(column), y, left(column + 1) - left(column), top(from - 1) - y);
  }
  context.fillStyle = token('--hot');
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (value <= 0 || most <= 0) continue;
    const [column, row] = [Math.floor(at / ROWS), at % ROWS];
    const pale = chosen !== undefined && chosen[at] === 0 ? 0.35 : 1;
    context.globalAlpha = (0.1 + 0.9 * Math.min(1, value / most)) * pale;
    const [x, y] = [left(column), top(row)];
    context.fillRect(x, y, left(column + 1) - x - gap, top(row - 1) - y - gap);
  }
  context.globalAlpha = 1;

  if (chosen !== undefined) {
    context.fillStyle = token('--ink');
    const isChosen = (column: number, row: number) =>
      column >= 0 && column < grid.columns && row >= 0 && row < ROWS
        ? chosen[column * ROWS + row] === 1
        : false;
    for (let at = 0; at < chosen.length; at++) {
      if (chosen[at] === 0) continue;
      const [column, row] = [Math.floor(at / ROWS), at % ROWS];
      const [x, y, right, bottom] = [left(column), top(row), left(column + 1), top(row - 1)];
      if (!isChosen(column - 1, row)) context.fillRect(x - 1, y, 1.5, bottom - y);
      if (!isChosen(column + 1, row)) context.fillRect(right - 0.5, y, 1.5, bottom - y);
      if (!isChosen(column, row + 1)) context.fillRect(x, y - 1, right - x, 1.5);
      if (!isChosen(column, row - 1)) context.fillRect(x, bottom - 0.5, right - x, 1.5);
    }
  }
  context.strokeStyle = token('--accent');
  context.lineWidth = 2;
  for (const { columns, rows } of outlined) {
    const [x, y] = [left(columns[0]), top(rows[1])];
    context.strokeRect(x, y, left(columns[1] + 1) - x, top(rows[0] - 1) - y);
  }

  context.font = FONT;
  context.fillStyle = token('--mute');
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    const y = plot.y + plot.height * (1 - part);
    const label = part === 0 ? '0' : timeLabel(part * grid.column);
    context.fillText(label, plot.x - 6, Math.max(8, y));
  }
  context.textAlign = 'center';
  const room = Math.max(1, Math.ceil(80 / wide));
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((one) => one >= room) ?? room;
  for (let column = 0; column <= grid.columns; column += step) {
    const x = plot.x + column * wide;
    if (x > size.width - 20) break;
    context.fillText(
      timeLabel(origin + grid.begin + column * grid.column, grid.column),
      x,
      size.height - 9,
    );
  }
}
