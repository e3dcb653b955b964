import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import axe from 'axe-core';
import type { Page } from '@playwright/test';
import { endTransitions, findings } from './axe.ts';
import { eventually, flameOf, IS_STATIC, type Stage, sample, startStage, test } from './harness.ts';

/** What people ask their system for. */
const LOOKS = {
  light: look('light'),
  dark: look('dark'),
  'high contrast on light': look('light', 'more'),
  'high contrast on dark': look('dark', 'more'),
  'forced colours on light': look('light', 'no-preference', 'active'),
  'forced colours on dark': look('dark', 'no-preference', 'active'),
} as const;

function look(
  colorScheme: 'light' | 'dark',
  contrast: 'more' | 'no-preference' = 'no-preference',
  forcedColors: 'active' | 'none' = 'none',
) {
  return { colorScheme, contrast, forcedColors };
}

/** A state of the page: the fragment of its address, and what is done there. */
interface State {
  readonly name: string;
  readonly hash: string;
  /** What it needs that the page without a server has not: its Python beside it, sources of the machine. */
  readonly needs?: 'python' | 'sources';
  arrive(page: Page): Promise<unknown>;
  leave?(page: Page): Promise<unknown>;
}

const rows = (page: Page) => page.locator('.table .row').first().waitFor();
async function escape(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('[role=menu], dialog').waitFor({ state: 'detached' });
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
/** The comparison that the page makes of the runs. */
const COMPARISON = 10;
/** The trace, which tells when what was. */
const TRACE = 7;
/** Switches of a scheduler, by which states of threads are known. */
const SWITCHES = 8;
/** Loops of C. */
const LOOPS = 9;
const tracks = (page: Page) =>
  page.locator('[data-scope=timeline] [role=treeitem]').first().waitFor({ state: 'attached' });

/** Chooses what is first in a picture: what was there before may still be on screen when the key comes. */
async function choosesFirst(page: Page): Promise<void> {
  await eventually('something is chosen', async () => {
    await page.locator('[data-scope=charts]').press('Home');
    return (await page.getByRole('treeitem', { selected: true }).count()) > 0;
  });
}

const STATES: readonly State[] = [
  { name: 'flame graph', hash: 'd=0', arrive: flameOf },
  {
    name: 'flame graph above a script',
    hash: 'd=0',
    needs: 'python',
    async arrive(page) {
      await flameOf(page);
      await button(page, 'Python').click();
      const text = "# All\ndef f(x):\n    return f'{x}' if x > 1 else None\n";
      await page
        .getByLabel('Open a script')
        .setInputFiles({ name: 'a.py', mimeType: 'text/x-python', buffer: Buffer.from(text) });
      await page.getByRole('textbox', { name: 'Python script' }).getByText('def').waitFor();
    },
    leave: (page) => button(page, 'Close the Python pane').click(),
  },
  {
    name: 'flame graph with a selected frame',
    hash: 'd=0&q=runtime',
    async arrive(page) {
      const flame = await flameOf(page);
      await flame.click({ position: { x: 40, y: 60 } });
      await page.locator('.details .place').waitFor();
    },
  },
  {
    name: 'timeline with a range',
    hash: `d=${TRACE}&f=time:10ms..20ms`,
    arrive: (page) =>
      page.locator('[data-scope=timeline] [role=treeitem]').first().waitFor({ state: 'attached' }),
  },
  ...['gaps', 'concurrency', 'critical_path'].map((list) => ({
    name: `list of ${list}`,
    hash: `d=${TRACE}&tb=${list}`,
    arrive: async (page: Page) => {
      const row = page.locator('.happenings tbody tr');
      await row.nth(3).click();
      if (list === 'concurrency') await page.locator('.concurrency-chart svg').waitFor();
    },
  })),
  {
    name: 'list of states',
    hash: `d=${SWITCHES}&tb=thread_states`,
    arrive: (page) => page.locator('.state-bar').first().waitFor(),
  },
  {
    name: 'heat map with a range',
    hash: `d=${TRACE}&view=heat&f=time:10ms..20ms`,
    arrive: (page) => page.locator('.heat-told .plain').waitFor(),
  },
  {
    name: 'scatter with a function and others chosen',
    hash: `d=${TRACE}&view=charts&rec=1&fns=1.2.3`,
    async arrive(page) {
      await page.locator('circle[data-key]').first().waitFor({ state: 'attached' });
      await page.locator('[data-scope=charts]').press('Home');
      await page.locator('.tooltip').waitFor();
    },
    leave: (page) => page.locator('[data-scope=charts]').press('Escape'),
  },
  {
    name: 'scatter of what has no calls',
    hash: 'd=0&view=charts&chart=scatter',
    arrive: (page) => page.getByText('No call counts.').waitFor(),
  },
  {
    name: 'bars with a function chosen',
    hash: `d=${COMPARISON}&view=charts&fns=1`,
    async arrive(page) {
      await page.locator('.bars rect[fill-opacity]').first().waitFor({ state: 'attached' });
      await page.locator('[data-scope=charts]').press('Home');
    },
  },
  {
    name: 'sunburst with what is too narrow',
    hash: 'd=0&view=charts&chart=sunburst',
    async arrive(page) {
      await page.locator('path[data-node]').first().waitFor({ state: 'attached' });
      await page.locator('[data-scope=charts]').press('ArrowDown');
      await page.getByText('Others by ring').click();
    },
  },
  {
    name: 'a treemap of calls',
    hash: 'd=0&view=charts&chart=treemap',
    async arrive(page) {
      await page.locator('rect[data-node]').nth(1).waitFor({ state: 'attached' });
      await choosesFirst(page);
    },
    leave: (page) => page.locator('[data-scope=charts]').press('Escape'),
  },
  {
    name: 'a treemap of modules',
    hash: 'd=0&view=charts&chart=treemap&shape=flat&tint=share',
    async arrive(page) {
      await page.locator('rect[data-node]').nth(1).waitFor({ state: 'attached' });
      await choosesFirst(page);
    },
    leave: (page) => page.locator('[data-scope=charts]').press('Escape'),
  },
  {
    name: 'a call graph',
    hash: 'd=0&view=charts&chart=calls',
    async arrive(page) {
      await page.locator('rect[data-node]').nth(1).waitFor({ state: 'attached' });
      await choosesFirst(page);
    },
    leave: (page) => page.locator('[data-scope=charts]').press('Escape'),
  },
  {
    name: 'bars side by side',
    hash: 'd=0&view=charts&chart=bars&beside=1',
    async arrive(page) {
      await page.locator('.beside-pane rect').first().waitFor({ state: 'attached' });
      await page.locator('.only-in summary').first().click();
    },
  },
  { name: 'bottom-up', hash: 'd=0&shape=bottom_up', arrive: flameOf },
  { name: 'flat', hash: 'd=0&shape=flat', arrive: flameOf },
  { name: 'functions', hash: 'd=1&view=table', arrive: rows },
  { name: 'tree', hash: 'd=1&view=table&list=tree', arrive: rows },
  { name: 'both', hash: 'd=0&view=both', arrive: rows },
  {
    name: 'sandwich',
    hash: 'd=0&view=sandwich',
    arrive: (page) => page.locator('.pane-title b').waitFor(),
  },
  {
    name: 'linked',
    hash: 'd=2&view=linked',
    arrive: (page) => page.locator('.pairs tbody tr').first().waitFor(),
  },
  { name: 'comparison', hash: `d=${COMPARISON}`, arrive: flameOf },
  { name: 'what changed', hash: `d=${COMPARISON}&view=table`, arrive: rows },
  {
    name: 'filters and a form for one more',
    hash: 'd=0&f=focus:runtime&f=ignore:nothing',
    async arrive(page) {
      await page.locator('.chip').first().waitFor();
      await button(page, '+ Filter').click();
      await page.getByRole('textbox', { name: 'Pattern' }).waitFor();
    },
    leave: (page) => button(page, 'Cancel').click(),
  },
  {
    name: 'a menu',
    hash: 'd=0',
    async arrive(page) {
      await button(page, /^Metric/).click();
      await page.getByRole('menu').waitFor();
    },
    leave: escape,
  },
  {
    name: 'the menu of a frame',
    hash: 'd=0',
    async arrive(page) {
      const flame = await flameOf(page);
      await flame.click({ position: { x: 40, y: 60 }, button: 'right' });
      await page.getByRole('menu', { name: 'Frame' }).waitFor();
    },
    leave: escape,
  },
  {
    name: 'the keys',
    hash: 'd=0',
    async arrive(page) {
      await button(page, 'Keyboard').click();
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    },
    leave: escape,
  },
  {
    name: 'a source text',
    hash: 'd=5&src=92:logsummary/main.go',
    needs: 'sources',
    async arrive(page) {
      await page.locator('.source-line.marked').waitFor();
      await page.getByRole('columnheader', { name: 'Self' }).waitFor();
    },
    leave: escape,
  },
  {
    name: 'a formula',
    hash: 'd=0',
    async arrive(page) {
      await button(page, /^Metric/).click();
      await page.getByRole('menuitem', { name: 'By formula…' }).click();
      await page.getByRole('dialog').waitFor();
    },
    leave: escape,
  },
  {
    name: 'open as',
    hash: 'd=0',
    async arrive(page) {
      await flameOf(page);
      await page.keyboard.press('Shift+O');
      await page.getByRole('dialog', { name: 'Open as…' }).waitFor();
    },
    leave: escape,
  },
  {
    name: 'dataflow graph',
    hash: 'd=3',
    arrive: (page) => page.locator('.graph-panel h2').waitFor(),
  },
  {
    name: 'dataflow graph with its sizes',
    hash: 'd=3',
    async arrive(page) {
      await page.getByRole('tab', { name: 'Sizes' }).click();
      await page.locator('.graph-panel-body input').first().waitFor();
    },
    leave: (page) => page.getByRole('tab', { name: 'Details' }).click(),
  },
  ...['Numbers', 'What if', 'Sizes and caches', 'Element'].map((tab) => ({
    name: `accesses: ${tab}`,
    hash: `d=${LOOPS}&ap=3&ae=5:MemRef_A&aw=pad%20MemRef_A%2016&ab=both&ao=misses`,
    async arrive(page: Page) {
      await page.getByRole('tab', { name: tab }).click();
      await page.locator('.accesses-pair .accesses-plane').first().waitFor();
    },
  })),
  { name: 'timeline', hash: 'd=7&tp=2&th=3', arrive: tracks },
  {
    name: 'timeline with a selected span and the list of spans',
    hash: 'd=7&ts=1&tb=spans&q=select',
    async arrive(page) {
      await page.locator('.span-panel').waitFor();
      await page.locator('.happenings tbody tr').first().click();
    },
  },
  {
    name: 'timeline with a menu of a track and the list of marks',
    hash: 'd=7&tb=marks&tg=0',
    async arrive(page) {
      await page.locator('.happenings tbody tr').first().waitFor();
      await page.locator('[data-scope=timeline]').click({
        position: { x: 60, y: 40 },
        button: 'right',
      });
      await page.getByRole('menu', { name: 'Track' }).waitFor();
    },
    leave: escape,
  },
  {
    name: 'error',
    hash: 'd=4',
    arrive: (page) => page.locator('.card .formats b').first().waitFor(),
  },
];

let stage: Stage;
let folder: string;
test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  const unreadable = path.join(folder, 'unreadable.txt');
  writeFileSync(unreadable, `{ not written down\n${'main;work 3\n'.repeat(9)}`);
  const files = [
    sample('pprof/cpu.pb.gz'),
    sample('pprof/heap.pb.gz'),
    sample('ezview/reuse.ezview'),
    sample('sdfg/dace-1.0.2/glance.sdfgz'),
    unreadable,
    sample('runs/before-1.pb.gz'),
    sample('runs/after-1.pb.gz'),
    sample('trace-event/default.trace.json'),
    sample('perf-script/sched.perf-script'),
    sample('jscop/gemm.jscop'),
  ];
  stage = await startStage(files, ['open', '--source', sample('runs/record/before')]);
  const page = await stage.open('#d=5');
  await compares(page);
  await page.close();
});
test.afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

/** Compares the two runs in a page that shows the first of them. */
async function compares(page: Page): Promise<void> {
  await flameOf(page);
  await button(page, /^Document /).click();
  await page.getByRole('menuitem', { name: 'Compare with after-1.pb.gz' }).click();
  await page.locator('.sides').waitFor();
}

test('axe finds nothing in any view and any look', async () => {
  const page = await stage.open('#d=5');
  // What is compared belongs to the engine: without a server, to that of one page.
  if (IS_STATIC) await compares(page);
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const state of STATES.filter(({ needs }) => !IS_STATIC || needs === undefined)) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, state.hash);
    await state.arrive(page);
    for (const [look, media] of Object.entries(LOOKS)) {
      await page.emulateMedia(media);
      await page.evaluate(endTransitions);
      const problem = await findings(page, look === 'light' ? undefined : 'colours');
      found.push(...problem.map((text) => `${state.name}, ${look}: ${text}`));
    }
    await page.emulateMedia(LOOKS.light);
    await state.leave?.(page);
  }
  assert.deepEqual([...new Set(found)], []);
  await page.close();
});

test('axe finds nothing where nothing is open', async () => {
  const page = await stage.open('#d=0');
  await flameOf(page);
  await page.evaluate(axe.source);
  for (;;) {
    const documents = button(page, /^Document /);
    if ((await documents.count()) === 0) break;
    await documents.click();
    await page.getByRole('menuitem', { name: 'Close this one' }).click();
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await page.waitForTimeout(100);
  }
  await page.getByRole('heading', { name: 'Drop a profile here' }).waitFor();
  await page.locator('.formats b').first().waitFor();
  assert.deepEqual(await findings(page), []);
});
