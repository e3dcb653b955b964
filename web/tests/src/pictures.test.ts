import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import {
  eventually,
  flameOf,
  hashOf,
  type Stage,
  sample,
  shoot,
  startStage,
  test,
} from './harness.ts';

/** Where rows begin in an exported picture and on the page. */
const HEADER = 34;
const PADDING = 10;

let folder: string;
let plain: Stage;
let changes: Stage;
let series: Stage;
test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  const runs = [1, 2, 3, 4, 5].map((run) => {
    const file = path.join(folder, `run-${run}.collapsed`);
    writeFileSync(
      file,
      `main;grows;inner ${run * 10}\nmain;falls;deep ${200 - run * 35}\nmain;stays 50\n`,
    );
    return file;
  });
  plain = await startStage([sample('pprof/cpu.pb.gz')]);
  changes = await startStage(
    [sample('runs/before-1.pb.gz'), sample('runs/after-1.pb.gz')],
    ['diff', '--open'],
  );
  series = await startStage(runs, ['open', '--merge']);
});
test.afterAll(async () => {
  for (const stage of [plain, changes, series]) await stage.close();
  rmSync(folder, { recursive: true });
});

/** A picture as it was saved. */
async function saved(page: Page, item: string): Promise<Buffer> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: item }).click();
  return readFileSync(await (await download).path());
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly fill: string;
  readonly text: string;
}

const unescaped = (text: string) =>
  [
    ['&lt;', '<'],
    ['&gt;', '>'],
    ['&quot;', '"'],
    ['&apos;', "'"],
    ['&amp;', '&'],
  ].reduce((all, [entity, char]) => all.replaceAll(entity!, char!), text);

/** The boxes with texts of a saved picture. */
function boxesOf(svg: string): Box[] {
  const box =
    /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"[^>]* fill="(#[0-9a-f]{6})"[^>]*\/><text[^>]*>([^<]*)<\/text>/g;
  const boxes = [...svg.matchAll(box)].map(([, x, y, width, fill, text]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
    fill: fill!,
    text: unescaped(text!),
  }));
  assert.ok(boxes.length > 4, `${boxes.length} boxes with texts`);
  return boxes;
}

/** The page as wide as pictures are, with a record of the texts that are drawn. */
async function watched(stage: Stage, theme: 'light' | 'dark', hash: string): Promise<Page> {
  const page = await stage.open('', {
    viewport: { width: 1400, height: 900 },
    deviceScaleFactor: 1,
    colorScheme: theme,
  });
  await page.addInitScript(() => {
    const drawn = new Map<string, string>();
    Object.assign(window, { drawn });
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      if (this.canvas.isConnected) drawn.set(`${Math.round(x)} ${Math.round(y)}`, text);
      return fillText.call(this, text, x, y);
    };
  });
  await page.goto(stage.address(hash));
  await page.reload();
  await flameOf(page);
  const details = page.getByRole('button', { name: 'Details' });
  if ((await details.getAttribute('aria-pressed')) === 'true') await details.click();
  await eventually('the wide picture', async () =>
    page.evaluate(() => document.querySelector('canvas')!.clientWidth === innerWidth),
  );
  // Boxes for the new width are on their way; then all is drawn once more.
  await page.waitForTimeout(400);
  await page.evaluate(() => (window as unknown as { drawn: Map<string, string> }).drawn.clear());
  await page.setViewportSize({ width: 1400, height: 901 });
  await eventually('texts', async () =>
    page.evaluate(() => (window as unknown as { drawn: Map<string, string> }).drawn.size > 4),
  );
  await page.waitForTimeout(100);
  return page;
}

async function sameAsPage(page: Page): Promise<void> {
  const svg = (await saved(page, 'Flame graph as SVG')).toString();
  const height = await page.evaluate(() => document.querySelector('canvas')!.clientHeight);
  const inSight = boxesOf(svg).filter(({ y }) => y - HEADER + PADDING + 20 < height);
  const found = await page.evaluate(
    (boxes) => {
      const canvas = document.querySelector('canvas')!;
      const context = canvas.getContext('2d')!;
      const { drawn } = window as unknown as { drawn: Map<string, string> };
      const texts = [...drawn].map(([at, text]) => {
        const [x = 0, y = 0] = at.split(' ').map(Number);
        return { x, y, text };
      });
      return boxes.map(({ x, y, width }) => {
        const [red, green, blue] = context.getImageData(x + 3, y + 3, 1, 1).data;
        const on = texts.find(
          (one) => one.y > y && one.y < y + 20 && one.x > x && one.x < x + width,
        );
        return { fill: [red!, green!, blue!], text: on?.text };
      });
    },
    inSight.map(({ x, y, width }) => ({ x, y: y - HEADER + PADDING, width })),
  );
  const wrong = inSight.flatMap(({ text, fill }, index) => {
    const { fill: shown, text: read } = found[index]!;
    const wanted = [1, 3, 5].map((at) => Number.parseInt(fill.slice(at, at + 2), 16));
    const near = wanted.every((part, channel) => Math.abs(part - shown[channel]!) <= 2);
    return near && read === text ? [] : [`${text} ${wanted} is ${read} ${shown} on the page`];
  });
  assert.deepEqual(wrong, []);
}

for (const theme of ['light', 'dark'] as const) {
  test(`a saved picture has the colours and texts of the page, ${theme}`, async () => {
    for (const hash of ['', '#colour=file', '#colour=self_share', '#shape=bottom_up', '#q=sort']) {
      const page = await watched(plain, theme, hash);
      await sameAsPage(page);
      await page.close();
    }
  });

  test(`so has that of a comparison, ${theme}`, async () => {
    const page = await watched(changes, theme, '');
    const legend = page.locator('.change-legend');
    assert.match((await legend.textContent()) ?? '', /\[-\] less.*\[\+\] more/);
    await sameAsPage(page);
    await shoot(page, `change-${theme}`);
    await page.close();
  });
}

test('a PNG is the same picture', async () => {
  const page = await watched(plain, 'light', '');
  const svg = (await saved(page, 'Flame graph as SVG')).toString();
  const png = await saved(page, 'Flame graph as PNG');
  const boxes = boxesOf(svg);
  const colours = await page.evaluate(
    async ([bytes, places]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${bytes}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      return places.map(({ x, y }) => [...context.getImageData(2 * x + 6, 2 * y + 6, 1, 1).data]);
    },
    [png.toString('base64'), boxes.map(({ x, y }) => ({ x, y }))] as const,
  );
  for (const [index, { fill, text }] of boxes.entries()) {
    const hex = colours[index]!.slice(0, 3).map((part) => part.toString(16).padStart(2, '0'));
    assert.equal(`#${hex.join('')}`, fill, text);
  }
});

test('the colour of a function is the same in every view', async () => {
  const swatches = new Map<string, Set<string>>();
  for (const hash of ['#view=table&list=functions', '#view=table&list=tree&shape=bottom_up']) {
    const page = await plain.open(hash);
    await page.locator('.swatch').first().waitFor();
    const rows = await page.evaluate(() =>
      [...document.querySelectorAll('.swatch')].map((swatch) => [
        swatch.parentElement!.textContent!.trim(),
        getComputedStyle(swatch).backgroundColor,
      ]),
    );
    for (const [name, colour] of rows) {
      swatches.set(name!, (swatches.get(name!) ?? new Set()).add(colour!));
    }
    await page.close();
  }
  const twice = [...swatches].filter(([, colours]) => colours.size > 1);
  assert.deepEqual(twice, []);
  assert.ok(swatches.size > 10);
});

test('what keeps growing comes first, and what falls has another sign and colour', async () => {
  const page = await series.open(`#fx=${encodeURIComponent('rise_of(samples)')}`);
  await flameOf(page);
  const boxes = boxesOf((await saved(page, 'Flame graph as SVG')).toString());
  const [grows, falls] = ['[+] grows', '[-] falls'].map((text) =>
    boxes.find((box) => box.text === text),
  );
  assert.ok(grows !== undefined && falls !== undefined, boxes.map(({ text }) => text).join(', '));
  assert.ok(grows.x < falls.x && grows.width < falls.width);
  assert.notEqual(grows.fill, falls.fill);
  assert.match((await page.locator('.change-legend').textContent()) ?? '', /size of the change/);
  assert.equal(hashOf(page).get('fx'), 'rise_of(samples)');
  await shoot(page, 'growth');
});
