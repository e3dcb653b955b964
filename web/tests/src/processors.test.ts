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
    (await page.locator('.processors-maps > h2').innerText()).startsWith(name);
  await eventually('the heading', isShown);
  assert.equal(hashOf(page).get('event'), name);
  await page.reload();
  await page.locator('.processors-maps > h2').waitFor();
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
