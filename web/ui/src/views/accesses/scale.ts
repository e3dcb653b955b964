import type { GraphScale } from '@hotframe/engine';

/** How values become positions from 0 to 1; the same scales as those of a graph. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  /** What is at the middle, and its name where it has one. */
  readonly middle: number;
  readonly name: string;
  position(value: number): number;
}

/** A scale for values that are more than nothing. */
export function scaleOf(kind: GraphScale, told: readonly number[]): Scale {
  const values = [...told].sort((a, b) => a - b);
  const first = values[0] ?? 0;
  const last = values.at(-1) ?? 0;
  const clamped = (low: number, high: number) => (value: number) =>
    high <= low ? 0.5 : Math.min(1, Math.max(0, (value - low) / (high - low)));
  switch (kind) {
    case 'mean':
    case 'median': {
      const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
      const middle = kind === 'mean' ? mean : median(values);
      const high = 2 * middle;
      return { low: 0, high, middle, name: kind, position: clamped(0, high) };
    }
    case 'histogram': {
      const ranks = [...new Set(values)];
      const rank = new Map(ranks.map((value, index) => [value, index]));
      const position = (value: number) =>
        ranks.length < 2 ? 0.5 : (rank.get(value) ?? 0) / (ranks.length - 1);
      return { low: first, high: last, middle: median(ranks), name: '', position };
    }
    case 'exponential': {
      const least = values.find((value) => value > 0) ?? 0;
      const position = (value: number) =>
        last <= least ? 0.5 : value <= least ? 0 : Math.log(value / least) / Math.log(last / least);
      return { low: least, high: last, middle: Math.sqrt(least * last), name: '', position };
    }
    case 'linear':
      return {
        low: first,
        high: last,
        middle: (first + last) / 2,
        name: '',
        position: clamped(first, last),
      };
  }
}

function median(values: readonly number[]): number {
  const middle = values.length >> 1;
  return values.length % 2 === 1
    ? values[middle]!
    : ((values[middle - 1] ?? 0) + (values[middle] ?? 0)) / 2;
}
