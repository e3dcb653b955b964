import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import {
  binary,
  eventually,
  flameOf,
  hashOf,
  type Stage,
  sample,
  shoot,
  startStage,
  test,
} from './harness.ts';

const BEFORE = [1, 2, 3, 4, 5].map((run) => sample(`runs/before-${run}.pb.gz`));
const AFTER = [1, 2, 3, 4, 5].map((run) => sample(`runs/after-${run}.pb.gz`));

let stage: Stage;
let compared: Stage;
test.beforeAll(async () => {
  stage = await startStage([sample('pprof/cpu.pb.gz')]);
  compared = await startStage(AFTER, ['diff', '--open', '--base', ...BEFORE, '--new']);
});
test.afterAll(async () => {
  await stage.close();
  await compared.close();
});

const rows = (page: Page) => page.locator('.table .row');
const names = (page: Page) => page.locator('.table .row .name b').allTextContents();
const heads = (page: Page) => page.locator('.table [role=columnheader]').allTextContents();

async function openList(of: Stage, hash = '#view=table'): Promise<Page> {
  const page = await of.open(hash);
  await rows(page).first().waitFor();
  return page;
}

/** The names of the command line's list of functions. */
function listed(...options: string[]): string[] {
  const file = sample('pprof/cpu.pb.gz');
  const text = execFileSync(binary(), ['show', file, '-n', '12', '--format', 'json', ...options], {
    encoding: 'utf8',
  });
  const { rows: found } = JSON.parse(text) as { rows: { function: string }[] };
  return found.map((row) => row.function);
}

/** A name as the page may have cut it. */
function sameName(shown: string, name: string): boolean {
  const [front, back] = shown.split('…');
  return back === undefined ? shown === name : name.startsWith(front!) && name.endsWith(back);
}

test('the table begins with the functions, self and total side by side', async () => {
  const page = await openList(stage);
  assert.deepEqual(await heads(page), [
    'Function',
    'cpu self ▾',
    'cpu total',
    'samples self',
    'samples total',
  ]);
  for (const [column, order] of [
    ['cpu self', 'self'],
    ['cpu total', 'total'],
  ] as const) {
    if (order === 'total') await page.getByRole('columnheader', { name: column }).click();
    const wanted = listed('--sort', order);
    await eventually(`the order by ${order}`, async () => {
      const shown = await names(page);
      return wanted.every((name, index) => sameName(shown[index] ?? '', name));
    });
  }
  await shoot(page, 'functions');
});

test('the list is saved as it is sorted and filtered', async () => {
  const page = await openList(stage, '#view=table&rows=regexp');
  const shown = await names(page);
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Table as CSV' }).click(),
  ]);
  const text = readFileSync((await download.path())!, 'utf8')
    .trim()
    .split('\n');
  assert.match(text[0]!, /^function,file,line,module,cpu self \(nanoseconds\),/);
  assert.equal(text.length - 1, shown.length);
  for (const [index, line] of text.slice(1).entries()) {
    assert.ok(sameName(shown[index]!, line.slice(0, line.indexOf(','))), line);
  }
});

test('a function is found as it is written, and chosen in every view', async () => {
  const page = await openList(stage);
  await page.getByRole('searchbox', { name: 'Filter functions' }).fill('(*decoderState)');
  await eventually('methods of it alone', async () => {
    const shown = await names(page);
    return shown.length > 0 && shown.length < 10;
  });
  await page.getByRole('searchbox', { name: 'Filter functions' }).fill('PDQSORT');
  await page.getByText('No function matches.').waitFor();
  await page.getByRole('searchbox', { name: 'Filter functions' }).fill('pdqsort_func');
  await rows(page).first().click();
  await eventually('it is chosen', () => hashOf(page).has('fn'));
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByText('sort.pdqsort_func').first().waitFor();
  await page.getByRole('radio', { name: 'Flame graph' }).click();
  await flameOf(page);
  assert.ok(hashOf(page).has('fn'));
  await shoot(page, 'functions-lit');
});

test('details of a function follow what the table shows', async () => {
  const page = await openList(stage);
  const row = rows(page).filter({ hasText: 'mapaccess2_faststr' }).first();
  const details = page.getByRole('complementary', { name: 'Details' });
  const total = async () => (await row.locator('.cell.total').first().textContent())?.trim() ?? '';
  /** The details say the function and its total as the row does. */
  const agree = async (what: string) => {
    await row.waitFor();
    await eventually(what, async () => {
      const text = (await details.textContent()) ?? '';
      const value = (await total()).split(/\s{2,}|%/)[0]!.trim();
      return text.includes('mapaccess2_faststr') && value !== '' && text.includes(value);
    });
  };
  await row.click();
  await agree('it is chosen');
  await page.reload();
  await agree('it is chosen after a reload');
  const before = await total();
  const address = new URL(page.url());
  const filtered = new URLSearchParams(address.hash.slice(1));
  filtered.set('f', 'ignore:matchH2');
  await page.evaluate((hash) => (location.hash = hash), filtered.toString());
  await eventually('the row has another value', async () => (await total()) !== before);
  await agree('its value is that of the filter');
  await page.goBack();
  await eventually('the row has the value of before', async () => (await total()) === before);
  await agree('its value is the one of before');
});

test('details of a function follow swaps and scales of a comparison', async () => {
  const page = await openList(compared);
  const row = rows(page).filter({ hasText: 'main.summarize' }).first();
  const details = page.getByRole('complementary', { name: 'Details' });
  await row.click();
  await details.getByText('[-] smaller').first().waitFor();
  await page.getByRole('button', { name: 'Swap' }).click();
  await details.getByText('[+] larger').first().waitFor();
  await page.getByRole('button', { name: 'Scale: absolute' }).click();
  await page.getByRole('menuitemradio', { name: 'Equal main.summarize' }).click();
  await details.getByText('[=]').first().waitFor();
});

test('what changed has signs, sides and a verdict', async () => {
  const page = await openList(compared);
  assert.deepEqual(await heads(page), [
    'Function',
    'Change ▾',
    'Base',
    'New',
    'New / base',
    '95 % interval',
    'Verdict',
    'Change of self',
  ]);
  await shoot(page, 'changes');
  // All columns are in sight beside the panel, and nothing in them is cut.
  await page.getByRole('complementary', { name: 'Details' }).waitFor();
  const cut = await page.locator('.table .scroll').evaluate((list) => {
    const edge = list.getBoundingClientRect().left + list.clientWidth;
    return [...list.querySelectorAll('[role=columnheader], .cell')].flatMap((part) => {
      const text = document.createRange();
      text.selectNodeContents(part.querySelector('button') ?? part);
      const { left, right } = part.getBoundingClientRect();
      const shown = text.getBoundingClientRect();
      const fits = right <= edge + 1 && shown.left >= left && shown.right <= right;
      return fits || part.textContent === '' ? [] : [part.textContent];
    });
  });
  assert.deepEqual(cut, []);
  const cells = (row: number) => rows(page).nth(row).locator('.cell').allTextContents();
  const [change, base, now] = await cells(0);
  // Of the first rows the base has some two seconds, the new profile half of that.
  assert.match(change!, /^-[\d.]+ m?s-\d+(\.\d)? %$/);
  assert.match(base!, /^[\d.]+ s\d/);
  assert.match(now!, /^[\d.]+ m?s\d/);
  await page.getByRole('radio', { name: 'Grew' }).click();
  await eventually('growth alone, with its sign', async () => {
    const [first] = await cells(0);
    const tags = await page.locator('.table .row .tag').allTextContents();
    return first!.startsWith('+') && tags.every((tag) => tag !== '[-]' && tag !== '[D]');
  });
  assert.equal(await page.locator('.table .total .fill.fell').count(), 0);
  await page.getByRole('radio', { name: 'Fell' }).click();
  await eventually('what fell alone', async () => {
    const tags = await page.locator('.table .row .tag').allTextContents();
    return tags.length > 0 && tags.every((tag) => tag !== '[+]' && tag !== '[A]');
  });
  await eventually(
    'no growth',
    async () => (await page.locator('.total .fill.grew').count()) === 0,
  );
});

test('columns are sized, in lists of functions and in trees alike', async () => {
  const page = await stage.open('#view=table');
  const first = page.locator('.table .head > div').first();
  const second = page.locator('.table .head > div').nth(1);
  await page.locator('.table .row').first().waitFor();
  const width = async (of: typeof first) => Math.round((await of.boundingBox())!.width);
  const before = await width(second);
  await page.getByRole('separator', { name: 'Width of values' }).focus();
  await page.keyboard.press('ArrowRight');
  await eventually('wider values', async () => (await width(second)) > before);
  const edge = (await page.getByRole('separator', { name: 'Width of names' }).boundingBox())!;
  const names = await width(first);
  await page.mouse.move(edge.x, edge.y + 5);
  await page.mouse.down();
  await page.mouse.move(edge.x - 60, edge.y + 5, { steps: 3 });
  await page.mouse.up();
  await eventually('narrower names', async () => Math.abs((await width(first)) - names + 60) <= 2);
  const chosen = await width(first);
  await page.reload();
  await page.locator('.table .row').first().waitFor();
  assert.equal(await width(first), chosen);
  await page.getByRole('radio', { name: 'Tree' }).click();
  await page.locator('[role=treegrid] .row').first().waitFor();
  assert.equal(await width(first), chosen);
});

test('columns are put away and brought back, and that is remembered', async () => {
  const page = await openList(stage);
  const all = await heads(page);
  const put = async () => {
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemradio', { name: /^samples/ }).click();
  };
  await put();
  await eventually(
    'fewer columns',
    async () => !(await heads(page)).some((head) => head.startsWith('samples')),
  );
  await page.reload();
  await page.getByRole('grid', { name: 'Functions' }).getByRole('row').nth(1).waitFor();
  assert.ok(!(await heads(page)).some((head) => head.startsWith('samples')));
  await put();
  await eventually('all columns', async () => (await heads(page)).join() === all.join());
  await page.close();
});

test('what changed is sorted by what runs say, and saved with it', async () => {
  const page = await openList(compared);
  const verdicts = () => page.locator('.table .row .verdict small').allTextContents();
  const p = (text: string) => Number.parseFloat(text.replace(/^p (< )?/, ''));
  await page.getByRole('button', { name: 'Verdict' }).click();
  const isSorted = (values: readonly number[], up: boolean) =>
    values.every(
      (value, at) => at === 0 || (up ? values[at - 1]! <= value : values[at - 1]! >= value),
    );
  const told = async () => (await verdicts()).filter((text) => text !== '').map(p);
  await eventually('the surest first', async () => {
    const values = await told();
    return hashOf(page).get('sort') === 'verdict.0' && values.length > 3 && isSorted(values, true);
  });
  await page.getByRole('button', { name: 'Verdict' }).click();
  await eventually('the least sure first', async () => {
    const values = await told();
    return hashOf(page).get('sort') === 'verdict.0.r' && isSorted(values, false);
  });
  await page.getByRole('button', { name: '95 % interval' }).click();
  await eventually('by interval', () => hashOf(page).get('sort') === 'interval.0');
  await eventually('an interval without 0 is first', async () => {
    const text = (await page.locator('.table .row .interval').first().textContent()) ?? '';
    return /^-.+ to -|^\+.+ to \+/.test(text);
  });
  await shoot(page, 'changes-by-interval');
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Table as CSV' }).click(),
  ]);
  const [head = ''] = readFileSync((await download.path())!, 'utf8').split('\n');
  for (const column of ['(base)', '(new)', '(change)', '(ratio)', 'interval low', 'p,verdict']) {
    assert.ok(head.includes(column), `${column} in ${head}`);
  }
  // A tree has no verdicts.
  await page
    .getByRole('tab', { name: 'Tree' })
    .or(page.getByRole('radio', { name: 'Tree' }))
    .click();
  await rows(page).first().waitFor();
  assert.equal(await page.locator('.table .message').count(), 0);
});
