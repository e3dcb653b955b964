import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { corpus } from './corpus.ts';
import {
  eventually,
  flameOf,
  IS_STATIC,
  REPOSITORY,
  type Stage,
  sample,
  shoot,
  startStage,
  test,
} from './harness.ts';

/** What a reader of docs/walks.md does: every click, key and typed text is counted. */
interface Hand {
  readonly page: Page;
  key(key: string): Promise<void>;
  click(place: Locator, position?: { x: number; y: number }): Promise<void>;
  choose(list: Locator, label: string): Promise<void>;
  type(text: string): Promise<void>;
  steps(): number;
}

function handOn(page: Page): Hand {
  let steps = 0;
  return {
    page,
    async key(key) {
      steps++;
      await page.keyboard.press(key);
    },
    async click(place, position) {
      steps++;
      await place.click(position === undefined ? {} : { position });
    },
    async choose(list, label) {
      steps++;
      await list.selectOption({ label });
    },
    async type(text) {
      steps++;
      await page.keyboard.type(text);
    },
    steps: () => steps,
  };
}

/** How many steps docs/walks.md says that a walk has. */
function toldSteps(heading: string): number {
  const text = readFileSync(path.join(REPOSITORY, 'docs/walks.md'), 'utf8');
  const section = text.split(/^## /m).find((one) => one.startsWith(`${heading}\n`));
  const [, told] = section?.match(/^\*\*Steps:\*\* (\d+)/m) ?? [];
  assert.ok(told !== undefined, `docs/walks.md tells no steps of ${heading}`);
  return Number(told);
}

interface Walk {
  /** Its heading in docs/walks.md. */
  readonly heading: string;
  readonly files: readonly string[];
  readonly options?: readonly string[];
  /** What of it only a server can do. */
  readonly leftOut?: number;
  go(hand: Hand): Promise<void>;
}

async function walk({ heading, files, options, leftOut, go }: Walk) {
  const stage: Stage = await startStage(files, ['open', ...(options ?? [])]);
  try {
    // As the program's address has it.
    const page = await stage.open(files.length > 1 && !IS_STATIC ? '#together' : '');
    await flameOf(page);
    const hand = handOn(page);
    const start = performance.now();
    await go(hand);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const description = `${hand.steps()} steps, ${seconds} s by a machine`;
    test.info().annotations.push({ type: heading, description });
    assert.equal(hand.steps() + (IS_STATIC ? (leftOut ?? 0) : 0), toldSteps(heading));
  } finally {
    await stage.close();
  }
}

const row = (page: Page, number: number) => page.locator('.table .row').nth(number);
const details = (page: Page) => page.getByRole('complementary', { name: 'Details' });
const menu = (page: Page, name: RegExp) => page.getByRole('button', { name });

/** A row of the list of functions: its name, and its values and shares in the order of columns. */
async function shown(page: Page, number: number) {
  const one = row(page, number);
  const name = (await one.locator('.name').getAttribute('title'))?.split('\n')[0];
  return [name, ...(await one.locator('.cell').allTextContents())];
}

/** Waits until a row of the list begins with these. */
async function expectRow(page: Page, number: number, ...wanted: readonly string[]) {
  let seen: readonly (string | undefined)[] = [];
  await eventually(`row ${number + 1} is ${wanted.join(', ')}`, async () => {
    if ((await page.locator('.table .row').count()) <= number) return false;
    seen = await shown(page, number);
    return wanted.every((text, at) => seen[at] === text);
  }).catch((error: unknown) => {
    throw new Error(`${error}; it is ${seen.join(', ')}`);
  });
}

/** Waits until a frame of a flame graph is told like this. */
async function expectFrame(flame: Locator, wanted: string) {
  await eventually(wanted, async () =>
    (await flame.locator('[role=treeitem]').allTextContents()).some((text) =>
      text.startsWith(wanted),
    ),
  );
}

/** Waits until the panel has an entry of these words, which stand on lines of their own. */
async function expectDetails(page: Page, wanted: RegExp) {
  await eventually(`${wanted} in the panel`, async () =>
    wanted.test(await details(page).innerText()),
  );
}

test('walk: the hottest function, who calls it, and the line', () =>
  walk({
    heading: '1. A hotspot',
    files: [sample('runs/before-1.pb.gz')],
    options: ['--source', sample('runs/record/before')],
    leftOut: 1,
    async go(hand) {
      const { page } = hand;
      await hand.key('5');
      // `go tool pprof -top`: 1152ms 51.43% memeqbody, of 2240ms.
      await expectRow(page, 0, 'memeqbody', '1.15 s51.4 %');
      await hand.click(row(page, 0));
      await hand.key('o');
      // `go tool pprof -peek memeqbody`: 1148ms 99.65% of it from main.(*page).addVisitor.
      const callers = page.getByRole('tree', { name: 'Callers' });
      await expectFrame(callers, 'main.(*page).addVisitor, 1.15 s, 99.7 % of all');
      const { height } = (await callers.boundingBox())!;
      await hand.click(callers, { x: 100, y: height - 41 });
      await details(page).getByRole('heading', { name: 'main.(*page).addVisitor' }).waitFor();
      if (IS_STATIC) return;
      await hand.key('e');
      // `go tool pprof -list addVisitor`: 124ms 1.37s of line 42; its samples are 1368 of 2240 ms.
      const line = page.getByRole('dialog').locator('.source-line.marked');
      // Its values come a moment after the text.
      await line.locator('[role=gridcell]').nth(2).waitFor();
      const cells = await line.locator('[role=gridcell], [role=rowheader]').allInnerTexts();
      assert.match(cells[0]!, /^124 ms/);
      assert.match(cells[1]!, /^1\.37 s\s*61\.1 %/);
      assert.equal(cells[2], '42');
      assert.match(cells[3]!, /if known == visitor \{/);
      await shoot(page, 'walk-hotspot');
    },
  }));

test('walk: what allocates, and what collecting it costs', () =>
  walk({
    heading: '2. Allocations and garbage collection',
    files: [sample('jfr/plain.jfr')],
    async go(hand) {
      const { page } = hand;
      await hand.click(menu(page, /^Metric/));
      const metric = { name: /^jdk\.ObjectAllocationSample weight/ };
      await hand.click(page.getByRole('menuitemradio', metric));
      await hand.key('5');
      // `jfr print --json --events jdk.ObjectAllocationSample`, summed up by the first frame:
      // smelt 195,775,928 of 215,476,208 bytes, which is 186.7 MiB and 90.86 %.
      await expectRow(page, 0, 'Smithy.smelt(int)', '187 MiB90.9 %');
      await hand.click(row(page, 0));
      // The same, by class, of the stacks with smelt: byte[] 195,775,928 of 196,145,784 bytes.
      await expectDetails(page, /byte\[\]\n99\.8 %/);
      await expectDetails(page, /Called from\nSmithy\.work\(long\)\n100\.0 %/);
      await hand.key('9');
      await hand.click(page.getByRole('radio', { name: 'Spans', exact: true }));
      const pauses = page
        .locator('.happenings tbody tr')
        .filter({ hasText: 'jdk.GarbageCollection' });
      await pauses.waitFor();
      // `jfr print --json --events jdk.GarbageCollection`: 9 events of 30.878077 ms in all, the
      // median of which is 3.719904 ms and the longest 4.130360 ms, a `G1 Evacuation Pause`.
      const numbers = await pauses.locator('td.number').allInnerTexts();
      assert.deepEqual(numbers.slice(0, 4), ['30.88 ms', '–', '9', '3.72 ms']);
      assert.equal(numbers[5], '4.13 ms');
      await hand.click(pauses.getByRole('button', { name: 'longest' }));
      const panel = page.locator('.span-panel');
      await panel.waitFor();
      const text = await panel.innerText();
      assert.match(text, /lasts\s4\.13036 ms/);
      assert.match(text, /cause\sG1 Evacuation Pause/);
      await shoot(page, 'walk-allocations');
    },
  }));

test('walk: which lock is waited for, and who holds it', () =>
  walk({
    heading: '3. A lock',
    files: [sample('pprof/block.pb.gz'), sample('pprof/mutex.pb.gz')],
    leftOut: 1,
    async go(hand) {
      const { page } = hand;
      const callers = page.getByRole('tree', { name: 'Callers' });
      if (!IS_STATIC) await hand.click(page.getByRole('button', { name: 'One by one' }));
      await hand.key('5');
      // `go tool pprof -top block.pb.gz`: 7779.23ms 56.54% sync.(*Mutex).Lock, of 13758.79ms.
      await expectRow(page, 0, 'sync.(*Mutex).Lock', '7.78 s56.5 %');
      await hand.click(row(page, 0));
      await hand.key('o');
      // `-peek 'Mutex..Lock'`: 7044.65ms 90.56% from Add, 734.56ms 9.44% from Best.
      await expectFrame(callers, 'orderdesk/report.(*Ledger).Add, 7.04 s, 90.6 % of all');
      await expectFrame(callers, 'orderdesk/report.(*Ledger).Best, 735 ms, 9.4 % of all');
      await hand.click(menu(page, /^Document/));
      await hand.click(page.getByRole('menuitemradio', { name: 'mutex.pb.gz' }));
      const functions = page.getByRole('navigation', { name: 'Functions' });
      await hand.click(functions.getByRole('button', { name: /^sync\.\(\*Mutex\)\.Unlock/ }));
      // `-peek 'Mutex..Unlock' mutex.pb.gz`: 6190797.51us 99.67% from Best, of 6211340.83us.
      await expectFrame(callers, 'sync.(*Mutex).Unlock, 6.21 s, 100.0 % of all');
      await expectFrame(callers, 'orderdesk/report.(*Ledger).Best, 6.19 s, 99.7 % of all');
      await shoot(page, 'walk-lock');
    },
  }));

test('walk: what is never given back', () =>
  walk({
    heading: '4. A leak',
    files: [sample('memory/exact.memory')],
    async go(hand) {
      const { page } = hand;
      await hand.key('5');
      // By pantry.py, `feast` holds 20 bytearrays of 400,000 bytes at the peak: 7.63 MiB.
      await expectRow(page, 0, '<listcomp> pantry.py:21', '7.63 MiB63.8 %');
      await hand.click(menu(page, /^Metric/));
      await hand.click(page.getByRole('menuitemradio', { name: /^leaked/ }));
      // In CPython 3.8 `bytes(n)` takes n + 33 bytes, so that what `fill` appends to a list that
      // is never emptied is 300 × 10,033 + 100 × 20,033 (thread) + 50 × 30,033 (child), which is
      // 6,514,850 bytes or 6.21 MiB; 69.25 % of that below <module>, 30.75 % on the thread.
      await expectRow(page, 0, 'fill', '6.21 MiB67.0 %');
      await hand.click(row(page, 0));
      await expectDetails(page, /pantry\.py:12\n6\.21 MiB/);
      await expectDetails(page, /<module> pantry\.py\n\+69\.3 %\nrun\n\+30\.7 %/);
      await hand.key('F');
      await hand.choose(page.getByRole('combobox', { name: 'Kind of filter' }), 'Time');
      await hand.click(page.getByLabel('Pattern'));
      await hand.type('0ms..100ms');
      await hand.key('Enter');
      // While `feast` sleeps, its bytearrays are held, and 300 × 10,033 bytes, 2.87 MiB, of `fill`.
      await expectRow(page, 0, '<listcomp> pantry.py:21', '7.63 MiB72.5 %');
      await expectRow(page, 1, 'fill', '2.87 MiB27.3 %');
      await shoot(page, 'walk-leak');
    },
  }));

test('walk: what stays, of 245 snapshots', async () => {
  const snapshots = corpus('a leak among snapshots', 'ezview/fig4_memory_flow.ezview');
  if (snapshots === undefined) return;
  await walk({
    heading: '5. A leak among snapshots',
    files: [snapshots],
    async go(hand) {
      // The figures are those of a reader of the file's bytes that was written for this alone.
      const { page } = hand;
      await expectDetails(page, /Outliers\nsnapshot 245\n98\.6 GiB/);
      await hand.key('F');
      await hand.choose(page.getByRole('combobox', { name: 'Kind of filter' }), 'Not label');
      await hand.click(page.getByLabel('Pattern'));
      await hand.type('member=^snapshot 245$');
      await hand.key('Enter');
      // 869.8 of 968.4 GiB are in the other 244.
      await eventually('its share is told', async () =>
        (await page.locator('.chip').innerText()).includes('keeps 89.8 %'),
      );
      await hand.key('5');
      await hand.click(menu(page, /^Metric/));
      await hand.click(page.getByRole('menuitem', { name: 'What is left at the end' }));
      // Of snapshot 244, by the first frame: 946.7, 504.4 and 315.6 MiB.
      const transport = 'google.golang.org/grpc/internal/transport.newBufWriter';
      await expectRow(page, 0, transport, '947 MiB');
      await expectRow(page, 1, 'bufio.NewReaderSize', '504 MiB');
      await expectRow(page, 2, 'runtime.malg', '316 MiB');
      await hand.click(menu(page, /^Metric/));
      await hand.click(page.getByRole('menuitemradio', { name: 'What keeps growing' }));
      // Lines of least squares through snapshots 1 to 244 rise by 650.2 and 115.6 KiB. Of all pairs
      // of snapshots Mann and Kendall's sum is 14,139 for runtime.malg, -9,924 for newBufWriter.
      await expectRow(page, 0, 'runtime.malg', '650 KiB');
      await expectRow(page, 1, 'main.main', '116 KiB');
      await shoot(page, 'walk-snapshots');
    },
  });
});
