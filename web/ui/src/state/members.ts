import type { MemberSplit, SummaryResult } from '@hotframe/engine';

/** What a member is called, by what members are made of; a profile where nothing is said. */
export function memberWord(by: string | undefined): string {
  switch (by) {
    case undefined:
      return 'profile';
    case 'process':
    case 'thread':
      return by;
    case 'cpu':
      return 'processor';
    default:
      return 'member';
  }
}

/** What members can be made of; the present choice is among them, whoever made it. */
export function memberSplits(
  summary: SummaryResult | undefined,
  by: string | undefined,
): readonly MemberSplit[] {
  const splits = summary?.comparison === null ? summary.splits : [];
  return by === undefined || splits.some((split) => split.by === by)
    ? splits
    : [...splits, { by, title: by }];
}

/** Whether values have a distribution: over several members, not only two sides. */
export function spreads(summary: SummaryResult | undefined): boolean {
  return summary !== undefined && summary.members > 1 && summary.comparison?.tested !== false;
}
