import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { corpus } from './corpus.ts';
import {
  binary,
  eventually,
  hashOf,
  onMachine,
  type Stage,
  sample,
  shoot,
  startStage,
  test,
} from './harness.ts';

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([sample('ezview/reuse.ezview')]);
});
test.afterAll(() => stage.close());

const pane = (page: Page, role: string) => page.getByRole('region', { name: role, exact: true });
const flame = (page: Page, role: string) =>
  page.getByRole('tree', { name: `Flame graph of ${role}` });
const rows = (page: Page) => page.locator('.pairs tbody tr');
const title = (page: Page, role: string) => pane(page, role).locator('.pane-title').innerText();

async function openLinked(hash = '#view=linked', on: Stage = stage): Promise<Page> {
  const page = await on.open(hash);
  await flame(page, 'reuse').locator('[role=treeitem]').first().waitFor({ state: 'attached' });
  await rows(page).first().waitFor();
  return page;
}

/** Clicks the leftmost frame of a row of a role's flame graph. */
async function clickFrame(page: Page, role: string, row: number): Promise<void> {
  await flame(page, role).click({ position: { x: 40, y: 20 + row * 20 } });
}

test('narrows the panes after the one where a frame is chosen, and clears with Escape', async () => {
  const page = await openLinked();
  assert.match(await title(page, 'use'), /138/);
  // all, THREAD[0], main, Grid::Grid, malloc: the same in all records at this granularity.
  await clickFrame(page, 'use', 3);
  await eventually('reuse is narrowed', async () => /130/.test(await title(page, 'reuse')));
  await eventually('it is said by what', async () =>
    /of use in sweep/.test(await title(page, 'reuse')),
  );
  assert.match(await title(page, 'allocation'), /138/, 'the panes before stay whole');
  await page.locator('.details h2', { hasText: 'sweep' }).waitFor();
  assert.ok(hashOf(page).get('lk')?.startsWith('_'), 'the address has the choice');
  await shoot(page, 'linked-chosen');
  await page.reload();
  await eventually('reuse is narrowed again', async () => /130/.test(await title(page, 'reuse')));
  await page.locator('.details h2', { hasText: 'sweep' }).waitFor();
  await flame(page, 'use').focus();
  await page.keyboard.press('Escape');
  await eventually('reuse is whole again', async () => /138/.test(await title(page, 'reuse')));
  assert.equal(hashOf(page).has('lk'), false);

  // With keys.
  await flame(page, 'allocation').focus();
  for (let step = 0; step < 3; step++) {
    const before = hashOf(page).get('lk');
    await page.keyboard.press('ArrowDown');
    if (step > 0) await eventually('a step', () => hashOf(page).get('lk') !== before);
  }
  const said = flame(page, 'allocation').locator(':scope + [role=status]');
  await eventually('main is selected', async () => /^main/.test((await said.textContent()) ?? ''));
});

test('ranks pairs with the function where their paths part', async () => {
  const page = await openLinked();
  const first = rows(page).first();
  assert.match(await first.innerText(), /sweep.*grid\.cc:41.*relax.*:58.*main.*:12/s);
  await first.click();
  await eventually('both are chosen', () => hashOf(page).get('lk')?.split('_').length === 3);
  await eventually(
    'the row is marked',
    async () => (await first.getAttribute('aria-selected')) === 'true',
  );
  await eventually('reuse is narrowed', async () => /130/.test(await title(page, 'reuse')));
  assert.equal(await rows(page).count(), 3, 'the ranking stays');
  await page.getByRole('button', { name: /^Ranked roles/ }).click();
  await page.getByRole('menuitemradio', { name: 'allocation and use' }).click();
  await eventually('other pairs', async () => /malloc/.test(await rows(page).first().innerText()));

  // A pane follows the page where it has no such metric, and may be in one by formula.
  await page.evaluate(() => {
    location.hash = '#view=linked&pm=0:7&pm=1:%3Dcounts+*+2&pm=9:1';
  });
  await eventually('the formula', async () => (await exact(page, 'use')) === '276');
  assert.equal(await exact(page, 'allocation'), '138');
  assert.doesNotMatch(await title(page, 'use'), /%/, 'values of a formula are not shares');
  await shoot(page, 'linked-formula');
});

/** The total of a role's contexts, or that of a function, as the command line tells it. */
function toldOf(file: string, role: string, metric: number, of?: string): string {
  const options = ['--role', role, '--metric', String(metric), '--view', 'top-down'];
  const text = execFileSync(binary(), ['show', file, ...options, '--format', 'json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  const {
    metric: info,
    total,
    rows,
  } = JSON.parse(text) as {
    metric: { unit: string };
    total: number;
    rows: { function: string; total: number }[];
  };
  const value = of === undefined ? total : rows.find((row) => row.function === of)!.total;
  // What is counted, the metric says.
  return `${value.toLocaleString('en-US')} ${info.unit.replace('count', '')}`.trim();
}

/** The tables of a reuse profile whose distances are bytes, in a folder. */
function withBytes(folder: string): string {
  for (const name of readdirSync(sample('csv/reuse'))) {
    const text = readFileSync(path.join(sample('csv/reuse'), name), 'utf8');
    writeFileSync(
      path.join(folder, name),
      text.replaceAll('total distance,count', 'total distance,bytes'),
    );
  }
  return folder;
}

/** The exact value in a pane's title. */
const exact = (page: Page, role: string) =>
  pane(page, role).locator('.pane-title .number:not(.mute)').getAttribute('title');

test(
  'shows a pane in a metric of its own, which the address keeps',
  onMachine('compared with the command line'),
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
    const file = withBytes(folder);
    const told = (role: string, metric: number, of?: string) => toldOf(file, role, metric, of);
    const real = await startStage([file]);
    try {
      const page = await openLinked('#view=linked&q=relax', real);
      const metric = pane(page, 'use').getByRole('button', { name: /^Metric of use/ });
      assert.equal(await exact(page, 'use'), told('use', 0));
      await metric.focus();
      await page.keyboard.press('Enter');
      await page
        .getByRole('menuitemradio', { name: 'As the page: counts', checked: true })
        .waitFor();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      const isInDistance = async () => (await exact(page, 'use')) === told('use', 1);
      await eventually('the pane is in distances', isInDistance);
      assert.match(await title(page, 'use'), /101 KiB 100\.0 %/);
      assert.equal(await exact(page, 'reuse'), told('reuse', 0), 'another pane is in counts');
      assert.match(await title(page, 'use'), /93\.0 % match/, '96,000 of 103,240');
      assert.match(await page.locator('.pairs').innerText(), /in the metric of the page, counts/);
      await flame(page, 'use').hover({ position: { x: 40, y: 20 + 3 * 20 } });
      const tooltip = page.getByRole('tooltip');
      await tooltip.getByRole('heading', { name: 'relax' }).waitFor();
      assert.ok((await tooltip.innerText()).includes(told('use', 1, 'relax')), 'exactly');
      assert.match(await tooltip.innerText(), /93\.8 KiB/);
      await clickFrame(page, 'use', 3);
      await page.locator('.details h2', { hasText: 'relax' }).waitFor();
      const first = page.locator('.details table.values tbody');
      await eventually('the details begin with its values', async () =>
        (await first.innerText())
          .replaceAll(/\s+/g, ' ')
          .startsWith('total distance self 93.8 KiB'),
      );
      await eventually(
        'what is narrowed stays in counts',
        async () => (await exact(page, 'reuse')) === told('use', 0, 'relax'),
      );
      await shoot(page, 'linked-metrics');

      await page.reload();
      await eventually('after a reload', isInDistance);
      await page.goBack();
      await eventually('one step back', async () => (await exact(page, 'use')) === told('use', 0));
      assert.equal(hashOf(page).has('pm'), false);
      await page.goForward();
      await eventually('and forward', isInDistance);
      await flame(page, 'use').press('u');
      await eventually('after the last, that of the page', () => !hashOf(page).has('pm'));
    } finally {
      await real.close();
      rmSync(folder, { recursive: true });
    }
  },
);

interface Fusion {
  readonly file: string;
  /** What the pictures are called. */
  readonly name: string;
  /** The largest distance of a pair, and its functions in the order of the ranking. */
  readonly distance: RegExp;
  readonly functions: RegExp;
  /** What is left of the distance when the pair is chosen. */
  readonly narrowed: RegExp;
  readonly shown: string;
}

/** Ranked by distance, the first pair names the loops that are worth fusing. */
async function checkFusion(fusion: Fusion): Promise<void> {
  const real = await startStage([fusion.file]);
  try {
    const page = await openLinked('#view=linked&m=1', real);
    await shoot(page, fusion.name);
    const first = await rows(page).first().innerText();
    assert.match(first, fusion.distance);
    assert.match(first, fusion.functions);
    await rows(page).first().click();
    await eventually('reuse is narrowed', async () =>
      fusion.narrowed.test(await title(page, 'reuse')),
    );
    await page.locator('.details h2', { hasText: fusion.shown }).waitFor();
    // What follows is for people to look at.
    if (process.env.CI !== undefined) return;
    const dark = await real.open(new URL(page.url()).hash, { colorScheme: 'dark' });
    await flame(dark, 'reuse').waitFor();
    await rows(dark).first().waitFor();
    await dark.locator('.details h2', { hasText: fusion.shown }).waitFor();
    await shoot(dark, `${fusion.name}-dark`);
    const narrow = await real.open(new URL(page.url()).hash, {
      viewport: { width: 480, height: 1000 },
    });
    await rows(narrow).first().waitFor();
    await shoot(narrow, `${fusion.name}-narrow`);
  } finally {
    await real.close();
  }
}

test('a reuse profile leads to the loops to fuse', async () => {
  // Of the records in `testdata/ezview/record/write.py` the last has the largest distance.
  await checkFusion({
    file: sample('ezview/reuse.ezview'),
    name: 'linked-distance',
    distance: /96,000/,
    functions: /relax.*norm/s,
    narrowed: /96,000/,
    shown: 'norm',
  });
  const lulesh = corpus('loops to fuse', 'ezview/fig7_lulesh_reuse_distance.ezview');
  if (lulesh === undefined) return;
  await checkFusion({
    file: lulesh,
    name: 'linked-lulesh',
    distance: /803,741,744/,
    functions: /CalcFBHourglassForceForElems.*CalcHourglassControlForElems/s,
    narrowed: /2,459,877,122/,
    shown: 'CalcHourglassControlForElems',
  });
  await pictureMetrics(lulesh);
});

/** Where memory was allocated by how often it is used, and uses by how far apart they are. */
async function pictureMetrics(file: string): Promise<void> {
  const real = await startStage([file]);
  try {
    const page = await real.open('#view=linked&pm=1:1&pm=2:1', {
      viewport: { width: 1240, height: 620 },
    });
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    await eventually('uses are in distances', async () =>
      /4,930,076,905/.test(await title(page, 'use')),
    );
    assert.match(await title(page, 'allocation'), /6,007,529/);
    await shoot(page, 'linked-metrics-light');
  } finally {
    await real.close();
  }
}
