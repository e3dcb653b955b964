import type { TrendInfo } from '@hotframe/engine';
import { formatShare } from '../../text/units.ts';

const DIRECTIONS = {
  rising: '↗ rising',
  steady: '→ no trend',
  falling: '↘ falling',
} as const;

/** What a series does; one that neither rises nor falls may stay high. */
export function trendText({ direction, kept }: Pick<TrendInfo, 'direction' | 'kept'>): string {
  return kept === null || direction !== 'steady'
    ? DIRECTIONS[direction]
    : `▔ high and kept: never below ${formatShare(kept)} of its highest`;
}
