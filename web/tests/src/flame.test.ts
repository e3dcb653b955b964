import assert from 'node:assert/strict';
import {
  clickRow,
  eventually,
  flameOf,
  hashOf,
  onMachine,
  type Stage,
  sample,
  shoot,
  spokenSelection,
  startStage,
  test,
} from './harness.ts';
import { cutTree, exactSum } from './pruning.ts';

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([sample('pprof/cpu.pb.gz')]);
});
test.afterAll(() => stage.close());

test('opens a profile as a flame graph, which is drawn', async () => {
  const page = await stage.open();
  const flame = await flameOf(page);
  assert.match((await flame.locator('[role=treeitem]').first().textContent()) ?? '', /^all, /);
  assert.match(await page.title(), /cpu\.pb\.gz – Hotframe/);
  assert.match((await page.locator('.status').textContent()) ?? '', /stacks/);
  const colours = () =>
    page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas.graph');
      const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, 200).data ?? [];
      const seen = new Set<number>();
      for (let at = 0; at < data.length; at += 4) {
        seen.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!);
      }
      return seen.size;
    });
  await eventually('several colours on the canvas', async () => (await colours()) > 5);
  await shoot(page, 'flame-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await shoot(page, 'flame-dark');
});

test('tells of the frame under the pointer, selects and zooms with clicks, and has a menu', async () => {
  const page = await stage.open();
  const flame = await flameOf(page);
  await flame.hover({ position: { x: 60, y: 40 } });
  const tooltip = page.getByRole('tooltip');
  await tooltip.waitFor();
  const text = (await tooltip.textContent()) ?? '';
  assert.match(text, /total/);
  assert.match(text, /self/);
  assert.match(text, /of all/);
  assert.match(text, /of caller/);
  assert.match(text, /nanoseconds/);
  // It leaves in sight what the frame calls.
  const { y } = (await flame.boundingBox())!;
  await flame.hover({ position: { x: 300, y: 140 } });
  await tooltip.waitFor();
  const box = (await tooltip.boundingBox())!;
  assert.ok(box.y >= 0 && box.y + box.height <= y + 130, JSON.stringify(box));

  await clickRow(page, 1);
  await eventually('a selection is announced', async () => (await spokenSelection(page)) !== '');
  const spoken = await spokenSelection(page);
  const name = spoken.slice(0, spoken.indexOf(','));
  await eventually('the details follow', async () =>
    ((await page.locator('.details > h2').textContent()) ?? '').includes(name),
  );
  await eventually('the address holds it', () => hashOf(page).has('sel'));
  await clickRow(page, 1);
  await eventually('zoomed', () => hashOf(page).has('z'));
  const last = page.getByRole('navigation', { name: 'Breadcrumb' }).locator('[aria-current]');
  await eventually(
    'the breadcrumb follows',
    async () => (await last.getAttribute('title')) === name,
  );
  await page.getByRole('button', { name: 'all', exact: true }).click();
  await eventually('back at the whole program', () => !hashOf(page).has('z'));

  await flame.click({ button: 'right', position: { x: 40, y: 40 } });
  const menu = page.getByRole('menu', { name: 'Frame' });
  await menu.waitFor();
  await shoot(page, 'frame-menu');
  await menu.getByRole('menuitem', { name: /Copy its name/ }).click();
  await page.getByText('Name copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok((await spokenSelection(page)).startsWith(copied));
});

test('zooms with the wheel and pans with a drag', async () => {
  const page = await stage.open();
  const flame = await flameOf(page);
  await flame.hover({ position: { x: 300, y: 60 } });
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -600);
  await page.keyboard.up('Control');
  await eventually('a part is shown', () => hashOf(page).has('x'));
  await eventually('the minimap is there', () => page.locator('.minimap').isVisible());
  const from = hashOf(page).get('x');
  const place = (await flame.boundingBox())!;
  await page.mouse.move(place.x + 500, place.y + 100);
  await page.mouse.down();
  await page.mouse.move(place.x + 300, place.y + 100, { steps: 4 });
  await page.mouse.up();
  await eventually('another part is shown', () => hashOf(page).get('x') !== from);
  await shoot(page, 'flame-zoomed');
});

test('goes through all matches, the widest first, drawn or not', async () => {
  const page = await stage.open('#q=memclrNoHeap');
  await flameOf(page);
  const count = page.locator('.header output.share');
  await eventually('they are counted', async () =>
    /^\d+ · /.test((await count.textContent()) ?? ''),
  );
  const all = Number.parseInt((await count.textContent()) ?? '', 10);
  assert.ok(all > 2, `${all} matches`);
  await page.getByRole('searchbox', { name: 'Search' }).focus();
  const seen = new Set<string>();
  for (let match = 1; match <= all; match++) {
    await page.keyboard.press('Enter');
    await eventually(`match ${match}`, async () =>
      ((await count.textContent()) ?? '').startsWith(`${match} of ${all} · `),
    );
    await eventually('its frame is drawn and selected', async () =>
      /memclrNoHeap/.test(await spokenSelection(page)),
    );
    await eventually('the address has its way', () => {
      const way = hashOf(page).get('sel');
      return way !== null && !seen.has(way);
    });
    seen.add(hashOf(page).get('sel')!);
  }
  assert.equal(seen.size, all);
  // And around to the widest.
  await page.keyboard.press('Enter');
  await eventually('the first', async () => /^1 of/.test((await count.textContent()) ?? ''));
  // What is selected stays where another view has no place for it on screen.
  const [path] = seen;
  await eventually('its way', () => hashOf(page).get('sel') === path);
  // Where the picture goes is written down before it rests.
  const range = hashOf(page).get('x');
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.equal(hashOf(page).get('x'), range);
  await page.getByRole('radio', { name: 'Table' }).click();
  await page.getByRole('radio', { name: 'Flame graph' }).click();
  await eventually('still selected', async () => /memclrNoHeap/.test(await spokenSelection(page)));
  assert.equal(hashOf(page).get('sel'), path);
});

test(
  'leaves out what is small or deep, counts it, and shows it where it is wanted',
  onMachine('compared with the command line'),
  async () => {
    const file = sample('pprof/cpu.pb.gz');
    const page = await stage.open('#by=name&below=5');
    const flame = await flameOf(page);
    const said = page.locator('.status span', { hasText: 'pruned' });
    const { count, cut } = cutTree(file, [], ['--prune', '5%']);
    assert.ok(count > 0 && cut.length === count);
    await said.filter({ hasText: `pruned: ${count} frames, ` }).waitFor();
    assert.ok((await said.getAttribute('title'))?.includes(`: ${exactSum(cut)} nanoseconds`));

    // The last box right below the program is what is left out there.
    const outermost = cut.filter(({ depth }) => depth === 0);
    const { width } = (await flame.boundingBox())!;
    await flame.hover({ position: { x: width - 16, y: 20 + 20 } });
    const tooltip = page.getByRole('tooltip');
    await tooltip.getByText(`${outermost.length} more below 5 %`).waitFor();
    assert.match(await tooltip.innerText(), /together/);
    assert.ok((await tooltip.innerText()).includes(`${exactSum(outermost)} nanoseconds`));
    await page.setViewportSize({ width: 1400, height: 560 });
    await tooltip.waitFor();
    await shoot(page, 'pruned-light');
    await flame.click({ position: { x: width - 16, y: 20 + 20 } });
    await said.filter({ hasText: `pruned: ${count - outermost.length} frames, ` }).waitFor();

    // Another share is another question; so many levels are left as are asked for.
    await page.keyboard.press('b');
    await eventually('all is shown', () => !hashOf(page).has('below'));
    await said.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Display/ }).click();
    await page.getByRole('button', { name: 'Max. depth: All' }).click();
    await page.getByRole('menuitemradio', { name: '3', exact: true }).click();
    const deep = cutTree(file, [], ['--depth', '3']);
    await said.filter({ hasText: `pruned: ${deep.count} frames, ` }).waitFor();
    assert.ok((await said.getAttribute('title'))?.includes(`: ${exactSum(deep.cut)} nanoseconds`));

    // What is searched for is far below, and drawn.
    await page.getByRole('searchbox', { name: 'Search' }).fill('memclrNoHeap');
    await page.keyboard.press('Enter');
    await eventually('it is selected', async () =>
      (await spokenSelection(page)).includes('memclrNoHeap'),
    );
    await page.reload();
    await flameOf(page);
    await eventually('after a reload, too', async () =>
      (await spokenSelection(page)).includes('memclrNoHeap'),
    );
    assert.equal(hashOf(page).get('levels'), '3');
  },
);
