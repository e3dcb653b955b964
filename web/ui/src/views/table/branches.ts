/** More unfolded branches are not written: an address has to stay short enough to be sent. */
export const MOST_BRANCHES = 200;

/** Branches of a tree by key, each of which is unfolded. */
type Branches = Map<number, Branches>;

/** The paths whose every part is unfolded, outer ones first; no more than are written. */
export function writtenBranches(
  paths: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const known = new Set<string>();
  const byDepth = paths.toSorted((a, b) => a.length - b.length);
  return byDepth
    .filter((path) => {
      const isReached = path.length === 1 || known.has(path.slice(0, -1).join('.'));
      const isNew = path.length > 0 && isReached && !known.has(path.join('.'));
      if (isNew && known.size < MOST_BRANCHES) known.add(path.join('.'));
      return isNew && known.has(path.join('.'));
    })
    .slice(0, MOST_BRANCHES);
}

/**
 * The unfolded branches of a tree as text, each key once: after `.` comes what is below, after `-`
 * what is beside, and each `*` before that goes up. `a.b.c*d` is a, b below a, c below b, and d
 * beside b.
 */
export function encodeBranches(paths: readonly (readonly number[])[]): string {
  const root: Branches = new Map();
  for (const path of writtenBranches(paths)) {
    let at = root;
    for (const key of path) {
      const next: Branches = at.get(key) ?? new Map();
      at.set(key, next);
      at = next;
    }
  }
  let text = '';
  let before = -1;
  const open = [...root].reverse().map(([key, below]) => ({ key, below, depth: 0 }));
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    const { key, below, depth } = branch;
    const up = before - depth;
    if (before >= 0) text += up < 0 ? '.' : up === 0 ? '-' : '*'.repeat(up);
    text += key.toString(36);
    before = depth;
    open.push(
      ...[...below].reverse().map(([next, more]) => ({ key: next, below: more, depth: depth + 1 })),
    );
  }
  return text;
}

/** The branches of a text; none of one that is no such text. */
export function decodeBranches(text: string | undefined): readonly (readonly number[])[] {
  if (text === undefined || !/^[0-9a-z]+(?:(?:[.-]|\*+)[0-9a-z]+)*$/.test(text)) return [];
  const paths: (readonly number[])[] = [];
  let path: readonly number[] = [];
  for (const [, step = '', digits = ''] of text.matchAll(/([.-]|\*+|^)([0-9a-z]+)/g)) {
    const key = Number.parseInt(digits, 36);
    const kept =
      step === '.' ? path.length : path.length - 1 - (step.startsWith('*') ? step.length : 0);
    if (!Number.isSafeInteger(key) || (path.length > 0 && kept < 0)) return [];
    path = [...path.slice(0, Math.max(0, kept)), key];
    paths.push(path);
    if (paths.length === MOST_BRANCHES) break;
  }
  return paths;
}
