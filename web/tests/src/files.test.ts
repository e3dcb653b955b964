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
  stage = await startStage([sample('pprof/cpu.pb.gz')]);
});
test.afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
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

test('says what is wrong with a dropped file that is not a profile', async () => {
  const page = await stage.open();
  await flameOf(page);
  await drop(page, 'noise.dat', Buffer.from('\u0000\u0001 this is not a profile'));
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
