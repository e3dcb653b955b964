import type { EventPlace, Filter } from '@hotframe/engine';

/** Processors that share a socket (or stand together where the file does not tell). */
export interface Socket {
  /** What stands above it; empty where there is one only. */
  readonly label: string;
  /** By core, in the order of their numbers. */
  readonly cores: readonly (readonly EventPlace[])[];
}

/** Processors as they stand in their machines: sockets, and in each the cores. */
export function socketsOf(places: readonly EventPlace[]): readonly Socket[] {
  const sockets = new Map<string, EventPlace[]>();
  for (const place of places) {
    const key = `${place.machine}\n${place.socket ?? ''}`;
    const known = sockets.get(key);
    if (known === undefined) sockets.set(key, [place]);
    else known.push(place);
  }
  const isAlone = sockets.size === 1;
  return [...sockets.values()].map((own) => ({
    label: isAlone ? '' : labelOf(own[0]!),
    cores: coresOf(own),
  }));
}

function labelOf({ machine, socket }: EventPlace): string {
  const of = socket === null ? '' : `socket ${socket}`;
  return [machine, of].filter((text) => text !== '').join(' ');
}

function coresOf(places: readonly EventPlace[]): readonly (readonly EventPlace[])[] {
  const cores = new Map<string, EventPlace[]>();
  for (const place of places) {
    // A processor whose core is not told is taken for one of its own.
    const key = place.core === null ? `cpu ${place.cpu}` : `core ${place.core}`;
    const known = cores.get(key);
    if (known === undefined) cores.set(key, [place]);
    else known.push(place);
  }
  return [...cores.values()];
}

/** The filter pattern that keeps some processors. */
export function cpuPattern(cpus: readonly number[]): string {
  return cpus.length === 1 ? `cpu=^${cpus[0]}$` : `cpu=^(${cpus.join('|')})$`;
}

/** The processors that filters of this page keep. */
export function chosenCpus(filters: readonly Filter[]): ReadonlySet<number> {
  const kept = filters.flatMap(({ kind, pattern }) => {
    const told =
      kind === 'label_focus' ? /^cpu=\^\(?(\d+(?:\|\d+)*)\)?\$$/.exec(pattern)?.[1] : undefined;
    return told?.split('|').map(Number) ?? [];
  });
  return new Set(kept);
}

/** An axis of parallel coordinates: values from the lowest to the highest, and where one stands. */
export interface Axis {
  readonly low: number;
  readonly high: number;
}

/** The axis of some values; one around 0 is as long on either side of it. */
export function axisOf(values: readonly number[], isAroundZero: boolean): Axis {
  if (values.length === 0) return { low: 0, high: 1 };
  if (isAroundZero) {
    const most = Math.max(...values.map(Math.abs)) || 1;
    return { low: -most, high: most };
  }
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? { low: low - 0.5, high: high + 0.5 } : { low, high };
}

/** What stands at the top and at the foot of an axis; nothing where it has no values. */
export function axisEnds(
  { low, high }: Axis,
  isEmpty: boolean,
  isTurned: boolean,
): readonly [number | undefined, number | undefined] {
  if (isEmpty) return [undefined, undefined];
  return isTurned ? [low, high] : [high, low];
}

/** Where a value stands on its axis: 0 is the lowest, 1 the highest. */
export function onAxis({ low, high }: Axis, value: number): number {
  return (value - low) / (high - low);
}
