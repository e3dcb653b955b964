import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { exported, figure, misses, ready } from './accesses-page.ts';
import { eventually, hashOf, sample, type Stage, startStage, test } from './harness.ts';

const LOOPS = sample('jscop/gemm.jscop');
const GRAPH = sample('sdfg/square.sdfg');

/** What a slow reader checks: that nothing on the page is of another thing than it says. */
test.describe('what is told of accesses is what was asked', () => {
  let stage: Stage;
  test.beforeAll(async () => {
    stage = await startStage([LOOPS, GRAPH, sample('jscop/sequence.jscop')]);
  });
  test.afterAll(() => stage.close());

  const panel = (page: Page) => page.locator('.accesses-panel');
  const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

  test('each step of a chain is called what it does, and leads back to the one before', async () => {
    const page = await stage.open('#d=0&av=m:8,n:8,p:8');
    await ready(page);
    await tab(page, 'What if');
    const field = page.getByRole('textbox', { name: 'A change' });
    const chain = page.locator('.accesses-chain tbody');
    const told = async () =>
      (await chain.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    await eventually('it begins as it is', async () =>
      /^as it is 80/.test((await told())[0] ?? ''),
    );
    for (const change of ['permute MemRef_B 1,0', 'pad MemRef_A 16']) {
      await field.fill(change);
      await field.press('Enter');
      await chain.getByText(change, { exact: true }).waitFor();
    }
    const [first, second, third] = await told();
    assert.match(first ?? '', /^as it is 80 /);
    assert.match(second ?? '', /^permute MemRef_B 1,0\s*× \d+ [−+]\d/);
    assert.match(third ?? '', /^pad MemRef_A 16\s*× \d+ [−+]\d/);
    // What the status line tells is the last of them, and before all of them the first.
    await misses(page, Number(/× (\d+)/.exec(third ?? '')?.[1]));
    await page.getByRole('radio', { name: 'Before' }).click();
    await misses(page, 80);
    await tab(page, 'Numbers');
    await panel(page).getByText('Before all changes').waitFor();
    await tab(page, 'What if');
    await chain.getByText('as it is').waitFor();
    await page.getByRole('button', { name: 'Remove permute MemRef_B 1,0' }).click();
    await eventually('one is left', () => hashOf(page).get('aw') === 'pad MemRef_A 16');
    await page.goBack();
    await eventually(
      'both are there',
      () => hashOf(page).get('aw') === 'permute MemRef_B 1,0;pad MemRef_A 16',
    );
  });

  test('sums by cell are of the sizes and the cache that are shown', async () => {
    const page = await stage.open('#d=0&av=m:70,n:70,p:70&ao=misses');
    await page.getByText('too many to go through one by one').waitFor();
    const highest = async () =>
      (await page.locator('.accesses-ramp .number').allInnerTexts()).at(-1);
    // Without a cache that keeps a column of B, each row of A brings it anew.
    await eventually('by each of 70 rows', async () => (await highest()) === '70');
    await page.evaluate(() => {
      location.hash = location.hash.replace('m:70', 'm:80');
    });
    await eventually('by each of 80', async () => (await highest()) === '80');
    await page.evaluate(() => {
      location.hash += '&an=4096';
    });
    await eventually('once where all fits', async () => (await highest()) === '1');
    // Cells that wait for every access play nothing.
    await page.locator('.accesses-stage').click({ position: { x: 5, y: 5 } });
    await page.keyboard.press('Space');
    await page.waitForTimeout(500);
    assert.equal(hashOf(page).get('ap'), null);
  });

  test('a tip tells of all elements of its cell, and of one exactly', async () => {
    // Rows of 3000 elements are more than a picture has room for.
    const page = await stage.open('#d=0&av=m:2,n:1,p:3000&ao=distance&ad=min');
    await ready(page);
    const caption = figure(page, 'MemRef_A').locator('figcaption');
    await eventually('neighbours share cells', async () =>
      /a cell is 1 × \d+ elements/.test(await caption.innerText()),
    );
    const canvas = figure(page, 'MemRef_A').locator('canvas').last();
    await canvas.hover({ position: { x: 30, y: 1 } });
    const tip = page.getByRole('tooltip');
    assert.match(await tip.innerText(), /MemRef_A\[0, \d+–\d+\]/);
    assert.match(await tip.innerText(), /the least of the elements of the cell/);
    await page.getByRole('radio', { name: 'Accesses', exact: true }).click();
    await ready(page);
    await canvas.hover({ position: { x: 33, y: 1 } });
    await tip.getByText('all elements of the cell together').waitFor();
    const bin = Number(/1 × (\d+)/.exec(await caption.innerText())?.[1]);
    // Each of two iterations of the loop around reads it.
    await tip.getByText(`${2 * bin} accesses`, { exact: true }).waitFor();
    // One element: what it does, and what the overlay tells of others.
    await page.goto(`${stage.url}#d=0&av=m:4,n:4,p:4&ao=lines&ae=0.0:MemRef_A`);
    await page.reload();
    await ready(page);
    await canvas.hover({ position: { x: 60, y: 10 } });
    await tip.getByText('4 reads, 0 writes').waitFor();
    await tip.getByText('1 chosen element in the same line').waitFor();
  });

  test('captions count one thing as one, and what they count is what elements add up to', async () => {
    const page = await stage.open('#d=0&av=m:1,n:1,p:1');
    await ready(page);
    const caption = async (name: string) =>
      (await figure(page, name).locator('figcaption').innerText()).replace(/\s+/g, ' ');
    assert.match(await caption('MemRef_A'), /1 access · 1 line · 1 miss · 64 B/);
    await tab(page, 'Sizes and caches');
    await page.getByRole('button', { name: 'Replaced: LRU' }).getByText('LRU').waitFor();
    await page.goto(`${stage.url}#d=0&av=m:6,n:7,p:8&an=9`);
    await page.reload();
    await ready(page);
    const rows = await exported(page, 'Elements as CSV');
    for (const name of ['MemRef_A', 'MemRef_B', 'MemRef_C']) {
      const own = rows.filter((row) => row.container === name);
      const sum = (key: string) => own.reduce((all, row) => all + Number(row[key]), 0);
      const text = (await caption(name)).replaceAll(',', '');
      assert.ok(text.includes(`${sum('reads') + sum('writes')} accesses`), text);
      assert.ok(text.includes(`${sum('cold') + sum('capacity')} misses`), text);
    }
  });

  test('the iteration is scrubbed while it plays, and goes on from there', async () => {
    const page = await stage.open('#d=0&av=m:8,n:8,p:8');
    await ready(page);
    const total = Number((await page.locator('.accesses-count').innerText()).split(' of ')[1]);
    await page.getByRole('button', { name: 'Play' }).click();
    const scrub = page.getByRole('slider', { name: 'Iteration' });
    await eventually('it moves', async () => Number(await scrub.inputValue()) > 0);
    await scrub.fill(String(total - 40));
    await eventually('it goes on', async () => Number(await scrub.inputValue()) > total - 40);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    // What was under way for the screen comes yet.
    await eventually('the address has it', async () => {
      const [shown, told] = [await scrub.inputValue(), hashOf(page).get('ap')];
      return shown === told && shown === (await scrub.inputValue());
    });
    const at = Number(await scrub.inputValue());
    assert.ok(at > total - 40 && at < total, `${at} of ${total}`);
    // An address beyond the last one is at the last one, in the picture, too.
    await page.goto(`${stage.url}#d=0&av=m:3,n:3,p:3&ap=99999`);
    await page.reload();
    await ready(page);
    await page.getByText(/^(\d+) of \1$/).waitFor();
    const isMarked = () =>
      figure(page, 'MemRef_C')
        .locator('canvas')
        .last()
        .evaluate((canvas: HTMLCanvasElement) =>
          canvas
            .getContext('2d')!
            .getImageData(0, 0, canvas.width, canvas.height)
            .data.some((one) => one > 0),
        );
    await eventually('what it writes is marked', isMarked);
  });

  test('before and after changes the same iteration is marked', async () => {
    const page = await stage.open(
      '#d=0&av=m:4,n:4,p:4&ap=24&ab=both&aw=permute%20MemRef_B%201,0;order%20i1,i0',
    );
    await ready(page);
    const marked = (index: number) =>
      figure(page, 'MemRef_C')
        .nth(index)
        .locator('canvas')
        .last()
        .evaluate((canvas: HTMLCanvasElement) => {
          const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
          const first = data.findIndex((one) => one > 0) >> 2;
          return first < 0 ? '' : `${first % canvas.width} ${Math.floor(first / canvas.width)}`;
        });
    await eventually('something is written', async () => (await marked(1)) !== '');
    assert.equal(await marked(0), await marked(1));
  });

  test('every error has a way out', async () => {
    const ways = [
      ['av=m:1000000000000', 'Suggested sizes'],
      ['al=48', 'Lines of 64 bytes'],
      ['ak=24K:3&ar=plru', 'A cache without sets'],
      ['ak=100', 'A cache without sets'],
      ['ak=1K:2,4K:2&ai=exclusive&ah=static:2&aj=1', 'Threads that share caches'],
      ['ak=1K:2,4K:2&ai=exclusive&ah=static:2&aj=1', 'Levels that keep whatever was not replaced'],
      ['ah=bogus', 'One thread'],
      ['aw=tile%20sing%203', 'Undo tile sing 3'],
    ] as const;
    const page = await stage.open('#d=0');
    await ready(page);
    for (const [hash, way] of ways) {
      await page.evaluate((text) => {
        location.hash = text;
      }, `#d=0&${hash}`);
      const alert = page.locator('.accesses-containers[role=alert]');
      await alert.waitFor();
      await panel(page).getByText('There are no numbers').waitFor();
      await alert.getByRole('button', { name: way }).click();
      await ready(page);
      assert.equal(await alert.count(), 0, way);
    }
    await page.evaluate(() => {
      location.hash = '#d=1&as=999999';
    });
    await page.getByRole('button', { name: 'Back to the graph' }).click();
    await page.locator('.graph-canvas canvas').first().waitFor();
  });

  test('tables end where nobody reads them, and say so', async () => {
    const page = await stage.open('#d=0&av=m:2,n:1,p:2');
    await ready(page);
    const sums = await exported(page, 'Sums as CSV');
    assert.deepEqual([...new Set(sums.map((row) => row.of))], ['all', 'container', 'place']);
    for (const row of sums)
      assert.equal(row.lines === '', row.of === 'place', `${row.of} ${row.name}`);
    // Few accesses of rows that are long.
    await page.goto(`${stage.url}#d=2&ao=misses`);
    await page.reload();
    await ready(page);
    await page.goto(`${stage.url}#d=0&av=m:70,n:70,p:70`);
    await page.reload();
    await page.getByText('too many to go through one by one').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Accesses as CSV' }).click();
    await page.getByText('Single accesses are listed at smaller sizes.').waitFor();
  });

  test('rules in force are said, whichever they are', async () => {
    const page = await stage.open('#d=0&av=m:8,n:8,p:8');
    await ready(page);
    const said = panel(page).locator('h2 + p');
    const saying = (what: string, text: string) =>
      eventually(what, async () => (await said.innerText()).includes(text));
    await saying('as usual', 'One thread, a write that combines counts once, each container on');
    await page.evaluate(() => {
      location.hash +=
        '&ak=512:2,2K:4&ar=fifo&ai=inclusive&ax=packed.combining.around&ah=static:4&aj=1';
    });
    await saying(
      'caches',
      'Cache: 512:2, 2K:4 (FIFO, inclusive, L1 of each thread, writes that miss',
    );
    await saying('runs', 'Threads: static:4, a write that combines reads first, containers packed');
    await panel(page).getByText('each have their own first level').waitFor();
    await page.evaluate(() => {
      location.hash += '&ag=3~5';
    });
    await panel(page).getByText('elements tell iterations 4 to 6 alone').waitFor();
    // Distances and misses are of threads: elements still add up to what the engine counts.
    await page.evaluate(() => {
      location.hash = location.hash.replace('&ag=3~5', '');
    });
    await ready(page);
    const rows = await exported(page, 'Elements as CSV');
    const sum = (key: string) => rows.reduce((all, row) => all + Number(row[key]), 0);
    const [all] = await exported(page, 'Sums as CSV');
    for (const key of ['cold', 'capacity', 'conflict']) {
      assert.equal(sum(key), Number(all?.[key]), key);
    }
  });

  test('the number of lines is no choice while sets are given; keys choose each number of them', async () => {
    const page = await stage.open('#d=0&av=m:8,n:8,p:8&an=10');
    await ready(page);
    await tab(page, 'Sizes and caches');
    const slider = page.getByRole('slider', { name: /^Lines of the cache/ });
    await slider.focus();
    for (const lines of ['9', '8', '7']) {
      await page.keyboard.press('ArrowLeft');
      await eventually(`${lines} lines`, () => hashOf(page).get('an') === lines);
    }
    await page.evaluate(() => {
      location.hash += '&ak=1K:2';
    });
    await page.getByText('Fully associative: not while 1K:2 is given below').waitFor();
    assert.ok(await slider.isDisabled());
    // Nor does the curve take the sets away.
    await tab(page, 'Numbers');
    await page.locator('.accesses-curve svg').click();
    await page.waitForTimeout(400);
    assert.equal(hashOf(page).get('ak'), '1K:2');
  });

  test('a long simulation is stopped once, and what nobody looks at is not begun', async () => {
    const page = await stage.open('#d=0&av=m:3000,n:3000,p:3000&ak=32K:8&aw=tile%20i0,i1%207,5');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('This was stopped.').first().waitFor();
    await page.waitForTimeout(1000);
    assert.equal(await page.getByRole('button', { name: 'Stop' }).count(), 0);
    await page.getByRole('button', { name: 'Suggested sizes' }).click();
    await ready(page);
  });

  test('a variant is the change that was simulated, whatever was chosen before it', async () => {
    const page = await stage.open('#d=0&av=m:8,n:8,p:8');
    await ready(page);
    await tab(page, 'What if');
    await page.getByRole('button', { name: 'At these sizes' }).click();
    const variants = page.locator('.accesses-variants button:enabled');
    await variants.first().waitFor();
    for (const at of [0, 1]) {
      const [count = '', change = ''] = (await variants.nth(at).innerText()).split(/\s(.*)/s);
      await variants.nth(at).click();
      await eventually('it alone is made', () => {
        return hashOf(page).get('aw') === change.trim().split('; ').join(';');
      });
      await misses(page, Number(count.replaceAll(',', '')));
    }
    await page.getByText('Misses at the sizes that were shown').waitFor();
    await page.evaluate(() => {
      location.hash = location.hash.replace('m:8', 'm:9');
    });
    await page.getByText('have changed since').waitFor();
  });
});
