import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatQuantity } from './quantity.ts';
import { formatExact, formatShare, formatValue } from './units.ts';

const TABLE = new URL('../../../../testdata/units.tsv', import.meta.url);

it('reads everything as the table says that the engine goes through too', () => {
  const lines = readFileSync(TABLE, 'utf8').trimEnd().split('\n');
  const told = lines.filter((line) => !line.startsWith('#'));
  expect(told.length).toBeGreaterThan(60);
  for (const line of told) {
    const [kind, value = '', unit = '', decimals, text] = line.split('\t');
    const read = {
      value: () => formatValue(BigInt(value), { unit, decimals: Number(decimals) }),
      quantity: () => formatQuantity(Number(value), unit),
      share: () => formatShare(Number(value)),
    }[kind ?? ''];
    expect(read?.(), line).toBe(text);
  }
});

it.each([
  [2n ** 63n - 1n, 'count', 0, '9,223,372,036,854,775,807'],
  [-5n, 'nanoseconds', 0, '-5 nanoseconds'],
  [1_234_500n, 'samples', 3, '1,234.5 samples'],
  [5n, 'samples', 3, '0.005 samples'],
] as const)('keeps %s %s exact', (value, unit, decimals, text) => {
  expect(formatExact(value, { unit, decimals })).toBe(text);
});
