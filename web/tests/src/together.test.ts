import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  clickRow,
  eventually,
  flameOf,
  hashOf,
  type Stage,
  sample,
  shoot,
  spokenSelection,
  startStage,
  test,
} from './harness.ts';

const RUNS = [1, 2, 3, 4, 5];
const BEFORE = RUNS.map((run) => sample(`runs/before-${run}.pb.gz`));
const AFTER = RUNS.map((run) => sample(`runs/after-${run}.pb.gz`));

let compared: Stage;
test.beforeAll(async () => {
  compared = await startStage(AFTER, ['diff', '--open', '--base', ...BEFORE, '--new']);
});
test.afterAll(() => compared.close());

test('shows what changed between five runs and five, and what is noise', async () => {
  const page = await compared.open();
  const flame = await flameOf(page);
  const named = (name: RegExp) => flame.getByRole('treeitem', { name }).first();
  await clickRow(page, 3);
  await eventually('it is said', async () =>
    /^main\.summarize, .*, smaller$/.test(await spokenSelection(page)),
  );
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByText('[-] smaller, less').waitFor();
  await details.getByText('5 runs before, 5 after').waitFor();
  await details.getByText('95 % interval').waitFor();
  assert.equal(await details.locator('.series rect.base').count(), 5);
  await shoot(page, 'comparison');
  // Another scale keeps the place.
  await page.getByRole('button', { name: 'Scale: absolute' }).click();
  await page.getByRole('menuitemradio', { name: 'Equal main.summarize' }).click();
  await page.getByRole('button', { name: 'Scale: equal frame' }).waitFor();
  await details.getByText('[=] unchanged').waitFor();
  await page.getByRole('button', { name: 'Scale: equal frame' }).click();
  await page.getByRole('menuitemradio', { name: 'Absolute' }).click();
  await details.getByText('[-] smaller, less').waitFor();
  // The other way round, and back.
  await page.getByRole('button', { name: 'Swap base and new' }).click();
  await details.getByText('[+] larger, more').waitFor();
  await page.getByRole('button', { name: 'Swap base and new' }).click();
  await details.getByText('[-] smaller, less').waitFor();
  // What only the base has stays in its place.
  await page.getByRole('button', { name: 'Width: Both' }).click();
  await page.getByRole('menuitemradio', { name: 'Base' }).click();
  await eventually('the base is shown', () => hashOf(page).get('m') !== null);
  await named(/splitLine/).waitFor({ state: 'attached' });
});

test('parts that cancel each other are as wide as they are large', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  const write = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const base = write('base.collapsed', 'main;work;parse 60\nmain;work;print 40\nmain;idle 10\n');
  const now = write('new.collapsed', 'main;work;parse 40\nmain;work;print 60\nmain;idle 15\n');
  const stage = await startStage([now], ['diff', '--open', '--base', base, '--new']);
  const page = await stage.open();
  await flameOf(page);
  await page.getByRole('button', { name: /^Width/ }).click();
  await page.getByRole('menuitemradio', { name: 'Change' }).click();
  // Down to what calls both.
  await flameOf(page).then((flame) => flame.focus());
  for (const _ of ['all', 'main', 'work']) await page.keyboard.press('ArrowDown');
  const items = page.locator('[role=tree] [role=treeitem]');
  await eventually('the parts of what did not change', async () => {
    const texts = (await items.allTextContents()).join(' ');
    return ['work', 'parse', 'print', 'idle'].every((name) => texts.includes(name));
  });
  await shoot(page, 'cancelled-changes');
  await stage.close();
  rmSync(folder, { recursive: true });
});
