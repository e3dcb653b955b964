import { paletteOf } from '../../canvas/palette.ts';
import type { App } from '../../state/app.ts';
import { formatThings } from '../../text/units.ts';
import type { Inks } from '../charts/inks.ts';
import type { Shape } from '../charts/shapes.ts';
import type { Measured } from './experiment.ts';
import { type Grid, reason } from './grid.ts';
import { heatClass, strongest } from './heat.ts';

/** Of a cell, of a line of text, and of names before rows, in CSS pixels. */
const [WIDTH, HEIGHT, LINE, NAMES] = [150, 62, 22, 150];
const GAP = 2;

interface Picture {
  readonly shapes: readonly Shape[];
  readonly size: { readonly width: number; readonly height: number };
}

/** The matrix as shapes, for a file. */
export function matrixPicture(
  { experiment, matrix }: Measured,
  grid: Grid,
  inks: Inks,
  theme: App['theme']['shown']['value'],
): Picture {
  const { fills, inks: onFills } = paletteOf(theme, document.documentElement);
  const most = strongest(matrix.cells.map(({ to_best }) => to_best));
  const shapes: Shape[] = [];
  const text = (x: number, y: number, told: string, look: Partial<Shape> = {}) =>
    shapes.push({
      kind: 'text',
      at: [x, y],
      text: told,
      fill: inks.ink,
      size: 12,
      anchor: 'start',
      ...look,
    } as Shape);
  text(10, LINE, `${matrix.caption}; colours: from the least to ×${Number(most.toPrecision(3))}`);
  let y = 2 * LINE;
  text(10, y, [grid.rowFactor, grid.columnFactor].filter(Boolean).join(' by '), {
    fill: inks.mute,
  });
  grid.columns.forEach((title, column) =>
    text(NAMES + (column + 0.5) * WIDTH, y, title, { anchor: 'middle' }),
  );
  y += 8;
  for (const block of grid.blocks) {
    if (block.title !== '') {
      y += LINE;
      text(10, y - 6, block.title, { fill: inks.mute });
    }
    for (const { title, cells } of block.rows) {
      text(10, y + HEIGHT / 2 + 4, title);
      cells.forEach((number, column) => {
        const cell = number === undefined ? undefined : experiment.cells[number];
        const value = number === undefined ? undefined : matrix.cells[number];
        const fill = heatClass(value?.to_best ?? null, most);
        const x = NAMES + column * WIDTH;
        shapes.push({
          kind: 'rect',
          at: [x + GAP, y + GAP],
          width: WIDTH - 2 * GAP,
          height: HEIGHT - 2 * GAP,
          fill: fill === undefined ? inks.shade : (fills[fill] ?? inks.shade),
          stroke: inks.line,
        });
        const ink = fill === undefined ? inks.ink : onFills[0];
        const mean = value?.mean ?? null;
        const lines = [
          mean === null ? (reason(cell, value) ?? '') : `${mean.text} ${value?.to_best_text ?? ''}`,
          mean?.interval ?? '',
          cell === undefined
            ? ''
            : formatThings(cell.runs, 'run') +
              (cell.left_out > 0 ? `, ${cell.left_out} left out` : ''),
        ];
        lines.forEach((told, line) =>
          text(x + 10, y + 20 + line * 16, told, { fill: ink, size: line === 0 ? 13 : 11 }),
        );
      });
      y += HEIGHT;
    }
  }
  return { shapes, size: { width: NAMES + grid.columns.length * WIDTH + 10, height: y + 10 } };
}
