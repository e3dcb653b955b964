import { formatThings } from '../../text/units.ts';

/** Which runs are looked at together. */
export interface RunSets {
  /** What each is called; empty where all there is is one. */
  readonly names: readonly string[];
  /** How many runs each has. */
  readonly runs: readonly number[];
  /** Whether they are the sides of a comparison, base first. */
  readonly isCompared: boolean;
}

/** What stands above a set: what it is called, and what of its runs is told. */
export function setTitle(
  { names, runs, isCompared }: RunSets,
  set: number,
  isMean: boolean,
): string {
  const count = runs[set] ?? 1;
  const of = count > 1 ? `${isMean ? 'mean' : 'median'} of ${formatThings(count, 'run')}` : '';
  const name = names[set] ?? '';
  const titled = isCompared ? name.charAt(0).toUpperCase() + name.slice(1) : name;
  return [titled, of].filter((text) => text !== '').join(', ');
}
