import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { exported, figure, ready } from './accesses-page.ts';
import {
  binary,
  eventually,
  hashOf,
  sample,
  shoot,
  type Stage,
  startStage,
  test,
} from './harness.ts';

const FILE = sample('lackey/columns.lackey');
const RANGES = ['table=0x403080:8:24x12', 'sums=0x403000:8:12', 'order=0x403980:2:7'];
const NAMED = `aa=${encodeURIComponent(RANGES.join(';'))}`;

interface Split {
  readonly name: string;
  readonly accesses: number;
  readonly lines: number;
  readonly misses: { readonly cold: number; readonly capacity: number; readonly conflict: number };
}

/** What the command line says of the same file. */
function simulated(...more: readonly string[]): Record<string, unknown> {
  const ranges = RANGES.flatMap((range) => ['--range', range]);
  const all = ['sdfg', 'simulate', FILE, ...ranges, '--format', 'json', ...more];
  return JSON.parse(execFileSync(binary(), all, { encoding: 'utf8' })) as Record<string, unknown>;
}

/** Accesses that valgrind's lackey recorded, as a document. */
test.describe('recorded accesses', () => {
  let stage: Stage;
  test.beforeAll(async () => {
    stage = await startStage([FILE]);
  });
  test.afterAll(() => stage.close());
  const told = (rows: readonly Readonly<Record<string, string>>[], of: string) =>
    rows
      .filter((row) => row.of === of && row.accesses !== '0')
      .map((row) =>
        [row.name, row.accesses, row.lines, row.cold, row.capacity, row.conflict].join(' '),
      )
      .sort();
  const known = (all: unknown) =>
    (all as readonly Split[])
      .filter(({ accesses }) => accesses > 0)
      .map(({ name, accesses, lines, misses }) =>
        [name, accesses, lines, misses.cold, misses.capacity, misses.conflict].join(' '),
      )
      .sort();

  test('numbers and elements are those of the command line, whatever the cache', async () => {
    const page = await stage.open(`#d=0&${NAMED}`);
    for (const cache of ['512', '1K:2', '512:4,2K:8']) {
      await page.evaluate(
        (text) => {
          location.hash = text;
        },
        `#d=0&${NAMED}&ak=${encodeURIComponent(cache)}`,
      );
      // What is shown is of this cache, and of no one before.
      await page.reload();
      await ready(page);
      const own = simulated('--cache', cache);
      const sums = await exported(page, 'Sums as CSV');
      assert.deepEqual(told(sums, 'container'), known(own.containers));
      // Elements add up to the same, one by one.
      const elements = await exported(page, 'Elements as CSV');
      for (const { name, accesses, misses } of own.containers as readonly Split[]) {
        const its = elements.filter((row) => row.container === name);
        const sum = (column: string) => its.reduce((all, row) => all + Number(row[column]), 0);
        assert.equal(sum('reads') + sum('writes'), accesses, name);
        assert.equal(sum('cold'), misses.cold, name);
        assert.equal(sum('capacity'), misses.capacity, name);
        assert.equal(sum('conflict'), misses.conflict, name);
      }
    }
    await page.evaluate((text) => {
      location.hash = text;
    }, `#d=0&${NAMED}&an=8`);
    await page.reload();
    await ready(page);
    const elements = await exported(page, 'Elements as CSV');
    for (const name of ['table', 'sums', 'order']) {
      const own = simulated('--cache', '512', '--elements', name);
      const rows = own.elements as readonly Record<string, unknown>[];
      const its = elements.filter((row) => row.container === name);
      assert.equal(its.length, rows.length, name);
      its.forEach((row, at) => {
        const text = JSON.stringify(rows[at]);
        assert.equal(Number(row.reads) + Number(row.writes), rows[at]!.accesses, text);
        assert.deepEqual(
          [Number(row.cold), Number(row.capacity)],
          [rows[at]!.cold, rows[at]!.capacity],
          text,
        );
      });
    }
  });

  test('it opens with regions that are called by their addresses, and is played', async () => {
    const page = await stage.open('#d=0&ao=misses');
    await ready(page);
    await figure(page, '0x403000').waitFor();
    assert.equal(await page.getByRole('radio', { name: 'Related' }).count(), 0);
    await page.getByText('regions have no name').waitFor();
    await page.locator('.accesses-stage').click({ position: { x: 5, y: 5 } });
    await page.keyboard.press('.');
    await page.keyboard.press('.');
    await eventually('the second access is lit', () => hashOf(page).get('ap') === '1');
    await page.getByRole('button', { name: 'Count… which accesses' }).click();
    await page.getByRole('menuitem', { name: 'Up to this one' }).click();
    await page.locator('.accesses-legend').getByText('accesses 1 to 2 alone').waitFor();
    await figure(page, '0x403000').getByText('all of the recording:').waitFor();
    await looked(page, 'recorded-regions');
  });

  test('what loops alone have is not there, and the page says why', async () => {
    const page = await stage.open(`#d=0&${NAMED}&ah=static:4&aw=order%20i,j&ax=packed`);
    await ready(page);
    await page.getByRole('tab', { name: 'What if' }).click();
    await page.getByText('A recorded trace has no loops to change.').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'A change' }).count(), 0);
    await page.getByRole('tab', { name: 'Sizes and caches' }).click();
    const field = page.locator('textarea[name=ranges]');
    assert.equal(await field.inputValue(), RANGES.join('\n'));
    assert.equal(await page.locator('input[name=schedule]').count(), 0);
    await looked(page, 'recorded-arrays');
    await field.fill('a=nowhere');
    await field.blur();
    const alert = page.locator('.accesses-containers[role=alert]');
    await alert.getByText("'a=nowhere' is not a range").waitFor();
    await alert.getByRole('button', { name: 'Arrays without ranges' }).click();
    await figure(page, '0x403000').waitFor();
  });

  /** Both themes, and narrow. */
  async function looked(page: Page, name: string): Promise<void> {
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await shoot(page, `${name}-${scheme}`);
    }
    const size = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 740 });
    await shoot(page, `${name}-narrow`);
    if (size !== null) await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: 'light' });
  }
});
