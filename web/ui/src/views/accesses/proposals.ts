import type { AccessesRun } from '../../state/accesses.ts';

/** A change that can be chosen. */
export interface Proposal {
  readonly label: string;
  readonly change: string;
  readonly apart: boolean;
}

/** Dimensions of more are not permuted by menu. */
const MOST_DIMENSIONS = 4;

/** Changes that suit what is accessed: permutations and paddings of containers, orders and tiles of loops. */
export function proposals(run: AccessesRun): readonly Proposal[] {
  const all: Proposal[] = [];
  const group = (changes: readonly string[]) =>
    changes.forEach((change, index) => {
      all.push({ label: change, change, apart: index === 0 && all.length > 0 });
    });
  const { containers, references, variables } = run.result;
  const names = new Set<string>();
  for (const { name, shape, element } of containers) {
    if (names.has(name)) continue;
    names.add(name);
    const orders =
      shape.length < 2 || shape.length > MOST_DIMENSIONS
        ? []
        : permutations(shape.map((_, dimension) => dimension)).slice(1);
    const lineful = Math.max(2, run.program.line / element);
    group([
      ...orders.map((order) => `permute ${name} ${order.join(',')}`),
      ...(shape.length > 1 ? [`pad ${name} ${lineful}`] : []),
      `align ${name} ${run.program.line}`,
      `element ${name} ${element === 8 ? 4 : 8}`,
    ]);
  }
  const nests = new Set<string>();
  for (const { loops } of references) {
    const called = loops.map((variable) => variables[variable]!);
    const key = called.join(',');
    if (called.length < 2 || nests.has(key) || new Set(called).size < called.length) continue;
    nests.add(key);
    const orders = called.length > MOST_DIMENSIONS ? [] : permutations(called).slice(1);
    group([
      ...orders.map((order) => `order ${order.join(',')}`),
      `tile ${key} ${called.map(() => 32).join(',')}`,
    ]);
  }
  return all;
}

/** All orders, the given one first. */
export function permutations<T>(all: readonly T[]): readonly (readonly T[])[] {
  if (all.length < 2) return [all];
  return all.flatMap((first, index) =>
    permutations(all.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  );
}
