import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import {
  clickRow,
  eventually,
  flameOf,
  hashOf,
  sample,
  shoot,
  spokenSelection,
  type Stage,
  startStage,
  test,
} from './harness.ts';

let folder: string;
let stage: Stage;

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'hotframe-sources-'));
  for (const [from, to] of [
    ['runs/record/before/main.go', 'logsummary/main.go'],
    ['sdfg/record/sharpen.py', 'record/sharpen.py'],
  ] as const) {
    mkdirSync(path.dirname(path.join(folder, to)), { recursive: true });
    cpSync(sample(from), path.join(folder, to));
  }
  // As old as a file that the recording is of.
  utimesSync(path.join(folder, 'logsummary/main.go'), 1, 1);
  symlinkSync('/etc/passwd', path.join(folder, 'proc.go'));
  const files = [sample('runs/before-1.pb.gz'), sample('sdfg/sharpen.sdfg')];
  stage = await startStage(files, ['open', '--source', folder]);
});

test.afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

const sheet = (page: Page) => page.getByRole('dialog');
const marked = (page: Page) => sheet(page).locator('.source-line.marked');

/** Whether the marked line is where it can be seen. */
async function isInSight(page: Page): Promise<boolean> {
  const [line, text] = [marked(page), sheet(page).getByRole('grid')];
  const [one, all] = [await line.boundingBox(), await text.boundingBox()];
  if (one === null || all === null) return false;
  return one.y >= all.y && one.y + one.height <= all.y + all.height;
}

test('a frame leads to its text, with what its lines cost', async () => {
  const page = await stage.open('#d=0&m=1');
  await clickRow(page, 3);
  await eventually('the frame is selected', async () =>
    (await spokenSelection(page)).includes('main.summarize'),
  );
  await page.keyboard.press('e');
  await sheet(page).getByRole('heading', { name: 'main.go:92' }).waitFor();
  await marked(page).waitFor();
  // As `go tool pprof -list` has it: line 92 calls addVisitor.
  assert.match((await marked(page).textContent()) ?? '', /92.*addVisitor/s);
  const text = readFileSync(sample('runs/record/before/main.go'), 'utf8').split('\n')[91]!;
  assert.match(text, /^\t/);
  // Inks come a moment later, and change nothing but colours.
  await sheet(page).locator('pre span').first().waitFor();
  assert.equal(await marked(page).locator('pre').textContent(), text);
  assert.equal(
    (await marked(page).getByRole('gridcell').nth(1).textContent())?.startsWith('1.5 s'),
    true,
    (await marked(page).textContent()) ?? '',
  );
  await eventually('the line is in sight', () => isInSight(page));
  assert.equal(await sheet(page).getByRole('note').count(), 0);
  assert.equal(hashOf(page).get('src'), '92:logsummary/main.go');
  await shoot(page, 'source-light');
  // The keyboard scrolls the text.
  const top = () =>
    sheet(page)
      .getByRole('grid')
      .evaluate((text) => text.scrollTop);
  const before = await top();
  await page.keyboard.press('PageDown');
  await eventually('it is scrolled', async () => (await top()) > before);
  await page.keyboard.press('Escape');
  await sheet(page).waitFor({ state: 'detached' });
  await eventually('the address', async () => hashOf(page).get('src') === null);
  await page.goBack();
  await marked(page).waitFor();
  await page.reload();
  await marked(page).waitFor();
  await page.close();
});

test('values follow metric and filters', async () => {
  const page = await stage.open('#d=0&m=1&f=ignore:addVisitor&src=42:logsummary/main.go');
  await marked(page).waitFor();
  await sheet(page).getByText('of what filters keep').waitFor();
  await eventually('nothing is left of the line', async () =>
    ((await marked(page).getByRole('gridcell').nth(1).textContent()) ?? '').startsWith('0'),
  );
  await page.close();
});

test('what may not be read says what to do', async () => {
  const page = await stage.open('#d=0&src=7:/etc/passwd');
  await sheet(page).getByText('names no source file').waitFor();
  await page.goto(`${stage.url}#d=0&src=1:runtime/proc.go`);
  await page.reload();
  await sheet(page).getByText('--source').waitFor();
  assert.doesNotMatch((await sheet(page).textContent()) ?? '', /root:/);
  await shoot(page, 'source-refused');
  await page.close();
});

test('a box of a graph leads to its text', async () => {
  const page = await stage.open('#d=1&gi=3', { colorScheme: 'dark' });
  await page.getByRole('button', { name: 'record/sharpen.py:23' }).click();
  await marked(page).waitFor();
  assert.equal(await marked(page).getByRole('rowheader').textContent(), '23');
  // Nothing was measured.
  assert.equal(await sheet(page).getByRole('columnheader').count(), 0);
  await eventually('the line is in sight', () => isInSight(page));
  await shoot(page, 'source-graph-dark');
  await page.keyboard.press('Escape');
  await sheet(page).waitFor({ state: 'detached' });
  await page.getByRole('tree', { name: 'Dataflow graph' }).focus();
  await page.keyboard.press('e');
  await marked(page).waitFor();
  await page.close();
});

test('a profile in a narrow, dark window', async () => {
  const options = { colorScheme: 'dark', viewport: { width: 420, height: 760 } } as const;
  const page = await stage.open('#d=0&m=1&src=92:logsummary/main.go', options);
  await marked(page).waitFor();
  await flameOf(page);
  await shoot(page, 'source-narrow-dark');
  await page.close();
});
