import type { MeasuredLines, SummaryResult, ViewSpec } from '@hotframe/engine';
import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { shareLines } from './measured-lines.ts';

const FILES = ['/build/shop/src/main.go', '/go/pkg/other/src/main.go', '/build/shop/api/util.go'];
const TIME = { name: 'cpu', unit: 'nanoseconds', decimals: 0, formula: null, adds_up: true };
const RATIO = { ...TIME, name: 'cpu / calls', formula: 'cpu / calls', adds_up: false };

/** A page that shows a profile of these files, where line 2 of each costs 1 of 4 seconds. */
function page(files = FILES) {
  const asked: string[] = [];
  const summary = signal<SummaryResult | undefined>({
    title: 'cpu.pb',
    metrics: [TIME, RATIO],
    comparison: null,
  } as unknown as SummaryResult);
  const spec = signal<ViewSpec | undefined>({ metric: 0 } as ViewSpec);
  const metric = signal(0);
  let changes = 0;
  let ask: (path: string, lineCount: number) => Promise<MeasuredLines | undefined>;
  shareLines(
    {
      show() {},
      onLines(answer) {
        ask = answer;
      },
      changed() {
        changes += 1;
      },
    },
    {
      async call(method: string, { file }: { file: string }) {
        asked.push(method === 'functions' ? method : file);
        return method === 'functions'
          ? { result: { rows: [...files, ''].map((name) => ({ file: name })) } }
          : {
              result: { estimated: false },
              columns: {
                line: Uint32Array.of(0, 2, 3),
                self_value: BigInt64Array.of(7n, 500_000_000n, 0n),
                total_value: BigInt64Array.of(7n, 1_000_000_000n, 0n),
                scale: BigInt64Array.of(4_000_000_000n, 0n),
              },
            };
      },
    } as never,
    { summary, spec, metric },
  );
  const lines = (path: string, lineCount = 10) => ask(path, lineCount);
  return { lines, asked, summary, metric, changes: () => changes };
}

it('tells values and shares of the lines that have some', async () => {
  const { lines, asked } = page();
  const found = await lines('/home/me/shop/src/main.go');
  expect(found).toMatchObject({ title: 'cpu.pb', metric: 'cpu', is_stale: false });
  expect(found?.lines).toEqual([
    {
      line: 1,
      self: 0.125,
      total: 0.25,
      text: 'self 12.5 % (500 ms) · total 25.0 % (1 s)',
      short: 'total 25.0 % (1 s) · self 12.5 %',
    },
  ]);
  expect(found?.note).toBe('The profile names /build/shop/src/main.go.');
  await lines('/home/me/shop/api/util.go');
  expect(asked).toEqual(['functions', '/build/shop/src/main.go', '/build/shop/api/util.go']);
});

it('tells nothing of what may be several files, or none', async () => {
  const { lines, asked } = page();
  expect(await lines('/home/me/src/main.go')).toBeUndefined();
  expect(await lines('/home/me/none.go')).toBeUndefined();
  expect(asked).toEqual(['functions']);
});

it('says where a text may be another one', async () => {
  const { lines } = page();
  const byName = await lines('/home/me/util.go');
  expect(byName?.is_stale).toBe(true);
  expect(byName?.note).toMatch(/Only its name matches/);
  const tooShort = await lines('/home/me/shop/api/util.go', 1);
  expect(tooShort?.is_stale).toBe(true);
  expect(tooShort?.note).toMatch(/beyond the end/);
  // A profile that knows names only says no more anywhere.
  expect((await page(['util.go']).lines('/home/me/util.go'))?.is_stale).toBe(false);
});

it('tells no shares of ratios, and nothing while nothing is shown', async () => {
  const { lines, metric, summary, changes } = page();
  const before = changes();
  metric.value = 1;
  expect(changes()).toBe(before + 1);
  expect(await lines('/home/me/shop/src/main.go')).toBeUndefined();
  summary.value = undefined;
  expect(changes()).toBe(before + 2);
  expect(await lines('/home/me/shop/src/main.go')).toBeUndefined();
});
