import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { binary, eventually, hashOf, sample, shoot, type Stage, startStage } from './harness.ts';

const RECORDING = sample('perf-data/events.perf.data');

let stage: Stage;
before(async () => {
  stage = await startStage([RECORDING, sample('pprof/cpu.pb.gz')]);
});
after(() => stage.close());

interface Row {
  readonly group: string;
  readonly event: string;
  readonly median: number | null;
}

/** What the command line tells. */
function rowsBy(by: string): readonly Row[] {
  const json = execFileSync(
    binary(),
    ['perf', 'summary', RECORDING, '--by', by, '--format', 'json'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return (JSON.parse(json) as { rows: readonly Row[] }).rows;
}

test('events are listed, and each stands on the processors that the command line tells', async () => {
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
});

test('an event is chosen by a click, and the address keeps it', async () => {
  const page = await stage.open('#d=0&view=processors');
  const last = page.locator('.events tbody button').last();
  await last.click();
  const name = await last.innerText();
  const isShown = async () =>
    (await page.locator('.processors-maps h2').innerText()).startsWith(name);
  await eventually('the heading', isShown);
  assert.equal(hashOf(page).get('event'), name);
  await page.reload();
  await page.locator('.processors-maps h2').waitFor();
  await eventually('the heading again', isShown);
});

test('a processor that is chosen is a filter, and lets go again', async () => {
  const page = await stage.open('#d=0&view=processors');
  const first = page.locator('.cpu-map .cpu').first();
  await first.click();
  await page.locator('.chip').waitFor();
  assert.match(hashOf(page).get('f') ?? '', /cpu/);
  await eventually('pressed', async () => (await first.getAttribute('aria-pressed')) === 'true');
  await first.click();
  await eventually('no filter', async () => (await page.locator('.chip').count()) === 0);
});

test('a profile without processors has no such view', async () => {
  const page = await stage.open('#d=1&view=processors');
  await page.locator('[data-scope=flame]').first().waitFor();
  assert.equal(await page.locator('.processors').count(), 0);
});
