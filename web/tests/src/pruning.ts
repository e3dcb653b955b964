import { execFileSync } from 'node:child_process';
import { binary } from './harness.ts';

/** A call of a tree as the command line tells it. */
interface Call {
  readonly function: string;
  readonly path: readonly string[];
  readonly depth: number;
  readonly total: number;
}

/** What a tree has, and what is left of it when it is cut as a command line cuts it. */
export interface CutTree {
  readonly total: number;
  /** Calls that were cut off, each with all below it. */
  readonly count: number;
  readonly cut: readonly Call[];
}

/**
 * Cuts a top-down tree by names: what is cut is found among all calls here, and how many that are is
 * what the command line says of its own cut.
 */
export function cutTree(
  file: string,
  options: readonly string[],
  cuts: readonly string[],
): CutTree {
  const show = (...more: readonly string[]) => {
    const told = execFileSync(
      binary(),
      ['show', file, '--view', 'top-down', '--granularity', 'name', '--format', 'json', ...more],
      { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    return JSON.parse(told) as { total: number; rows: readonly Call[]; cut_off?: number };
  };
  const whole = show(...options);
  const pruned = show(...options, ...cuts);
  const key = (path: readonly string[]) => path.join('\n');
  const kept = new Set(['', ...pruned.rows.map(({ path }) => key(path))]);
  const cut = whole.rows.filter(
    ({ path }) => !kept.has(key(path)) && kept.has(key(path.slice(0, -1))),
  );
  return { total: whole.total, count: pruned.cut_off ?? 0, cut };
}

/** The sum of some calls as the page writes exact values. */
export function exactSum(calls: readonly Call[]): string {
  return calls.reduce((sum, { total }) => sum + total, 0).toLocaleString('en-US');
}
