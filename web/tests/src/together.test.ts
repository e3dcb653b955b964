import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
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

let merged: Stage;
let compared: Stage;
let apart: Stage;
test.beforeAll(async () => {
  merged = await startStage([...BEFORE, ...AFTER], ['open', '--merge']);
  compared = await startStage(AFTER, ['diff', '--open', '--base', ...BEFORE, '--new']);
  apart = await startStage([BEFORE[0]!, AFTER[0]!]);
});
test.afterAll(async () => {
  await merged.close();
  await compared.close();
  await apart.close();
});

const spread = (page: Page) => page.getByRole('region', { name: 'Over the profiles' });

test('shows how a frame spreads over the profiles, and each of them alone', async () => {
  const page = await merged.open();
  await clickRow(page, 2);
  const section = spread(page);
  await section.getByRole('img', { name: /^Total by profile/ }).waitFor();
  assert.equal(await section.locator('.series rect').count(), 10);
  assert.match((await section.textContent()) ?? '', /Over 10 profiles/);
  assert.match((await section.textContent()) ?? '', /(rising|steady|falling) .+ a profile, p /);
  await shoot(page, 'distribution');
  const bins = section.locator('.histogram rect title');
  const counts = (await bins.allTextContents()).map((text) => Number.parseInt(text, 10));
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    10,
    'every profile is in one bin',
  );
  await section.locator('.series rect').first().click();
  await eventually('one profile is left', () => (hashOf(page).get('f') ?? '').includes('member='));
  await eventually(
    'one bar is left',
    async () =>
      (await section.count()) === 0 || (await section.locator('.series rect').count()) === 1,
  );
});

test('measures widths by a figure over the profiles', async () => {
  const page = await merged.open();
  await flameOf(page);
  await page.getByRole('button', { name: /^Metric / }).click();
  await page.getByRole('menuitem', { name: 'Largest' }).click();
  await eventually('the address names it', () => hashOf(page).get('fx') === 'max_of(cpu)');
  await page.getByRole('button', { name: 'Metric max_of(cpu)' }).waitFor();
  await clickRow(page, 1);
  await eventually('selected', async () => (await spokenSelection(page)) !== '');
  // The address is enough to come back.
  const again = await merged.open('#fx=percentile_of(cpu, 90)&view=table&list=tree');
  await again.getByRole('columnheader', { name: /percentile_of\(cpu, 90\) total/ }).waitFor();
  const cell = again.locator('.table .row .cell.total').first();
  await cell.waitFor();
  assert.match((await cell.textContent()) ?? '', /\d (s|ms)/);
});

test('takes a formula, and says what is wrong with one', async () => {
  const page = await merged.open();
  await flameOf(page);
  await page.keyboard.press('M');
  const dialog = page.getByRole('dialog', { name: 'Metric by formula' });
  const input = dialog.getByRole('textbox', { name: 'Formula' });
  await input.fill('cpu / smples');
  await page.keyboard.press('Enter');
  const problem = dialog.getByRole('alert');
  await problem.waitFor();
  assert.match((await problem.textContent()) ?? '', /did you mean samples/);
  await input.fill('cpu / samples');
  await page.keyboard.press('Enter');
  await eventually('the dialog is gone', async () => (await dialog.count()) === 0);
  await page.getByRole('button', { name: 'Metric cpu / samples' }).waitFor();
});

test('takes a formula over what is compared as its change', async () => {
  const page = await compared.open();
  await flameOf(page);
  await page.keyboard.press('M');
  const dialog = page.getByRole('dialog', { name: 'Metric by formula' });
  await dialog.getByText('Of both sides').waitFor();
  await dialog.getByRole('textbox', { name: 'Formula' }).fill('cpu / samples');
  await page.keyboard.press('Enter');
  await eventually('the dialog is gone', async () => (await dialog.count()) === 0);
  const button = page.getByRole('button', { name: 'Metric cpu / samples (change)' });
  await button.click();
  for (const side of ['base', 'new']) {
    const item = page.getByRole('menuitemradio', { name: `cpu / samples (${side})` });
    assert.match((await item.textContent()) ?? '', /\d (s|ms)/);
  }
  await page.keyboard.press('Escape');
  await page.reload();
  await button.waitFor();
});

test('shows what changed between five runs and five, and what is noise', async () => {
  const page = await compared.open();
  const flame = await flameOf(page);
  const named = (name: RegExp) => flame.getByRole('treeitem', { name }).first();
  await clickRow(page, 3);
  await eventually('it is said', async () =>
    /^main\.summarize, .*, smaller$/.test(await spokenSelection(page)),
  );
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByText('[-] smaller: more than chance').waitFor();
  await details.getByText('5 runs before, 5 after').waitFor();
  await details.getByText('95 % interval').waitFor();
  assert.equal(await details.locator('.series rect.base').count(), 5);
  await shoot(page, 'comparison');
  // Another scale keeps the place.
  await page.getByRole('button', { name: 'Scale: absolute' }).click();
  await page.getByRole('menuitemradio', { name: 'Equal main.summarize' }).click();
  await page.getByRole('button', { name: 'Scale: equal frame' }).waitFor();
  await details.getByText('[=] may be chance').waitFor();
  await page.getByRole('button', { name: 'Scale: equal frame' }).click();
  await page.getByRole('menuitemradio', { name: 'Absolute' }).click();
  await details.getByText('[-] smaller: more than chance').waitFor();
  // What only the base has stays in its place.
  await page.getByRole('button', { name: 'Widths: Both' }).click();
  await page.getByRole('menuitemradio', { name: 'Base' }).click();
  await eventually('the base is shown', () => hashOf(page).get('m') !== null);
  await named(/splitLine/).waitFor({ state: 'attached' });
});

test('tells changes in the table too, in every shape', async () => {
  for (const shape of ['top_down', 'bottom_up', 'flat']) {
    const page = await compared.open(`#view=table&list=tree&shape=${shape}`);
    const tags = page.locator('.table .row .tag');
    await tags.first().waitFor();
    const texts = new Set(await tags.allTextContents());
    for (const text of texts) assert.match(text, /^\[[AD+=-]\]$/);
    await page.getByRole('columnheader', { name: /cpu \(change\) total/ }).waitFor();
    await page.close();
  }
});

test('compares and adds up what is open', async () => {
  const page = await apart.open();
  await flameOf(page);
  await page.getByRole('button', { name: 'Document before-1.pb.gz' }).click();
  await page.getByRole('menuitem', { name: 'Compare with after-1.pb.gz', exact: true }).click();
  await page.getByRole('button', { name: /^Document before-1.pb.gz → after-1.pb.gz/ }).waitFor();
  await clickRow(page, 3);
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByText('[-] smaller').waitFor();
  // The other way round, and back again.
  await page.getByRole('button', { name: 'Swap base and new' }).click();
  await page.getByRole('button', { name: /^Document after-1.pb.gz → before-1.pb.gz/ }).waitFor();
  await page.getByRole('button', { name: 'Swap base and new' }).click();
  await page.getByRole('button', { name: /^Document before-1.pb.gz → after-1.pb.gz/ }).waitFor();
  // The older one is the base, whichever is shown.
  await page.getByRole('button', { name: /^Document / }).click();
  await page.getByRole('menuitemradio', { name: 'after-1.pb.gz', exact: true }).click();
  await page.getByRole('button', { name: 'Document after-1.pb.gz', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Compare with before-1.pb.gz', exact: true }).click();
  await page.getByRole('button', { name: /^Document before-1.pb.gz → after-1.pb.gz/ }).waitFor();
  // Back, and both as one.
  await page.getByRole('button', { name: /^Document / }).click();
  await page.getByRole('menuitemradio', { name: 'before-1.pb.gz', exact: true }).click();
  await page.getByRole('button', { name: 'Document before-1.pb.gz', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Add after-1.pb.gz to this view' }).click();
  await page.getByRole('button', { name: /^Document before-1.pb.gz and 1 more/ }).waitFor();
  await spread(page).getByText('Over 2 profiles').waitFor();
});

test('swaps the sides of a comparison of the command line, and back', async () => {
  const page = await compared.open();
  await flameOf(page);
  const sides = page.locator('.sides');
  const told = async () => (await sides.locator('b').allTextContents()).join(' ');
  assert.equal(await told(), 'before (5 runs) after (5 runs)');
  // What is looked at stays: filters, widths, the selection.
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.getByRole('textbox', { name: 'Pattern' }).fill('main');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Widths: Both' }).click();
  await page.getByRole('menuitemradio', { name: 'Change' }).click();
  await clickRow(page, 3);
  const details = page.getByRole('complementary', { name: 'Details' });
  const name = () => details.locator('h2').first().textContent();
  const value = (column: number) =>
    details.locator('table.changes tbody tr').last().locator('td').nth(column).textContent();
  await eventually('selected', async () => (await name()) !== 'Whole program');
  const [selected, base, now] = [await name(), await value(0), await value(1)];
  await page.getByRole('button', { name: 'Swap base and new' }).click();
  await eventually('swapped', async () => (await told()) === 'after (5 runs) before (5 runs)');
  await flameOf(page);
  await eventually('the other way round', async () => (await value(0)) === now);
  assert.deepEqual([await name(), await value(1)], [selected, base]);
  assert.equal(await page.locator('.chip').count(), 1);
  const documents = async () => {
    await page.getByRole('button', { name: /^Document/ }).click();
    const count = await page.locator('[role=menu] [role=menuitemradio]').count();
    await page.keyboard.press('Escape');
    return count;
  };
  const before = await documents();
  await page.getByRole('button', { name: 'Swap base and new' }).click();
  await eventually('and back', async () => (await told()) === 'before (5 runs) after (5 runs)');
  await flameOf(page);
  assert.equal(await documents(), before, 'no further documents');
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
  await page.getByRole('button', { name: /^Widths/ }).click();
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

test('a view of some runs has the means of these, and says how many they are', async () => {
  const page = await compared.open();
  await flameOf(page);
  const details = page.getByRole('complementary', { name: 'Details' });
  const total = () => details.locator('table.changes tbody td').nth(1).textContent();
  const all = await total();
  await details.getByRole('button', { name: /after-2/ }).click();
  const sides = page.locator('.sides');
  await sides.getByText('1 of 5 runs').waitFor();
  await sides.getByText('no run is left: nothing to compare').waitFor();
  // The total of one run, where a fifth of it would be a fifth of the mean.
  const number = (text: string | null) =>
    Number.parseFloat(text ?? '') / (text?.endsWith('ms') === true ? 1000 : 1);
  await eventually('it is the run', async () => {
    const share = number(await total()) / number(all);
    return share > 0.8 && share < 1.25 && share !== 1;
  });
});
