import type { EventEntry } from '@hotframe/engine';
import type { Line } from './Coordinates.tsx';
import { changeText, figureText } from './figures.ts';
import type { RunSets } from './sets.ts';

/** An axis of parallel coordinates. */
export interface Column {
  readonly key: string;
  readonly title: string;
  /** Axes of one scale can be laid beside each other: a level line is not a change. */
  readonly scale: 'number' | 'set' | 'change';
  value(line: Line): number | undefined;
  /** What a line has there. */
  text(line: Line): string;
  /** A value at the end of the axis, of something like an entry. */
  axisText(entry: EventEntry, value: number): string;
}

const NUMBER: Column = {
  key: 'number',
  title: '#',
  scale: 'number',
  value: ({ number }) => number,
  text: ({ number }) => `${number}`,
  axisText: (_, value) => `${Math.round(value)}`,
};

const CHANGE: Column = {
  key: 'change',
  title: 'change',
  scale: 'change',
  value: ({ entry }) => {
    const ratio = entry.change?.ratio;
    return ratio === null || ratio === undefined ? undefined : (ratio - 1) * 100;
  },
  text: ({ entry }) => `${changeText(entry.change?.ratio)}, ${entry.change?.verdict ?? ''}`,
  axisText: (_, value) => changeText(value / 100 + 1),
};

/** The number, each set, and how two differ. */
export function columnsOf({ names, isCompared }: RunSets): readonly Column[] {
  const sets = names.map((name, set) => ofSet(name, set));
  return [NUMBER, ...sets, ...(isCompared ? [CHANGE] : [])];
}

function ofSet(title: string, set: number): Column {
  return {
    key: `set ${set}`,
    title,
    scale: 'set',
    value: ({ entry }) => entry.sides[set]?.median ?? undefined,
    text: ({ entry }) => figureText(entry, entry.sides[set]?.median),
    axisText: (entry, value) => figureText(entry, value),
  };
}

/** An order in which one stands before the one that was before it. */
export function moved(keys: readonly string[], at: number): readonly string[] {
  return keys.with(at - 1, keys[at]!).with(at, keys[at - 1]!);
}

/** Whether a share of an axis is in the part that is chosen, or as good as in it. */
export function within([from, to]: readonly [number, number], share: number): boolean {
  return share >= from - 0.015 && share <= to + 0.015;
}
