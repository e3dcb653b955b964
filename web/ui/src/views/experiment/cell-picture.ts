import type { ExperimentResult, MetricInfo } from '@hotframe/engine';
import type { Size } from '../../canvas/rect.ts';
import { csvLine } from '../../text/csv.ts';
import { shortenName } from '../../text/names.ts';
import { formatFigure, formatThings, NO_VALUE } from '../../text/units.ts';
import { type Placed, type Shape, svgOf } from '../charts/shapes.ts';
import { type CellChart, inCell } from './cell-loading.ts';
import { type CellLook, cellShapes, heightOf, litShapes } from './cell-shapes.ts';
import { type Grid, reason } from './grid.ts';

/** Between charts, above one for its title and its runs, of a line, before rows; in CSS pixels. */
const [GAP, HEAD, LINE, NAMES] = [14, 34, 22, 120];
/** Width of a letter of titles. */
const LETTER = 6.4;

/** What is drawn of a sheet. */
export interface DrawnSheet {
  readonly experiment: ExperimentResult;
  readonly grid: Grid;
  readonly charts: readonly CellChart[];
  readonly room: Size;
  readonly caption: string;
}

/** All charts with their titles, for a file. */
export function sheetPicture(sheet: DrawnSheet, look: CellLook, lit: number | undefined): string {
  const { grid, room, charts, experiment } = sheet;
  const { inks, unit } = look;
  const shapes: Shape[] = [];
  const groups: Placed[] = [];
  const text = (x: number, y: number, told: string, more: Partial<Shape> = {}) =>
    shapes.push({
      kind: 'text',
      at: [x, y],
      text: told,
      fill: inks.ink,
      size: 12,
      anchor: 'start',
      ...more,
    } as Shape);
  const across = room.width + GAP;
  text(10, LINE, sheet.caption);
  let y = 2 * LINE;
  text(10, y, [grid.rowFactor, grid.columnFactor].filter(Boolean).join(' by '), {
    fill: inks.mute,
  });
  grid.columns.forEach((title, column) => text(NAMES + column * across, y, title));
  y += GAP;
  for (const block of grid.blocks) {
    if (block.title !== '') {
      y += LINE;
      text(10, y - 6, block.title, { fill: inks.mute });
    }
    for (const { title, cells } of block.rows) {
      text(10, y + 14, title);
      const of = (cell: number | undefined) => charts.find((one) => one.cell === cell);
      cells.forEach((number, column) => {
        const x = NAMES + column * across;
        const cell = number === undefined ? undefined : experiment.cells[number];
        const chart = of(number);
        const columns = Math.floor(room.width / LETTER);
        const runs = cell === undefined ? '' : formatThings(cell.runs, 'run');
        text(x, y + 14, shortenName(cell?.title ?? '', columns), { size: 11 });
        const value = chart === undefined ? (reason(cell, undefined) ?? '') : whole(chart);
        const lost = cell === undefined || cell.left_out === 0 ? '' : `${cell.left_out} left out`;
        const told = [value, runs, lost].filter(Boolean).join(', ');
        text(x, y + 28, told, { size: 11, fill: inks.mute });
        if (chart === undefined) return;
        const over = lit === undefined ? [] : litShapes(chart.drawing, room.width, lit, look);
        const own = [...cellShapes(chart, room.width, look), ...over];
        groups.push({ at: [x, y + HEAD], shapes: own });
      });
      const high = cells.map((cell) => of(cell)).map((one) => (one ? heightOf(one.drawing) : 0));
      y += HEAD + Math.max(0, ...high) + GAP;
    }
  }
  const drawn = new Set(charts.map(({ cell }) => cell));
  const left = experiment.cells.filter((cell, at) => cell.runs > 0 && !drawn.has(at)).length;
  if (left > 0) {
    text(10, y + 8, `${formatThings(left, 'more cell')} with runs not drawn`, { fill: inks.mute });
    y += LINE;
  }
  const width = Math.max(NAMES + grid.columns.length * across, sheet.caption.length * LETTER + 20);
  return svgOf(shapes, { width: Math.ceil(width), height: Math.ceil(y) }, inks.paper, groups);

  function whole(chart: CellChart): string {
    return formatFigure(chart.whole, unit);
  }
}

/** Every function of every cell that is drawn, with its values by run. */
export function sheetCsv(
  experiment: ExperimentResult,
  charts: readonly CellChart[],
  unit: MetricInfo,
): string {
  const names = experiment.factors.map(({ name }) => name);
  const head = [
    ...names,
    'runs',
    'function',
    `self ${unit.name} a run`,
    `total ${unit.name} a run`,
  ];
  const told = (value: number) => (Number.isNaN(value) ? undefined : value / 10 ** unit.decimals);
  const lines = charts.flatMap((chart) => {
    const cell = experiment.cells[chart.cell]!;
    const levels = experiment.factors.map(({ levels: all }, factor) => {
      const level = cell.levels[factor] ?? null;
      return level === null ? '' : (all[level] ?? '');
    });
    const before = [...levels, cell.runs];
    const rows = chart.pane.functions.map(({ name, key }) => {
      const values = inCell(chart, key);
      return csvLine([...before, name, told(values!.self), told(values!.total), unit.unit]);
    });
    const { unlisted, whole } = chart.pane;
    const all = whole === NO_VALUE ? undefined : told(chart.whole);
    return [
      csvLine([...before, 'all', undefined, all, unit.unit]),
      ...rows,
      ...(unlisted > 0
        ? [csvLine([...before, `${formatThings(unlisted, 'smaller function')} not listed`])]
        : []),
    ];
  });
  return csvLine([...head, 'unit']) + lines.join('');
}
