import { computed, type ReadonlySignal } from '@preact/signals';
import { type AccessesRun, type AccessesState, plainLines } from '../../state/accesses.ts';
import { useApp } from '../../state/services.ts';
import { rampSteps, stepOf } from '../graph/ramp.ts';
import { touched, type Values, valuesOf } from './elements.ts';
import { type Scale, scaleOf } from './scale.ts';

/** What elements of containers tell, and in which colours. */
export interface Told {
  readonly run: AccessesRun;
  /** By container; empty where not every access is told. */
  readonly values: Values;
  readonly touched: readonly Uint8Array[];
  readonly scale: Scale;
  readonly ramp: readonly string[];
  colour(value: number): string;
}

/** The same for every component that asks. */
const known = new WeakMap<AccessesState, ReadonlySignal<Told | undefined>>();

export function useTold(): Told | undefined {
  const { accesses } = useApp();
  let told = known.get(accesses);
  if (told === undefined) {
    told = toldOf(accesses);
    known.set(accesses, told);
  }
  return told.value;
}

function toldOf(accesses: AccessesState): ReadonlySignal<Told | undefined> {
  const run = computed(() => accesses.run.value.value);
  const everTouched = computed(() =>
    run.value?.result.has_each === true ? touched(run.value) : [],
  );
  // Only what decides values; a position that moves changes none.
  const deciding = computed(() => {
    const { overlay, misses, distance, range, chosen, scale, colours } = accesses.view.value;
    const lines = plainLines(accesses.view.value);
    return JSON.stringify({ overlay, misses, distance, range, chosen, scale, colours, lines });
  });
  const values = computed(() => {
    deciding.value;
    const shown = run.value;
    if (shown?.result.has_each !== true) return [];
    return valuesOf(shown, accesses.view.peek(), plainLines(accesses.view.peek()));
  });
  return computed(() => {
    const shown = run.value;
    if (shown === undefined) return undefined;
    deciding.value;
    const { scale: kind, colours } = accesses.view.peek();
    const all: number[] = [];
    for (const own of values.value) {
      for (const value of own) if (value > 0) all.push(value);
    }
    const scale = scaleOf(kind, all);
    const colourRamp = accesses.sizes.value.value?.ramps.find((one) => one.colours === colours);
    const ramp = rampSteps(colourRamp?.ramp ?? []);
    return {
      run: shown,
      values: values.value,
      touched: everTouched.value,
      scale,
      ramp,
      colour: (value) => ramp[stepOf(scale.position(value))] ?? 'gray',
    };
  });
}
