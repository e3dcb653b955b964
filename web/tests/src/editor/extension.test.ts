import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { eventually, sample, test } from '../harness.ts';
import { figuresOf, functionRow, lineRow, lensText, hintText } from './figures.ts';
import { Workbench } from './harness.ts';

const PROJECT = sample('editor/rust');
const NAME = 'gazetteer.perf-script.gz';
const PROFILE = `${PROJECT}/${NAME}`;
const SEARCH = 'gazetteer::tree::search';
/** The row of the flame graph that begins with the outermost `search`: the frames above it are the same in every sample. */
const SEARCH_ROW = 20;
/** The colour of a highlighted line in a light theme, `hotframe.line`. */
const HIGHLIGHT = 'rgba(245, 162, 96, 0.18)';

const source = readFileSync(`${PROJECT}/src/tree.rs`, 'utf8').split('\n');
/** The text that perf wrote. */
const PERF = gunzipSync(readFileSync(PROFILE)).toString();
const functions = figuresOf(PROFILE, 'function');
const lines = figuresOf(PROFILE, 'line');
let code: Workbench;

// The tests share a window: after a failure all of them run once more.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  code = await Workbench.start(PROJECT);
});

test.afterAll(() => code.close());

test('a click in the explorer shows the flame graph', async () => {
  assert.deepEqual(code.engines(), [], 'nothing runs before it is needed');
  await code.explorer(NAME).click();
  const flame = await code.flame();
  await eventually('the whole is told', async () =>
    /^all, 1\.04 s/.test((await flame.locator('[role=treeitem]').first().textContent()) ?? ''),
  );
  await eventually('the status bar names profile and metric', async () =>
    (await code.status('hotframe.profile')).includes(`${NAME} · cpu-clock:u`),
  );
  assert.equal(code.engines().length, 1);
  await code.shoot('flame');
});

test('a click on a frame selects and highlights its hottest line', async () => {
  await code.clickRow(SEARCH_ROW);
  await eventually('the frame is selected', async () =>
    (await code.spokenSelection()).startsWith(`${SEARCH}, 562 ms`),
  );
  const hottest = textOf(hottestLine(SEARCH));
  await code.tab('tree.rs').waitFor();
  await eventually('the line is highlighted', async () => {
    const marked = await code.marked(HIGHLIGHT);
    return marked.length === 1 && marked[0]!.startsWith(hottest);
  });
  await eventually('the line is selected', async () => {
    const selected = await code.selected();
    return selected.length === 1 && selected[0]!.startsWith(hottest);
  });
  assert.equal(await code.title(), NAME, 'the picture keeps the focus');
  await code.shoot('source');
});

test('lens, hint and hover have the figures of the profile', async () => {
  const search = functionRow(functions, SEARCH);
  const hot = lineRow(lines, SEARCH, 43);
  await code.focusGroup(2);
  await eventually('a lens with the figures of the function', async () =>
    (await code.lenses()).some(
      ({ line, lens }) => line.startsWith("fn search<'a>") && lens === lensOf(SEARCH),
    ),
  );
  assert.equal(await code.hint(textOf(43)), hintText(lines, hot));
  const hover = await code.hover(43);
  for (const figure of [
    ...lensText(lines, hot).split(' · '),
    ...lensText(functions, search).split(' · '),
  ]) {
    assert.ok(hover.includes(figure.replace(/^(self|total) /, '')), `${figure} in ${hover}`);
  }
  const callee = functionRow(functions, 'gazetteer::tree::square_distance');
  const ofCallee = lensText(functions, callee).split(' · ')[1]!.replace('total ', '');
  assert.ok(hover.includes(`${callee.function} ${ofCallee}`), hover);
  assert.ok(hover.includes('gazetteer::tree::Tree::nearest'), hover);
  await code.shoot('hover');
  await code.page.keyboard.press('Escape');
});

test('code leads back to the flame graph', async () => {
  await code.goTo(57);
  await code.run('Hotframe: Reveal in Flame Graph');
  await eventually('the function under the cursor is selected', async () =>
    (await code.spokenSelection()).startsWith('gazetteer::tree::square_distance,'),
  );
  await code.shoot('reveal');
  await code.code
    .locator('.codelens-decoration a', {
      hasText: lensText(functions, functionRow(functions, SEARCH)),
    })
    .first()
    .click();
  await eventually('the function of the lens is selected', async () =>
    (await code.spokenSelection()).startsWith(`${SEARCH},`),
  );
});

test('a lens lists the instructions of a function', async () => {
  const addresses = addressesOf(SEARCH);
  const lens = `${addresses.size} instructions`;
  await code.code.locator('.codelens-decoration a', { hasText: lens }).click();
  const widget = code.page.locator('.quick-input-widget');
  const rows = widget.locator('.monaco-list-row');
  // The one where most samples stand is in front; perf's text tells how many.
  const [hottest, samples] = [...innermost(SEARCH)].sort(([, a], [, b]) => b - a)[0]!;
  const focused = widget.locator('.monaco-list-row.focused');
  await focused.filter({ hasText: `0x${hottest}` }).waitFor();
  const share = (100 * samples) / PERF.split('\n\n').filter((stack) => stack.trim() !== '').length;
  const hottestText = (await focused.textContent())!;
  assert.ok(hottestText.includes(`${share.toFixed(1)} %`), `${samples} ${share} ${hottestText}`);
  await code.shoot('instructions');
  // What does not fit is not in the document: the addresses that are there are such of the function.
  const told = (await rows.allTextContents()).flatMap(
    (text) => /0x([0-9a-f]+)/.exec(text)?.[1] ?? [],
  );
  assert.ok(told.length > 3 && told.every((address) => addresses.has(address)), told.join());
  await code.page.keyboard.press('Enter');
  await widget.waitFor({ state: 'hidden' });
  const selected = await code.selected();
  assert.equal(selected.length, 1, 'its line is selected');
});

test('the picture has the colours of the editor', async () => {
  const themeOf = () => code.profile.locator('html').getAttribute('data-theme');
  await code.theme('Dark Modern', 'vs-dark');
  await eventually('the page is dark', async () => (await themeOf()) === 'dark');
  await code.flame();
  await code.shoot('dark');
  await code.theme('Dark High Contrast', 'hc-black');
  await eventually('the page has high contrast', async () => (await themeOf()) === 'contrast');
  await code.shoot('contrast');
  await code.theme('Light Modern', 'vs');
  await eventually('the page is light', async () => (await themeOf()) === 'light');
});

test('an engine that is killed comes back', async () => {
  const [engine] = code.engines();
  assert.ok(engine);
  code.killEngine(engine.pid);
  await eventually('the user is told', async () =>
    (await code.notifications()).some((text) => text.includes('engine stopped')),
  );
  await eventually('another one runs', () => {
    const running = code.engines();
    return running.length === 1 && running[0]!.pid !== engine.pid;
  });
  // The picture is scrolled to what was selected.
  const flame = await code.flame();
  await eventually('the picture answers', async () => {
    // What is clicked on before the picture is drawn again is not there.
    await flame.hover({ position: { x: 300, y: 100 } });
    await code.page.mouse.wheel(0, -5000);
    await code.page.waitForTimeout(500);
    await code.clickRow(SEARCH_ROW - 1);
    await code.page.waitForTimeout(500);
    return (await code.spokenSelection()).startsWith('gazetteer::tree::Tree::nearest,');
  });
  await eventually('the code has its lenses', async () =>
    (await code.lenses()).some(({ lens }) => lens === lensOf(SEARCH)),
  );
  await code.shoot('recovered');
});

test('the view is the same after the window is loaded again', async () => {
  // Beside its source the panel is narrow. Its views are tabs all the same.
  const table = code.profile.getByRole('radio', { name: 'Table', checked: true });
  await code.profile.getByRole('radio', { name: 'Table' }).click();
  await table.waitFor();
  await code.reload();
  await table.waitFor();
  await code.profile.locator('.table .row', { hasText: 'nearest' }).first().waitFor();
  assert.equal(code.engines().length, 1);
  await code.shoot('reloaded');
});

test('a profile behind another tab is told of when the window is loaded again', async () => {
  await code.focusGroup(1);
  await code.open('src/main.rs');
  const pictures = code.page.locator('iframe.webview.ready:visible');
  await eventually('the picture is behind', async () => (await pictures.count()) === 0);
  await code.reload();
  await code.focusGroup(2);
  await eventually('the code has its lenses', async () =>
    (await code.lenses()).some(({ lens }) => lens === lensOf(SEARCH)),
  );
  await code.shoot('behind');
});

/** A line of tree.rs without the spaces before it. */
function textOf(line: number): string {
  return source[line - 1]!.trim();
}

/** What stands above a function. */
function lensOf(name: string): string {
  const instructions = addressesOf(name).size;
  return `${lensText(functions, functionRow(functions, name))} | ${instructions} instructions`;
}

/** The addresses that the samples of perf's own text have of a function. */
function addressesOf(name: string): ReadonlySet<string> {
  const frames = PERF.matchAll(/^\t *([0-9a-f]+) (.+)$/gm);
  return new Set([...frames].flatMap(([, at, of]) => (of === name ? [at!] : [])));
}

/** By address of a function, how many samples stand there. */
function innermost(name: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const stack of PERF.split('\n\n')) {
    const [, at, of] = /^\t *([0-9a-f]+) (.+)$/m.exec(stack) ?? [];
    if (of === name) counts.set(at!, (counts.get(at!) ?? 0) + 1);
  }
  return counts;
}

/** The line of the outermost frame of a function that most samples have. */
function hottestLine(name: string): number {
  const counts = new Map<number, number>();
  for (const stack of PERF.split('\n\n')) {
    const at = stack.lastIndexOf(` ${name}\n`);
    const line = Number(/^.*\n.*:(\d+)/.exec(stack.slice(at + 1))?.[1]);
    if (at >= 0 && line > 0) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const [hottest] = [...counts].sort(([, a], [, b]) => b - a);
  return hottest![0];
}
