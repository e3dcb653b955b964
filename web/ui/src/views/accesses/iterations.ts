import type { AccessesRun } from '../../state/accesses.ts';

/** How many iterations there are. */
export function count(run: AccessesRun): number {
  return run.columns.start.length;
}

/** Values of all variables in an iteration. */
export function valuesAt(run: AccessesRun, iteration: number): Float64Array {
  const width = run.result.variables.length;
  return run.columns.value.subarray(iteration * width, (iteration + 1) * width);
}

/** Variables of loops around an iteration, outermost first: those of all its accesses. */
export function variablesAt(run: AccessesRun, iteration: number): readonly number[] {
  const { start, reference } = run.columns;
  const end = start[iteration + 1] ?? reference.length;
  let longest: readonly number[] = [];
  for (let access = start[iteration] ?? end; access < end; access += 1) {
    const { loops } = run.result.references[reference[access]!]!;
    if (loops.length > longest.length) longest = loops;
  }
  return longest;
}

/**
 * The iteration of another run in which the loops that it has are where they are in one of this; undefined where
 * there is none, as it has loops that this has not.
 */
export function sameIteration(
  run: AccessesRun,
  at: number,
  other: AccessesRun,
): number | undefined {
  // All containers of a picture ask for the same.
  if (last?.run !== run || last.at !== at || last.other !== other) {
    last = { run, at, other, same: searched(run, at, other) };
  }
  return last.same;
}

let last:
  { run: AccessesRun; at: number; other: AccessesRun; same: number | undefined } | undefined;

function searched(run: AccessesRun, at: number, other: AccessesRun): number | undefined {
  const values = new Map<string, number>();
  const own = valuesAt(run, at);
  const loops = variablesAt(run, at);
  for (const variable of loops) {
    values.set(run.result.variables[variable]!, own[variable]!);
  }
  const { variables } = other.result;
  let [best, most] = [undefined as number | undefined, 0];
  for (let iteration = 0; iteration < count(other) && most < loops.length; iteration += 1) {
    const theirs = valuesAt(other, iteration);
    const isSame = (variable: number) => values.get(variables[variable]!) === theirs[variable];
    const around = variablesAt(other, iteration);
    // Statements in fewer loops are others.
    if (around.length > most && around.every(isSame)) [best, most] = [iteration, around.length];
  }
  return best;
}

const ends = new WeakMap<AccessesRun, (readonly [number, number])[]>();

/** The smallest and the largest value of a variable. */
export function endsOf(run: AccessesRun, variable: number): readonly [number, number] {
  let known = ends.get(run);
  if (known === undefined) {
    const width = run.result.variables.length;
    const all = run.result.variables.map(
      () => [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as [number, number],
    );
    // A variable counts where a loop of it is around, for it is 0 everywhere else.
    for (let iteration = 0; iteration < count(run); iteration += 1) {
      for (const one of variablesAt(run, iteration)) {
        const value = run.columns.value[iteration * width + one]!;
        const own = all[one]!;
        if (value < own[0]) own[0] = value;
        if (value > own[1]) own[1] = value;
      }
    }
    known = all;
    ends.set(run, known);
  }
  return known[variable] ?? [0, 0];
}

/**
 * The iteration that is as one but that a variable has another value: of those with that value the one in
 * which most others have theirs, the first of these.
 */
export function iterationWith(
  run: AccessesRun,
  from: number,
  variable: number,
  wanted: number,
): number {
  const width = run.result.variables.length;
  const own = valuesAt(run, from);
  const loops = variablesAt(run, from);
  let best = from;
  let most = -1;
  for (let iteration = 0; iteration < count(run); iteration += 1) {
    if (run.columns.value[iteration * width + variable] !== wanted) continue;
    let same = 0;
    for (const other of loops) {
      if (run.columns.value[iteration * width + other] === own[other]) same += 1;
    }
    if (same > most) {
      const around = variablesAt(run, iteration);
      if (!around.includes(variable)) continue;
      [best, most] = [iteration, same];
      if (same >= loops.length - 1) break;
    }
  }
  return best;
}
