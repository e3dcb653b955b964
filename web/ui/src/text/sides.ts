/** Words in names of files. */
const OLD = /(^|[^a-z])(before|old|base|baseline)([^a-z]|$)/i;
const NEW = /(^|[^a-z])(after|new)([^a-z]|$)/i;

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
 * Which of several files are likely the base (false) and which the new side (true): as their names
 * say, such as `before` and `new`; else, where they begin in two ways, those of the second way are
 * the new ones; else the last is compared with the others.
 */
export function guessSides(titles: readonly string[]): readonly boolean[] {
  const isNewer = titles.map((title) => NEW.test(title) && !OLD.test(title));
  const isOlder = titles.map((title) => OLD.test(title) && !NEW.test(title));
  // What all names say is not a guess.
  if (titles.every((_, at) => isNewer[at] || isOlder[at]) && new Set(isNewer).size === 2) {
    return isNewer;
  }
  return twoGroups(titles) ?? titles.map((_, index) => index === titles.length - 1);
}
