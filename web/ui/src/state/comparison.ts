import type { ComparedMetric, SummaryResult } from '@hotframe/engine';

/** Which values of a compared metric are shown. */
export type Side = 'base' | 'new' | 'both' | 'change' | 'ratio';

/** The compared metric and the side of it that a metric of the document is. */
export interface Compared {
  readonly metric: ComparedMetric;
  readonly side: Side;
}

const SIDES: readonly Side[] = ['base', 'new', 'both', 'change', 'ratio'];

/** What a metric of a comparison is; undefined for other documents and for own formulas. */
export function comparedMetric(
  summary: SummaryResult | undefined,
  metric: number,
): Compared | undefined {
  for (const compared of summary?.comparison?.metrics ?? []) {
    const side = SIDES.find((known) => compared[known] === metric);
    if (side !== undefined) return { metric: compared, side };
  }
  return undefined;
}
