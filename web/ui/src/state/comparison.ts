import type { ComparedMetric, SummaryResult } from '@hotframe/engine';
import type { Choice } from './view-state.ts';

/** Which values of a compared metric are shown. */
export type Side = 'base' | 'new' | 'both' | 'change' | 'ratio';

/**
 * Whether shares of a metric's own total say anything: only if its values add up. Those of formulas
 * do not; changes may cancel each other, so their total says nothing about them.
 */
export function hasShares(summary: SummaryResult | undefined, metric: number): boolean {
  return summary?.metrics[metric]?.adds_up ?? true;
}

/**
 * The metric whose total shares of a metric are told of: its own, for changes that of the base;
 * undefined where shares say nothing.
 */
export function wholeMetric(
  summary: SummaryResult | undefined,
  metric: number,
): number | undefined {
  const compared = comparedMetric(summary, metric);
  if (compared?.side === 'change') return compared.metric.base;
  return hasShares(summary, metric) ? metric : undefined;
}

/** Up to this share of the larger value, values that were brought to scale differ by rounding. */
const ROUNDING = 1e-9;

/** By how much a value differs from that of the base: what scaling may have rounded apart is equal. */
export function differenceOf(
  summary: SummaryResult | undefined,
  base: bigint,
  now: bigint,
): bigint {
  const by = now - base;
  const kind = summary?.comparison?.normalise.kind ?? 'absolute';
  if (kind === 'absolute') return by;
  const size = (value: bigint) => Math.abs(Number(value));
  return size(by) <= Math.max(size(base), size(now)) * ROUNDING ? 0n : by;
}

/** The compared metric and the side of it that a metric of the document is. */
export interface Compared {
  readonly metric: ComparedMetric;
  readonly side: Side;
}

const SIDES: readonly Side[] = ['base', 'new', 'both', 'change', 'ratio'];

/** What widths of a comparison can stand for. */
export const WIDTHS: readonly Choice<Side>[] = [
  { value: 'both', label: 'Both', title: 'Base and new added up, so that nothing is missing' },
  { value: 'base', label: 'Base', title: 'The values of the base' },
  { value: 'new', label: 'New', title: 'The values of the new profile' },
  { value: 'change', label: 'Change', title: 'The size of the change' },
];

/** What a metric of a comparison is; undefined for other documents and for own formulas. */
export function comparedMetric(
  summary: SummaryResult | undefined,
  metric: number,
): Compared | undefined {
  for (const compared of summary?.comparison?.metrics ?? []) {
    const side = SIDES.find((one) => compared[one] === metric);
    if (side !== undefined) return { metric: compared, side };
  }
  return undefined;
}
