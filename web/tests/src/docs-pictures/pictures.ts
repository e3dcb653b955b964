/** The pictures of the page. They show samples of the repository, and files of the corpus where it is. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { flameOf, REPOSITORY, sample } from '../harness.ts';
import * as recordings from './recordings.ts';
import { longestSpan } from './recordings.ts';
import {
  bins,
  chooses,
  choosesRow,
  choosesSpan,
  closesDetails,
  differences,
  drags,
  graph,
  pairs,
  tracks,
} from './steps.ts';

export interface Picture {
  /** The file below `docs`, without its ending. */
  readonly name: string;
  /** Paths, or names in the folder of the recording. */
  readonly files: readonly string[];
  /** Makes the files, if they are no samples. */
  readonly recording?: recordings.Recording;
  /** What the program is called with before the files. */
  readonly command?: readonly string[];
  /** What its environment has in place of ours. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Of the window, in pixels. */
  readonly size: readonly [width: number, height: number];
  readonly dark?: true;
  /** What the address says of the view; a recording may say where to look. */
  readonly hash: string | (() => string);
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
/** The remedy of the paper for the stencil. */
const STEPS = ['permute in_field 2,0,1', 'order k,i,j', 'pad in_field 8']
  .map(encodeURIComponent)
  .join(';');
const placed = (placement: string) => [1, 2, 3].map((run) => `out/${placement}-${run}.perf.data`);
const PLACEMENTS = ['diff', '--open', '--base', ...placed('free'), '--new'];
/** Where the server keeps programs that it is sent. */
export const temporary = mkdtempSync(path.join(tmpdir(), 'hotframe-pictures-'));
const LULESH = corpus('ezview/fig7_lulesh_reuse_distance.ezview');

export const PICTURES: readonly Picture[] = [
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
    name: 'tour-movement-softmax',
    files: [ENCODER],
    size: [1400, 880],
    // The edge from the differences to the exponential.
    hash: `#d=0&gm=mean&gi=188&gx=480~1240~0.75&${SIZES}`,
    arrive: graph,
  },
  {
    name: 'tour-movement-compare',
    files: [sample('sdfg/tour/encoder.fused.sdfgz'), sample('sdfg/tour/encoder.expanded.sdfgz')],
    size: [1400, 880],
    hash: `#d=0&ga=1&${SIZES}`,
    async arrive(page) {
      await graph(page);
      await page.getByRole('tab', { name: 'Compare' }).click();
      await page.locator('.graph-panel .changes').first().waitFor();
    },
  },
  {
    name: 'tour-movement-lines',
    files: [sample('sdfg/tour/hdiff.sdfgz')],
    size: [1400, 860],
    hash: `#d=0&as=all&av=I:8,J:8,K:5&aq=I:256,J:256,K:160&an=10&ao=misses&ab=both&az=1&ap=78&aw=${STEPS}`,
    async arrive(page) {
      await page.getByRole('tab', { name: 'What if' }).click();
      await page.getByText('Small and full sizes disagree').waitFor();
    },
  },
  {
    name: 'tour-linked',
    files: [LULESH],
    size: [1400, 800],
    hash: '#d=0&m=1&view=linked&f=focus:GOMP_parallel',
    async arrive(page) {
      await pairs(page);
      await page.locator('.pairs tbody tr', { hasText: 'SumElemStressesToNode' }).first().click();
      await page.locator('.details .place').waitFor();
    },
  },
  {
    name: 'tour-time-lock',
    files: [sample('time/orders.jfr')],
    size: [1240, 860],
    hash: '#d=0&m=5&view=timeline&t=850000000~1450000000&f=time:982ms..1.33s',
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
    arrive: (page) => choosesSpan(page, /^FunctionCall/),
  },
  {
    name: 'tour-time-progress',
    command: ['diff', '--open'],
    files: [sample('time/imports-before.json.gz'), sample('time/imports-after.json.gz')],
    size: [1240, 860],
    hash: '#view=timeline&tb=span_changes&align=progress:%5Eimport_file%24',
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
    arrive: (page) => choosesSpan(page, /^handle\d/),
  },
  {
    name: 'tour-python-workers',
    recording: recordings.readings,
    files: ['readings.calls'],
    size: [1400, 760],
    hash() {
      const { longest_at_ns: at, longest_ns: lasts } = longestSpan('readings.calls', 'work');
      const from = Math.round(at + lasts / 2);
      return `#d=0&view=timeline&tn=worker&t=${from}~${from + 20e6}`;
    },
    arrive: tracks,
  },
  {
    name: 'tour-python-start',
    recording: recordings.readings,
    files: ['readings.calls'],
    size: [1400, 760],
    hash: '#d=0&view=timeline&tb=spans&q=_imp.*_dynamic',
    arrive: (page) => choosesSpan(page, /^_imp\.create_dynamic/),
  },
  {
    name: 'tour-python-recursion',
    recording: recordings.queens,
    files: ['queens.prof'],
    size: [1400, 760],
    hash: '#d=0&view=charts&chart=scatter&rec=1&q=queens.py',
    arrive: (page) =>
      page
        .locator('.charts svg circle, .chart canvas, [data-scope=charts] canvas')
        .first()
        .waitFor(),
  },
  {
    name: 'notes-light',
    recording: recordings.notes,
    files: ['noted.hotframe'],
    size: [1400, 860],
    hash: '#d=0',
    arrive: (page) => chooses(page, '^copy$'),
  },
  {
    name: 'instructions-light',
    recording: recordings.sieve,
    files: ['out/sieve-1.perf.data'],
    size: [1200, 760],
    hash: '#d=0',
    async arrive(page) {
      await chooses(page, '^primes$');
      await page.getByRole('button', { name: 'Instructions…' }).click();
      await page.getByRole('grid', { name: 'Instructions' }).waitFor();
    },
  },
  {
    name: 'experiment-light',
    files: [sample('hotframe/experiment.hotframe')],
    size: [1200, 760],
    hash: '#d=0',
    async arrive(page) {
      await drags(page, 1, 1);
      await drags(page, 3, 3);
      await differences(page);
    },
  },
  {
    name: 'tour-experiments-effects',
    recording: recordings.sensors,
    files: ['sensors.hotframe'],
    size: [1200, 520],
    hash: '#d=0&xp=effects',
    arrive: differences,
  },
  {
    name: 'tour-experiments-numpy',
    recording: recordings.sensors,
    files: ['sensors.hotframe'],
    size: [1200, 920],
    hash: '#d=0',
    async arrive(page) {
      // Both columns: all interpreters with either numpy.
      await drags(page, 0, 8);
      await drags(page, 1, 9);
      await differences(page);
    },
  },
  {
    name: 'tour-perf-processors',
    recording: recordings.pipeline,
    command: PLACEMENTS,
    files: placed('pinned'),
    size: [1500, 860],
    hash: '#view=processors&event=run+time',
    async arrive(page) {
      await closesDetails(page);
      await bins(page);
      const cells = page.locator('.over-time .strip .cells').first();
      await cells.click({ position: { x: 235, y: 4 } });
    },
  },
  {
    name: 'tour-perf-threads',
    recording: recordings.pipeline,
    command: PLACEMENTS,
    files: placed('pinned'),
    size: [1500, 960],
    hash: '#view=processors&event=run-queue+time&rowsby=thread',
    async arrive(page) {
      await closesDetails(page);
      await bins(page);
    },
  },
  {
    name: 'tour-perf-wakers',
    recording: recordings.pipeline,
    files: ['out/free-1.perf.data'],
    size: [1500, 860],
    // Off-CPU time.
    hash: '#d=0&view=linked&m=6',
    async arrive(page) {
      await closesDetails(page);
      await pairs(page);
    },
  },
];
