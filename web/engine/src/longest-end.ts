/** What may be the file that a path means, by the longest end that the paths have in common. */
export interface LongestEnd<T> {
  /** Several where nothing tells them apart; none where no name is the same. */
  readonly best: readonly T[];
  /** How many parts of the path they have in common; 1 for the name alone. */
  readonly common: number;
}

/**
 * Finds a file of one machine on another, where folders are called otherwise: the one whose path has the longest
 * end in common. Both kinds of separators count.
 */
export function longestEnd<T>(
  items: readonly T[],
  pathOf: (item: T) => string,
  wanted: string,
): LongestEnd<T> {
  const parts = partsOf(wanted);
  let best: T[] = [];
  let common = 1;
  for (const item of items) {
    const own = partsOf(pathOf(item));
    let same = 0;
    while (same < Math.min(own.length, parts.length) && own.at(-1 - same) === parts.at(-1 - same)) {
      same++;
    }
    if (same < common) continue;
    if (same > common) best = [];
    common = same;
    best.push(item);
  }
  return { best, common };
}

function partsOf(path: string): readonly string[] {
  return path.split(/[\\/]+/).filter((part) => part !== '' && part !== '.');
}
