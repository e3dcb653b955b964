import type { LanesColumns } from '@hotframe/engine';

/** Bars as an answer has them. */
export type Bars = LanesColumns;

/** How long what it stands for is drawn. */
export function lengthOf(bars: Bars, bar: number): number {
  return bars.bar_end[bar]! - bars.bar_begin[bar]!;
}

/** The bar around another one, in the same track. */
export function parentOf(bars: Bars, at: number): number | undefined {
  return find(bars, at, -1).find(
    (bar) => bars.bar_begin[bar]! <= bars.bar_begin[at]! && bars.bar_end[bar]! >= bars.bar_end[at]!,
  );
}

/** What is drawn inside a bar, in the row below. */
export function childrenOf(bars: Bars, at: number): readonly number[] {
  return find(bars, at, 1).filter(
    (bar) => bars.bar_begin[bar]! >= bars.bar_begin[at]! && bars.bar_end[bar]! <= bars.bar_end[at]!,
  );
}

/** All bars of its row, itself included. */
export function rowOf(bars: Bars, at: number): readonly number[] {
  return find(bars, at, 0);
}

/** Where one goes from a bar; nothing where there is none. */
export function neighbour(
  bars: Bars,
  at: number,
  where: 'left' | 'right' | 'up' | 'down',
): number | undefined {
  switch (where) {
    case 'left':
      return rowOf(bars, at).findLast((bar) => bars.bar_begin[bar]! < bars.bar_begin[at]!);
    case 'right':
      return rowOf(bars, at).find((bar) => bars.bar_begin[bar]! > bars.bar_begin[at]!);
    case 'up':
      return parentOf(bars, at);
    case 'down':
      return childrenOf(bars, at).reduce<number | undefined>(
        (best, bar) =>
          best === undefined || lengthOf(bars, bar) > lengthOf(bars, best) ? bar : best,
        undefined,
      );
  }
}

function find(bars: Bars, at: number, below: number): readonly number[] {
  const [track, row] = [bars.bar_of[at]!, bars.bar_row[at]! + below];
  const found = [];
  for (let bar = 0; bar < bars.bar_of.length; bar++) {
    if (bars.bar_of[bar] === track && bars.bar_row[bar] === row) found.push(bar);
  }
  return found;
}
