import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { exported, figure, misses, ready } from './accesses-page.ts';
import { corpus } from './corpus.ts';
import { eventually, hashOf, sample, shoot, type Stage, startStage, test } from './harness.ts';

const LOOPS = sample('jscop/gemm.jscop');
const GRAPH = sample('sdfg/square.sdfg');

/** Distances of lines, worked out by a list that is searched. */
function distancesOf(lines: readonly number[]): readonly (number | undefined)[] {
  const stack: number[] = [];
  return lines.map((line) => {
    const at = stack.indexOf(line);
    if (at >= 0) stack.splice(at, 1);
    stack.unshift(line);
    return at < 0 ? undefined : at;
  });
}

test.describe('accesses of loops of C', () => {
  let stage: Stage;
  test.beforeAll(async () => {
    stage = await startStage([LOOPS, GRAPH]);
  });
  test.afterAll(() => stage.close());

  test('every access, its distance and its miss are those of a list', async () => {
    const page = await stage.open('#d=0&av=m:5,n:6,p:7&an=4');
    await ready(page);
    assert.equal(await page.locator('.accesses-container').count(), 3);
    const rows = await exported(page, 'Accesses as CSV');
    // Zeroes, and a read of each operand, a read and a write of the sum, for each product.
    assert.ok(rows.length > 5 * 6 * 7 * 3, `${rows.length} accesses`);
    const known = distancesOf(rows.map((row) => Number(row.line)));
    let missed = 0;
    rows.forEach((row, at) => {
      const distance = known[at];
      assert.equal(row.distance, distance === undefined ? '' : String(distance), `access ${at}`);
      const miss = distance === undefined ? 'cold' : distance >= 4 ? 'capacity' : '';
      assert.equal(row.miss, miss, `access ${at}`);
      missed += miss === '' ? 0 : 1;
    });
    await misses(page, missed);
    // Each element adds them up.
    const elements = await exported(page, 'Elements as CSV');
    const sum = (name: string) => elements.reduce((all, row) => all + Number(row[name]), 0);
    assert.equal(sum('cold') + sum('capacity'), missed);
    assert.equal(sum('reads') + sum('writes'), rows.length);
    // Another threshold is counted at once, and right.
    await page.evaluate(() => {
      location.hash = location.hash.replace('an=4', 'an=2');
    });
    await misses(page, known.filter((one) => one === undefined || one >= 2).length);
    await shoot(page, 'accesses-loops');
  });

  test('iterations are stepped through, played and set loop by loop', async () => {
    const page = await stage.open('#d=0&av=m:3,n:3,p:3');
    await ready(page);
    await page.locator('.accesses-stage').click({ position: { x: 5, y: 5 } });
    await page.keyboard.press('.');
    await page.keyboard.press('.');
    await eventually('the second iteration is lit', () => hashOf(page).get('ap') === '1');
    const inner = page.getByRole('slider', { name: /^Loop / }).last();
    await inner.fill('2');
    await eventually('the loop is moved', async () => (await inner.inputValue()) === '2');
    await page.getByRole('button', { name: /iterations a second$/ }).click();
    await page.getByRole('menuitemradio', { name: '1000 a second' }).click();
    await page.getByRole('button', { name: 'Play' }).click();
    const count = page.locator('.accesses-count');
    await eventually('it has come to its end', async () => {
      const [at, of] = ((await count.textContent()) ?? '').split(' of ');
      return at !== undefined && at === of;
    });
    await page.getByRole('button', { name: 'Play' }).waitFor();
    // What was before an iteration is counted alone.
    await page
      .getByRole('button', { name: 'First iteration' })
      .or(page.getByTitle('First'))
      .first()
      .click();
    await page.getByRole('button', { name: /^Count…/ }).click();
    await page.getByRole('menuitem', { name: 'This one alone' }).click();
    await eventually('the range is in the address', () => hashOf(page).get('ag') === '0~0');
    const rows = await exported(page, 'Elements as CSV');
    const told = rows.reduce((sum, row) => sum + Number(row.reads) + Number(row.writes), 0);
    assert.ok(told > 0 && told < 10, `${told} accesses in one iteration`);
  });

  test('changes are made, told beside each other, undone, and refused with the reason', async () => {
    const page = await stage.open('#d=0&av=m:8,n:8,p:8');
    await ready(page);
    await page.getByRole('tab', { name: 'What if' }).click();
    const field = page.getByRole('textbox', { name: 'A change' });
    await field.fill('permute MemRef_B 1,0');
    await field.press('Enter');
    const chain = page.locator('.accesses-chain tbody');
    await eventually('two steps are told', async () => (await chain.count()) === 2);
    await page.getByRole('radio', { name: 'Both' }).click();
    await eventually('each stands there twice', async () => {
      return (await page.locator('.accesses-container').count()) === 6;
    });
    await shoot(page, 'accesses-both');
    await page.getByRole('button', { name: 'Undo the last' }).click();
    await eventually('it is as it was', () => hashOf(page).get('aw') === null);
    await field.fill('tile sing 3');
    await field.press('Enter');
    const alert = page.locator('.accesses-containers[role=alert]');
    await alert.waitFor();
    assert.match((await alert.textContent()) ?? '', /sing/);
    await alert.getByRole('button', { name: /^Undo/ }).click();
    await ready(page);
  });

  test('an address tells all of it, and opens again', async () => {
    const hash =
      '#d=0&av=m:4,n:4,p:4&al=32&an=6&ao=lines&ae=5:MemRef_A&ap=3&ay=cividis&aw=pad%20MemRef_A%208';
    const page = await stage.open(hash);
    await ready(page);
    await page.getByRole('button', { name: '1 chosen' }).waitFor();
    await eventually('the iteration is told', async () =>
      ((await page.locator('.accesses-count').textContent()) ?? '').startsWith('4 of'),
    );
    await page.reload();
    await ready(page);
    assert.deepEqual(
      [...hashOf(page).entries()].sort(),
      [...new URLSearchParams(hash.slice(1)).entries()].sort(),
    );
  });

  test('more accesses than can be gone through are told in sum', async () => {
    const page = await stage.open('#d=0&av=m:70,n:70,p:70');
    await page.getByText('too many to go through one by one').waitFor();
    await page.locator('.accesses-ramp').waitFor();
    await page.getByRole('radio', { name: 'Related' }).click();
    await page.getByText('This is computed at smaller sizes').first().waitFor();
  });

  test('sizes beyond all bounds are refused with what they would need', async () => {
    const page = await stage.open('#d=0&av=m:1000000000000');
    const alert = page.locator('.accesses-containers[role=alert]');
    await alert.waitFor();
    assert.match((await alert.textContent()) ?? '', /\d/);
  });

  test('from a graph to its accesses and back, where it was', async () => {
    const page = await stage.open('#d=1');
    await page.locator('.graph-canvas canvas').first().waitFor();
    await page.getByRole('button', { name: 'Look at its accesses' }).click();
    await ready(page);
    assert.equal(hashOf(page).get('as'), 'all');
    await page.getByRole('button', { name: 'Graph', exact: false }).first().click();
    await page.locator('.graph-canvas canvas').first().waitFor();
    assert.equal(hashOf(page).get('as'), null);
    await page.goBack();
    await ready(page);
  });
});

/** The figures of Schaad et al. (SC 2022), from graphs that DaCe made. */
test.describe('the figures of the paper', () => {
  const FILES = ['matmul_bcol', 'outer_product', 'conv3d', 'hdiff_fused'];
  const files = FILES.map((name) => corpus('accesses', `sdfg/dace-1.0.2/${name}.sdfg`));
  const found = files.filter((file) => file !== undefined);
  let stage: Stage | undefined;
  test.beforeAll(async () => {
    if (found.length === FILES.length) stage = await startStage(found);
  });
  test.afterAll(() => stage?.close());
  const open = async (hash: string): Promise<Page | undefined> => {
    if (stage === undefined) return undefined;
    const page = await stage.open(hash);
    await ready(page);
    return page;
  };
  const SIZES = 'av=M:9,N:15,K:10';

  test('5a: the lines of three elements show three layouts', async () => {
    const page = await open(`#d=0&as=all&${SIZES}&ao=lines&ae=0:A,1:B,134:C`);
    if (page === undefined) return;
    await page.getByText('3 chosen').waitFor();
    // The pictures themselves: how many cells are in the colour of a line.
    const lit = (name: string) =>
      figure(page, name)
        .locator('canvas')
        .first()
        .evaluate((canvas: HTMLCanvasElement) => {
          const plane = canvas.parentElement!;
          const scale = canvas.width / Number.parseFloat(plane.style.width);
          const context = canvas.getContext('2d')!;
          const none = getComputedStyle(document.documentElement)
            .getPropertyValue('--access-none')
            .trim();
          const side = 24 * scale;
          let count = 0;
          for (let y = side / 2; y < canvas.height; y += side) {
            for (let x = side / 2; x < canvas.width; x += side) {
              const [red, green, blue] = context.getImageData(x, y, 1, 1).data;
              const hex = [red, green, blue].map((one) => one!.toString(16).padStart(2, '0'));
              if (`#${hex.join('')}` !== none) count += 1;
            }
          }
          return count;
        });
    assert.deepEqual([await lit('A'), await lit('B'), await lit('C')], [16, 16, 7]);
    await shoot(page, 'accesses-paper-5a');
  });

  test('5b: A[3, 6] has one cold miss in lines of 32 bytes, of elements of 8', async () => {
    const wide = ['A', 'B', 'C'].map((name) => `element ${name} 8`).join(';');
    const page = await open(
      `#d=0&as=all&${SIZES}&al=32&ao=distance&aw=${encodeURIComponent(wide)}`,
    );
    if (page === undefined) return;
    const rows = await exported(page, 'Elements as CSV');
    const own = rows.find((row) => row.container === 'A' && row.indices === '3 6');
    assert.deepEqual([own?.reads, own?.cold, own?.minimum, own?.maximum], ['15', '1', '5', '6']);
    await shoot(page, 'accesses-paper-5b');
  });

  test('4b: how often the elements of a convolution are accessed', async () => {
    const page = await open('#d=2&as=all&av=CO:2,CI:3,H:9,W:9,KH:4,KW:4');
    if (page === undefined) return;
    const rows = await exported(page, 'Elements as CSV');
    const counts = new Map<string, Set<string>>();
    for (const row of rows) {
      const own = counts.get(row.container!) ?? new Set();
      counts.set(row.container!, own.add(String(Number(row.reads) + Number(row.writes))));
    }
    assert.ok(counts.size >= 3, [...counts.keys()].join(', '));
    const told = [...counts.values()].map((own) => [...own].map(Number).sort((a, b) => a - b));
    assert.ok(
      told.some((own) => own.length === 1 && own[0] === 36),
      JSON.stringify(told),
    );
    assert.ok(
      told.some((own) => own.length === 1 && own[0] === 48),
      JSON.stringify(told),
    );
    assert.ok(
      told.some((own) => own[0] === 2 && own.at(-1) === 32),
      JSON.stringify(told),
    );
    await shoot(page, 'accesses-paper-4b');
  });

  test('keys go along each of four dimensions of a convolution', async () => {
    const page = await open('#d=2&as=all&av=CO:2,CI:3,H:9,W:9,KH:4,KW:4');
    if (page === undefined) return;
    const four = page.locator('.accesses-container', { hasText: /\[\d+, \d+, \d+, \d+\]/ }).first();
    const plane = four.getByRole('application');
    assert.match((await plane.getAttribute('aria-label')) ?? '', /with Shift in outer dimensions/);
    await plane.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Element' }).click();
    const name = (await four.locator('figcaption b').innerText()).trim();
    const title = page.locator('.accesses-panel h2');
    const known = [
      ['ArrowRight', '0, 0, 0, 1'],
      ['ArrowDown', '0, 0, 1, 1'],
      ['Shift+ArrowRight', '0, 1, 1, 1'],
      ['Shift+ArrowDown', '1, 1, 1, 1'],
      ['ArrowLeft', '1, 1, 1, 0'],
      ['ArrowLeft', '1, 1, 1, 0'],
      ['Shift+ArrowUp', '0, 1, 1, 0'],
      ['PageDown', '1, 1, 1, 0'],
      ['PageUp', '0, 1, 1, 0'],
    ] as const;
    await plane.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    for (const [key, indices] of known) {
      await page.keyboard.press(key);
      await title.getByText(`${name}[${indices}]`, { exact: true }).waitFor();
    }
    await page.keyboard.press('Enter');
    await eventually('it is chosen', () => hashOf(page).get('ae') === `0.1.1.0:${name}`);
  });

  test('4c: what is related to several elements stacks up', async () => {
    const page = await open('#d=1&as=all&av=M:5,N:4&ao=related&ae=12:C,13:C,14:C');
    if (page === undefined) return;
    const legend = page.getByRole('group', { name: 'Legend' });
    await eventually('three iterations read one element', async () =>
      ((await legend.textContent()) ?? '').includes('3'),
    );
    await shoot(page, 'accesses-paper-4c');
  });

  test('7 and 8: reshape, reorder, pad; small and full sizes disagree about the first', async () => {
    const page = await open('#d=3&as=all&av=I:8,J:8,K:5&aq=I:256,J:256,K:160&ao=misses');
    if (page === undefined) return;
    await page.getByRole('tab', { name: 'What if' }).click();
    await page.getByRole('checkbox', { name: /At full size/ }).click();
    const field = page.getByRole('textbox', { name: 'A change' });
    const known = [
      ['permute in_field 2,0,1', '2,000', '65,536,000'],
      ['order k,i,j', '594', '27,627,840'],
      ['pad in_field 16', '765', ''],
    ] as const;
    await page.locator('.accesses-chain').getByText('3,836').waitFor();
    await page.locator('.accesses-chain').getByText('9,216,000').waitFor();
    for (const [change, small, full] of known) {
      await field.fill(change);
      await field.press('Enter');
      await page.locator('.accesses-chain').getByText(small, { exact: false }).waitFor();
      if (full !== '') await page.locator('.accesses-chain').getByText(full).waitFor();
    }
    await page.getByText('Small and full sizes disagree').waitFor();
    await misses(page, 765);
    await shoot(page, 'accesses-paper-8');
  });
});
