import { effect, type Signal, signal } from '@preact/signals';

/** What a machine can do at most. */
export interface Machine {
  /** Bytes from memory in a second, in 10^9. */
  readonly bandwidth: number;
  /** Operations in a second, in 10^9. */
  readonly peak: number;
}

const STORAGE_KEY = 'hotframe.machine';
/** A processor with two channels of memory; people set their own. */
const STANDARD: Machine = { bandwidth: 40, peak: 500 };

/** The machine that programs are measured against, remembered where the page can. */
export function createMachine(storage: Storage | undefined): Signal<Machine> {
  const machine = signal(parse(storage?.getItem(STORAGE_KEY) ?? null));
  effect(() => storage?.setItem(STORAGE_KEY, JSON.stringify(machine.value)));
  return machine;
}

function parse(text: string | null): Machine {
  const [bandwidth, peak] = (text ?? '').match(/[\d.e+]+/g)?.map(Number) ?? [];
  return bandwidth !== undefined && bandwidth > 0 && peak !== undefined && peak > 0
    ? { bandwidth, peak }
    : STANDARD;
}
