import assert from 'node:assert/strict';
import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import axe from 'axe-core';
import type { Locator, Page } from '@playwright/test';
import { eventually, hashOf, type Stage, sample, shoot, startStage, test } from './harness.ts';

/** Where the server of these tests keeps what it is sent; that of the user is left alone. */
const store = mkdtempSync(path.join(tmpdir(), 'hotframe-store-'));
let stage: Stage;
/** Why nothing can be isolated here; empty where it can. */
let obstacle = '';

test.beforeAll(async () => {
  process.env.HOTFRAME_STORE = store;
  stage = await startStage([], ['open', '--allow-run']);
  const page = await stage.open();
  await page.getByRole('heading', { name: /Run a program|Nothing can be run here/ }).waitFor();
  await page
    .getByText(/What isolates|Nothing can be run/)
    .first()
    .waitFor();
  if ((await page.locator('.card .problem').count()) > 0) {
    obstacle = (await page.locator('.card .problem').textContent()) ?? '';
    assert.equal(process.env.CI, undefined, obstacle);
  }
  await page.close();
});
test.afterAll(async () => {
  const ended = new Promise((resolve) => stage.server.once('exit', resolve));
  await stage.close();
  await ended;
  // Environments are read-only.
  const open = (folder: string) => {
    chmodSync(folder, 0o700);
    for (const name of readdirSync(folder)) {
      const inner = path.join(folder, name);
      if (lstatSync(inner).isDirectory()) open(inner);
    }
  };
  open(store);
  rmSync(store, { recursive: true, force: true });
});

/** A test of what needs isolation. */
function isolated(name: string, run: () => Promise<void>): void {
  test(name, async ({}, testInfo) => {
    testInfo.skip(obstacle !== '', obstacle);
    await run();
  });
}

const PROGRAM = `import sys, time
def inner(i):
    return i * i
def counted(n):
    return sum(inner(i) for i in range(n * 1000))
print('counted', counted(int(sys.argv[1]) if len(sys.argv) > 1 else 1), flush=True)
`;
/** It writes at once and ends when it is told to, or after a minute. */
const SLOW = `import time
print('begun', flush=True)
time.sleep(60)
`;

async function send(page: Page, name: string, text: string): Promise<void> {
  const buffer = Buffer.from(text);
  await page
    .getByLabel('Program to run')
    .setInputFiles({ name, mimeType: 'text/x-python', buffer });
}

const plan = (page: Page) => page.getByRole('complementary', { name: 'Plan' });
const run = (page: Page) => plan(page).getByRole('button', { name: 'Run', exact: true });
const planText = (page: Page) => plan(page).getByRole('textbox', { name: 'Plan as TOML' });

/** Chooses what is measured, by the names that the form has. */
async function measure(page: Page, by: string): Promise<void> {
  await page.getByLabel('Measured by').selectOption({ label: by });
}

async function waitForPhase(page: Page, phase: string): Promise<void> {
  await page.locator('h1 .phase', { hasText: phase }).waitFor({ timeout: 200_000 });
}

async function check(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`[data-theme=${colorScheme}], html`).first().waitFor();
    const { violations } = await page.evaluate(() =>
      (window as unknown as { axe: typeof axe }).axe.run(),
    );
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(' ')}`);
    assert.deepEqual(told, [], colorScheme);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

isolated('runs a program by two interpreters, and opens what was measured', async () => {
  const page = await stage.open();
  await check(page);
  // A drop anywhere on the page is the program.
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'p.py', { type: 'text/x-python' }));
    return transfer;
  }, PROGRAM);
  await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: data });
  await page
    .getByRole('heading', { name: 'Interpreters' })
    .or(page.getByText('Interpreters'))
    .first()
    .waitFor();
  await choose(page.getByRole('radio', { name: /Environments/ }));
  await page.getByLabel('Runs of each cell').fill('1');
  const interpreters = page.getByRole('checkbox');
  await interpreters.first().waitFor();
  const count = Math.min(2, await interpreters.count());
  const names = await page.locator('.interpreter b').allTextContents();
  // The last ones are the newest.
  for (let at = 1; at <= count; at++) await choose(interpreters.nth(names.length - at));
  await page.getByRole('button', { name: '+ Add a parameter' }).click();
  await page.locator('input:not([type=checkbox]):focus').waitFor();
  await page.keyboard.type('n');
  await page.getByRole('textbox', { name: 'Values of n' }).fill('1, 2');
  const told = `${2 * count} runs of ${2 * count} cells, isolated: no network, no files of yours`;
  await plan(page).getByText(told).waitFor();
  assert.match(await planText(page).inputValue(), /"n" = \["1", "2"\]/);
  await check(page);
  await shoot(page, 'run-form');
  await run(page).click();
  await eventually('it has an address', () => /-/.test(hashOf(page).get('run') ?? ''));
  // It goes on without the page, and after a reload.
  await page.reload();
  await page.locator('.cells tbody tr').first().waitFor();
  const address = page.url();
  await page.close();
  const again = await stage.open(new URL(address).hash);
  await waitForPhase(again, 'has ended');
  assert.equal(await again.locator('.cells tbody tr').count(), 2 * count);
  assert.deepEqual(
    await again.locator('.cells td:nth-child(2) .number').allTextContents(),
    Array.from({ length: 2 * count }, () => '1 of 1'),
  );
  assert.equal(await again.locator('.times[aria-label^="mean of 1 run"]').count(), 2 * count);
  await again
    .getByLabel('What it writes')
    .getByText(/^counted \d+/)
    .waitFor();
  await check(again);
  await shoot(again, 'run-ended');
  await again.getByRole('button', { name: 'Open result' }).click();
  await again.getByRole('button', { name: /^Document p.hotframe/ }).waitFor();
  assert.equal(hashOf(again).get('run'), null);
  await again.goto(`${again.url().split('#')[0]}#view=table&list=functions`);
  await again.locator('.table .row', { hasText: 'inner' }).first().waitFor();
  await again.close();
});

isolated('a plan that is written by hand is checked line by line', async () => {
  const page = await stage.open('#run=new');
  await send(page, 'p.py', PROGRAM);
  await planText(page).waitFor();
  await plan(page).getByText('1 run, isolated').waitFor();
  const text = await planText(page).inputValue();
  await planText(page).fill(`${text}\n[matrix]\ninterpreter = ["2.99"]\n`);
  await plan(page).getByText('no Python 2.99 here').waitFor();
  assert.ok(await run(page).isDisabled());
  await planText(page).fill(text.replace('runs = 1', 'runs = '));
  const line = 1 + text.split('\n').findIndex((one) => one.startsWith('runs'));
  await plan(page)
    .getByRole('button', { name: `line ${line}` })
    .click();
  const chosen = () =>
    planText(page).evaluate((area) => {
      const { selectionStart, selectionEnd, value } = area as HTMLTextAreaElement;
      return value.slice(selectionStart, selectionEnd);
    });
  assert.equal((await chosen()).trim(), 'runs =');
  await check(page);
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await plan(page).getByText('1 run, isolated').waitFor();
  assert.equal(await planText(page).inputValue(), text);
  await page.close();
});

isolated('what fails says why, beside what it wrote', async () => {
  const page = await stage.open('#run=new');
  await send(page, 'bad.py', 'print("before", flush=True)\nraise SystemExit(3)\n');
  await plan(page).waitFor();
  await measure(page, 'Time alone');
  await plan(page).getByText('1 run, isolated').waitFor();
  await run(page).click();
  await waitForPhase(page, 'has ended');
  const log = page.getByRole('region', { name: 'Log' });
  await log.getByText('code 3').waitFor();
  await log.getByLabel('What it writes').getByText('before').waitFor();
  await page.goto(`${page.url().split('#')[0]}#run=queue`);
  const failed = page.getByRole('list', { name: 'Failed' }).getByRole('listitem');
  await failed.getByText('code 3').waitFor();
  await failed.getByRole('button').first().click();
  await page.getByLabel('What it writes').getByText('before').waitFor();
  await page.close();
});

isolated('what runs is in the queue with what it writes, and can be cancelled', async () => {
  const page = await stage.open('#run=new');
  await send(page, 'slow.py', SLOW);
  await plan(page).waitFor();
  await measure(page, 'Time alone');
  await plan(page).getByText('1 run, isolated').waitFor();
  await run(page).click();
  await waitForPhase(page, 'is running');
  await page.getByLabel('What it writes').getByText('begun').waitFor();
  await page.locator('h1').click();
  await page.keyboard.press('Q');
  await page.getByRole('region', { name: 'Workers' }).getByText('for ').waitFor();
  const jobs = page.getByRole('list', { name: 'Running' });
  await jobs.getByRole('button').first().waitFor();
  await page.getByLabel('What it writes').getByText('begun').waitFor();
  await check(page);
  await shoot(page, 'queue');
  await page.goBack();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await waitForPhase(page, 'was stopped');
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  await page.close();
});

/** Chooses one of several; the page shows it once its state has followed. */
async function choose(entry: Locator): Promise<void> {
  await entry.click();
  await eventually('it is chosen', () => entry.isChecked());
}

isolated('what was run is found, and two results are compared', async () => {
  const page = await stage.open('#run=new');
  await send(page, 'p.py', PROGRAM);
  await choose(page.getByRole('radio', { name: /Statistics/ }));
  await page.getByLabel('Runs of each cell').fill('1');
  await page.getByLabel('Arguments').fill('3');
  await plan(page).getByText('1 run, isolated').waitFor();
  await eventually('the plan follows', async () =>
    /"p.py", "3"/.test(await planText(page).inputValue()),
  );
  await run(page).click();
  await waitForPhase(page, 'has ended');
  await page.locator('h1').click();
  await page.keyboard.press('K');
  const uploads = page.locator('.kept-upload');
  await eventually('all are there', async () => (await uploads.count()) === 3);
  const search = page.getByRole('searchbox');
  await search.fill('slow');
  await eventually('one is found', async () => (await uploads.count()) === 1);
  await page.locator('.kept-run .phase', { hasText: 'was stopped' }).waitFor();
  await search.fill('nothing of that name');
  await page.getByText('No run matches.').waitFor();
  await search.fill('');
  await page.getByLabel('Status', { exact: true }).selectOption({ label: 'was stopped' });
  await eventually('one was stopped', async () => (await uploads.count()) === 1);
  await page.getByLabel('Status', { exact: true }).selectOption({ label: 'any status' });
  await page.getByLabel('Day').fill('2001-01-01');
  await page.getByText('No run matches.').waitFor();
  await page.getByLabel('Day').fill('');
  await search.fill('p.py n=1');
  await eventually('one has that condition', async () => (await uploads.count()) === 1);
  await search.fill('p.py');
  const runs = page.locator('.kept-run');
  await eventually('both of its runs', async () => (await runs.count()) === 2);
  await choose(runs.nth(0).getByRole('checkbox'));
  assert.ok(await page.getByRole('button', { name: 'Compare', exact: true }).isDisabled());
  await choose(runs.nth(1).getByRole('checkbox'));
  await check(page);
  await shoot(page, 'run-kept');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.locator('.sides').waitFor();
  await page.close();
});

isolated('what is not a program is refused in words', async () => {
  const page = await stage.open('#run=new');
  await send(page, 'x.exe', 'MZ');
  await page.getByText('neither a Python file nor an archive').waitFor();
  await check(page);
  // A folder is one program.
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByLabel('Program to run').setInputFiles([
    { name: 'main.py', mimeType: 'text/x-python', buffer: Buffer.from('import b\n') },
    { name: 'b.py', mimeType: 'text/x-python', buffer: Buffer.from('print(1)\n') },
  ]);
  await plan(page).getByText('1 run, isolated').waitFor();
  assert.equal(await page.getByLabel('Script').inputValue(), 'main.py');
  const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(await isWide(), false, 'it fits a narrow window');
  await check(page);
  await page.close();
});

test('nothing runs where it is not allowed, and an address that asks for it says how', async () => {
  const closed = await startStage([sample('pprof/labels.pb.gz')]);
  const page = await closed.open('#run=new');
  await page.getByText('hotframe open --allow-run').waitFor();
  await check(page);
  assert.equal(await page.getByRole('button', { name: 'Run', exact: true }).count(), 0);
  const other = await closed.open();
  await other.getByRole('tree', { name: 'Flame graph' }).waitFor();
  await other.keyboard.press('R');
  assert.equal(await other.getByRole('button', { name: 'Run', exact: true }).count(), 0);
  assert.equal(hashOf(other).get('run'), null);
  await closed.close();
});
