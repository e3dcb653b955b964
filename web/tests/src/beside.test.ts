import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { eventually, hashOf, sample, shoot, type Stage, startStage, test } from './harness.ts';

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([
    sample('runs/before-1.pb.gz'),
    sample('runs/after-1.pb.gz'),
    sample('pprof/cpu.pb.gz'),
    sample('recursion/recurse.trace.json'),
    sample('pstats/cprofile.prof'),
  ]);
});
test.afterAll(() => stage.close());

const said = (page: Page) => page.locator('.chart-at').innerText();

/** The names in a pane's picture, from above. */
function namesIn(page: Page, title: RegExp) {
  return page.getByRole('region', { name: title }).locator('text[font-family]').allTextContents();
}

test('bars of all profiles stand side by side, and a function is lit in all of them', async () => {
  const page = await stage.open('#d=0&view=charts&chart=bars');
  await page.getByRole('button', { name: 'Side by side' }).click();
  await eventually('an address', () => hashOf(page).get('beside') === '1');
  await eventually('bars', async () => (await namesIn(page, /before-1/)).length > 2);
  const [before, now] = [await namesIn(page, /before-1/), await namesIn(page, /after-1/)];
  const both = before.find((name) => now.includes(name));
  assert.ok(both !== undefined, 'a function that both have');
  await shoot(page, 'beside-bars');
  await page
    .getByRole('region', { name: /before-1/ })
    .getByText(both, { exact: true })
    .click();
  await eventually('both told', async () => {
    const text = await said(page);
    return text.includes('before-1.pb.gz: self') && text.includes('after-1.pb.gz: self');
  });
  assert.ok(hashOf(page).has('fn'), 'it is chosen in the other views, too');
  // Others step back in every pane.
  const faint = (title: RegExp) =>
    page.getByRole('region', { name: title }).locator('rect[fill-opacity="0.2"]').count();
  await eventually('others are faint', async () => {
    return (await faint(/before-1/)) > 0 && (await faint(/after-1/)) > 0;
  });
  await page.mouse.move(5, 5);
  await page.locator('[data-scope=charts]').press('Escape');
  await eventually('none', async () => (await faint(/after-1/)) === 0);
  // A narrow window has one below the other.
  await page.setViewportSize({ width: 320, height: 640 });
  await shoot(page, 'beside-narrow');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 320, `the page is ${width} wide`);
});

test('functions of one profile only are marked and listed', async () => {
  const page = await stage.open('#d=0&view=charts&chart=bars&beside=1', { colorScheme: 'dark' });
  await eventually('bars', async () => (await namesIn(page, /^cpu/)).length > 2);
  const others = [...(await namesIn(page, /before-1/)), ...(await namesIn(page, /after-1/))];
  const texts = page.getByRole('region', { name: /^cpu/ }).locator('text');
  const places = await texts.evaluateAll((found) =>
    found.map((one) => [one.textContent ?? '', Number(one.getAttribute('y'))] as const),
  );
  const signs = places.filter(([text]) => text === '◇').map(([, y]) => y);
  // A name stands 4 pixels below the middle of its row.
  const own = places.filter(([, y]) => signs.includes(y - 4)).map(([text]) => text);
  assert.ok(own.length > 2, 'it has functions of its own');
  assert.ok(
    own.every((name) => !others.includes(name)),
    own.join(),
  );
  const list = page.locator('details', { hasText: 'only in cpu' });
  await list.locator('summary').click();
  // The largest self first, as the bars are.
  const [first = ''] = await list.locator('li code').allTextContents();
  assert.equal(own[0]!.slice(-5), first.slice(-5));
  await list.locator('li button').first().click();
  await eventually('told', async () => {
    const text = await said(page);
    return text.includes('before-1.pb.gz: not there') && text.includes('cpu.pb.gz: self');
  });
  await shoot(page, 'beside-only');
});

test('scatters stand side by side, and what has no such metric says so', async () => {
  const page = await stage.open('#d=3&view=charts&chart=scatter&beside=1');
  const [own, other] = [/recurse/, /cprofile/].map((name) =>
    page.getByRole('region', { name }).locator('circle[data-key]').first(),
  );
  await other!.waitFor({ state: 'attached' });
  await page.getByText('before-1.pb.gz: It has no metric time in nanoseconds.').waitFor();
  // The sign of a function that only one has lies on its mark.
  await own!.hover({ force: true });
  await eventually('told', async () => {
    const text = await said(page);
    return /recurse\S*: self/.test(text) && text.includes('cprofile.prof: not there');
  });
  await shoot(page, 'beside-scatter');
});
