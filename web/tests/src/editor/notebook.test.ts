import { eventually, sample, test } from '../harness.ts';
import { figuresOf, functionRow, lensText } from './figures.ts';
import { Workbench } from './harness.ts';

const PROJECT = sample('editor/notebook');
const PROFILE = `${PROJECT}/primes.hotframe`;
const functions = figuresOf(PROFILE, 'function');
let code: Workbench;

// The tests share a window: after a failure all of them run once more.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  code = await Workbench.start(PROJECT);
});

test.afterAll(() => code.close());

test('cells of a notebook have marks, and functions lead to them', async () => {
  await code.explorer('primes.hotframe').click();
  await code.flame();
  await code.open('primes.ipynb');
  const lens = lensText(functions, functionRow(functions, 'is_prime'));
  await eventually('a cell has the figures of its function', async () => {
    const told = await code.page.locator('.notebookOverlay .codelens-decoration').allTextContents();
    return told.some((text) => text.replace(/\s/g, ' ').includes(lens));
  });
  await code.shoot('notebook');
  await code.page.keyboard.press('Control+P');
  const input = code.page.locator('.quick-input-widget input.input');
  await input.fill('#by_sieve');
  const focused = code.page.locator('.quick-input-list .monaco-list-row.focused');
  await focused.filter({ hasText: 'by_sieve' }).waitFor();
  await input.press('Enter');
  await code.page.locator('.statusbar-item', { hasText: 'Cell 3 of 4' }).waitFor();
});
