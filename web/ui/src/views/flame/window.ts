import { graphWidth, PADDING, ROW_HEIGHT } from '../../canvas/paint.ts';
import type { Size } from '../../canvas/rect.ts';
import type { SceneWindow } from '../../canvas/scene.ts';
import { type Viewport, withOverscan } from '../../canvas/viewport.ts';

/** Rows asked for above and below what is in sight. */
const MORE_ROWS = 12;
/** Rows that the engine answers at most. */
const MOST_ROWS = 4000;
/** A scene serves until boxes would be drawn so much wider than they were asked for. */
const COARSEST = 1.05;
const FINEST = 3;

/** What to ask for to show a viewport, with some more around it. */
export function windowFor(view: Viewport, size: Size): SceneWindow {
  const range = withOverscan(view);
  const rows = Math.ceil(size.height / ROW_HEIGHT) + 1;
  const firstVisible = Math.max(0, Math.floor(view.top / ROW_HEIGHT));
  return {
    ...range,
    width: (graphWidth(size) * (range.to - range.from)) / (view.to - view.from),
    firstRow: Math.max(0, firstVisible - MORE_ROWS),
    rows: rows + 2 * MORE_ROWS,
  };
}

/** The same with all rows from the root on, of which the engine answers so many at most. */
export function allRowsFor(view: Viewport, size: Size): SceneWindow {
  return { ...windowFor(view, size), firstRow: 0, rows: MOST_ROWS };
}

export function hasAllRows({ firstRow, rows }: SceneWindow): boolean {
  return firstRow === 0 && rows === MOST_ROWS;
}

/**
 * Whether boxes that were asked for show a viewport: all that is in sight, as finely as it is
 * drawn. Rows below the deepest that was drawn may exist at a finer resolution.
 */
export function serves(have: SceneWindow, totalRows: number, view: Viewport, size: Size): boolean {
  const perShare = graphWidth(size) / (view.to - view.from);
  const havePerShare = have.width / (have.to - have.from);
  const detail = perShare / havePerShare;
  const slack = (view.to - view.from) * 1e-6;
  const firstRow = Math.floor((view.top - PADDING) / ROW_HEIGHT);
  const lastRow = Math.min(totalRows, Math.ceil((view.top + size.height) / ROW_HEIGHT));
  return (
    detail <= COARSEST &&
    detail >= 1 / FINEST &&
    have.from <= view.from + slack &&
    have.to >= view.to - slack &&
    have.firstRow <= Math.max(0, firstRow) &&
    have.firstRow + have.rows >= lastRow
  );
}
