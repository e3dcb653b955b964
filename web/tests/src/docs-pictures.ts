/**
 * Makes pictures of the docs anew: `npm run pictures --workspace web/tests`, or some of them by their names.
 * They show samples of the repository, and files of the corpus where it is.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { eventually, flameOf, REPOSITORY, sample, startStage } from './harness.ts';

interface Picture {
  /** The file below `docs`, without its ending. */
  readonly name: string;
  readonly files: readonly string[];
  /** What the program is called with before the files. */
  readonly command?: readonly string[];
  /** What its environment has in place of ours. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Of the window, in pixels. */
  readonly size: readonly [width: number, height: number];
  readonly dark?: true;
  /** What the address says of the view. */
  readonly hash: string;
  /** Waits for what is shown, and does what no address says. */
  arrive(page: Page): Promise<unknown>;
}

const corpus = (name: string) =>
  path.join(process.env.HOTFRAME_CORPUS ?? path.join(REPOSITORY, '../shared/corpus'), name);
const runs = (side: string) => [1, 2, 3, 4, 5].map((run) => sample(`runs/${side}-${run}.pb.gz`));
const COMPARED = ['diff', '--open', '--base', ...runs('before'), '--new'];
const ENCODER = sample('sdfg/tour/encoder.sdfgz');
/** BERT-large with 8 sequences of 512 words. */
const SIZES = 'gs=B:8,H:16,P:64,S:512,E:1024,F:4096';
/** Where the server keeps programs that it is sent. */
const temporary = mkdtempSync(path.join(tmpdir(), 'hotframe-pictures-'));
const LULESH = corpus('ezview/fig7_lulesh_reuse_distance.ezview');

const rows = (page: Page) => page.locator('.table .row').first().waitFor();
const pairs = (page: Page) => page.locator('.pairs tbody tr, .table .row').first().waitFor();
const tracks = (page: Page) =>
  page.locator('[data-scope=timeline] [role=treeitem]').first().waitFor({ state: 'attached' });
const graph = (page: Page) =>
  page.locator('[data-scope=graph] canvas').first().waitFor({ state: 'visible' });

/** Chooses the first frame that a search finds, and leaves the search. */
async function chooses(page: Page, name: string): Promise<void> {
  await flameOf(page);
  await page.keyboard.press('/');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.locator('.details .place').waitFor();
  await page.keyboard.press('Escape');
}

/** Chooses the first row whose text has these words. */
async function choosesRow(page: Page, words: string): Promise<void> {
  await rows(page);
  await page.locator('.table .row', { hasText: words }).first().click();
  await page.locator('.details .place').waitFor();
}

const PICTURES: readonly Picture[] = [
  {
    name: 'flame-light',
    files: [sample('pprof/cpu.pb.gz')],
    size: [1400, 860],
    hash: '',
    arrive: (page) => chooses(page, 'Ledger).Best'),
  },
  {
    name: 'table-light',
    files: [sample('pprof/cpu.pb.gz')],
    size: [1400, 860],
    hash: '#d=0&view=table',
    arrive: (page) => choosesRow(page, 'matchH2'),
  },
  {
    name: 'changes-light',
    command: COMPARED,
    files: runs('after'),
    size: [1400, 700],
    hash: '#view=table',
    arrive: (page) => choosesRow(page, 'addVisitor'),
  },
  {
    name: 'tour-compare',
    command: COMPARED,
    files: runs('after'),
    size: [1400, 700],
    hash: '',
    arrive: (page) => chooses(page, 'addVisitor'),
  },
  {
    name: 'timeline-light',
    files: [sample('trace-event/default.trace.json')],
    size: [1400, 860],
    hash: '#d=0&f=time:53ms..60ms',
    arrive: tracks,
  },
  {
    name: 'pruned-light',
    files: [sample('pprof/cpu.pb.gz')],
    size: [1400, 560],
    hash: '#d=0&below=5',
    arrive: flameOf,
  },
  {
    name: 'collapsed-light',
    files: [sample('pprof/cpu.pb.gz')],
    size: [1240, 560],
    hash: '#d=0&collapse=1',
    arrive: flameOf,
  },
  {
    name: 'graph-light',
    files: [ENCODER],
    size: [1400, 880],
    hash: `#d=0&${SIZES}`,
    arrive: graph,
  },
  {
    name: 'graph-dark',
    files: [ENCODER],
    size: [1400, 880],
    dark: true,
    hash: `#d=0&${SIZES}`,
    arrive: graph,
  },
  {
    name: 'tour-movement',
    files: [ENCODER],
    size: [1400, 1100],
    hash: `#d=0&gm=mean&${SIZES}`,
    arrive: graph,
  },
  {
    name: 'tour-movement-intensity',
    files: [ENCODER],
    size: [1400, 880],
    hash: `#d=0&gn=intensity&gm=median&${SIZES}`,
    arrive: graph,
  },
  {
    name: 'tour-linked',
    files: [LULESH],
    size: [1400, 800],
    hash: '#d=0&view=linked',
    arrive: pairs,
  },
  {
    name: 'tour-time-lock',
    files: [sample('time/orders.jfr')],
    size: [1240, 860],
    hash: '#d=0&view=timeline&f=time:982ms..1.33s',
    arrive: tracks,
  },
  {
    name: 'tour-leak',
    files: [corpus('ezview/fig4_memory_flow.ezview')],
    size: [1400, 860],
    hash: '#d=0&f=label_ignore:member%3D%5Esnapshot+245%24',
    arrive: (page) => chooses(page, 'NewReader'),
  },
  {
    name: 'linked-metrics-light',
    files: [LULESH],
    size: [1400, 800],
    hash: '#d=0&view=linked&pm=1:0&pm=2:0',
    arrive: pairs,
  },
  {
    name: 'tour-time-frame',
    files: [sample('time/feed.json.gz')],
    size: [1240, 860],
    hash: '#d=0&view=timeline&tb=spans',
    async arrive(page) {
      await tracks(page);
      await page.locator('.happenings tbody tr', { hasText: /^FunctionCall/ }).click();
      await page.keyboard.press('Enter');
      await page.locator('.span-panel').waitFor();
    },
  },
  {
    name: 'tour-time-progress',
    command: ['diff', '--open'],
    files: [sample('time/imports-before.json.gz'), sample('time/imports-after.json.gz')],
    size: [1240, 860],
    hash: '#view=timeline&tb=changes&align=progress:%5Eimport_file%24',
    arrive: tracks,
  },
  {
    name: 'tour-movement-fusions',
    files: [ENCODER],
    size: [1400, 880],
    hash: `#d=0&gm=mean&${SIZES}`,
    async arrive(page) {
      await graph(page);
      await page.getByRole('tab', { name: 'Fusions' }).click();
    },
  },
  {
    name: 'run-light',
    command: ['open', '--allow-run'],
    files: [],
    // Paths of interpreters are neutral where only those of the system are found.
    environment: {
      HOME: '/nowhere',
      PYENV_ROOT: '/nowhere',
      PATH: '/usr/bin:/bin',
      HOTFRAME_STORE: temporary,
    },
    size: [1400, 860],
    hash: '',
    async arrive(page) {
      const buffer = Buffer.from('print(sum(range(1000)))\n');
      const file = { name: 'prices.py', mimeType: 'text/x-python', buffer };
      await page.getByLabel('Program to run').setInputFiles(file);
      await page.getByRole('radio', { name: /Environments/ }).waitFor();
      await page
        .getByText(/^Environments/)
        .first()
        .click();
      await page.locator('.interpreter').first().waitFor();
      await page.getByRole('checkbox').last().check();
      await page.getByRole('button', { name: '+ Add a parameter' }).click();
      await page.locator('input:not([type=checkbox]):focus').waitFor();
      await page.keyboard.type('n');
      await page.getByRole('textbox', { name: 'Values of n' }).fill('1, 3');
      await page.locator('.run-section h2').first().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'tour-time-request',
    files: [sample('time/requests.json.gz')],
    size: [1240, 800],
    hash: '#d=0&view=timeline&tb=spans',
    arrive: tracks,
  },
];

/** What moves has come to rest, and the bars show no work. */
async function settles(page: Page): Promise<void> {
  await eventually('nothing is being computed', async () => {
    const busy = await page.locator('[aria-busy=true], progress').count();
    return busy === 0;
  });
  await page.waitForTimeout(1000);
}

const chosen = process.argv.slice(2);
for (const picture of PICTURES) {
  const { name, files, command = ['open'], size, dark, hash, arrive } = picture;
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) {
    console.log(`${name}: left as it is, for ${missing} is not here`);
    continue;
  }
  const before = { ...process.env };
  Object.assign(process.env, picture.environment);
  const stage = await startStage(files, command);
  process.env = before;
  const [width, height] = size;
  const page = await stage.open(hash, {
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
  });
  await arrive(page);
  await settles(page);
  await page.mouse.move(width - 1, height - 1);
  await page.screenshot({ path: path.join(REPOSITORY, `docs/${name}.png`) });
  console.log(name);
  await page.close();
  await stage.close();
}
rmSync(temporary, { recursive: true });
process.exit(0);
