/** What the names of runs have in common: `before` of `before-1.pb.gz`. */
function stemOf(title: string): string {
  return title.replace(/[-_. (]*\d.*$/, '');
}

/**
 * Which of several files are likely the base (false) and which the new side (true): where their
 * names begin in two ways, those of the second way are the new ones; else the last is compared with
 * the others.
 */
export function guessSides(titles: readonly string[]): readonly boolean[] {
  const stems = titles.map(stemOf);
  const [first, ...others] = new Set(stems);
  if (others.length === 1) return stems.map((stem) => stem !== first);
  return titles.map((_, index) => index === titles.length - 1);
}
