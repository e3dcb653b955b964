import type { ExperimentCell, ExperimentFactor, ExperimentValue } from '@hotframe/engine';

/** Cells by the levels of two factors; those of the other factors tell blocks apart. */
export interface Grid {
  /** Names of the factors; undefined where there is none. */
  readonly rowFactor: string | undefined;
  readonly columnFactor: string | undefined;
  readonly columns: readonly string[];
  readonly blocks: readonly Block[];
  /** The rows of all blocks, one below the other. */
  readonly rows: readonly GridRow[];
}

export interface Block {
  /** Levels of the other factors; empty where there are none. */
  readonly title: string;
  readonly first: number;
  readonly rows: readonly GridRow[];
}

export interface GridRow {
  readonly title: string;
  /** By column, the number of the cell; undefined where nothing ran. */
  readonly cells: readonly (number | undefined)[];
}

export interface Place {
  readonly row: number;
  readonly column: number;
}

/** What a run without the factor has. */
const NO_LEVEL = '–';

/** Cells by two factors, the named ones where they exist. */
export function gridOf(
  factors: readonly ExperimentFactor[],
  cells: readonly ExperimentCell[],
  wantedRows: string | undefined,
  wantedColumns: string | undefined,
): Grid {
  const [rowFactor, columnFactor] = axesOf(factors, wantedRows, wantedColumns);
  const rest = factors.flatMap((_, at) => (at === rowFactor || at === columnFactor ? [] : [at]));
  const levelsOf = (factor: number | undefined): readonly (number | null)[] => {
    if (factor === undefined) return [null];
    const used = new Set(cells.map(({ levels }) => levels[factor] ?? null));
    const known = factors[factor]!.levels.map((_, level) => level);
    return [...known.filter((level) => used.has(level)), ...(used.has(null) ? [null] : [])];
  };
  const [rowLevels, columnLevels] = [levelsOf(rowFactor), levelsOf(columnFactor)];
  const levelText = (factor: number | undefined, level: number | null) =>
    factor === undefined
      ? ''
      : level === null
        ? NO_LEVEL
        : (factors[factor]!.levels[level] ?? NO_LEVEL);
  const key = (levels: readonly (number | null | undefined)[], of: readonly number[]) =>
    of.map((factor) => levels[factor] ?? -1);
  const blocks = new Map<string, { key: number[]; places: Map<string, number> }>();
  cells.forEach(({ levels }, cell) => {
    const own = key(levels, rest);
    const block = blocks.get(own.join()) ?? { key: own, places: new Map<string, number>() };
    blocks.set(own.join(), block);
    const level = (factor: number | undefined) =>
      factor === undefined ? null : (levels[factor] ?? null);
    block.places.set(`${level(rowFactor)},${level(columnFactor)}`, cell);
  });
  let first = 0;
  const told = [...blocks.values()]
    .sort((one, other) => byLevels(one.key, other.key))
    .map((block): Block => {
      const title = rest
        .map((factor, at) => [factors[factor]!.name, block.key[at]!] as const)
        .filter(([, level]) => level >= 0)
        .map(([name, level]) => `${name}=${levelOf(factors, name, level)}`)
        .join(' ');
      const rows = rowLevels.map((row) => ({
        title: levelText(rowFactor, row) || 'all',
        cells: columnLevels.map((column) => block.places.get(`${row},${column}`)),
      }));
      const begin = first;
      first += rows.length;
      return { title, first: begin, rows };
    });
  return {
    rowFactor: rowFactor === undefined ? undefined : factors[rowFactor]!.name,
    columnFactor: columnFactor === undefined ? undefined : factors[columnFactor]!.name,
    columns: columnLevels.map((level) => levelText(columnFactor, level)),
    blocks: told,
    rows: told.flatMap(({ rows }) => rows),
  };
}

function axesOf(
  factors: readonly ExperimentFactor[],
  wantedRows: string | undefined,
  wantedColumns: string | undefined,
): readonly [number | undefined, number | undefined] {
  const numbered = (name: string | undefined) => {
    const at = factors.findIndex((factor) => factor.name === name);
    return at < 0 ? undefined : at;
  };
  const column = numbered(wantedColumns);
  const other = (than: number | undefined) => {
    const at = factors.findIndex((_, factor) => factor !== than);
    return at < 0 ? undefined : at;
  };
  const row = numbered(wantedRows) ?? other(column);
  return [row, column !== row ? (column ?? other(row)) : other(row)];
}

function levelOf(factors: readonly ExperimentFactor[], name: string, level: number): string {
  return factors.find((factor) => factor.name === name)?.levels[level] ?? NO_LEVEL;
}

function byLevels(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((level, index) => level !== other[index]);
  return at < 0 ? 0 : one[at]! - other[at]!;
}

/** A place moved, and held within the grid. */
export function moved(grid: Grid, from: Place, by: Place): Place {
  const held = (value: number, count: number) => Math.min(Math.max(0, value), count - 1);
  return {
    row: held(from.row + by.row, grid.rows.length),
    column: held(from.column + by.column, grid.columns.length),
  };
}

/** Whether a place is in the rectangle between two others. */
export function isBetween({ row, column }: Place, one: Place, other: Place): boolean {
  const within = (value: number, a: number, b: number) =>
    value >= Math.min(a, b) && value <= Math.max(a, b);
  return within(row, one.row, other.row) && within(column, one.column, other.column);
}

/** The cells of the rectangle between two places, in their order. */
export function cellsBetween(grid: Grid, one: Place, other: Place): readonly number[] {
  return grid.rows.flatMap(({ cells }, row) =>
    cells.flatMap((cell, column) =>
      cell !== undefined && isBetween({ row, column }, one, other) ? [cell] : [],
    ),
  );
}

/** The cells on either side. */
export interface Sides {
  readonly base: readonly number[];
  readonly now: readonly number[];
}

/** What is compared once some cells are chosen: the first choice is the base, the next the new side. */
export function choose({ base, now }: Sides, cells: readonly number[]): Sides {
  if (cells.length === 0) return { base, now };
  if (base.length === 0 || now.length > 0) return { base: cells, now: [] };
  const others = cells.filter((cell) => !base.includes(cell));
  if (others.length > 0) return { base, now: others };
  return cells.length === base.length ? { base: [], now: [] } : { base: cells, now: [] };
}

/** The side that was chosen last, widened. */
export function widen({ base, now }: Sides, cells: readonly number[]): Sides {
  const others = cells.filter((cell) => !base.includes(cell));
  return now.length > 0 && others.length > 0 ? { base, now: others } : { base: cells, now: [] };
}

/** Cells that there are: those of an address need not be. */
export function known({ base, now }: Sides, cells: number): Sides {
  const is = (cell: number) => cell < cells;
  return { base: base.filter(is), now: now.filter((cell) => is(cell) && !base.includes(cell)) };
}

/** What cells have in common: `interpreter=3.9|3.12`, without factors of which they have all levels. */
export function groupTitle(
  factors: readonly ExperimentFactor[],
  cells: readonly ExperimentCell[],
  group: readonly number[],
): string {
  if (group.length === 1) return cells[group[0]!]?.title ?? '';
  const parts = factors.flatMap(({ name, levels }, factor) => {
    const has = new Set(group.map((cell) => cells[cell]?.levels[factor] ?? -1));
    const all = new Set(cells.map((cell) => cell.levels[factor] ?? -1));
    if (has.size === all.size) return [];
    const texts = [...has].sort((a, b) => a - b).map((level) => levels[level] ?? NO_LEVEL);
    return [`${name}=${texts.join('|')}`];
  });
  return parts.length === 0 ? `${group.length} cells` : parts.join(' ');
}

/** A label filter of the runs that count in some cells; undefined where none does. */
export function patternOf(
  cells: readonly ExperimentCell[],
  group: readonly number[],
): string | undefined {
  const KEY = 'member=';
  const patterns = group.flatMap((cell) => {
    const found = cells[cell];
    return found === undefined || found.runs === 0 ? [] : [found.pattern.slice(KEY.length)];
  });
  return patterns.length === 0 ? undefined : KEY + patterns.join(',');
}

/** Why a cell has no value. */
export function reason(
  cell: ExperimentCell | undefined,
  value: ExperimentValue | undefined,
): string | undefined {
  if (cell === undefined) return 'did not run';
  if (cell.runs === 0) return cell.left_out === 1 ? 'the run failed' : 'all runs failed';
  return value?.mean == null ? 'not measured' : undefined;
}
