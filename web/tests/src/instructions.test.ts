import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { flameOf, onMachine, type Stage, startStage, test } from './harness.ts';

/** A program of C, and samples of it as `perf script` prints them. */
let stage: Stage;
let folder: string;
/** The function's instructions as objdump prints them, with the samples at each. */
let known: { readonly address: string; readonly text: string; readonly samples: number }[];

const SOURCE = `
__attribute__((noinline)) long collatz(long n) {
  long steps = 0;
  for (; n != 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}
int main(int count, char **arguments) { return collatz(count + 26) & 1; }
`;

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, { cwd: folder, encoding: 'utf8' });
  writeFileSync(path.join(folder, 'collatz.c'), SOURCE);
  run('cc', '-g', '-O1', '-pie', '-fPIE', '-o', 'collatz', 'collatz.c');
  const text = run('objdump', '-d', '--no-show-raw-insn', 'collatz');
  const lines = (text.split('<collatz>:\n')[1] ?? '').split('\n\n')[0]!.split('\n');
  known = lines.map((line, index) => {
    const [address = '', ...rest] = line.split(':');
    // The third costs most.
    const samples = index === 2 ? 9 : index % 2;
    return { address: address.trim(), text: rest.join(':').trim().replace(/\s+/g, ' '), samples };
  });
  const samples = known.flatMap(({ address, samples }) =>
    Array.from(
      { length: samples },
      () => `collatz 7 1.5: 1000 cpu-clock:\n\t${address} collatz+0x1 (${folder}/collatz)\n\n`,
    ),
  );
  const file = path.join(folder, 'collatz.perf-script');
  writeFileSync(file, samples.join(''));
  // The same, of a program that is not there.
  const gone = path.join(folder, 'gone.perf-script');
  writeFileSync(gone, samples.join('').replaceAll(`${folder}/collatz`, '/gone/collatz'));
  stage = await startStage([file, gone]);
});
test.afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

/** The list of the instructions of `collatz`. */
async function opened(page: Page) {
  const flame = await flameOf(page);
  const box = (await flame.boundingBox())!;
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[role=treeitem]')].some((item) =>
      item.textContent.startsWith('collatz'),
    ),
  );
  // Below the program, and below its process where there is one.
  for (const row of [1, 2]) {
    await flame.click({ position: { x: box.width / 2, y: 20 * row + 20 } });
    const title = page.locator('.details h2');
    await title.waitFor();
    if ((await title.textContent()) === 'collatz') break;
  }
  await page.getByRole('button', { name: 'Instructions…' }).click();
  const grid = page.getByRole('grid', { name: 'Instructions' });
  await grid.waitFor();
  return grid;
}

/** The cells of each instruction. */
async function cells(page: Page): Promise<string[][]> {
  const rows = page.locator('.instruction-text .source-line:not(.section)');
  return Promise.all(
    (await rows.all()).map((row) =>
      row.locator('[role=gridcell], [role=rowheader]').allTextContents(),
    ),
  );
}

test(
  'instructions stand with their samples and lines',
  onMachine('binaries are files of the machine'),
  async () => {
    const page = await stage.open('#d=0');
    await opened(page);
    const seen = await cells(page);
    assert.deepEqual(
      seen.map(([, , address, , text]) => ({ address, text })),
      known.map(({ address, text }) => ({ address, text })),
    );
    // A sample is a number of the event, so all are shares of the same sum.
    const all = known.reduce((sum, { samples }) => sum + samples, 0);
    const share = (samples: number) => `${((samples / all) * 100).toFixed(1)} %`;
    const third = seen[2]!;
    assert.ok(third[0]!.endsWith(share(9)), third.join(' | '));
    assert.equal(seen[0]![0], '');
    // perf script names no builds.
    await page.getByText('nobody checked').waitFor();
    assert.match(third[3]!, /^collatz\.c:\d+$/);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.close();
  },
);

test('what has no binary keeps its addresses, and says why it has no text', async () => {
  const page = await stage.open('#d=1');
  await opened(page);
  const problem = await page.locator('.instruction-section .problem').textContent();
  assert.match(problem ?? '', /^No text: /);
  const measured = known.filter(({ samples }) => samples > 0);
  assert.deepEqual(
    (await cells(page)).map(([, , address, , text]) => ({ address, text })),
    measured.map(({ address }) => ({ address, text: '' })),
  );
  await page.close();
});
