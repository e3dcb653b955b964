/** What the names of runs have in common: `before` of `before-1.pb.gz`. */
function stemOf(title: string): string {
  return title.replace(/[-_. (]*\d.*$/, '');
}

/**
 * Which of several files are the second of two groups, by the ways in which their names begin;
 * undefined where these are not two.
 */
export function twoGroups(titles: readonly string[]): readonly boolean[] | undefined {
  const stems = titles.map(stemOf);
  const [first, ...others] = new Set(stems);
  return others.length === 1 ? stems.map((stem) => stem !== first) : undefined;
}

/** Whether files are more likely the sides of a comparison than the parts of one profile. */
export function looksCompared(titles: readonly string[]): boolean {
  return titles.length === 2 || twoGroups(titles) !== undefined;
}

/**
 * Which of several files are likely the base (false) and which the new side (true): where their
 * names begin in two ways, those of the second way are the new ones; else the last is compared with
 * the others.
 */
export function guessSides(titles: readonly string[]): readonly boolean[] {
  return twoGroups(titles) ?? titles.map((_, index) => index === titles.length - 1);
}
