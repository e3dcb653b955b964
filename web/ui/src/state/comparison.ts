import type { ComparedMetric, SummaryResult } from '@hotframe/engine';
import type { Choice } from './view-state.ts';

/** Which values of a compared metric are shown. */
export type Side = 'base' | 'new' | 'both' | 'change' | 'ratio';

/**
 * Whether shares of a metric say anything: only if its values add up. Those of formulas do not, but
 * for the change of a comparison, which is a difference of two that do.
 */
export function hasShares(summary: SummaryResult | undefined, metric: number): boolean {
  const addsUp = summary?.metrics[metric]?.adds_up ?? true;
  return addsUp || comparedMetric(summary, metric)?.side === 'change';
}

/** The compared metric and the side of it that a metric of the document is. */
export interface Compared {
  readonly metric: ComparedMetric;
  readonly side: Side;
}

/** What widths of a comparison can stand for. */
export const WIDTHS: readonly Choice<Side>[] = [
  { value: 'both', label: 'Both', title: 'Base and new added up, so that nothing is missing' },
  { value: 'base', label: 'Base', title: 'The values of the base' },
  { value: 'new', label: 'New', title: 'The values of the new profile' },
  { value: 'change', label: 'Change', title: 'The size of the change' },
  { value: 'ratio', label: 'Ratio', title: 'New over base: how each grew' },
];

/** What a metric of a comparison is; undefined for other documents and for own formulas. */
export function comparedMetric(
  summary: SummaryResult | undefined,
  metric: number,
): Compared | undefined {
  for (const compared of summary?.comparison?.metrics ?? []) {
    const side = WIDTHS.find(({ value }) => compared[value] === metric)?.value;
    if (side !== undefined) return { metric: compared, side };
  }
  return undefined;
}
