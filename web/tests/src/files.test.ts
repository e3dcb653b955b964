import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import {
  eventually,
  flameOf,
  hashOf,
  type Stage,
  sample,
  shoot,
  startStage,
  test,
} from './harness.ts';

let stage: Stage;
let folder: string;
test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  const garbage = path.join(folder, 'garbage.bin');
  writeFileSync(
    garbage,
    Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 73) % 256)),
  );
  stage = await startStage([
    sample('pprof/cpu.pb.gz'),
    sample('pprof/heap.pb.gz'),
    sample('jfr/plain.jfr'),
    garbage,
  ]);
});
test.afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

async function choose(page: Page, title: RegExp): Promise<void> {
  await page.getByRole('button', { name: /^Document / }).click();
  await page.getByRole('menuitemradio', { name: title }).click();
}

test('switches between open files', async () => {
  const page = await stage.open();
  await flameOf(page);
  assert.match(await page.title(), /cpu/);
  await choose(page, /heap/);
  await eventually('the other file', async () => /heap/.test(await page.title()));
  await flameOf(page);
  assert.match(
    (await page.getByRole('button', { name: /^Metric/ }).textContent()) ?? '',
    /space|objects/,
  );
  await page.goBack();
  await eventually('the first file again', async () => /cpu/.test(await page.title()));
});

test('shows what else a format carries: threads by name, several metrics', async () => {
  const page = await stage.open();
  await flameOf(page);
  await choose(page, /plain/);
  const details = page.locator('.details');
  await details.locator('h3', { hasText: /^Threads$/ }).waitFor();
  assert.match((await details.textContent()) ?? '', /jdk\.ExecutionSample/);
  await details
    .locator('div', { hasText: /^Threads/ })
    .locator('button')
    .first()
    .click();
  await eventually('filtered by a thread', () =>
    /^label_focus:thread=/.test(hashOf(page).get('f') ?? ''),
  );
  await shoot(page, 'threads');
});

test('says what is wrong with a file that is no profile', async () => {
  const page = await stage.open();
  await flameOf(page);
  await choose(page, /garbage/);
  const card = page.getByRole('alert');
  await card.waitFor();
  const text = (await card.textContent()) ?? '';
  assert.match(text, /garbage\.bin cannot be shown/);
  await eventually('the formats that open', async () =>
    /pprof/.test((await card.textContent()) ?? ''),
  );
  await shoot(page, 'error-page');
});

async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, text]) => {
      const raw = Uint8Array.from(atob(text!), (char) => char.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([raw], fileName!));
      return data;
    },
    [name, bytes.toString('base64')],
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
  await page.getByText('Drop to open').waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

test('opens a dropped file', async () => {
  const page = await stage.open();
  await flameOf(page);
  await drop(page, 'dropped.pb.gz', readFileSync(sample('pprof/mutex.pb.gz')));
  await eventually('it is shown', async () => /dropped\.pb\.gz/.test(await page.title()));
  await flameOf(page);
  assert.ok(hashOf(page).has('d'));
});

test('says what is wrong with a dropped file that is no profile', async () => {
  const page = await stage.open();
  await flameOf(page);
  await drop(page, 'noise.dat', Buffer.from('\u0000\u0001 this is no profile'));
  const notice = page.locator('.banner', { hasText: 'noise.dat cannot be shown' });
  await notice.waitFor();
  // What was shown stays, and its place in the history.
  assert.match(await page.title(), /cpu/);
  await flameOf(page);
  await shoot(page, 'unreadable-drop');
  await notice.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: /^Document / }).click();
  await page.getByRole('menuitemradio', { name: /cpu/ }).waitFor();
  await eventually(
    'it is not listed',
    async () => (await page.getByRole('menuitemradio', { name: /noise/ }).count()) === 0,
  );
  await page.keyboard.press('Escape');
  // It can be opened in a format that is told.
  await drop(page, 'noise.dat', Buffer.from('{ noise\nmain;work 3\n'));
  await notice.getByRole('button', { name: 'Open as…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Open as…' });
  await dialog.getByRole('listbox', { name: 'Format' }).selectOption('collapsed');
  await dialog.getByRole('button', { name: 'Read noise.dat as collapsed' }).click();
  await eventually('it is shown', async () => /noise\.dat/.test(await page.title()));
  await flameOf(page);
});

test('an unreadable file keeps others that came with it from nothing', async () => {
  const page = await stage.open();
  await flameOf(page);
  const noise = { name: 'noise.dat', mimeType: '', buffer: Buffer.from('\u0000\u0001 noise') };
  const good = { name: 'good.folded', mimeType: '', buffer: Buffer.from('main;work 3\n') };
  await page.getByLabel('Open files').setInputFiles([noise, good]);
  await eventually('it is shown', async () => /good\.folded/.test(await page.title()));
  await page.locator('.banner', { hasText: 'noise.dat cannot be shown' }).waitFor();
});

test('says that a profile is empty', async () => {
  const page = await stage.open();
  await flameOf(page);
  // profile.proto with a sample type, samples in count, and no sample.
  const empty = [0x0a, 4, 8, 1, 16, 2, 0x32, 0, 0x32, 7, ...Buffer.from('samples')];
  await drop(page, 'empty.pb', Buffer.from([...empty, 0x32, 5, ...Buffer.from('count')]));
  await page.getByText('This profile is empty').waitFor();
  await shoot(page, 'empty');
});

test('opens a picked file of several pieces', async () => {
  const page = await stage.open();
  await flameOf(page);
  const line = 'main;compute;inner_loop 1\nmain;compute;other 2\n';
  const big = path.join(folder, 'big.folded');
  writeFileSync(big, line.repeat(Math.ceil((9 * 2 ** 20) / line.length)));
  await page.getByLabel('Open files').setInputFiles(big);
  await eventually('it is shown', async () => /big\.folded/.test(await page.title()));
  const flame = await flameOf(page);
  await eventually('with its frames', async () =>
    /main/.test((await flame.locator('[role=treeitem]').allTextContents()).join(' ')),
  );
});
