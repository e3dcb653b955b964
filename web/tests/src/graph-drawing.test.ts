import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { eventually, hashOf, shoot, type Stage, startStage, test } from './harness.ts';

/** A node of a state: a tasklet, or data where its name is a capital. */
function nodeOf(label: string, id: number): object {
  const isData = /^[A-Z]$/.test(label);
  const type = isData ? 'AccessNode' : 'Tasklet';
  return { type, label, id, attributes: isData ? { data: label } : {} };
}

/** From, to and the data that moves. */
type Edge = readonly [number, number, string];

function stateOf(label: string, id: number, nodes: readonly string[], edges: readonly Edge[]) {
  return {
    type: 'SDFGState',
    label,
    id,
    nodes: nodes.map(nodeOf),
    edges: edges.map(([src, dst, data]) => ({
      src: String(src),
      dst: String(dst),
      attributes: { data: { type: 'Memlet', attributes: { data, volume: `N*${id + 1}` } } },
    })),
  };
}

/** States that run one after the other. */
function programOf(states: readonly object[]): string {
  const array = { type: 'Array', attributes: { dtype: 'float64', shape: ['N'] } };
  return JSON.stringify({
    type: 'SDFG',
    dace_version: '1.0.2',
    cfg_list_id: 0,
    attributes: { name: 'made', _arrays: { A: array, C: array }, symbols: { N: 'int64' } },
    nodes: states,
    edges: states.slice(1).map((_, at) => ({
      src: String(at),
      dst: String(at + 1),
      attributes: { data: { type: 'InterstateEdge', attributes: {} } },
    })),
  });
}

/** So many operations in a row; the first and the last read `A`. */
function longState(length: number): object {
  const names = Array.from({ length }, (_, at) => `t${at + 1}`);
  const row = names.slice(1).map((_, at): Edge => [at + 1, at + 2, 'C']);
  const reads: readonly Edge[] = [
    [0, 1, 'A'],
    [0, length, 'A'],
    [length, length + 1, 'C'],
  ];
  return stateOf('row', 0, ['A', ...names, 'C'], [...row, ...reads]);
}

async function pictureOf(page: Page) {
  const picture = page.getByRole('tree', { name: 'Dataflow graph' });
  await picture.locator('[role=treeitem]').first().waitFor({ state: 'attached' });
  return picture;
}

async function spoken(page: Page): Promise<string> {
  return (await (await pictureOf(page)).locator(':scope + [role=status]').textContent()) ?? '';
}

/** Which shares of the canvas the picture is drawn over, across and down. */
function usedShares(page: Page): Promise<readonly [number, number]> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.graph-canvas canvas')!;
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
    const pixels = new Uint32Array(data.buffer);
    let [left, top, right, bottom] = [width, height, 0, 0];
    for (const [at, pixel] of pixels.entries()) {
      if (pixel === pixels[0]) continue;
      const [x, y] = [at % width, Math.floor(at / width)];
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
    return [(right - left) / width, (bottom - top) / height] as const;
  });
}

test.describe('the drawing of a dataflow graph', () => {
  let folder: string;
  let stage: Stage;
  const write = (name: string, text: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  test.afterAll(async () => {
    await stage?.close();
    rmSync(folder, { recursive: true });
  });
  test.beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
    const operations = ['A', 't1', 't2', 't3', 'C'];
    const edges: readonly Edge[] = [
      [0, 1, 'A'],
      [1, 2, 'C'],
      [2, 3, 'C'],
      [3, 4, 'C'],
    ];
    const states = Array.from({ length: 60 }, (_, at) => stateOf(`s${at}`, at, operations, edges));
    stage = await startStage([
      write('states.sdfg', programOf(states)),
      write('row.sdfg', programOf([longState(12)])),
    ]);
  });

  test('of closed states fills the screen and is coloured by what they move', async () => {
    const page = await stage.open();
    await pictureOf(page);
    await page.getByLabel('Legend of boxes').waitFor();
    assert.equal(hashOf(page).get('gn'), 'movement');
    // Nothing moves between states.
    assert.equal(await page.getByLabel('Legend of edges').count(), 0);
    await eventually('it fills most of the screen', async () => {
      const [across, down] = await usedShares(page);
      return across > 0.6 && down > 0.5;
    });
    await shoot(page, 'graph-states');
    // Another screen has other columns, as long as nobody has looked at any closer.
    for (const size of [
      { width: 2400, height: 700 },
      { width: 1000, height: 1400 },
    ]) {
      await page.setViewportSize(size);
      await eventually('it fills most of that screen', async () => {
        const [across, down] = await usedShares(page);
        return across > 0.6 && down > 0.5;
      });
    }
    await page.setViewportSize({ width: 1400, height: 860 });
    // Who wants none has none.
    await page.getByRole('button', { name: 'Boxes: Movement' }).click();
    await page.getByRole('menuitemradio', { name: 'None' }).click();
    await eventually(
      'there is no legend',
      async () => (await page.getByLabel('Legend of boxes').count()) === 0,
    );
    await page.keyboard.press('}');
    await page.waitForTimeout(300);
    assert.equal(hashOf(page).has('gn'), false);
  });

  test('has data that is only read near each use, which is one element', async () => {
    const page = await stage.open('#d=1&gd=2');
    const picture = await pictureOf(page);
    await eventually('it is drawn', async () =>
      (await page.locator('.status').textContent())!.includes('17 boxes drawn'),
    );
    const outline = page.getByRole('tree', { name: 'Boxes of the drawing' });
    const listed = await outline.locator('[role=treeitem] b').allTextContents();
    assert.deepEqual(listed.slice(0, 4), ['made', 'row', 'A', 't1']);
    await outline.getByText('A', { exact: true }).click();
    await eventually('it is selected', async () => (await spoken(page)).startsWith('data, A,'));
    const element = hashOf(page).get('gi');
    // From what stands beside the copy to it, and on to what reads it.
    await outline.getByText('t11', { exact: true }).click();
    await picture.focus();
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowLeft'] as const) {
      if ((await spoken(page)).startsWith('data, A (copy)')) break;
      await page.keyboard.press(key);
      await page.waitForTimeout(300);
    }
    await eventually('the copy is selected', async () =>
      (await spoken(page)).startsWith('data, A (copy)'),
    );
    assert.equal(hashOf(page).get('gi'), element);
    assert.equal(await page.locator('.graph-panel h2').first().textContent(), 'A');
    await page.keyboard.press('ArrowDown');
    await eventually('its reader is next', async () =>
      (await spoken(page)).startsWith('tasklet, t12'),
    );
  });

  test('stays as it is where the address has a camera', async () => {
    const page = await stage.open('#d=1&gd=2');
    await (await pictureOf(page)).focus();
    await page.keyboard.press('+');
    await eventually('the camera is in the address', () => hashOf(page).has('gx'));
    const made = hashOf(page).get('gw');
    assert.match(made ?? '', /^\d+$/);
    const again = await stage.open(new URL(page.url()).hash, {
      viewport: { width: 760, height: 900 },
    });
    await pictureOf(again);
    await again.waitForTimeout(500);
    assert.equal(hashOf(again).get('gw'), made);
    assert.equal(hashOf(again).get('gx'), hashOf(page).get('gx'));
  });
});
