import type { AccessedContainer } from '@hotframe/engine';
import type { AccessesRun } from '../../state/accesses.ts';
import type { ChosenElement } from '../../state/accesses-view.ts';

/** How many elements a container has. */
export function countOf(container: AccessedContainer): number {
  return container.shape.reduce((all, size) => all * size, 1);
}

/** The indices of an element, outermost first. */
export function indicesOf(shape: readonly number[], element: number): number[] {
  const indices: number[] = [];
  let rest = element;
  for (const size of shape.toReversed()) {
    indices.push(rest % size);
    rest = Math.floor(rest / size);
  }
  return indices.reverse();
}

/** The element of indices. */
export function elementOf(shape: readonly number[], indices: readonly number[]): number {
  return shape.reduce((all, size, dimension) => all * size + (indices[dimension] ?? 0), 0);
}

const known = new WeakMap<AccessesRun['result'], readonly string[]>();

/** What containers are called: of several of a name all but the first have a number. */
export function labelsOf({ result }: Pick<AccessesRun, 'result'>): readonly string[] {
  let labels = known.get(result);
  if (labels === undefined) {
    const times = new Map<string, number>();
    labels = result.containers.map(({ name }) => {
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      return time === 1 ? name : `${name} (${time})`;
    });
    known.set(result, labels);
  }
  return labels;
}

/** An element where it is: its container and its place in row-major order. */
export interface Found {
  readonly number: number;
  readonly element: number;
}

/** Where a chosen element is; undefined where there is none at these sizes. */
export function find(
  run: Pick<AccessesRun, 'result'>,
  chosen: ChosenElement | undefined,
): Found | undefined {
  if (chosen === undefined) return undefined;
  const number = labelsOf(run).indexOf(chosen.container);
  const container = run.result.containers[number];
  if (container === undefined) return undefined;
  const element = placeOf(container, chosen.indices);
  return element === undefined ? undefined : { number, element };
}

/** The place of indices in row-major order; one number is such a place already. */
function placeOf(container: AccessedContainer, indices: readonly number[]): number | undefined {
  const { shape } = container;
  const [only] = indices;
  if (indices.length === 1 && only !== undefined && shape.length !== 1) {
    return only < countOf(container) ? only : undefined;
  }
  const isThere =
    indices.length === shape.length && indices.every((index, at) => index < shape[at]!);
  return isThere ? elementOf(shape, indices) : undefined;
}

/** How an element is kept: by its indices, so that it stays itself when sizes change. */
export function chosenOf(
  run: Pick<AccessesRun, 'result'>,
  { number, element }: Found,
): ChosenElement {
  return {
    container: labelsOf(run)[number]!,
    indices: indicesOf(run.result.containers[number]!.shape, element),
  };
}

/** How a chosen element is written: `a[1, 2]`. */
export function chosenText(run: Pick<AccessesRun, 'result'>, chosen: ChosenElement): string {
  const found = find(run, chosen);
  const indices = found === undefined ? chosen.indices : chosenOf(run, found).indices;
  return `${chosen.container}[${indices.join(', ')}]`;
}

/** Whether two are the same element. */
export function isSame(
  run: Pick<AccessesRun, 'result'>,
  one: ChosenElement,
  other: ChosenElement,
): boolean {
  return chosenText(run, one) === chosenText(run, other);
}
