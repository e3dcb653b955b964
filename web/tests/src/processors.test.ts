import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const RECORDING = sample('perf-data/events.perf.data');
const SWITCHES = sample('perf-data/switches.perf.data');

let stage: Stage;
let compared: Stage;
test.beforeAll(async () => {
  stage = await startStage([RECORDING, SWITCHES]);
  compared = await startStage(
    [RECORDING, sample('perf-data/packed.perf.data')],
    ['diff', '--open'],
  );
});
test.afterAll(async () => {
  await stage.close();
  await compared.close();
});

interface Row {
  readonly group: string;
  readonly event: string;
  readonly median: number | null;
}

/** What the command line tells. */
function rowsOf(files: readonly string[], by = 'total'): readonly Row[] {
  const json = execFileSync(
    binary(),
    ['perf', 'summary', ...files, '--by', by, '--format', 'json'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return (JSON.parse(json) as { rows: readonly Row[] }).rows;
}

const rowsBy = (by: string) => rowsOf([RECORDING], by);

test('events are listed on their processors, and either is chosen by a click', async () => {
  const page = await stage.open('#d=0&view=processors');
  const told = rowsBy('total').filter(({ median }) => (median ?? 0) !== 0);
  const names = page.locator('.events tbody button');
  await eventually('the events', async () => (await names.count()) === told.length);
  assert.deepEqual(
    await names.allInnerTexts(),
    told.map(({ event }) => event),
  );
  const cpus = page.locator('.cpu-map .cpu');
  const groups = new Set(rowsBy('cpu').map(({ group }) => group));
  await eventually('the processors', async () => (await cpus.count()) === groups.size);
  await shoot(page, 'processors');

  // A click chooses a processor, which is a filter, and lets go again.
  const first = page.locator('.cpu-map .cpu').first();
  await first.click();
  await page.locator('.chip').waitFor();
  assert.match(hashOf(page).get('f') ?? '', /cpu/);
  await eventually('pressed', async () => (await first.getAttribute('aria-pressed')) === 'true');
  await first.click();
  await eventually('no filter', async () => (await page.locator('.chip').count()) === 0);

  // An event is chosen, and the address keeps it.
  const last = page.locator('.events tbody button').last();
  await last.click();
  const name = await last.innerText();
  const isShown = async () =>
    (await page.locator('.processors-maps > h2').innerText()).startsWith(name);
  await eventually('the heading', isShown);
  assert.equal(hashOf(page).get('event'), name);
  await page.reload();
  await page.locator('.processors-maps > h2').waitFor();
  await eventually('the heading again', isShown);
});

test('an event over time: an instant is shown by the processors, a range is a filter', async () => {
  const page = await stage.open('#d=0&view=processors');
  const cells = page.locator('.over-time .strip .cells').first();
  await cells.waitFor();
  const busy = page.locator('.bins.pending');
  await eventually('the bins', async () => (await busy.count()) === 0);
  const box = (await cells.boundingBox())!;
  const heading = page.locator('.processors-maps > h2').first();
  await cells.click({ position: { x: 100, y: 4 } });
  await eventually('the instant', async () => / to /.test(await heading.innerText()));
  assert.match(await page.locator('.over-time .heat-at').innerText(), /^cpu \d+ .*samples?/);
  await shoot(page, 'processors-instant');
  await page.keyboard.press('Escape');
  await eventually('all of it', async () => !/ to /.test(await heading.innerText()));

  await page.mouse.move(box.x + 100, box.y + 4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 4, { steps: 4 });
  await page.mouse.up();
  await page.locator('.chip').waitFor();
  assert.match(hashOf(page).get('f') ?? '', /time/);

  // Functions are rows, too.
  await page.evaluate(() => {
    location.hash = '#d=0&view=processors&rowsby=function';
  });
  await page.locator('.chip').waitFor({ state: 'detached' });
  await eventually('the bins of functions', async () => (await busy.count()) === 0);
  await cells.click({ position: { x: 100, y: 4 } });
  const bin = page.locator('.over-time .heat-at b');
  await eventually('a bin', async () => (await bin.count()) === 1);
  const functions = new Set(rowsBy('function').map(({ group }) => group));
  assert.ok(functions.has(await bin.innerText()), await bin.innerText());
  await shoot(page, 'processors-functions');
});

test('what is over time goes by thread and by progress, too', async () => {
  const page = await stage.open('#d=0&view=processors');
  const tools = page.locator('.over-time-told');
  await tools.getByRole('button', { name: /^By:/ }).click();
  await page.getByRole('menuitemradio', { name: /^Thread/ }).click();
  await tools.getByRole('button', { name: /^Along:/ }).click();
  await page.getByRole('menuitemradio', { name: /^Progress/ }).click();
  const told = page.locator('.over-time .heat-at');
  await eventually('the parts', async () => /^Click a part/.test(await told.innerText()));
  await page
    .locator('.over-time .strip .cells')
    .first()
    .click({ position: { x: 110, y: 4 } });
  await eventually('a part', async () => /% of each run/.test(await told.innerText()));
});

test('runs whose names differ in their number are sets, side by side, and the address keeps it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hotframe-sets-'));
  const recordings = {
    'free-1': 'events',
    'free-2': 'packed',
    'pinned-1': 'pipe',
    'apart-1': 'dwarf',
  };
  const files = Object.entries(recordings).map(([name, recording]) => {
    const file = join(folder, `${name}.perf.data`);
    copyFileSync(sample(`perf-data/${recording}.perf.data`), file);
    return file;
  });
  const many = await startStage(['--merge', ...files]);
  try {
    const page = await many.open('#d=0&view=processors');
    const tools = page.locator('.over-time-told');
    await tools.getByRole('button', { name: /^Runs:/ }).click();
    await page.getByRole('menuitemradio', { name: /^By name/ }).click();
    assert.equal(hashOf(page).get('sets'), 'names');
    const head = page.locator('.events thead th');
    const expected = 'Event free pinned apart';
    await eventually('the sets', async () => (await head.allInnerTexts()).join(' ') === expected);
    const strips = page.locator('.over-time .strip figcaption');
    await eventually('a picture each', async () => (await strips.count()) === 3);
    assert.deepEqual(await strips.allInnerTexts(), ['free, mean of 2 runs', 'pinned', 'apart']);
    assert.equal(await page.locator('.cpu-map').count(), 3);

    // A set has what the command line tells of its files alone.
    const clock = page.locator('.events tbody tr').filter({ hasText: /^cpu-clock[^:]/ });
    const told = await clock.locator('td').allInnerTexts();
    const sets = [files.slice(0, 2), [files[2]!], [files[3]!]];
    sets.forEach((own, set) => {
      const [row] = rowsOf(own).filter(({ event }) => event === 'cpu-clock');
      // The last measured another event.
      const text = row === undefined ? '–' : `${Math.round(row.median! / 1e6)} ms`;
      assert.equal(told[set], text, `set ${set}`);
    });
    // An axis is turned over, and moved before the other.
    await page.getByRole('button', { name: 'Move pinned to the left' }).click();
    const titles = page.locator('.axis-title button[aria-pressed]');
    assert.deepEqual(await titles.allInnerTexts(), ['# ↑', 'pinned ↑', 'free ↑', 'apart ↑']);
    await titles.nth(1).click();
    assert.equal(await titles.nth(1).innerText(), 'pinned ↓');
    await shoot(page, 'processors-sets');
  } finally {
    await many.close();
    rmSync(folder, { recursive: true });
  }
});

test('a part of an axis chooses processors, and keeps only these', async () => {
  const page = await compared.open('#view=processors');
  const axis = page.locator('.coordinates .grip').first();
  await axis.waitFor();
  const lines = page.locator('.coordinates polyline');
  const count = await lines.count();
  assert.ok(count > 1);
  const box = (await axis.boundingBox())!;
  const middle = box.x + box.width / 2;
  await page.mouse.move(middle, box.y + 1);
  await page.mouse.down();
  await page.mouse.move(middle, box.y + box.height * 0.3, { steps: 3 });
  await page.mouse.up();
  await eventually('others fade', async () => (await page.locator('.line.faded').count()) > 0);
  await page.getByRole('button', { name: /^Keep only/ }).click();
  await page.locator('.chip').waitFor();
  assert.match(hashOf(page).get('f') ?? '', /^label_focus:cpu=\^/);
});

test('pictures are saved as they are, tables as CSV, and verdicts have room', async () => {
  const page = await compared.open('#view=processors');
  await page.locator('.over-time .strip').nth(1).waitFor();
  await eventually('the bins', async () => (await page.locator('.bins.pending').count()) === 0);
  const saved = async (label: string) => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: label }).click();
    const file = await (await download).path();
    return readFileSync(file, 'utf8');
  };
  const svg = await saved('Processors as SVG');
  const cells = await page.locator('.cpu-map .cpu').count();
  assert.ok(svg.split('<rect').length > cells, 'maps and bins');
  assert.ok(svg.includes('<polyline') && svg.includes('Base') && !svg.includes('NaN'));
  assert.equal(
    await page.evaluate(
      (text) =>
        new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('parsererror')
          .length,
      svg,
    ),
    0,
  );
  const events = (await saved('Events as CSV')).trim().split('\n');
  assert.match(events[0]!, /^event,unit,set,runs,median/);
  const names = await page.locator('.events tbody button').allInnerTexts();
  for (const name of names)
    assert.equal(events.filter((row) => row.startsWith(`${name},`)).length, 2, name);
  const bins = (await saved('Over time as CSV')).trim().split('\n');
  assert.match(bins[0]!, /begin_ns,end_ns,value,samples/);
  assert.ok(bins.length > 20);

  // Where there is no room for a column of verdicts, they stand below the changes.
  const below = page.locator('.events .verdict-below').first();
  await below.waitFor({ state: 'attached' });
  assert.equal(await below.isVisible(), false);
  await page.setViewportSize({ width: 380, height: 800 });
  await eventually('the verdict', () => below.isVisible());
  const verdict = (await below.boundingBox())!;
  assert.ok(verdict.x + verdict.width <= 380, `${verdict.x} and ${verdict.width}`);
  await shoot(page, 'processors-narrow');
});

test('migrations are those of the range that is chosen, and threads that wait are threads', async () => {
  const page = await stage.open('#d=1&view=processors&f=time:0ms..40ms');
  const row = page.locator('.events tbody tr').filter({ hasText: /^migrations/ });
  await row.waitFor();
  const counted = await row.locator('td').first().innerText();
  const all = page.locator('.migrations tbody tr').first().locator('td');
  await all.waitFor();
  assert.equal(await all.innerText(), counted);
  const whole = rowsOf([SWITCHES]).find(({ event }) => event === 'migrations')!;
  assert.notEqual(counted, `${whole.median}`, 'the range leaves some out');

  // Threads that wait are told in threads.
  await page.evaluate(() => {
    location.hash = '#d=1&view=processors&event=off-CPU time';
  });
  const heading = page.locator('.over-time h2');
  await eventually('what waits', async () =>
    (await heading.innerText()).endsWith('threads at once'),
  );
  assert.match(await page.locator('.bins-legend').innerText(), /threads/);
});

test('a side without data has no axis, and a copy is not a run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hotframe-copies-'));
  const copy = join(folder, 'copy.perf.data');
  copyFileSync(RECORDING, copy);
  const sides = ['--base', RECORDING, copy, '--new', sample('perf-data/dwarf.perf.data')];
  const copied = await startStage(sides, ['diff', '--open']);
  try {
    const page = await copied.open('#view=processors&event=cpu-clock');
    const axes = page.locator('.coordinates');
    await axes.waitFor();
    const texts = (await axes.locator('g > text').allTextContents()).filter((text) => text !== '');
    assert.equal(texts.filter((text) => text === 'no values').length, 2, texts.join('|'));
    const titles = page.locator('.over-time .strip figcaption, .cpu-maps figcaption');
    const told = await titles.allInnerTexts();
    assert.ok(told.length >= 4 && told.every((title) => !/ of \d+ runs/.test(title)), `${told}`);
    assert.equal(await page.locator('table.changes caption').innerText(), 'Means of the runs');
  } finally {
    await copied.close();
    rmSync(folder, { recursive: true });
  }
});

test('in a panel beside code nothing is out of reach, and letters are as large as elsewhere', async () => {
  const heightIn = async (width: number) => {
    const page = await compared.open('#view=processors', { viewport: { width, height: 800 } });
    const first = page.locator('.coordinates text').first();
    await first.waitFor();
    await eventually('the picture is as wide as its place', () =>
      page.evaluate(() => {
        const picture = document.querySelector<SVGSVGElement>('.coordinates')!;
        return Math.abs(picture.viewBox.baseVal.width - picture.clientWidth) <= 1;
      }),
    );
    const reaches = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      ...[...document.querySelectorAll('.coordinates text, .axis-title button')].map(
        (one) => one.getBoundingClientRect().right,
      ),
    ]);
    assert.ok(Math.max(...reaches) <= width + 1, `${reaches.join(' ')} of ${width}`);
    const { height } = (await first.boundingBox())!;
    await shoot(page, `processors-${width}`);
    await page.close();
    return height;
  };
  const [wide, panel, narrow] = [await heightIn(1400), await heightIn(600), await heightIn(320)];
  for (const height of [panel, narrow])
    assert.ok(Math.abs(height - wide) <= 1, `${height} ${wide}`);
});
