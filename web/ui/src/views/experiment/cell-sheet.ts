import type { ExperimentCell } from '@hotframe/engine';
import type { Block, Grid } from './grid.ts';
import type { CellChartKind } from './state.ts';

/** Most cells that are drawn at once: more have no room, and each is a tree to be made. */
export const MOST_CELLS = 24;

/** What of a grid is drawn. */
export interface Sheet {
  /** The grid with its rows and columns that are drawn. */
  readonly grid: Grid;
  /** The first of its rows among those of the whole grid. */
  readonly firstRow: number;
  /** Where the drawing goes on before and after it; undefined where nothing is. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** Cells with runs that are not drawn. */
  readonly left: number;
}

/** Whole rows of a grid from one of them on, as many as there is room for. */
export function sheetOf(
  grid: Grid,
  cells: readonly Pick<ExperimentCell, 'runs'>[],
  wantedRow: number,
): Sheet {
  const columns = grid.columns.slice(0, MOST_CELLS);
  const room = Math.max(1, Math.floor(MOST_CELLS / Math.max(1, columns.length)));
  const firstRow = Math.max(0, Math.min(wantedRow, grid.rows.length - room));
  const end = firstRow + room;
  let first = 0;
  const blocks = grid.blocks.flatMap((block): readonly Block[] => {
    const rows = block.rows
      .slice(Math.max(0, firstRow - block.first), Math.max(0, end - block.first))
      .map((row) => ({ ...row, cells: row.cells.slice(0, columns.length) }));
    if (rows.length === 0) return [];
    const shown = { ...block, first, rows };
    first += rows.length;
    return [shown];
  });
  const rows = blocks.flatMap((block) => block.rows);
  const drawn = new Set(rows.flatMap((row) => row.cells));
  return {
    grid: { ...grid, columns, blocks, rows },
    firstRow,
    before: firstRow > 0 ? Math.max(0, firstRow - room) : undefined,
    after: end < grid.rows.length ? end : undefined,
    left: cells.filter(({ runs }, cell) => runs > 0 && !drawn.has(cell)).length,
  };
}

/** Values as shares of the largest of all cells; 1 for all where there is none above 0. */
export function sharesOf(largest: number, values: readonly number[]): readonly number[] {
  return values.map((value) => (largest > 0 ? Math.min(1, Math.max(0, value / largest)) : 1));
}

/** What of a chart's room a value takes: widths are values, or areas are. */
export function scaleOf(kind: CellChartKind, share: number): readonly [x: number, y: number] {
  switch (kind) {
    case 'flame':
      return [share, 1];
    case 'sunburst':
    case 'treemap':
      return [Math.sqrt(share), Math.sqrt(share)];
    case 'bars':
    case 'scatter':
      return [1, 1];
  }
}

/** Least and largest width of a chart in CSS pixels, and its height as a share of that; 0 where it has rows. */
const ROOMS: Readonly<Record<CellChartKind, readonly [least: number, most: number, high: number]>> =
  {
    flame: [150, 460, 0],
    sunburst: [150, 300, 1],
    treemap: [150, 400, 0.75],
    bars: [260, 460, 0],
    scatter: [280, 460, 0.75],
  };

/** The room of the chart of a cell, where columns share a width. */
export function roomOfCells(kind: CellChartKind, width: number, columns: number) {
  const [least, most, high] = ROOMS[kind];
  const each = Math.floor(Math.max(least, Math.min(most, width / Math.max(1, columns))));
  return { width: each, height: Math.round(each * high) };
}
