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
export function createMachine(
  storage: Pick<Storage, 'getItem' | 'setItem'> | undefined,
): Signal<Machine> {
  const machine = signal(parse(storage?.getItem(STORAGE_KEY) ?? null));
  effect(() => {
    const { bandwidth, peak } = machine.value;
    storage?.setItem(STORAGE_KEY, `${bandwidth} ${peak}`);
  });
  return machine;
}

/** What was remembered, as two numbers; what is no machine is the standard one. */
function parse(text: string | null): Machine {
  const [bandwidth = 0, peak = 0] = text?.split(' ').map(Number) ?? [];
  return bandwidth > 0 && peak > 0 ? { bandwidth, peak } : STANDARD;
}
