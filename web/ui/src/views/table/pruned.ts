import {
  type Cut,
  cutOf,
  type Pruned,
  pruningOf,
  restText,
  totalsAddUp,
} from '../../state/pruning.ts';
import { pathText } from '../../state/profile/pruned.ts';
import { NO_VALUE } from '../../text/units.ts';
import type { ListedRow, RowsPart, RowValues } from './rows.ts';

/** The rows right below a node, while they are gone through. */
interface Level {
  readonly node: number;
  readonly path: readonly number[];
  /** Whether all is listed here, and below. */
  readonly isOpen: boolean;
  /** Whether what is left out here is listed, with all below it. */
  readonly isRevealed: boolean;
  cut: { count: number; readonly why: Cut; readonly totals: bigint[] } | undefined;
}

/**
 * Leaves out the rows that are small or deep, with all below them; in their place stands a row of what
 * they are together. Nodes of `shown` stay. The part must have all rows of the table. Undefined where
 * nothing is left out in the metric of the tree.
 */
export function pruneRows(
  whole: RowsPart,
  pruned: Pruned,
  shown: ReadonlySet<number>,
): RowsPart | undefined {
  const { spec, scale } = whole;
  const { metrics, revealed } = pruned;
  const pruning = pruningOf(pruned, spec.metric);
  if (pruning === undefined) return undefined;
  const rows: ListedRow[] = [];
  const values: RowValues[] = [];
  const levels: Level[] = [
    {
      node: 0,
      path: [],
      isOpen: false,
      isRevealed: revealed.has(pathText([])),
      cut: undefined,
    },
  ];
  let hidden = 0;
  let rests = 0;
  const close = () => {
    const { node, path, cut } = levels.pop()!;
    if (cut === undefined) return;
    const isProgram = levels.length === 0;
    const addsUp = (metric: number) => totalsAddUp(spec.shape, metrics[metric], isProgram);
    rows.push({
      ...NO_ROW,
      node: -1 - node,
      depth: levels.length,
      name: restText(cut, pruning),
      rest: { below: path, count: cut.count },
    });
    values.push({
      self: cut.totals.map(() => NO_VALUE),
      total: cut.totals.map((total, metric) => (addsUp(metric) ? total : NO_VALUE)),
    });
    hidden += cut.count;
    rests++;
  };
  /** Rows that are deeper belong to what is left out. */
  let under = Number.POSITIVE_INFINITY;
  for (const [index, row] of whole.rows.entries()) {
    if (row.depth > under) continue;
    under = Number.POSITIVE_INFINITY;
    while (levels.length - 1 > row.depth) close();
    const level = levels.at(-1)!;
    const { total } = whole.values[index]!;
    const program = scale[spec.metric] ?? 0n;
    const why = cutOf(pruning, row.depth + 1, total[spec.metric] ?? 0n, program);
    const isWanted = level.isOpen || level.isRevealed;
    if (why !== undefined && !isWanted && !shown.has(row.node)) {
      level.cut = {
        count: (level.cut?.count ?? 0) + 1,
        why,
        totals: total.map((value, metric) => added(value, level.cut?.totals[metric] ?? 0n)),
      };
      under = row.depth;
      continue;
    }
    rows.push(row);
    values.push(whole.values[index]!);
    const path = [...level.path, row.key];
    levels.push({
      node: row.node,
      path,
      isOpen: level.isOpen || (level.isRevealed && why !== undefined),
      isRevealed: revealed.has(pathText(path)),
      cut: undefined,
    });
  }
  while (levels.length > 0) close();
  return { ...whole, totalRows: rows.length, rows, values, left: { hidden, rests } };
}

/** Some of the rows. */
export function sliceOf(part: RowsPart, first: number, count: number): RowsPart {
  const from = Math.max(0, first - part.first);
  return {
    ...part,
    first: part.first + from,
    rows: part.rows.slice(from, from + count),
    values: part.values.slice(from, from + count),
  };
}

/** Whether a part has all rows of the table. */
export function isWhole(part: RowsPart): boolean {
  return part.first === 0 && part.rows.length === part.totalRows;
}

function added(a: bigint, b: bigint): bigint {
  return a === NO_VALUE || b === NO_VALUE ? NO_VALUE : a + b;
}

/** What a row has that stands for no node. */
const NO_ROW = {
  key: 0,
  has_children: true,
  expanded: false,
  matched: false,
  label: null,
  file: '',
  line: 0,
  module: '',
  colours: 0,
  tag: null,
};
