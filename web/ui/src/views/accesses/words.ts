import type { AccessesProgram } from '@hotframe/engine';
import type { AccessesRun } from '../../state/accesses.ts';
import {
  type AccessesViewState,
  cachesOf,
  DISTANCES,
  INCLUSIONS,
  type Iterations,
  MISS_KINDS,
  REPLACEMENTS,
} from '../../state/accesses-view.ts';
import { labelOf } from '../../state/view-state.ts';
import { formatInteger, formatThings } from '../../text/units.ts';

/** What a number of the overlay counts. */
export function legendOf(view: Pick<AccessesViewState, 'overlay' | 'misses' | 'distance'>): string {
  const { misses, distance } = view;
  const kind = misses === 'all' ? '' : `${labelOf(MISS_KINDS, misses).toLowerCase()} `;
  return {
    count: 'accesses',
    distance: `${labelOf(DISTANCES, distance).toLowerCase()} stack distance, in lines`,
    misses: `${kind}misses`,
    evictions: 'evictions of its line after it was touched last',
    related: 'accesses in iterations of the chosen elements',
    lines: 'chosen elements in the same line',
  }[view.overlay];
}

/** A value of the overlay, in words: `1 miss`, `3 chosen elements in the same line`. */
export function valueText(
  value: number,
  view: Pick<AccessesViewState, 'overlay' | 'misses' | 'distance'>,
): string {
  const { misses, distance } = view;
  const kind = misses === 'all' ? '' : `${labelOf(MISS_KINDS, misses).toLowerCase()} `;
  switch (view.overlay) {
    case 'count':
      return formatThings(value, 'access');
    case 'distance':
      return `${labelOf(DISTANCES, distance).toLowerCase()} stack distance ${formatThings(value, 'line')}`;
    case 'misses':
      return formatThings(value, `${kind}miss`);
    case 'evictions':
      return `${formatThings(value, 'eviction')} of its line after it was touched last`;
    case 'related':
      return `${formatThings(value, 'access')} in iterations of the chosen elements`;
    case 'lines':
      return `${formatThings(value, 'chosen element')} in the same line`;
  }
}

/** How accesses are run and placed: what there is a choice of is said, whichever was taken. */
export function runText(
  program: Pick<AccessesProgram, 'schedule' | 'combining_reads' | 'packed'>,
): string {
  const { schedule, combining_reads: reads, packed } = program;
  return [
    schedule === '' ? 'One thread' : `Threads: ${schedule}`,
    reads ? 'a write that combines reads first' : 'a write that combines counts once',
    packed ? 'containers packed' : 'each container on lines of its own',
  ]
    .join(', ')
    .concat('.');
}

/** What accesses are gone through by: iterations of loops, or recorded accesses, of which each is a step. */
export function stepsText(count: 'one' | 'many', isRecorded: boolean): string {
  if (isRecorded) return count === 'one' ? 'access' : 'accesses';
  return count === 'one' ? 'iteration' : 'iterations';
}

/** What elements are told of, where that is not all: `iterations 3 to 5`. */
export function rangeText(
  run: Pick<AccessesRun, 'result'>,
  range: Iterations | undefined,
  isRecorded: boolean,
): string | undefined {
  if (range === undefined || !run.result.has_each) return undefined;
  const [from, to] = [range.from, range.to].map((one) => formatInteger(one + 1));
  if (from === to) return `${stepsText('one', isRecorded)} ${from}`;
  return `${stepsText('many', isRecorded)} ${from} to ${to}`;
}

/** An address: of recorded accesses as debuggers write it. */
export function addressText(address: number, isRecorded: boolean): string {
  return isRecorded ? `0x${address.toString(16)}` : formatInteger(address);
}

/** What sums beside them are of. */
export function allText(isRecorded: boolean): string {
  return isRecorded ? 'all of the recording' : 'all iterations';
}

/** Levels that each thread has of its own: `L1 and L2 of each thread`. */
export function ownLevels(count: number): string {
  const names = Array.from({ length: count }, (_, level) => `L${level + 1}`);
  const last = names.pop();
  return `${names.length === 0 ? '' : `${names.join(', ')} and `}${last} of each thread`;
}

/** How caches work where that is not as usual: `tree-PLRU, exclusive`; empty else. */
export function rulesText(state: AccessesViewState): string {
  const { levels, replacement, inclusion, private: own } = cachesOf(state, 'shown');
  const words = [
    ...(replacement === 'lru' ? [] : [labelOf(REPLACEMENTS, replacement)]),
    ...(inclusion === 'none' || levels.length < 2
      ? []
      : [labelOf(INCLUSIONS, inclusion).toLowerCase()]),
    ...(own === 0 ? [] : [ownLevels(own)]),
    ...(state.rules.includes('through') ? ['writes go through'] : []),
    ...(state.rules.includes('around') ? ['writes that miss bring no line'] : []),
    ...(state.rules.includes('prefetch') ? ['the next line is brought, too'] : []),
  ];
  return words.join(', ');
}
