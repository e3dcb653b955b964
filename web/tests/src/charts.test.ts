import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import {
  binary,
  eventually,
  flameOf,
  hashOf,
  sample,
  shoot,
  type Stage,
  startStage,
  test,
} from './harness.ts';

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([sample('recursion/recurse.trace.json'), sample('pprof/cpu.pb.gz')]);
});
test.afterAll(() => stage.close());

async function scatterOf(page: Page) {
  const picture = page.locator('[data-scope=charts]');
  await picture.locator('circle[data-key]').first().waitFor({ state: 'attached' });
  const box = await picture.boundingBox();
  assert.ok(box !== null);
  return { picture, ...box };
}

interface Circle {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly opacity: number;
}

async function circles(page: Page): Promise<Circle[]> {
  const names = ['data-key', 'cx', 'cy', 'r', 'fill-opacity'];
  const all = await page
    .locator('circle[data-key]')
    .evaluateAll(
      (found, wanted) => found.map((one) => wanted.map((name) => one.getAttribute(name) ?? '')),
      names,
    );
  return all.map(([key = '', ...numbers]) => {
    const [x = 0, y = 0, radius = 0, opacity = 0] = numbers.map(Number);
    return { key, x, y, radius, opacity };
  });
}

const said = (page: Page) => page.locator('.chart-at').innerText();

async function download(page: Page, entry: string): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: entry }).click();
  return readFileSync(await (await saved).path(), 'utf8');
}

/** Name, all calls, primitive calls, self and total by function. */
async function figures(page: Page) {
  const [, ...lines] = (await download(page, 'Scatter as CSV')).trim().split('\n');
  return lines.map((line) => {
    const [name = '', , , , calls, primitive, self, total] = line.split(',');
    return {
      name,
      calls: Number(calls),
      primitive: Number(primitive),
      self: Number(self),
      total: Number(total),
    };
  });
}

test('marks stand where their figures put them', async () => {
  const page = await stage.open('#d=0&view=charts');
  await scatterOf(page);
  await shoot(page, 'scatter');
  const rows = await figures(page);
  const marks = await circles(page);
  assert.equal(marks.length, rows.length);
  // The largest is drawn first, so both are in one order; ties in total may be in another.
  const logs = rows.map(({ calls, self }) => [Math.log(calls), Math.log(self / calls)] as const);
  const [first, last] = [rows.findIndex(({ name }) => name === 'recurse:38'), 0];
  const at = (name: string) => {
    const index = rows.findIndex((row) => row.name === name);
    const { total } = rows[index]!;
    assert.equal(rows.filter((row) => row.total === total).length, 1, `${name} has its own total`);
    return { log: logs[index]!, mark: marks[index]!, total };
  };
  assert.equal(first, last, 'the root has the largest total');
  const [root, fib, walk] = [at('recurse:38'), at('fib:16'), at('walk:28')];
  for (const axis of [0, 1] as const) {
    const place = ({ mark }: typeof root) => (axis === 0 ? mark.x : mark.y);
    const scale = (place(fib) - place(root)) / (fib.log[axis] - root.log[axis]);
    const expected = place(root) + scale * (walk.log[axis] - root.log[axis]);
    assert.ok(Math.abs(place(walk) - expected) < 0.5, `${place(walk)} is not ${expected}`);
    assert.ok(axis === 0 ? scale > 0 : scale < 0, 'more is to the right and up');
  }
  // Areas are totals, but for the smallest.
  const ratio = (fib.mark.radius / root.mark.radius) ** 2;
  assert.ok(Math.abs(ratio - fib.total / root.total) < 0.02 || fib.mark.radius === 3);

  const svg = await download(page, 'Scatter as SVG');
  assert.equal(svg.match(/<circle /g)?.length, marks.length);
  assert.doesNotMatch(svg, /var\(|class=/);
  await page.emulateMedia({ colorScheme: 'dark' });
  await shoot(page, 'scatter-dark');
  await page.setViewportSize({ width: 330, height: 700 });
  await shoot(page, 'scatter-narrow');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 330, `${wide} pixels`);
});

test('what is dragged over is chosen, here and in flame graph and table', async () => {
  const page = await stage.open('#d=0&view=charts');
  const { x, y } = await scatterOf(page);
  const all = await circles(page);
  const fib = all.toSorted((a, b) => b.x - a.x).slice(0, 2);
  const left = Math.min(...fib.map((mark) => mark.x)) - 8;
  const [top, bottom] = [
    Math.min(...fib.map((mark) => mark.y)) - 8,
    Math.max(...fib.map((mark) => mark.y)) + 8,
  ];
  const inside = all.filter((mark) => mark.x >= left && mark.y >= top && mark.y <= bottom);
  await page.mouse.move(x + left, y + top);
  await page.mouse.down();
  await page.mouse.move(x + Math.max(...all.map((mark) => mark.x)) + 9, y + bottom);
  await page.mouse.up();
  await eventually('a choice', () => hashOf(page).has('fns'));
  const chosen = hashOf(page)
    .get('fns')!
    .split('.')
    .map((key) => String(Number.parseInt(key, 36)));
  assert.deepEqual(chosen.toSorted(), inside.map(({ key }) => key).toSorted());
  await eventually('what it is together', async () =>
    (await said(page)).includes(`${chosen.length} functions chosen: self `),
  );
  const back = (await circles(page)).filter(({ key }) => !chosen.includes(key));
  assert.ok(back.length > 0 && back.every(({ opacity }) => opacity < 0.5));
  // The table marks the same functions.
  await page.keyboard.press('5');
  await eventually(
    'rows',
    async () => (await page.locator('[role=row][aria-selected=true]').count()) === chosen.length,
  );
  await page.keyboard.press('4');
  await flameOf(page);
  await shoot(page, 'scatter-lit');
  assert.equal(hashOf(page).get('fns')!.split('.').length, chosen.length);
  // The address brings it all back; Escape lets go.
  await page.keyboard.press('C');
  const { picture } = await scatterOf(page);
  await picture.press('Escape');
  await eventually('nothing chosen', () => !hashOf(page).has('fns'));
});

test('bars are self and total, sorted as one likes', async () => {
  const page = await stage.open('#d=1&view=charts&chart=bars');
  const picture = page.locator('[data-scope=charts]');
  await picture.locator('rect[fill-opacity]').first().waitFor({ state: 'attached' });
  await shoot(page, 'bars');
  const lines = (await download(page, 'Bars as CSV')).trim().split('\n').slice(1);
  const rows = lines.map((line) => {
    const [total, self] = line.split(',').toReversed().map(Number);
    return { self: self!, total: total! };
  });
  const bars = await picture
    .locator('rect[fill-opacity]')
    .evaluateAll((all) => all.map((one) => Number(one.getAttribute('width'))));
  // Two bars a function, total and self, in one scale.
  const scale = bars[0]! / rows[0]!.total;
  for (const [row, { self, total }] of rows.slice(0, 20).entries()) {
    const [drawn, own] = [bars[2 * row]!, bars[2 * row + 1]!];
    assert.ok(Math.abs(drawn - total * scale) < 1.01, `total of ${row}: ${drawn}`);
    assert.ok(Math.abs(own - self * scale) < 1.01, `self of ${row}: ${own}`);
  }
  const selves = rows.map(({ self }) => self);
  assert.deepEqual(
    selves,
    selves.toSorted((a, b) => b - a),
  );
  await page.getByRole('button', { name: /^Sort/ }).click();
  await page.getByRole('menuitemradio', { name: 'Total' }).click();
  await eventually('another address', () => hashOf(page).get('bars') === 'total');
  // The keyboard goes down, chooses, and leads on.
  await picture.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  const second = await said(page);
  await page.keyboard.press(' ');
  await eventually('one chosen', async () => (await said(page)).includes('1 function chosen'));
  await page.keyboard.press('Escape');
  await eventually('none chosen', async () => (await said(page)).trim() === second.trim());
  await page.getByRole('radio', { name: 'Scatter' }).click();
  await page.getByText('No call counts.').waitFor();
});

test('bars of a comparison begin with the largest change', async () => {
  const side = (name: string) => [1, 2, 3, 4, 5].map((run) => sample(`runs/${name}-${run}.pb.gz`));
  const compared = await startStage(side('after'), [
    'diff',
    '--open',
    '--base',
    ...side('before'),
    '--new',
  ]);
  try {
    const page = await compared.open('#view=charts', { viewport: { width: 330, height: 700 } });
    await page.getByRole('button', { name: 'Sort: Change' }).waitFor();
    await page.locator('.bars rect[fill-opacity]').first().waitFor({ state: 'attached' });
    await shoot(page, 'bars-narrow');
    await page.locator('[data-scope=charts]').press('Home');
    await eventually('a change', async () => /\[[-+AD]\]/.test(await said(page)));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 330, `${wide} pixels`);
  } finally {
    await compared.close();
  }
});

/** Ring, function, frames that are drawn together, share of the circle and total by arc. */
async function arcs(page: Page) {
  const [, ...lines] = (await download(page, 'Sunburst as CSV')).trim().split('\n');
  return lines.map((line) => {
    const [ring, name = '', others, , share, , total] = line.split(',');
    return {
      ring: Number(ring),
      name,
      others: Number(others),
      share: Number(share),
      total: Number(total),
    };
  });
}

test('arcs are calls, in rings around their callers, and a click makes one the middle', async () => {
  const page = await stage.open('#d=0&view=charts&chart=sunburst');
  const picture = page.locator('[data-scope=charts]');
  const drawn = picture.locator('path[data-node]');
  await drawn.first().waitFor({ state: 'attached' });
  await shoot(page, 'sunburst');
  const json = execFileSync(
    binary(),
    [
      'show',
      sample('recursion/recurse.trace.json'),
      ...['--view', 'top-down', '--format', 'json', '-n', '1000'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const { total, rows } = JSON.parse(json) as {
    total: number;
    rows: readonly { function: string; depth: number; total: number }[];
  };
  const found = await arcs(page);
  assert.equal(await drawn.count(), found.length);
  const told = rows.map(({ function: name, depth, total }) => ({ name, depth, total }));
  const depths = Math.min(...told.map(({ depth }) => depth));
  for (const arc of found.filter(({ ring, others }) => ring > 0 && others === 0)) {
    assert.ok(arc.share >= 0.005 && Math.abs(arc.share - arc.total / total) < 1e-9, arc.name);
    const row = told.find(
      (one) =>
        one.name === arc.name && one.total === arc.total && one.depth - depths === arc.ring - 1,
    );
    assert.ok(row !== undefined, `${arc.name} in ring ${arc.ring} is a call`);
  }
  // Fewer arcs where they have to be wider.
  await page.getByRole('button', { name: /^Arcs from/ }).click();
  await page.getByRole('menuitemradio', { name: '2 %', exact: true }).click();
  await eventually('fewer', async () => (await drawn.count()) < found.length);
  assert.equal(hashOf(page).get('cut'), '20');
  await page.getByText('Others by ring').click();
  assert.ok((await page.locator('.others tbody tr').count()) > 0);

  // A click on an arc makes it the middle, one on the middle goes back out.
  const drawnAgain = () =>
    eventually('drawn', async () => (await page.locator('.sunburst .busy').count()) === 0);
  await drawnAgain();
  const box = await picture.boundingBox();
  assert.ok(box !== null);
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const ring = (await drawn.nth(1).boundingBox())!;
  await page.mouse.click(middle.x, ring.y + 4);
  await eventually('another middle', () => hashOf(page).has('z'));
  await shoot(page, 'sunburst-zoomed');
  await drawnAgain();
  await page.mouse.click(middle.x, middle.y);
  await eventually('all', () => !hashOf(page).has('z'));
  const svg = await download(page, 'Sunburst as SVG');
  assert.equal(svg.match(/<path /g)?.length, await drawn.count());
});
