import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, sample, test } from '../harness.ts';
import { Workbench } from './harness.ts';

const NAME = 'orders.trace.json';
const source = readFileSync(sample('editor/python/orders/pricing.py'), 'utf8').split('\n');
/** The number and the text of the line that begins a function. */
function startOf(name: string) {
  const at = source.findIndex((line) => line.startsWith(`def ${name}(`));
  assert.ok(at >= 0, name);
  return { line: at + 1, text: source[at]!.trim() };
}

let code: Workbench;
let home: string;

// The tests share a window: after a failure all of them run once more.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'hotframe-timeline-'));
  const project = path.join(home, 'shop');
  cpSync(sample('editor/python'), project, { recursive: true });
  // As VizTracer writes it, on another machine: all of the time in one function that calls another.
  const span = (name: string, ts: number, dur: number) => ({
    ph: 'X',
    pid: 1,
    tid: 1,
    name: `${name} (/srv/shop/orders/pricing.py:${startOf(name).line})`,
    ts,
    dur,
  });
  const traceEvents = [span('price_all', 0, 1000), span('discount', 10, 980)];
  writeFileSync(path.join(project, NAME), JSON.stringify({ traceEvents }));
  code = await Workbench.start(project);
});

test.afterAll(async () => {
  await code.close();
  rmSync(home, { recursive: true });
});

test('a trace opens with its timeline, and a click on a span shows its source line', async () => {
  await code.explorer(NAME).dblclick();
  const timeline = code.profile.locator('[data-scope=timeline]');
  await eventually('its tracks are there', async () =>
    (await timeline.locator('[role=treeitem]').allInnerTexts()).some((text) =>
      text.includes('2 spans'),
    ),
  );
  const said = () => code.profile.locator('.timeline output').innerText();
  const box = await timeline.boundingBox();
  assert.ok(box !== null);
  // Ruler, process and the outer span stand above it, and in a narrow panel the track's name.
  const y = box.width < 640 ? 97 : 80;
  await eventually('the inner span is selected', async () => {
    // Before it is drawn there is nothing to click on.
    await timeline.click({ position: { x: box.width * 0.6, y } });
    await code.page.waitForTimeout(600);
    return (await said()).startsWith('discount, 980');
  });
  const { text } = startOf('discount');
  await code.tab('pricing.py').waitFor();
  await eventually('its line is selected', async () => {
    const selected = await code.selected();
    return selected.length === 1 && selected[0]!.startsWith(text);
  });
  assert.equal(await code.title(), NAME, 'the picture keeps the focus');
  // The place in the panel below leads there, with the keyboard.
  await code.profile.locator('.span-panel .place').click();
  await eventually('the source has the focus', async () => (await code.title()) === 'pricing.py');
  await code.shoot('timeline');
});
