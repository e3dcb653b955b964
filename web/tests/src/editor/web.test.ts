import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, sample, test } from '../harness.ts';
import { figuresOf, hintText, lensText, lineRow } from './figures.ts';
import { Workbench } from './harness.ts';
import { WEB_EXTENSION } from './serving.ts';

/** The extension of VS Code in a browser: no binary runs beside it. */
let code: Workbench;
let home: string;
const GAZETTEER = sample('editor/rust');
const RECORDED = 'gazetteer.perf-script.gz';
const SEARCH = 'gazetteer::tree::search';
const TREE = readFileSync(path.join(GAZETTEER, 'src/tree.rs'), 'utf8').split('\n');
/** The row of the flame graph that begins with the outermost `search`. */
const SEARCH_ROW = 20;
/** The colour of a highlighted line in a light theme, `hotframe.line`. */
const HIGHLIGHT = 'rgba(245, 162, 96, 0.18)';
/** A profile of files that stand elsewhere here, or nowhere. */
const MOVED = {
  $schema: 'https://www.speedscope.app/file-format-schema.json',
  shared: {
    frames: [
      { name: 'other', file: '/elsewhere/tree.rs', line: 1 },
      { name: 'gone', file: '/elsewhere/gone.rs', line: 3 },
    ],
  },
  profiles: [
    {
      type: 'sampled',
      name: 'main',
      unit: 'milliseconds',
      startValue: 0,
      endValue: 4,
      samples: [[0, 1]],
      weights: [4],
    },
  ],
};

// The tests share a window: after a failure all of them run once more.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'hotframe-web-'));
  const project = path.join(home, 'shop');
  cpSync(sample('pprof/cpu.pb.gz'), path.join(project, 'cpu.pb.gz'));
  cpSync(sample('sdfg/sharpen.sdfg'), path.join(project, 'sharpen.sdfg'));
  cpSync(GAZETTEER, path.join(project, 'gazetteer'), { recursive: true });
  // The recording names `/build/gazetteer/src/tree.rs`.
  mkdirSync(path.join(project, 'older'));
  for (const folder of ['one', 'two']) {
    const aside = path.join(project, 'older', folder);
    mkdirSync(aside);
    writeFileSync(path.join(aside, 'tree.rs'), 'fn other() {}\n');
  }
  writeFileSync(path.join(project, 'moved.speedscope.json'), JSON.stringify(MOVED));
  code = await Workbench.start(project, {}, WEB_EXTENSION);
});
test.afterAll(async () => {
  await code.close();
  rmSync(home, { recursive: true });
});

test('a profile opens with the engine of the page', async () => {
  await code.explorer('cpu.pb.gz').dblclick();
  const flame = code.profile.getByRole('tree', { name: 'Flame graph' });
  await flame.waitFor();
  // The program, and what it calls: 7.24 s of 7.50, as pprof says.
  await eventually('frames of the program', async () =>
    (await flame.locator('[role=treeitem]').allTextContents()).some((text) =>
      text.includes('sync.(*WaitGroup).Go.func1, 7.24 s'),
    ),
  );
  // The theme is the editor's, and follows it.
  const theme = () => code.profile.locator('html').getAttribute('data-theme');
  assert.equal(await theme(), 'light');
  await code.shoot('web-extension');
});

test('a graph takes the whole engine', async () => {
  await code.explorer('sharpen.sdfg').dblclick();
  await eventually(
    'the graph',
    async () => (await code.profile.locator('.graph-canvas, [role=tree]').count()) > 0,
  );
});

test('a frame leads to its line in the workspace, and lines tell what they cost', async () => {
  await code.explorer('gazetteer').click();
  await code.explorer(RECORDED).dblclick();
  await code.clickRow(SEARCH_ROW);
  await code.tab('tree.rs').waitFor();
  const lines = figuresOf(path.join(GAZETTEER, RECORDED), 'line');
  const ofSearch = lines.rows.filter((row) => row.function.startsWith(SEARCH));
  const hottest = ofSearch.reduce((best, row) => (row.total > best.total ? row : best));
  const text = TREE[hottest.line - 1]!.trim();
  await eventually('its hottest line is highlighted', async () => {
    const marked = await code.marked(HIGHLIGHT);
    return marked.length === 1 && marked[0]!.startsWith(text);
  });
  assert.equal(await code.title(), RECORDED, 'the picture keeps the focus');
  assert.equal(await code.hint(text), hintText(lines, lineRow(lines, SEARCH, hottest.line)));
  await eventually('the text has the keyboard', async () => {
    await code.focusGroup(2);
    return (await code.page.locator('.editor-instance .monaco-editor.focused').count()) > 0;
  });
  const hover = await code.hover(43);
  const told = lensText(lines, lineRow(lines, SEARCH, 43));
  assert.ok(hover.includes(told), `${told} in ${hover}`);
  assert.ok(hover.includes('The profile names /build/gazetteer/src/tree.rs.'), hover);
  await code.shoot('web-extension-source');
  assert.deepEqual(await code.notifications(), []);
});

test('of several files one is chosen, and what is missing is told', async () => {
  await code.focusGroup(1);
  await code.explorer('moved.speedscope.json').dblclick();
  const status = code.page.locator('.statusbar-item').filter({ hasText: 'may be 3 files' });
  await code.clickRow(1);
  await status.waitFor();
  await code.page.keyboard.press('e');
  const rows = code.page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'older/two/tree.rs' }).click();
  await code.tab('tree.rs').waitFor();
  await eventually('the chosen one is there', async () =>
    (await code.lines()).some((line) => line.startsWith('fn other() {}')),
  );
  await code.clickRow(2);
  await code.page.keyboard.press('e');
  await eventually('it is told', async () =>
    (await code.notifications()).some((text) => text.includes('has no file gone.rs')),
  );
});
