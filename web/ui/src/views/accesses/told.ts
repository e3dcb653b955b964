import { computed, type ReadonlySignal } from '@preact/signals';
import { type AccessesRun, type AccessesState, plainLines } from '../../state/accesses.ts';
import { distinct } from '../../state/distinct.ts';
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
  /** Whether anything tells something. */
  readonly any: boolean;
  /** The colour of a value; undefined where it tells nothing. */
  colour(value: number): string | undefined;
}

/** What is shown, and what was before all changes where that is shown beside it. */
export interface BothTold {
  readonly shown: Told;
  readonly base: Told | undefined;
}

/** The same for every component that asks. */
const known = new WeakMap<AccessesState, ReadonlySignal<BothTold | undefined>>();

export function useBothTold(): BothTold | undefined {
  const { accesses } = useApp();
  let told = known.get(accesses);
  if (told === undefined) {
    told = toldOf(accesses);
    known.set(accesses, told);
  }
  return told.value;
}

export function useTold(): Told | undefined {
  return useBothTold()?.shown;
}

interface Side {
  readonly run: AccessesRun;
  readonly values: Values;
  readonly touched: readonly Uint8Array[];
}

function toldOf(accesses: AccessesState): ReadonlySignal<BothTold | undefined> {
  // Only what decides values; a position that moves changes none.
  const deciding = distinct(() => {
    const { overlay, misses, distance, range, chosen } = accesses.view.value;
    const lines = plainLines(accesses.view.value);
    return { overlay, misses, distance, range, chosen, lines };
  });
  const sideOf = (run: ReadonlySignal<AccessesRun | undefined>) => {
    const ever = computed(() => (run.value?.result.has_each === true ? touched(run.value) : []));
    return computed((): Side | undefined => {
      deciding.value;
      const own = run.value;
      if (own === undefined) return undefined;
      const view = accesses.view.peek();
      const values = own.result.has_each ? valuesOf(own, view, plainLines(view)) : [];
      return { run: own, values, touched: ever.value };
    });
  };
  const shown = sideOf(computed(() => accesses.run.value.value));
  const base = sideOf(accesses.base);
  const colouring = computed(() => {
    const { scale, colours } = accesses.view.value;
    return `${scale} ${colours}`;
  });
  return computed(() => {
    const own = shown.value;
    if (own === undefined) return undefined;
    colouring.value;
    const { scale: kind, colours } = accesses.view.peek();
    // A distance of 0 is one; no accesses or misses are none.
    const { overlay, misses } = accesses.view.peek();
    const tells = (value: number) => {
      if (overlay === 'distance') return !Number.isNaN(value);
      // Sets may keep more than what they lose.
      return overlay === 'misses' && misses === 'conflict' ? value !== 0 : value > 0;
    };
    const all: number[] = [];
    const each = [...own.values, ...(base.value?.values ?? [])];
    const programs = [own.run.program, base.value?.run.program];
    const sums = [...accesses.sums.value.values()]
      .filter(({ program }) => programs.includes(program))
      .map(({ values }) => values);
    for (const values of [...each, ...sums]) {
      for (const value of values) if (tells(value)) all.push(value);
    }
    const scale = scaleOf(kind, all);
    const map = accesses.sizes.value.value?.ramps.find((one) => one.colours === colours);
    const ramp = rampSteps(map?.ramp ?? []);
    const told = (side: Side): Told => ({
      ...side,
      scale,
      ramp,
      any: all.length > 0,
      colour: (value) => (tells(value) ? ramp[stepOf(scale.position(value))] : undefined),
    });
    return { shown: told(own), base: base.value && told(base.value) };
  });
}
