import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import {
  binary,
  eventually,
  hashOf,
  sample,
  shoot,
  type Stage,
  startStage,
  test,
} from './harness.ts';

const GLANCE = sample('sdfg/dace-1.0.2/glance.sdfgz');
const FUSED = sample('sdfg/dace-1.0.2/glance.mapfusion.sdfgz');
const MEASURED = sample('sdfg/dace-1.0.2/heat.timed.sdfgz');
const REPORT = sample('sdfg/reports/heat.timed-0.json');

interface State {
  readonly label: string;
  readonly nodes: readonly unknown[];
  /** The nodes by what they are in, "-1" for the state itself; a map's end is in its map. */
  readonly scope_dict: Readonly<Record<string, readonly number[]>>;
}

/** The only state of the graph, from the file itself. */
const STATE = (
  JSON.parse(gunzipSync(readFileSync(GLANCE)).toString()) as { readonly nodes: readonly [State] }
).nodes[0];
/** The graph and its state have a box each. */
const ALL_BOXES = 2 + STATE.nodes.length;
/** With the depth 2 maps are closed. */
const MAPS_CLOSED = '#gd=2';
const CLOSED_BOXES = 2 + STATE.scope_dict['-1']!.length;

interface Truth {
  readonly cases: Readonly<
    Record<
      string,
      {
        readonly symbols: Readonly<Record<string, number>>;
        readonly outermost_bytes: number;
        readonly view_bytes: number;
      }
    >
  >;
}

/** What DaCe says of the graph. */
const TRUTH = (JSON.parse(readFileSync(sample('sdfg/truth/dace-1.0.2.json'), 'utf8')) as Truth)
  .cases.glance!;
/** What DaCe cannot tell of a library node is a symbol to us. */
const SIZES = TRUTH.symbols;

interface Costs {
  readonly totals: Readonly<Record<string, { readonly value: number | null }>>;
  readonly nodes: readonly {
    readonly id: string;
    readonly work: { readonly value: number | null };
  }[];
  readonly edges: readonly {
    readonly id: string;
    readonly bytes: { readonly value: number | null };
  }[];
}

/** What the command line says that a graph costs. */
function costsOf(file: string, sizes: Readonly<Record<string, number>>): Costs {
  const set = Object.entries(sizes).map(([name, value]) => `${name}=${value}`);
  const text = execFileSync(
    binary(),
    ['sdfg', 'cost', file, '--format', 'json', '--set', set.join(',')],
    { maxBuffer: 1 << 28 },
  );
  return JSON.parse(text.toString()) as Costs;
}

/** The picture, once it has boxes. */
async function pictureOf(page: Page) {
  const picture = page.getByRole('tree', { name: 'Dataflow graph' });
  await picture.locator('[role=treeitem]').first().waitFor({ state: 'attached' });
  return picture;
}

async function spoken(page: Page): Promise<string> {
  return (await (await pictureOf(page)).locator(':scope + [role=status]').textContent()) ?? '';
}

/** The value in a row of a table, with all digits, as its title has it. */
async function exactly(page: Page, table: string, row: string): Promise<number> {
  const cell = page
    .locator(table)
    .locator('tr')
    .filter({ has: page.locator('th', { hasText: new RegExp(`^${row}$`) }) })
    .locator('td')
    .last();
  const title = (await cell.getAttribute('title')) ?? '';
  return Number(title.split(/[ \n]/)[0]!.replaceAll(',', ''));
}

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/');
  await page.getByLabel('Search', { exact: true }).fill(text);
  await eventually('it is asked for', () => hashOf(page).get('q') === text);
  await eventually('matches are counted', async () =>
    /\d/.test((await page.locator('.graph-search output').textContent()) ?? ''),
  );
}

test.describe('a dataflow graph', () => {
  let stage: Stage;
  test.beforeAll(async () => {
    stage = await startStage([GLANCE, FUSED]);
  });
  test.afterAll(() => stage?.close());

  test('opens as a picture with outline, legend and totals, is saved, and leaves kinds out', async () => {
    const page = await stage.open();
    const picture = await pictureOf(page);
    assert.match(
      (await picture.locator('[role=treeitem]').first().textContent()) ?? '',
      /^graph, programs_glance/,
    );
    assert.match(await page.title(), /glance\.sdfgz – Hotframe/);
    const status = (await page.locator('.status').textContent()) ?? '';
    assert.ok(status.includes(`${STATE.nodes.length} nodes`), status);
    await page.getByLabel('Legend of edges').waitFor();
    assert.equal(await page.getByRole('radiogroup', { name: 'Shape' }).count(), 0);
    const colours = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.graph-canvas canvas');
      const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, 400).data ?? [];
      const seen = new Set<number>();
      for (let at = 0; at < data.length; at += 4) {
        seen.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!);
      }
      return seen.size;
    });
    assert.ok(colours > 20, `${colours} colours on the canvas`);
    await shoot(page, 'graph-light');

    for (const [item, start] of [
      ['Graph as SVG', '<svg'],
      ['Graph as PNG', '\u0089PNG'],
    ] as const) {
      await page.getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ]);
      const text = readFileSync(await download.path(), 'latin1');
      assert.ok(text.slice(0, 200).includes(start), item);
    }

    await page.getByRole('button', { name: 'Kinds of boxes' }).click();
    await page.getByRole('menuitem', { name: /^Hide data/ }).click();
    await eventually('they are gone', async () =>
      /hidden/.test((await page.locator('.status').textContent()) ?? ''),
    );
    assert.equal(hashOf(page).get('gh'), 'access');

    // On a narrow screen nothing is wider than that.
    await page.setViewportSize({ width: 600, height: 860 });
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    assert.equal(wide, false, 'nothing is wider than the screen');
    await shoot(page, 'graph-narrow');
    await page.emulateMedia({ colorScheme: 'dark', contrast: 'no-preference' });
    await page.evaluate(() => {
      location.hash = '#gn=work';
    });
    await page.getByLabel('Legend of boxes').waitFor({ state: 'attached' });
    await page.setViewportSize({ width: 1400, height: 860 });
    await page.getByLabel('Legend of boxes').waitFor();
    await shoot(page, 'graph-dark');
    await page.emulateMedia({ contrast: 'more' });
    await shoot(page, 'graph-contrast');
  });

  test('is walked along edges, folded and unfolded by keyboard', async () => {
    const page = await stage.open(MAPS_CLOSED);
    const picture = await pictureOf(page);
    await search(page, '__tmp3');
    await page.keyboard.press('Enter');
    await eventually('it is selected', async () => (await spoken(page)).includes('__tmp3'));
    await picture.focus();
    await page.keyboard.press('ArrowDown');
    await eventually('its successor', async () =>
      (await spoken(page)).startsWith('map, _numpy_exp__map'),
    );
    await page.keyboard.press('ArrowDown');
    await eventually('the next', async () => (await spoken(page)).startsWith('data, raised'));
    await page.keyboard.press('ArrowUp');
    await eventually('back', async () => (await spoken(page)).startsWith('map, _numpy_exp__map'));
    await page.keyboard.press('Escape');
    await eventually('nothing is selected', async () => (await spoken(page)) === '');

    await picture.focus();
    await page.keyboard.press('ArrowDown');
    await eventually('the state is selected', async () =>
      (await spoken(page)).startsWith(`state, ${STATE.label}`),
    );
    await page.keyboard.press('Enter');
    await eventually('it is folded', () => hashOf(page).has('gc'));
    await eventually('it is told so', async () =>
      (await page.locator('.status').textContent())!.includes('2 boxes drawn'),
    );
    await page.keyboard.press('Enter');
    await eventually('it is unfolded', async () =>
      (await page.locator('.status').textContent())!.includes(`${CLOSED_BOXES} boxes drawn`),
    );
    await page.keyboard.press('}');
    await eventually('all is unfolded', async () =>
      (await page.locator('.status').textContent())!.includes(`${ALL_BOXES} boxes drawn`),
    );
    await page.goBack();
    await eventually('back folds it again', async () =>
      (await page.locator('.status').textContent())!.includes(`${CLOSED_BOXES} boxes drawn`),
    );
  });

  test('finds what is folded away and goes there', async () => {
    const page = await stage.open('#gd=1');
    await pictureOf(page);
    await search(page, '_numpy_exp_');
    await page.keyboard.press('Enter');
    await eventually('its containers are open', () => hashOf(page).has('go'));
    await eventually('it is selected', async () => (await spoken(page)).includes('_numpy_exp_'));
    const first = hashOf(page).get('gi');
    await page.getByLabel('Search', { exact: true }).press('Escape');
    await search(page, 'kind:library');
    await (await pictureOf(page)).focus();
    await page.keyboard.press('n');
    await eventually('another one is selected', () => hashOf(page).get('gi') !== first);
    await page.keyboard.press('N');
    assert.match((await page.locator('.graph-search output').textContent()) ?? '', /of \d/);
  });

  test('unfolds only what a search has found', async () => {
    const page = await stage.open(MAPS_CLOSED);
    await pictureOf(page);
    await search(page, 'kind:tasklet data:raised');
    await page.getByLabel('Search', { exact: true }).fill('_numpy_exp_');
    await page.waitForTimeout(400);
    await page.getByRole('button', { name: /^Unfolded to depth/ }).click();
    await page.getByRole('menuitem', { name: /^Only/ }).click();
    // The tasklet and the map's end.
    await eventually('one map is open', async () =>
      (await page.locator('.status').textContent())!.includes(`${CLOSED_BOXES + 2} boxes drawn`),
    );
  });

  test('tells the same costs as the command line', async () => {
    const page = await stage.open(
      `#gn=work&gs=${Object.entries(SIZES)
        .map(([name, value]) => `${name}:${value}`)
        .join(',')}`,
    );
    await pictureOf(page);
    const costs = costsOf(GLANCE, SIZES);
    const totals = '[aria-label=Totals]';
    await page.locator(`${totals} td`).first().waitFor();
    assert.equal(await exactly(page, totals, 'work'), costs.totals.work!.value);
    assert.equal(await exactly(page, totals, 'movement'), costs.totals.movement_bytes!.value);
    // DaCe's volumes, less what binds views, which moves nothing.
    assert.equal(costs.totals.movement_bytes!.value, TRUTH.outermost_bytes - TRUTH.view_bytes);
    for (const name of ['_Div__map', '_MatMult_', '_numpy_exp_']) {
      await search(page, name);
      await page.keyboard.press('Enter');
      await eventually(`the panel is about ${name}`, async () =>
        ((await page.locator('.graph-panel h2').textContent()) ?? '').startsWith(name),
      );
      const id = (await page.locator('.graph-what code').textContent()) ?? '';
      const node = costs.nodes.find((one) => one.id === id);
      assert.ok(node !== undefined, `the command line knows ${id}`);
      assert.equal(await exactly(page, '.graph-costs', 'work'), node.work.value, id);
    }
    // An edge is reached from its node.
    const edges = page.locator('.graph-neighbours button.mute');
    await edges.first().click();
    await eventually('an edge is selected', async () =>
      ((await page.locator('.graph-what').textContent()) ?? '').includes('edge'),
    );
    const id = (await page.locator('.graph-what code').textContent()) ?? '';
    const edge = costs.edges.find((one) => one.id === id);
    assert.equal(await exactly(page, '.graph-costs', 'movement'), edge?.bytes.value, id);
  });

  test('follows a slider with all totals, and remembers it', async () => {
    const page = await stage.open();
    await pictureOf(page);
    await page.getByRole('tab', { name: 'Sizes' }).click();
    const totals = '[aria-label=Totals]';
    await page.locator(`${totals} td`).first().waitFor();
    const before = await exactly(page, totals, 'movement');
    const slider = page.getByLabel('B, by its logarithm');
    await slider.focus();
    await slider.evaluate((input: HTMLInputElement) => {
      for (let step = 0; step < 40; step++) {
        input.value = String(Number(input.value) + 2);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
    await eventually(
      'the totals have grown',
      async () => (await exactly(page, totals, 'movement')) > before,
    );
    await eventually('the address has it', () => /^B:\d+$/.test(hashOf(page).get('gs') ?? ''));
    const set = Number(hashOf(page).get('gs')!.slice(2));
    const others = { C: 256, D: 256, H: 256, T: 256 };
    const costs = costsOf(GLANCE, { B: set, ...others });
    assert.equal(await exactly(page, totals, 'movement'), costs.totals.movement_bytes!.value);
    // A size below 0 is none, and says so.
    const field = page.getByRole('spinbutton', { name: 'Value of B' });
    await field.fill('-3');
    assert.match(
      await field.evaluate((input: HTMLInputElement) => input.validationMessage),
      /from 0 on/,
    );
    await field.blur();
    assert.equal(await field.inputValue(), String(set));
    // The plot is over the symbol that matters most.
    const foremost = page.locator('.graph-ranking li').first();
    await foremost.waitFor();
    await eventually('the plot is over the first of the ranking', async () => {
      const plot = await page
        .getByLabel(/^Cost over /)
        .first()
        .getAttribute('aria-label');
      const name = /^Cost over (\w+)/.exec(plot ?? '')?.[1];
      return name !== undefined && (await foremost.textContent())!.trim().startsWith(name);
    });
    await shoot(page, 'graph-sizes');
  });

  test('is where the address says', async () => {
    const page = await stage.open(MAPS_CLOSED);
    const picture = await pictureOf(page);
    await search(page, '_Div__map');
    await page.keyboard.press('Enter');
    await eventually('it is selected', () => hashOf(page).has('gi'));
    await picture.focus();
    await page.keyboard.press('Enter');
    await eventually('it is unfolded', () => hashOf(page).has('go'));
    await page.getByRole('button', { name: 'Boxes: None' }).click();
    await page.getByRole('menuitemradio', { name: 'Intensity' }).click();
    await page.getByRole('button', { name: 'Scale: Mean' }).click();
    await page.getByRole('menuitemradio', { name: 'Median' }).click();
    await page.keyboard.press('+');
    await eventually('the camera is in it', () => hashOf(page).has('gx'));
    await page.waitForTimeout(500);
    const said = await spoken(page);
    const again = await stage.open(new URL(page.url()).hash);
    await pictureOf(again);
    await eventually('the same is selected', async () => (await spoken(again)) === said);
    await again.getByLabel('Legend of boxes').waitFor();
    assert.match((await again.getByLabel('Legend of boxes').textContent()) ?? '', /median/);
    assert.equal(hashOf(again).get('gx'), hashOf(page).get('gx'));
  });

  test('adds up elements, and tells a roofline as a range', async () => {
    const page = await stage.open(MAPS_CLOSED);
    await pictureOf(page);
    const panel = page.locator('.graph-panel');
    await page.getByRole('tab', { name: 'Roofline' }).click();
    await panel.getByRole('heading', { name: 'Predicted time' }).waitFor();
    assert.ok((await panel.locator('.reuse').count()) > 3);
    const listed = panel.locator('.stacked').first();
    assert.match((await listed.textContent()) ?? '', /e\.g\. .*op\/B to .*op\/B/);
    // Of a machine that nobody has there are no times.
    await panel.getByText('An example, not your machine.').waitFor();
    assert.doesNotMatch((await listed.textContent()) ?? '', /op\/B · /);
    await panel.getByRole('button', { name: 'Measure this machine' }).click();
    await panel.getByRole('button', { name: 'Cancel' }).click();
    await panel.getByText('An example, not your machine.').waitFor();
    await panel.getByRole('button', { name: 'Measure this machine' }).click();
    // It measures for seconds, and longer where other programs run.
    await panel
      .getByText(/^Measured on this machine with \d+ threads?\./)
      .waitFor({ timeout: 120_000 });
    await eventually('there are times', async () =>
      /op\/B · /.test((await listed.textContent()) ?? ''),
    );
    await shoot(page, 'graph-roofline');
    // Two boxes of the list, one after the other.
    for (const index of [0, 1]) {
      await page.getByRole('tab', { name: 'Roofline' }).click();
      await panel.locator('.stacked').first().getByRole('button').nth(index).click();
      await page.getByRole('tab', { name: 'Details' }).click();
      await page.locator('.picture').focus();
      const sum = panel.getByRole('button', { name: 'Add to a sum' });
      await sum.waitFor();
      if (index === 0) await sum.click();
      else await page.keyboard.press('a');
      await panel.getByRole('button', { name: 'In the sum' }).waitFor();
    }
    const region = page.getByRole('region', { name: 'Sum' });
    await region.getByText('2 elements together').waitFor();
    // It is in the address.
    await page.waitForTimeout(300);
    const again = await stage.open(new URL(page.url()).hash);
    await again.getByRole('region', { name: 'Sum' }).getByText('2 elements together').waitFor();
    const broken = await stage.open(`${MAPS_CLOSED}&gt=zzzz`);
    await broken.getByRole('button', { name: 'Clear the sum' }).click();
    await eventually('it is gone', () => !hashOf(broken).has('gt'));
    await region
      .getByRole('button', { name: /^Take / })
      .first()
      .click();
    await region.getByText('1 element together').waitFor();
    await region
      .getByRole('button', { name: /^Take / })
      .first()
      .click();
    await eventually('it is gone', async () => (await region.count()) === 0);
  });

  test('counts other operations by choice, tells what memory is alive, and ranks fusions', async () => {
    const page = await stage.open(MAPS_CLOSED);
    await pictureOf(page);
    const work = () =>
      page.getByRole('table', { name: 'Totals' }).locator('tr').first().locator('td').textContent();
    const before = await work();
    await page.getByRole('button', { name: 'Operations: Arithmetic' }).click();
    await page.getByRole('menuitemradio', { name: 'Every' }).click();
    await page.getByRole('button', { name: 'Operations: Every' }).waitFor();
    await eventually('more counts', async () => (await work()) !== before);
    assert.equal(hashOf(page).get('gd'), '2');
    await page.getByRole('button', { name: 'Operations: Every' }).click();
    await page.getByRole('menuitemradio', { name: 'Arithmetic' }).click();
    await eventually('as before', async () => (await work()) === before);

    // Every panel has room.
    const panel = page.locator('.graph-panel');
    const tabs = await panel.getByRole('tab').allTextContents();
    assert.deepEqual(tabs.slice(-2), ['Fusions', 'Memory']);
    for (const name of tabs) {
      await panel.getByRole('tab', { name }).click();
      await page.waitForTimeout(150);
      const over = await panel.evaluate((element) => element.scrollWidth - element.clientWidth);
      assert.equal(over, 0, name);
    }
    await panel.getByText(/^Peak/).waitFor();
    // Largest first, each with when it is alive.
    const lifetimes = panel.locator('.graph-lifetimes li');
    assert.ok((await lifetimes.count()) > 5);
    await panel.getByText('given from outside').first().waitFor();
    await shoot(page, 'graph-memory');

    // Fusions lead to their maps.
    await page.getByRole('tab', { name: 'Fusions' }).click();
    const first = page.locator('.graph-fusions').first().locator('li').first();
    await first.waitFor();
    assert.match((await first.locator('.number').textContent()) ?? '', /B$/);
    const map = first.getByRole('button').first();
    const name = await map.textContent();
    await map.click();
    await eventually('it is selected', () => hashOf(page).has('gi'));
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.locator('.graph-panel h2').getByText(name!).waitFor();
    await shoot(page, 'graph-fusions');
  });

  test('compares with another graph', async () => {
    const page = await stage.open();
    await pictureOf(page);
    await page.getByRole('button', { name: /^Document/ }).click();
    await page.getByRole('menuitem', { name: /^Compare with glance\.mapfusion/ }).click();
    await eventually('it is in the address', () => hashOf(page).has('ga'));
    await page.locator('.graph-panel .changes').first().waitFor();
    assert.match((await page.locator('.graph-panel').textContent()) ?? '', /in both/);
    const legend = page.getByLabel('Legend of edges');
    await eventually('the legend tells changes', async () =>
      /less/.test((await legend.textContent()) ?? ''),
    );
    await shoot(page, 'graph-compare');
  });
});

test.describe('a measurement over a graph', () => {
  let stage: Stage;
  test.beforeAll(async () => {
    stage = await startStage([MEASURED]);
  });
  test.afterAll(() => stage?.close());

  test('is offered when it is opened, and becomes a quantity', async () => {
    // Maps were measured, so they are to be seen as one box each.
    const page = await stage.open('#gd=2');
    await pictureOf(page);
    await page.getByLabel('Open files').setInputFiles(REPORT);
    await page.getByRole('button', { name: 'Lay over the graph' }).click();
    await eventually('boxes tell what was measured', () =>
      (hashOf(page).get('gn') ?? '').startsWith('measured:'),
    );
    await page.getByLabel('Legend of boxes').waitFor();
    await page.getByRole('tab', { name: 'Roofline' }).click();
    await page.locator('.plot .roof').waitFor();
    // At other sizes than those of the run it is not a rate.
    await page.getByRole('note').getByText('are the sizes those of the run?').waitFor();
    assert.equal(await page.locator('.plot circle.reached').count(), 0);
    await page.evaluate(() => {
      location.hash = `${location.hash}&gs=N:200,T:2`;
    });
    await eventually(
      'points are reached',
      async () => (await page.locator('.plot circle.reached').count()) > 0,
    );
    await shoot(page, 'graph-measured');
  });
});
