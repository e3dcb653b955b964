import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
/** Stacks behind a line that no list of stacks begins with. */
const PREFACE = `{ not written down\n${'main;work 3\nmain;rest 4\n'.repeat(9)}`;

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  writeFileSync(path.join(folder, 'preface.txt'), PREFACE);
  stage = await startStage([sample('jfr/plain.jfr'), path.join(folder, 'preface.txt')]);
});
test.afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

async function frames(page: Page): Promise<string> {
  const flame = await flameOf(page);
  return (await flame.locator('[role=treeitem]').allTextContents()).join(' ');
}

test('reads what is not recognised in the format that is told', async () => {
  const page = await stage.open('#d=1');
  const card = page.getByRole('alert');
  await card.getByRole('button', { name: 'Open as…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Open as…' });
  await dialog.getByRole('listbox', { name: 'Format' }).selectOption('collapsed');
  await shoot(page, 'open-as');
  await dialog.getByRole('button', { name: 'Read preface.txt as collapsed' }).click();
  await eventually('its frames', async () => /main/.test(await frames(page)));
  assert.match(await page.title(), /preface\.txt/);
  // It stands for the one that was unreadable.
  await page.getByRole('button', { name: /^Document / }).click();
  assert.equal(await page.getByRole('menuitemradio', { name: /preface/ }).count(), 1);
});

test('opens a chosen file in the format that is told', async () => {
  const page = await stage.open('#d=0');
  await flameOf(page);
  await page.keyboard.press('Shift+O');
  const dialog = page.getByRole('dialog', { name: 'Open as…' });
  await dialog.getByRole('listbox', { name: 'Format' }).selectOption('collapsed');
  const file = path.join(folder, 'other.dat');
  writeFileSync(file, PREFACE.replaceAll('main', 'begin'));
  await dialog.locator('input[type=file]').setInputFiles(file);
  await eventually('it is shown', async () => /other\.dat/.test(await page.title()));
  await eventually('its frames', async () => /begin/.test(await frames(page)));
});

test('makes members of threads, and a link opens them again', async () => {
  const page = await stage.open('#d=0');
  await flameOf(page);
  await page.getByRole('button', { name: 'Members: as opened' }).click();
  await page.getByRole('menuitemradio', { name: 'By thread' }).click();
  await eventually('the address says so', () => hashOf(page).get('members') === 'thread');
  await page.getByText(/^Over \d+ threads$/).waitFor();
  await shoot(page, 'members-by-thread');

  const again = await stage.open('#d=0&members=thread');
  await flameOf(again);
  await again.getByText(/^Over \d+ threads$/).waitFor();
  await again.getByRole('button', { name: 'Members: thread' }).click();
  await again.getByRole('menuitemradio', { name: 'As opened' }).click();
  await eventually('as it came', () => !hashOf(again).has('members'));
  await again.getByRole('button', { name: 'Members: as opened' }).waitFor();

  // A link to members that there are not opens the profile as it came.
  const other = await stage.open('#d=0&members=nothing');
  await flameOf(other);
  await other.getByText(/no sample of plain\.jfr has a label nothing/).waitFor();
  assert.equal(hashOf(other).has('members'), false);
});
