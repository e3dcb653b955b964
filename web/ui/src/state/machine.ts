import type { Engine, MachineResult } from '@hotframe/engine';
import { effect, type Signal, signal } from '@preact/signals';

/** What a machine can do at most. */
export interface Machine {
  /** Bytes from memory in a second, in 10^9. */
  readonly bandwidth: number;
  /** Operations in a second, in 10^9. */
  readonly peak: number;
  readonly origin: 'example' | 'typed' | 'measured';
}

const STORAGE_KEY = 'hotframe.machine';
const GIGA = 1e9;
/** A processor with two channels of memory. */
const EXAMPLE: Machine = { bandwidth: 40, peak: 500, origin: 'example' };

/** The machine that programs are measured against; what was typed is remembered where the page can. */
export function createMachine(
  storage: Pick<Storage, 'getItem' | 'setItem'> | undefined,
): Signal<Machine> {
  const machine = signal(parse(storage?.getItem(STORAGE_KEY) ?? null));
  effect(() => {
    const { bandwidth, peak, origin } = machine.value;
    storage?.setItem(STORAGE_KEY, origin === 'typed' ? `${bandwidth} ${peak}` : '');
  });
  return machine;
}

/** What was typed, as two numbers; what is not a machine is the example. */
function parse(text: string | null): Machine {
  const [bandwidth = 0, peak = 0] = text?.split(' ').map(Number) ?? [];
  const isExample = bandwidth === EXAMPLE.bandwidth && peak === EXAMPLE.peak;
  return bandwidth > 0 && peak > 0 && !isExample ? { bandwidth, peak, origin: 'typed' } : EXAMPLE;
}

/** What was measured, if anything was. */
export function measuredMachine({ measured }: MachineResult): Machine | undefined {
  if (measured === null) return undefined;
  const round = (value: number) => Number((value / GIGA).toPrecision(3));
  return {
    bandwidth: round(measured.bandwidth),
    peak: round(measured.peak),
    origin: 'measured',
  };
}

const asked = new WeakMap<Engine, Promise<MachineResult | undefined>>();

/** What the engine knows of its machine, asked once; undefined where it can tell nothing. */
export function knownMachine(engine: Engine): Promise<MachineResult | undefined> {
  const known = asked.get(engine);
  if (known !== undefined) return known;
  const answer = engine.call('machine', { measure: false }).then(
    ({ result }) => result,
    () => undefined,
  );
  asked.set(engine, answer);
  return answer;
}

/** Measures, and lets that be known. */
export async function measureMachine(engine: Engine, signal: AbortSignal): Promise<MachineResult> {
  const { result } = await engine.call('machine', { measure: true }, { signal });
  asked.set(engine, Promise.resolve(result));
  return result;
}
