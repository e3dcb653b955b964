import type { AddressPart } from '../../state/address-part.ts';
import type { Choice } from '../../state/view-state.ts';
import { choice } from '../../state/url-fields.ts';

/** What rows of processors and threads are. */
export type By =
  'cpu' | 'core' | 'cache' | 'node' | 'socket' | 'thread' | 'process' | 'function' | 'total';

export const BY: readonly Choice<By>[] = [
  { value: 'cpu', label: 'Processor', title: 'A row a processor' },
  { value: 'core', label: 'Core', title: 'Processors of a core together' },
  { value: 'cache', label: 'Last-level cache', title: 'Processors that share a last-level cache' },
  { value: 'node', label: 'Node of memory', title: 'Processors near the same memory (NUMA)' },
  { value: 'socket', label: 'Socket', title: 'Processors of a socket together' },
  { value: 'thread', label: 'Thread', title: 'A row a thread, by name' },
  { value: 'process', label: 'Process', title: 'A row a process, by name' },
  {
    value: 'function',
    label: 'Function',
    title: 'A row a function: the samples whose innermost frame it is',
  },
  { value: 'total', label: 'All', title: 'One row' },
];

/** How runs stand beside each other. */
export type Along = 'time' | 'progress';

export const ALONG: readonly Choice<Along>[] = [
  { value: 'time', label: 'Time', title: 'Stretches of time' },
  {
    value: 'progress',
    label: 'Progress',
    title: 'Equal parts of each run, however long it took',
  },
];

/** Which runs are looked at together. */
export type Sets = 'sides' | 'names' | 'runs';

export const SETS: readonly Choice<Sets>[] = [
  { value: 'sides', label: 'Together', title: 'All runs; of a comparison those of either side' },
  {
    value: 'names',
    label: 'By name',
    title: 'Runs whose names differ in their number alone: free-1, free-2',
  },
  { value: 'runs', label: 'Each', title: 'Each run apart' },
];

/** What of processors is on screen; it lives in the page's address. */
export interface ProcessorsViewState {
  /** The event that is shown by processor; the metric where undefined. */
  readonly event: string | undefined;
  readonly by: By;
  readonly along: Along;
  readonly sets: Sets;
}

const STANDARD: ProcessorsViewState = {
  event: undefined,
  by: 'cpu',
  along: 'time',
  sets: 'sides',
};

export const PROCESSORS_PART: AddressPart<ProcessorsViewState> = {
  key: 'processors',
  standard: STANDARD,
  encode({ event, by, along, sets }, set) {
    set('event', event);
    set('rowsby', by, STANDARD.by);
    set('along', along, STANDARD.along);
    set('sets', sets, STANDARD.sets);
  },
  decode(text) {
    return {
      event: text('event'),
      by: choice(BY, text('rowsby'), STANDARD.by),
      along: choice(ALONG, text('along'), STANDARD.along),
      sets: choice(SETS, text('sets'), STANDARD.sets),
    };
  },
};
