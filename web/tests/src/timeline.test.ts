import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
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

const TRACE = sample('trace-event/default.trace.json');

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([
    TRACE,
    sample('trace-event/node.trace.json'),
    sample('pprof/cpu.pb.gz'),
    sample('cpuprofile/main.cpuprofile'),
  ]);
});
test.afterAll(() => stage.close());

async function pictureOf(page: Page) {
  const picture = page.locator('[data-scope=timeline]');
  await picture.locator('[role=treeitem]').first().waitFor({ state: 'attached' });
  const box = await picture.boundingBox();
  assert.ok(box !== null);
  return { picture, ...box };
}

/** What the page says of the range in sight, or of the selected span. */
function said(page: Page): Promise<string> {
  return page.locator('.timeline output').innerText();
}

/** The totals that the command line tells. */
function totalOf(...filters: readonly string[]): number {
  const json = execFileSync(binary(), ['show', TRACE, '--format', 'json', ...filters], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { rows } = JSON.parse(json) as { rows: readonly { self: number }[] };
  return rows.reduce((sum, { self }) => sum + self, 0);
}

test('a trace opens in time order, with its tracks', async () => {
  const page = await stage.open('#d=0');
  const { picture } = await pictureOf(page);
  const tracks = await picture.locator('[role=treeitem]').allInnerTexts();
  assert.deepEqual(
    tracks.map((track) => track.trim()),
    [
      'MainProcess (25514), process, 1 mark',
      'MainThread (25514), thread, 296 spans, 100.0 % busy, unfolded',
      'bee two (25516), thread, 44 spans, 0.10 % busy, unfolded',
      'bee "one" (25515), thread, 4 spans, 0.30 % busy, unfolded',
    ],
  );
  assert.match(await said(page), /^0 ns to 67\.\d+ ms$/);
  await shoot(page, 'timeline');
  // Below it stands the flame graph of the same.
  await page.locator('[data-scope=flame]').waitFor();
  await page.keyboard.press('4');
  await picture.waitFor({ state: 'detached' });
  assert.equal(hashOf(page).get('view'), 'flame');
});

test('a dragged range is what everything else shows', async () => {
  const page = await stage.open('#d=0');
  const { x, y, width } = await pictureOf(page);
  const plot = x + 176;
  await page.mouse.move(plot + (width - 176) * 0.25, y + 90);
  await page.mouse.down();
  await page.mouse.move(plot + (width - 176) * 0.3, y + 92);
  await page.mouse.move(plot + (width - 176) * 0.5, y + 92);
  await eventually('no length is told', async () => (await page.locator('.tooltip').count()) === 1);
  await page.mouse.up();
  const chip = page.locator('.chip');
  await chip.waitFor();
  const range = hashOf(page).get('f') ?? '';
  assert.match(range, /^time:1[67]\.?\d*ms\.\.33\.?\d*ms$/);
  const total = totalOf('--time', range.slice('time:'.length));
  assert.ok(total > 16_000_000 && total < 18_000_000, `${total}`);
  // A second one takes its place.
  await page.mouse.move(plot + 40, y + 90);
  await page.mouse.down();
  await page.mouse.move(plot + 60, y + 92);
  await page.mouse.move(plot + 140, y + 92);
  await page.mouse.up();
  await eventually('the range stays', () => hashOf(page).get('f') !== range);
  assert.equal(hashOf(page).getAll('f').length, 1);
  await page.locator('[data-scope=timeline]').focus();
  await page.keyboard.press('Escape');
  await chip.waitFor({ state: 'detached' });
});

test('ranges that partition a trace add up', () => {
  const parts = [
    ['--time', '..10ms'],
    ['--time', '10ms..55.1234ms'],
    ['--time', '55.1234ms..'],
  ].map((filter) => totalOf(...filter));
  assert.equal(
    parts.reduce((sum, part) => sum + part, 0),
    totalOf(),
  );
  assert.equal(totalOf('--time', '..10ms', '--time', '10ms..'), totalOf());
});

test('the keyboard walks spans, zooms and keeps their time', async () => {
  const page = await stage.open('#d=0');
  const { picture } = await pictureOf(page);
  await picture.focus();
  await page.keyboard.press('ArrowRight');
  await eventually('nothing selected', async () => (await said(page)).startsWith('builtins.exec,'));
  await page.keyboard.press('ArrowDown');
  await eventually('not inside', async () => (await said(page)).startsWith('<module>,'));
  await page.keyboard.press('ArrowDown');
  await eventually('not the longest inside', async () => (await said(page)).startsWith('main,'));
  const panel = page.locator('.span-panel');
  assert.match(await panel.innerText(), /main[\s\S]*hive\.py[\s\S]*lasts\s+13\.00\d* ms/);
  await page.keyboard.press('Enter');
  await eventually('the window is not in the address', () => hashOf(page).has('t'));
  await page.keyboard.press('m');
  await page.locator('.chip').waitFor();
  assert.match(hashOf(page).get('f') ?? '', /^time:54\.\d+ms\.\.67\.\d+ms$/);
  // Its call path is selected in the flame graph, too.
  assert.equal(hashOf(page).get('sel')?.split('.').length, 3);
  const before = page.url();
  await page.reload();
  await eventually('lost with a reload', async () => (await said(page)).startsWith('main,'));
  assert.equal(page.url(), before);
  await picture.focus();
  await page.keyboard.press('0');
  await page.keyboard.press('Escape');
  await eventually('still selected', () => !hashOf(page).has('ts'));
});

test('the search goes from match to match', async () => {
  const page = await stage.open('#d=0&q=select');
  const { picture } = await pictureOf(page);
  await picture.focus();
  await page.keyboard.press(']');
  await eventually('no match', async () => /select/i.test(await said(page)));
  const first = hashOf(page).get('ts');
  await page.keyboard.press(']');
  await eventually('no next match', () => hashOf(page).get('ts') !== first);
  await page.keyboard.press('[');
  await eventually('no match before', () => hashOf(page).get('ts') === first);
  await eventually('it is the first', async () =>
    /^1 of \d+/.test(await page.locator('.find output').innerText()),
  );
});

test('spans of a name are a filter', async () => {
  const page = await stage.open('#d=1');
  await pictureOf(page);
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.locator('.add-filter select').selectOption('during');
  await page.locator('.add-filter input').fill('MinorGC');
  await page.keyboard.press('Enter');
  await page.locator('.chip').waitFor();
  assert.equal(hashOf(page).get('f'), 'during:MinorGC');
  await eventually('the chip does not say what is left', async () =>
    /keeps \d/.test(await page.locator('.chip').innerText()),
  );
  // What is no range of time is refused where it is typed.
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.locator('.add-filter select').selectOption('time');
  await page.locator('.add-filter input').fill('soon');
  await page.keyboard.press('Enter');
  assert.match(await page.locator('.add-filter [role=alert]').innerText(), /no range of time/);
});

test('tracks fold by their names, and the address keeps it', async () => {
  const page = await stage.open('#d=0');
  const { picture, x, y } = await pictureOf(page);
  const unfolded = async () =>
    (await picture.locator('[role=treeitem]').allInnerTexts()).filter((track) =>
      track.includes('unfolded'),
    ).length;
  assert.equal(await unfolded(), 3);
  await page.mouse.click(x + 60, y + 24 + 85);
  await eventually('it does not fold', async () => (await unfolded()) === 2);
  assert.ok(hashOf(page).has('tt'));
  await page.reload();
  await eventually('lost with a reload', async () => (await unfolded()) === 2);
});

test('a profile without time has no timeline', async () => {
  const page = await stage.open('#d=2&view=timeline');
  await page.locator('[data-scope=flame]').waitFor();
  assert.equal(await page.getByRole('radio', { name: 'Timeline' }).count(), 0);
  await page.keyboard.press('9');
  assert.match(await page.locator('.banner').innerText(), /does not tell when/);
});

test('on a phone names stand above their tracks', async () => {
  const page = await stage.open('#d=0', { viewport: { width: 360, height: 740 }, hasTouch: true });
  const { picture, x, y } = await pictureOf(page);
  await shoot(page, 'timeline-narrow');
  const unfolded = async () =>
    (await picture.locator('[role=treeitem]').allInnerTexts()).filter((track) =>
      track.includes('unfolded'),
    ).length;
  // All of it fits, whatever is told above it.
  await page.locator('.timeline-told button').last().waitFor();
  for (const part of ['.timeline-picture', '.timeline-told button:last-child', '.below']) {
    const box = await page.locator(part).last().boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 360, `${part} is cut off`);
  }
  const before = await unfolded();
  await page.mouse.click(x + 60, y + 24 + 82);
  await eventually('its name does nothing', async () => (await unfolded()) !== before);
});

/** The tracks as a screen reader has them, by name. */
async function namesOf(page: Page): Promise<readonly string[]> {
  const items = page.locator('[data-scope=timeline] [role=treeitem]');
  return (await items.allInnerTexts()).map((text) => text.trim().replace(/ \(.*/s, ''));
}

test('tracks are found by name, hidden, pinned and sorted, and the address keeps it', async () => {
  const page = await stage.open('#d=0');
  const { picture, x, y } = await pictureOf(page);
  const names = (wanted: readonly string[]) =>
    eventually(`not ${wanted.join()}`, async () => (await namesOf(page)).join() === wanted.join());
  await names(['MainProcess', 'MainThread', 'bee two', 'bee "one"']);
  await page.keyboard.press('T');
  await page.keyboard.type('BEE t');
  await names(['MainProcess', 'bee two']);
  assert.equal(hashOf(page).get('tn'), 'BEE t');
  await page.keyboard.press('Escape');
  await names(['MainProcess', 'MainThread', 'bee two', 'bee "one"']);
  // By keys: down to the second thread, which goes, and the one behind it, which goes to the top.
  for (const key of ['j', 'j', 'j', 'x']) await page.keyboard.press(key);
  await names(['MainProcess', 'MainThread', 'bee "one"']);
  await page.keyboard.press('i');
  await names(['bee "one"', 'MainProcess', 'MainThread']);
  const current = await picture.getAttribute('aria-activedescendant');
  assert.match(await page.locator(`#${current}`).innerText(), /^bee "one".*pinned/);
  await page.reload();
  await names(['bee "one"', 'MainProcess', 'MainThread']);
  await page.getByRole('button', { name: '1 hidden: show' }).click();
  await names(['bee "one"', 'MainProcess', 'MainThread', 'bee two']);
  // By the menu of a track, which its name and a button open.
  await page.mouse.click(x + 60, y + 24 + 15, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Do not pin it' }).click();
  await names(['MainProcess', 'MainThread', 'bee two', 'bee "one"']);
  await page.mouse.move(x + 60, y + 24 + 12);
  await page.getByRole('button', { name: /^Menu of MainProcess/ }).click();
  await page.getByRole('menuitemradio', { name: 'Sort by name' }).click();
  await names(['MainProcess', 'bee "one"', 'bee two', 'MainThread']);
  await page.getByRole('button', { name: '4 tracks: order, and what is shown' }).click();
  await page.getByRole('menuitemradio', { name: 'Sort by busy time' }).click();
  await names(['MainProcess', 'MainThread', 'bee "one"', 'bee two']);
  assert.equal(hashOf(page).get('to'), 'busy');
});

test('tracks under another one are summed up', async () => {
  const page = await stage.open('#d=0');
  const { picture, x, y } = await pictureOf(page);
  await page.mouse.click(x + 60, y + 24 + 10);
  await eventually('not summed up', async () => (await namesOf(page)).length === 1);
  assert.match(
    await picture.locator('[role=treeitem]').innerText(),
    /MainProcess \(25514\), process, sums up 3 tracks/,
  );
  assert.equal(hashOf(page).get('tg'), '0');
  // The selected one of a search is shown again.
  await page.keyboard.press('/');
  await page.keyboard.type('select');
  await page.keyboard.press('Enter');
  await eventually('still summed up', async () => (await namesOf(page)).length > 1);
});

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly ts?: number;
  readonly dur: number;
}

function readTrace(): readonly TraceEvent[] {
  return (JSON.parse(readFileSync(TRACE, 'utf8')) as { traceEvents: readonly TraceEvent[] })
    .traceEvents;
}

/** Complete events of the trace of a name: how many, and how long together. */
function eventsOf(name: RegExp) {
  const all = readTrace().filter((one) => one.ph === 'X' && name.test(one.name));
  return { count: all.length, total: all.reduce((sum, { dur }) => sum + dur, 0) };
}

test('spans by name tell how many and how long, and lead to the longest', async () => {
  const page = await stage.open('#d=0');
  const { picture } = await pictureOf(page);
  await page.getByRole('radio', { name: 'Spans' }).click();
  const rows = page.locator('.happenings tbody tr');
  await rows.first().waitFor();
  assert.equal(hashOf(page).get('tb'), 'spans');
  const cells = async (name: string) =>
    (await rows.filter({ hasText: name }).first().locator('td.number').allInnerTexts()).slice(0, 2);
  const wanted = eventsOf(/^honeycomb \(/);
  const [count, total] = await cells('honeycomb');
  assert.equal(count, String(wanted.count));
  const shown = Number(total!.split(' ')[0]) * (total!.endsWith('ms') ? 1000 : 1);
  assert.ok(Math.abs(shown / wanted.total - 1) < 0.001, `${total} for ${wanted.total} µs`);
  // By count, and then the other way round.
  const firstCount = async () =>
    Number((await rows.first().locator('td').first().innerText()).replace(/,/g, ''));
  await page.getByRole('button', { name: 'Count' }).click();
  await eventually('not by count', async () => (await firstCount()) === 21);
  await page.getByRole('button', { name: /^Count/ }).click();
  await eventually('not the other way round', async () => (await firstCount()) === 1);
  assert.equal(hashOf(page).get('tsort'), 'count.r');
  await page.getByRole('searchbox', { name: 'Filter spans' }).fill('^honeycomb$');
  await eventually('not narrowed', async () => (await rows.count()) === 1);
  await rows.first().getByRole('button', { name: 'longest' }).click();
  await eventually('no longest', async () => (await said(page)).startsWith('honeycomb,'));
  const longest = hashOf(page).get('ts');
  const list = page.locator('[data-scope=happenings]');
  await list.focus();
  await page.keyboard.press(']');
  await eventually('no next one', () => hashOf(page).get('ts') !== longest);
  await page.keyboard.press('h');
  await eventually('not searched for', () => hashOf(page).get('q') === '(?-i)^honeycomb$');
  await page.keyboard.press('f');
  await eventually('no filter', () => hashOf(page).get('f') === 'during:(?-i)^honeycomb$');
  await picture.waitFor();
});

test('marks by kind lead from one to the next', async () => {
  const page = await stage.open('#d=0&tb=marks&t=0~200000');
  await pictureOf(page);
  const row = page.locator('.happenings tbody tr');
  await row.waitFor();
  assert.match(await row.innerText(), /swarm\s+1\s+1/);
  await row.getByRole('button', { name: 'next' }).click();
  const events = readTrace().filter(({ ts }) => ts !== undefined);
  const first = Math.min(...events.map(({ ts }) => ts!));
  const swarm = (events.find(({ name }) => name === 'swarm')!.ts! - first) * 1000;
  await eventually('it stays out of sight', () => {
    const [from, to] = (hashOf(page).get('t') ?? '').split('~').map(Number);
    return from! < swarm && to! > swarm && Math.abs(to! - from! - 200_000) < 2;
  });
});

test('a timeline is saved as it is shown', async () => {
  const page = await stage.open('#d=0');
  await pictureOf(page);
  const saved = async (name: string) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name }).click(),
    ]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  const svg = await saved('Timeline as SVG');
  assert.match(svg.name, /timeline\.svg$/);
  assert.match(svg.bytes.toString(), /^<svg[\s\S]*builtins\.exec[\s\S]*<\/svg>\s*$/);
  const png = await saved('Timeline as PNG');
  assert.deepEqual([...png.bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  const csv = await saved('Spans as CSV');
  const lines = csv.bytes.toString().trim().split('\r\n');
  assert.equal(lines.length - 1, eventsOf(/./).count);
});

test('a frame of a sample is the same in all views, with the keyboard too', async () => {
  const page = await stage.open('#d=3&view=timeline');
  const { picture, x, y, width } = await pictureOf(page);
  const details = page.locator('.details h2');
  await eventually('nothing is drawn', async () => {
    await page.mouse.click(x + 176 + (width - 176) * 0.5, y + 24 + 9);
    await page.waitForTimeout(500);
    return hashOf(page).has('tf');
  });
  const name = () => page.locator('.span-panel h2').innerText();
  await eventually('nothing is selected', async () => (await name()) === 'main');
  await eventually(
    'details are of another one',
    async () => (await details.innerText()) === 'main',
  );
  assert.match(await page.locator('.span-panel').innerText(), /sampled/);
  assert.equal(hashOf(page).get('sel')?.split('.').length, 1);
  await page.keyboard.press('ArrowDown');
  await eventually('not inside', async () => (await details.innerText()) === 'cook');
  assert.equal(hashOf(page).get('sel')?.split('.').length, 2);
  const flame = page.getByRole('tree', { name: 'Flame graph' });
  await eventually('not selected in the flame graph', async () =>
    /^cook,/.test(await flame.locator('[role=treeitem][aria-selected=true]').first().innerText()),
  );
  // A screen reader is told of it in its track, with what is around and inside it.
  const current = await picture.getAttribute('aria-activedescendant');
  assert.match(await page.locator(`#${current}`).innerText(), /^cook, \d/);
  const levels = await picture
    .locator('[role=treeitem]')
    .evaluateAll((items) => items.map((item) => Number(item.getAttribute('aria-level'))));
  assert.ok(Math.max(...levels) === 4 && levels[0] === 1, levels.join());
  await page.reload();
  await eventually('lost with a reload', async () => (await name()) === 'cook');
});

test('what is pointed at tells its own time, its place and its arguments', async () => {
  const page = await stage.open('#d=1');
  const { x, y, width } = await pictureOf(page);
  const tip = page.locator('.tooltip');
  // Somewhere in the rows of the first unfolded track there is a span.
  for (let step = 1; step < 200 && !(await hasText(tip, /self/)); step++) {
    const at = 176 + ((width - 180) * ((step * 37) % 199)) / 199;
    await page.mouse.move(x + at, y + 60 + ((step * 7) % 60));
    await page.waitForTimeout(250);
  }
  assert.match(await tip.innerText(), /self \d/);
});

async function hasText(element: Locator, wanted: RegExp): Promise<boolean> {
  return (await element.count()) === 1 && wanted.test(await element.innerText());
}

test('rows grow upwards where that is chosen', async () => {
  const page = await stage.open('#d=0&tu=1');
  const { x, y, width } = await pictureOf(page);
  await page.locator('.timeline-told [aria-haspopup=menu]').click();
  const upwards = page.getByRole('menuitemradio', { name: 'Rows grow upwards' });
  assert.equal(await upwards.getAttribute('aria-checked'), 'true');
  await page.keyboard.press('Escape');
  /** The height, in rows from the top, at which the outermost span is clicked. */
  const outermost = async () => {
    for (let row = 0; row < 20; row++) {
      await page.mouse.click(x + width * 0.6, y + 24 + 25 + 9 + row * 18);
      await page.waitForTimeout(300);
      if ((await said(page)).startsWith('builtins.exec,')) return row;
    }
    return undefined;
  };
  const below = await outermost();
  await page.locator('.timeline-told [aria-haspopup=menu]').click();
  await page.getByRole('menuitemradio', { name: 'Rows grow downwards' }).click();
  await eventually('the address keeps it', () => !hashOf(page).has('tu'));
  const above = await outermost();
  assert.ok(above! + 3 < below!, `rows ${above} and ${below}`);
});

test('long idle stretches are left out, and told', async () => {
  // Two bursts of work, a second apart.
  const folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  const trace = path.join(folder, 'idle.trace.json');
  const span = (name: string, ts: number, dur: number) => ({
    ...{ ph: 'X', pid: 1, tid: 1 },
    ...{ name, ts, dur },
  });
  const traceEvents = [span('early', 0, 1000), span('late', 1_001_000, 1000)];
  writeFileSync(trace, JSON.stringify({ traceEvents }));
  const own = await startStage([trace]);
  try {
    const page = await own.open('#d=0');
    const { picture, x, y, width } = await pictureOf(page);
    await picture.focus();
    await page.keyboard.press('g');
    const note = page.getByRole('button', { name: '1 s idle left out' });
    await note.waitFor();
    assert.equal(hashOf(page).get('ti'), '1');
    // Each burst has half of the width but for the break; before, each was a pixel wide.
    const plot = width - 176;
    const at = (share: number) =>
      page.mouse.click(x + 176 + plot * share, y + 24 + 29 + 9, { delay: 20 });
    await eventually('the first burst is narrow', async () => {
      await at(0.4);
      return (await said(page)).startsWith('early, 1 ms');
    });
    await eventually('the second burst is not where it belongs', async () => {
      await at(0.6);
      return (await said(page)).startsWith('late, 1 ms, at 1.001 s');
    });
    // A drag over the break takes all of it.
    await page.mouse.move(x + 176 + plot * 0.25, y + 24 + 29 + 40);
    await page.mouse.down();
    await page.mouse.move(x + 176 + plot * 0.5, y + 24 + 29 + 40);
    await page.mouse.move(x + 176 + plot * 0.75, y + 24 + 29 + 40);
    await page.mouse.up();
    await page.locator('.chip').waitFor();
    const sizes: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3 };
    const ends = [...(hashOf(page).get('f') ?? '').matchAll(/(\d[\d.]*)(us|ms|s)/g)];
    const [from, to] = ends.map(([, number, unit]) => Number(number) * sizes[unit!]!);
    assert.ok(Math.abs(from! - 0.5) < 0.02, `from ${from} ms`);
    assert.ok(Math.abs(to! - 1001.5) < 0.02, `to ${to} ms`);
    await note.click();
    await eventually('idle time is still left out', () => !hashOf(page).has('ti'));
  } finally {
    await own.close();
    rmSync(folder, { recursive: true });
  }
});
