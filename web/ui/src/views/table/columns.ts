import type { Sort, SummaryResult } from '@hotframe/engine';
import { comparedMetric } from '../../state/comparison.ts';
import type { ColumnSizes } from './column-sizes.tsx';

/** Widths in CSS pixels. Names have room for 40 characters and what stands before them. */
const NAMES = 350;
const LEAST_NAMES = 120;
const VALUES = 150;
const CHANGE = 130;
const SIDE = 122;
const RATIO = 92;
const INTERVAL = 142;
const VERDICT = 150;
/** So many metrics have columns where nobody chose others. */
const FIRST_METRICS = 2;

/** A column of a list; `interval` and `verdict` tell what runs show of a change. */
export interface Column {
  readonly kind: 'self' | 'total' | 'interval' | 'verdict';
  readonly metric: number;
  readonly label: string;
  /** In CSS pixels. */
  readonly width: number;
}

/** Columns that are shown and put away together. */
export interface ColumnGroup {
  /** What it is remembered by. */
  readonly id: string;
  /** What the menu calls it. */
  readonly label: string;
  readonly columns: readonly Column[];
  /** Whether it is always there, there unless put away or the list is narrow, or there where it was chosen. */
  readonly when: 'always' | 'room' | 'chosen';
}

/** The same in a list. */
export interface ListedGroup extends ColumnGroup {
  readonly isShown: boolean;
}

/** The columns of a list, and how a row is divided among them. */
export interface Columns {
  readonly groups: readonly ListedGroup[];
  readonly shown: readonly Column[];
  /** The metrics of the values, each once. */
  readonly metrics: readonly number[];
  /** Of the names, and of the first column of values, in CSS pixels. */
  readonly namesWidth: number;
  readonly valueWidth: number;
  readonly style: { readonly gridTemplateColumns: string; readonly minWidth: string };
}

/** What a list is of. */
export interface Listed {
  readonly summary: SummaryResult;
  /** The metric on screen. */
  readonly metric: number;
  /** Whether rows have what runs show of a change. */
  readonly hasVerdicts: boolean;
  /** What the rows are sorted by; its column is there. */
  readonly sort: Sort;
}

/**
 * The columns of a list that is so wide, in CSS pixels. Names keep their room: the last columns that nobody
 * asked for give way.
 */
export function columnsOf(
  listed: Listed,
  sizes: ColumnSizes,
  room = Number.POSITIVE_INFINITY,
): Columns {
  const groups = groupsOf(listed, sizes.values);
  const wanted = (group: ColumnGroup) =>
    group.when === 'always' || isSortedBy(group, listed.sort) || sizes.isShown(group.id) === true;
  let chosen = groups.filter(
    (group) => wanted(group) || (group.when === 'room' && sizes.isShown(group.id) !== false),
  );
  const least = sizes.names ?? namesRoom(room);
  for (const group of groups.toReversed()) {
    if (least + widthOf(chosen) <= room) break;
    if (!wanted(group)) chosen = chosen.filter((other) => other !== group);
  }
  const shown = chosen.flatMap(({ columns }) => columns);
  const values = widthOf(chosen);
  const isSized = sizes.names !== undefined;
  const isWide = Number.isFinite(room) && !isSized;
  return {
    groups: groups.map((group) => ({ ...group, isShown: chosen.includes(group) })),
    shown,
    metrics: [...new Set(shown.map(({ metric }) => metric))],
    namesWidth: isWide ? Math.max(least, room - values) : least,
    valueWidth: shown[0]?.width ?? VALUES,
    style: {
      gridTemplateColumns: [
        isSized ? `${least}px` : `minmax(${least}px, 1fr)`,
        ...shown.map(({ width }) => `${width}px`),
      ].join(' '),
      minWidth: `${least + values}px`,
    },
  };
}

/** Self and total by metric, or how two sides compare. */
function groupsOf({ summary, metric, hasVerdicts }: Listed, width?: number): ColumnGroup[] {
  const compared = comparedMetric(summary, metric)?.metric;
  if (compared === undefined) return metricGroups(summary, metric, width ?? VALUES);
  const { change, base, new: now, ratio } = compared;
  const group = (label: string, of: Omit<Column, 'label'>, when: ColumnGroup['when'] = 'room') => ({
    id: `comparison ${label}`,
    label,
    columns: [{ ...of, label }],
    when,
  });
  const total = (label: string, of: number, standard: number, when?: ColumnGroup['when']) =>
    group(label, { kind: 'total', metric: of, width: width ?? standard }, when);
  const self = (label: string, of: number, standard: number, when?: ColumnGroup['when']) =>
    group(label, { kind: 'self', metric: of, width: width ?? standard }, when);
  const verdict = group('Verdict', { kind: 'verdict', metric: base, width: VERDICT });
  const interval = group('95 % interval', { kind: 'interval', metric: base, width: INTERVAL });
  return [
    total('Change', change, CHANGE, 'always'),
    ...(hasVerdicts ? [verdict] : []),
    total('Base', base, SIDE),
    total('New', now, SIDE),
    ...(hasVerdicts ? [interval] : []),
    total('New / base', ratio, RATIO),
    self('Change of self', change, CHANGE),
    self('Base self', base, SIDE, 'chosen'),
    self('New self', now, SIDE, 'chosen'),
  ];
}

/** The metric on screen comes first; the others follow in the profile's order. */
function metricGroups({ metrics }: SummaryResult, first: number, width: number): ColumnGroup[] {
  const order = [...metrics.keys()].sort(
    (a, b) => Number(b === first) - Number(a === first) || a - b,
  );
  return order.map((metric, place) => {
    const { name, unit } = metrics[metric]!;
    return {
      id: name,
      label: `${name} (${unit})`,
      columns: [
        { kind: 'self', metric, label: `${name} self`, width },
        { kind: 'total', metric, label: `${name} total`, width },
      ],
      when: place === 0 ? 'always' : place < FIRST_METRICS ? 'room' : 'chosen',
    };
  });
}

function isSortedBy({ columns }: ColumnGroup, sort: Sort): boolean {
  return columns.some(({ kind, metric }) => {
    if (kind === 'interval' || kind === 'verdict') return sort.by === kind;
    return sort.by === `${kind}_value` && sort.metric === metric;
  });
}

function widthOf(groups: readonly ColumnGroup[]): number {
  return groups.flatMap(({ columns }) => columns).reduce((sum, { width }) => sum + width, 0);
}

/** Names take at most so much of a narrow list unless that was chosen: numbers are beside them. */
function namesRoom(width: number): number {
  return Math.round(Math.min(NAMES, Math.max(LEAST_NAMES, width * 0.55)));
}

/** Functions by what they do themselves; of a comparison, by what changed in them and below. */
export function standardSort(summary: SummaryResult, shown: number): Sort {
  const change = comparedMetric(summary, shown)?.metric.change;
  return change === undefined
    ? { by: 'self_value', metric: shown, reverse: false }
    : { by: 'total_value', metric: change, reverse: false };
}

/** How a tree is sorted: as was chosen, unless that is something that only functions have. */
export function treeSort(chosen: Sort | undefined, metric: number): Sort {
  const isOfFunctions = chosen?.by === 'interval' || chosen?.by === 'verdict';
  return chosen === undefined || isOfFunctions
    ? { by: 'total_value', metric, reverse: false }
    : chosen;
}
