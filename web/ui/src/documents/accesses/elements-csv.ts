import type { AccessesRun } from '../../state/accesses.ts';
import type { Iterations } from '../../state/accesses-view.ts';
import { formatInteger, formatThings } from '../../text/units.ts';
import { countOf, indicesOf, labelsOf } from '../../views/accesses/containers.ts';
import { aboutEach, addressOf, NOTHING } from '../../views/accesses/elements.ts';
import { csv } from './csv.ts';

/** Of more elements only those are a table that are accessed. */
export const MOST_ELEMENTS = 1 << 20;

const HEAD = [
  'container',
  'indices',
  'address',
  'reads',
  'writes',
  'cold',
  'capacity',
  'conflict',
  'minimum',
  'median',
  'maximum',
];

/** A table of elements, and what is left out of it. */
export function elementsTable(
  run: AccessesRun,
  lines: number | undefined,
  range: Iterations | undefined,
): { readonly text: string; readonly note: string | undefined } {
  const { containers } = run.result;
  const labels = labelsOf(run);
  const all = aboutEach(run, lines, range);
  const total = containers.reduce((sum, container) => sum + countOf(container), 0);
  const isWhole = total <= MOST_ELEMENTS;
  const rows: (string | number)[][] = [HEAD];
  containers.forEach((container, number) => {
    const known = all[number]!;
    const elements = isWhole
      ? Array.from({ length: countOf(container) }, (_, element) => element)
      : [...known.keys()].sort((a, b) => a - b);
    for (const element of elements) {
      const own = known.get(element) ?? NOTHING;
      const { distances } = own;
      rows.push([
        labels[number]!,
        indicesOf(container.shape, element).join(' '),
        addressOf(container, element),
        own.reads,
        own.writes,
        own.cold,
        own.capacity,
        own.conflict,
        distances[0] ?? '',
        distances[(distances.length - 1) >> 1] ?? '',
        distances.at(-1) ?? '',
      ]);
    }
  });
  const left = total - (rows.length - 1);
  const note = isWhole
    ? undefined
    : `The table has what is accessed, ${formatThings(rows.length - 1, 'element')}${range === undefined ? '' : ' in the range'}; ${formatInteger(left)} others are left out, as all ${formatInteger(total)} are more than the ${formatInteger(MOST_ELEMENTS)} rows that it may have.`;
  return { text: csv(rows), note };
}
