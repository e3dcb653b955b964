import type { MetricInfo, SummaryResult } from '@hotframe/engine';
import { expect, it } from 'vitest';
import type { ColumnSizes } from './column-sizes.tsx';
import { columnsOf, type Listed } from './columns.ts';

const metric = (name: string) => ({ name, unit: 'count' }) as MetricInfo;
/** What columns depend on. */
const summary = (names: readonly string[], compared = false) =>
  ({
    metrics: names.map(metric),
    comparison: compared ? { metrics: [{ base: 0, new: 1, change: 2, ratio: 3 }] } : null,
  }) as unknown as SummaryResult;

function listed(of: SummaryResult, shown: number, sortedBy = shown): Listed {
  const sort = { by: 'total_value', metric: sortedBy, reverse: false } as const;
  return { summary: of, metric: shown, hasVerdicts: true, sort };
}

const sizes = (chosen: Readonly<Record<string, boolean>> = {}): ColumnSizes => ({
  names: undefined,
  values: undefined,
  isShown: (id) => chosen[id],
});

const labels = (...of: Parameters<typeof columnsOf>) =>
  columnsOf(...of).shown.map(({ label }) => label);

it('shows two metrics, the one on screen first, and others where they were chosen', () => {
  const many = listed(summary(['a', 'b', 'c', 'd']), 2);
  expect(labels(many, sizes())).toEqual(['c self', 'c total', 'a self', 'a total']);
  expect(labels(many, sizes({ d: true, a: false }))).toEqual([
    'c self',
    'c total',
    'd self',
    'd total',
  ]);
  expect(columnsOf(many, sizes()).groups.map(({ id, isShown }) => [id, isShown])).toEqual([
    ['c', true],
    ['a', true],
    ['b', false],
    ['d', false],
  ]);
});

it('keeps room for names: the last columns that nobody asked for give way', () => {
  const both = listed(summary(['base', 'new', 'change', 'ratio'], true), 2);
  const all = ['Change', 'Verdict', 'Base', 'New', '95 % interval', 'New / base', 'Change of self'];
  expect(labels(both, sizes())).toEqual(all);
  for (let room = 300; room < 1600; room += 10) {
    const { shown, namesWidth } = columnsOf(both, sizes(), room);
    const left = shown.map(({ label }) => label);
    expect(left).toEqual(all.slice(0, left.length));
    // As many as fit beside 40 characters, or beside half of a narrow list.
    expect(namesWidth).toBeGreaterThanOrEqual(Math.min(350, Math.round(room * 0.55)));
    expect(left.length === 1 || namesWidth + 130 < room).toBe(true);
  }
  const asked = sizes({ 'comparison Change of self': true, 'comparison Base': false });
  expect(labels(both, asked, 600)).toEqual(['Change', 'Change of self']);
});

it('has the column that rows are sorted by, however narrow it is', () => {
  const both = listed(summary(['base', 'new', 'change', 'ratio'], true), 2, 3);
  expect(labels(both, sizes({ 'comparison New / base': false }), 400)).toEqual([
    'Change',
    'New / base',
  ]);
});
