import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
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

const folder = mkdtempSync(path.join(tmpdir(), 'hotframe-reports-'));

/** A request that waits for two threads in turn, as microseconds of a trace. */
function shop(): string {
  const events: object[] = [
    { ph: 'M', pid: 1, tid: 1, name: 'process_name', args: { name: 'shop' } },
    ...['main', 'worker', 'disk'].map((name, index) => ({
      ph: 'M',
      pid: 1,
      tid: index + 1,
      name: 'thread_name',
      args: { name },
    })),
  ];
  const span = (tid: number, name: string, ts: number, end: number) =>
    events.push({ ph: 'X', pid: 1, tid, name, ts, dur: end - ts });
  const flow = (id: number, name: string, from: [number, number], to: [number, number]) =>
    events.push(
      { ph: 's', pid: 1, tid: from[0], name, cat: 'f', id, ts: from[1], bp: 'e' },
      { ph: 'f', pid: 1, tid: to[0], name, cat: 'f', id, ts: to[1], bp: 'e' },
    );
  span(1, 'request', 0, 1000);
  span(1, 'wait', 150, 850);
  span(2, 'look up', 160, 420);
  span(3, 'read block', 430, 600);
  for (let tick = 0; tick < 4; tick++) span(2, 'tick', 450 + tick * 100, 470 + tick * 100);
  span(2, 'tick', 770, 780);
  flow(1, 'task', [1, 140], [2, 160]);
  flow(2, 'read', [2, 400], [3, 430]);
  flow(3, 'block', [3, 600], [1, 850]);
  for (const [id, ts] of [
    [10, 0],
    [11, 100],
  ] as const) {
    const fetch = { pid: 1, tid: 1, cat: 'net', id, name: 'fetch' };
    events.push({ ...fetch, ph: 'b', ts }, { ...fetch, ph: 'e', ts: ts + 300 });
  }
  return JSON.stringify({ traceEvents: events });
}

const SHOP = path.join(folder, 'shop.json');
const SCHED = sample('perf-script/sched.perf-script');

let stage: Stage;
/** The page of all tests, which go from list to list. */
let page: Page;
test.beforeAll(async () => {
  writeFileSync(SHOP, shop());
  stage = await startStage([SHOP, SCHED]);
  page = await stage.open('#d=0');
});
test.afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

/** Shows another list, once it has rows. */
async function show(hash: string): Promise<void> {
  await page.evaluate((text) => {
    location.hash = text;
  }, hash);
  await rows(page).first().waitFor();
}

const rows = (page: Page) => page.locator('.happenings tbody tr');
/** Names and cells. */
const texts = (page: Page) =>
  rows(page).evaluateAll((all) =>
    all.map((row) =>
      [...row.querySelectorAll('th code, td')].map((cell) => cell.textContent?.trim() ?? ''),
    ),
  );
const said = (page: Page) => page.locator('.timeline output').innerText();

/** How many pixels of the timeline have a colour. */
function pixels(page: Page, colour: readonly [number, number, number]): Promise<number> {
  return page.evaluate(([red, green, blue]) => {
    const canvas = document.querySelector<HTMLCanvasElement>('.timeline .picture canvas')!;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) count++;
    }
    return count;
  }, colour);
}

/** The rows that the command line tells. */
function told(file: string, view: string, ...more: readonly string[]) {
  const json = execFileSync(binary(), ['show', file, '--view', view, '--format', 'json', ...more], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
  });
  return (JSON.parse(json) as { rows: readonly Record<string, number | string>[] }).rows;
}

test('gaps between spans of a name lead to the longest and the span that ends it', async () => {
  await show('#d=0&tb=gaps');
  const all = told(SHOP, 'gaps');
  assert.equal(await rows(page).count(), all.length);
  // Ticks at 450, 550, 650, 750 and, at once behind the last of these, 770: that is not a gap.
  assert.deepEqual((await texts(page))[0]!.slice(0, 9), [
    'tick',
    '240 µs',
    '3',
    '80 µs',
    '80 µs',
    '80 µs',
    '80 µs',
    '470 µs',
    'worker (2)',
  ]);
  const list = page.locator('[data-scope=happenings]');
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await eventually('the span that ends it is not selected', async () =>
    (await said(page)).startsWith('tick, 20 µs, at 550 µs'),
  );
  await page.getByRole('button', { name: 'Between spans of' }).click();
  await eventually('the sort is not in the address', () => hashOf(page).get('tsort') === 'name');
  // Of a range only what is in it as a whole.
  await page.evaluate(() => {
    location.hash = '#d=0&tb=gaps&f=time:460us..560us';
  });
  await eventually(
    'the filter does not count',
    async () =>
      ((await texts(page))[0] ?? [])[2] ===
      String(told(SHOP, 'gaps', '--time', '460us..560us')[0]!.count),
  );
});

test('concurrency is drawn and listed', async () => {
  await show('#d=0&tb=concurrency');
  const all = told(SHOP, 'concurrency');
  const listed = await texts(page);
  assert.deepEqual(
    listed.map(([name, of, most]) => [name, of, most]),
    all.map(({ name, kind, peak }) => [name, kind, String(peak)]),
  );
  const chart = page.locator('.concurrency-chart svg');
  await chart.waitFor();
  assert.match((await chart.getAttribute('aria-label')) ?? '', /threads of shop \(1\): at most 3 /);
  // The row that is looked at is the one that is drawn.
  await page.locator('[data-scope=happenings]').focus();
  await page.keyboard.press('End');
  await eventually('the chart stays', async () => {
    const label = (await chart.getAttribute('aria-label')) ?? '';
    return label.startsWith(`${listed.at(-1)![1]} of ${listed.at(-1)![0]}: at most 1 `);
  });
  await shoot(page, 'timeline-concurrency');
  await page.locator('.happenings thead').getByRole('button', { name: 'Name' }).click();
  await eventually('not sorted', async () => (await texts(page))[0]![0] !== listed[0]![0]);
});

test('states of threads add up, and lead to the thread', async () => {
  await show('#d=1&tb=thread_states');
  const all = told(SCHED, 'states');
  assert.deepEqual(
    (await texts(page)).map(([thread, state, , , count]) => [thread, state, count]),
    all.map(({ thread, state, count }) => [thread, state, String(count)]),
  );
  const bars = page.locator('.state-bar');
  assert.equal(await bars.count(), new Set(all.map(({ thread }) => thread)).size);
  for (const label of await bars.evaluateAll((all) => all.map((bar) => bar.ariaLabel ?? ''))) {
    const shares = [...label.matchAll(/([\d.]+) %/g)].map(([, share]) => Number(share));
    const sum = shares.reduce((one, other) => one + other, 0);
    assert.ok(Math.abs(sum - 100) < 0.2, label);
  }
  await page.getByPlaceholder('Filter by thread or state').fill('^pong');
  await eventually('not narrowed', async () => (await bars.count()) === 1);
  await page.locator('[data-scope=happenings]').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await eventually('the thread is not the one that keys are for', async () => {
    const current = page.locator('[data-scope=timeline] [role=treeitem][aria-selected=true]');
    return (await current.allInnerTexts()).some((text) => text.trim().startsWith('pong'));
  });
  // A recording without runs and waits has no such list; an address that wants it is told why.
  await page.evaluate(() => {
    location.hash = '#d=0&tb=thread_states';
  });
  await page.getByText('No thread states').waitFor();
  assert.equal(await page.getByRole('radio', { name: 'States' }).count(), 0);
});

test('the critical path is listed, drawn while it is, and leads to its spans', async () => {
  await show('#d=0&tb=critical_path');
  const all = told(SHOP, 'critical-path');
  assert.deepEqual(
    (await texts(page)).map(([name, track]) => [name, track]),
    all.map(({ name, track }) => [name, track]),
  );
  await page.getByText('2 asynchronous spans are not considered').waitFor();
  const ink = () => pixels(page, [163, 0, 109]);
  await eventually('the path is not drawn', async () => (await ink()) > 500);
  await shoot(page, 'timeline-path');
  await page.locator('.happenings thead').getByRole('button', { name: 'Time' }).click();
  await eventually('not sorted', async () => (await texts(page))[0]![0]!.startsWith('block'));
  const longest = Math.max(...all.map((row) => Number(row.time_ns)));
  assert.equal((await texts(page))[0]![4], `${longest / 1000} µs`);
  await rows(page).filter({ hasText: 'read block' }).getByRole('button', { name: 'show' }).click();
  await eventually('not selected', async () => (await said(page)).startsWith('read block, 170 µs'));
  await page.getByRole('radio', { name: 'Spans', exact: true }).click();
  await eventually('still drawn', async () => (await ink()) === 0);
});

test('on a narrow page all lists can be reached', async () => {
  await page.setViewportSize({ width: 600, height: 900 });
  await show('#d=1&tb=thread_states');
  await page.getByRole('radio', { name: 'Critical path' }).click();
  await page.locator('.path-head').waitFor();
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.ok(over <= 0, `${over}`);
  await shoot(page, 'timeline-path-narrow');
});
