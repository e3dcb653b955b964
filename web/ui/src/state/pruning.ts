import type { MetricInfo, Shape } from '@hotframe/engine';
import { formatInteger } from '../text/units.ts';
import type { Choice } from './view-state.ts';

/** What of a tree is neither drawn nor listed, with all below it, as `--prune` and `--depth` cut it. */
export interface Pruning {
  /** Percent of the program that a frame has at least; 0 for any. */
  readonly least: number;
  /** Levels below the program; all where undefined. */
  readonly levels: number | undefined;
}

/** What is left out of trees whatever their metric, and what is shown in spite of that. */
export interface Pruned {
  /** Percent of the program; 0 for nothing. */
  readonly hideBelow: number;
  readonly levels: number | undefined;
  readonly metrics: readonly MetricInfo[];
  /** Whether values are those of two sides, whose sum is nothing that was measured. */
  readonly isComparison: boolean;
  /** Nodes right below which what is left out is shown with all that it has, by their paths as texts. */
  readonly revealed: ReadonlySet<string>;
}

/** Why something is left out: it is small, or it is deep. */
export type Cut = 'least' | 'levels';

/** How many frames are left out, and what they are together where that is known. */
export interface Rest {
  readonly count: number;
  readonly why: Cut;
}

export const HIDE_BELOW: readonly Choice<string>[] = [
  { value: '0', label: 'Off', title: 'Everything' },
  ...['0.1', '0.5', '1', '5'].map(percentChoice),
];

export const LEVELS: readonly Choice<string>[] = [
  { value: '', label: 'All', title: 'Every depth' },
  ...['2', '3', '5', '8', '12', '20'].map(levelsChoice),
];

export function percentChoice(value: string): Choice<string> {
  return {
    value,
    label: `${value} %`,
    title: `Leave out what has less than ${value} % of the program, and say how much that is`,
  };
}

export function levelsChoice(value: string): Choice<string> {
  const levels = value === '1' ? 'the first level' : `${value} levels`;
  return {
    value,
    label: value,
    title: `Leave out what is below ${levels}, and say how much that is`,
  };
}

/** What is left out of a tree in a metric; undefined where all of it is there. */
export function pruningOf(
  { hideBelow, levels, metrics }: Omit<Pruned, 'revealed'>,
  metric: number,
): Pruning | undefined {
  // Values that do not add up are not shares of the program.
  const least = metrics[metric]?.adds_up === true ? hideBelow : 0;
  return least === 0 && levels === undefined ? undefined : { least, levels };
}

/** Why a frame so many levels below the program is left out; undefined where it is not. */
export function cutOf(
  { least, levels }: Pruning,
  depth: number,
  total: bigint,
  program: bigint,
): Cut | undefined {
  if (levels !== undefined && depth > levels) return 'levels';
  const size = (value: bigint) => Math.abs(Number(value));
  return size(total) < (least / 100) * size(program) ? 'least' : undefined;
}

/** What is said in place of what is left out. */
export function restText({ count, why }: Rest, { least, levels }: Pruning): string {
  const more = formatInteger(count);
  return why === 'least' ? `${more} more below ${least} %` : `${more} below level ${levels}`;
}

/** Whether totals of what is right below a node may be added up: nothing is in two of them. */
export function totalsAddUp(
  shape: Shape,
  metric: Pick<MetricInfo, 'adds_up'> | undefined,
  isProgram: boolean,
): boolean {
  // Functions call one another.
  const overlap = shape.kind === 'flat' || (shape.kind === 'all_callers' && isProgram);
  return metric?.adds_up === true && !overlap;
}

/** The choice after one; the first after the last, and after what is none of them. */
export function nextChoice(choices: readonly Choice<string>[], value: string): string {
  const at = choices.findIndex((choice) => choice.value === value);
  return choices[(at + 1) % choices.length]!.value;
}
