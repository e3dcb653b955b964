import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import {
  binary,
  eventually,
  flameOf,
  hashOf,
  pageFolder,
  PATIENCE_MS,
  sample,
  shoot,
  startBrowser,
  test,
} from './harness.ts';

const PAGE = pageFolder();

let browser: Browser;
let folder: string;
const problems: string[] = [];

test.beforeAll(async () => {
  assert.ok(
    existsSync(path.join(PAGE, 'index.html')),
    `no ${PAGE}/index.html: run 'cargo xtask page'`,
  );
  browser = await startBrowser();
  folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
});
test.afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
  assert.deepEqual(problems, [], 'the page reported problems');
});

/** A page without a network; what it asks for beyond itself is a problem. */
async function open(url: string, context?: BrowserContext): Promise<Page> {
  const own = context ?? (await browser.newContext({ viewport: { width: 1400, height: 860 } }));
  const page = await own.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => problems.push(`${error.message}\n${error.stack ?? ''}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('request', (request) => {
    const asked = request.url();
    if (!/^(data|blob):/.test(asked) && !asked.startsWith(url.split('#')[0] ?? url)) {
      problems.push(`it asked for ${asked}`);
    }
  });
  if (url.startsWith('file:')) await own.setOffline(true);
  await page.goto(url);
  return page;
}

const asFile = () => pathToFileURL(path.join(PAGE, 'index.html')).href;

async function choose(page: Page, ...files: string[]): Promise<void> {
  await page.getByLabel('Open files').setInputFiles(files);
}

/** What a screen reader says of the whole program, and the names below it. */
async function framesOf(page: Page): Promise<string> {
  const flame = await flameOf(page);
  return (await flame.locator('[role=treeitem]').allTextContents()).join(' ');
}

/** The functions that the native program lists. */
function functions(file: string): readonly string[] {
  const words = ['show', file, '--view', 'flat', '--format', 'json'];
  const { rows } = JSON.parse(execFileSync(binary(), words, { encoding: 'utf8' })) as {
    readonly rows: readonly { readonly function: string }[];
  };
  return rows.map((row) => row.function);
}

/** A web server of the page, as any other. */
function serve(): Promise<Server> {
  const kinds: Record<string, string> = {
    html: 'text/html',
    js: 'text/javascript',
    svg: 'image/svg+xml',
  };
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://a').pathname.replace(/\/$/, '/index.html');
    const file = path.join(PAGE, path.normalize(name));
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': kinds[file.split('.').at(-1) ?? ''] ?? 'application/manifest+json',
    });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

test('opens files as a file, without a network', async () => {
  const page = await open(asFile());
  await page.getByRole('heading', { name: 'Drop a profile here' }).waitFor();
  await shoot(page, 'page-welcome');
  const file = sample('collapsed/perf.collapsed');
  await choose(page, file);
  assert.match(await framesOf(page), /577/);
  const listed = functions(file);
  assert.ok(listed.length > 10);
  await page.keyboard.press('5');
  const rows = page.getByRole('grid', { name: 'Functions' }).getByRole('row');
  await rows.nth(1).waitFor();
  const shown = (await rows.allTextContents()).join('\n');
  for (const name of listed.slice(0, 3)) assert.ok(shown.includes(name), `${name} is in ${shown}`);
  await shoot(page, 'page-flame');
  await page.close();
});

test('opens graphs, several files, and says what cannot be read', async () => {
  const noise = path.join(folder, 'noise.bin');
  writeFileSync(noise, Buffer.from([1, 2, 3, 4]));
  const page = await open(asFile());
  await choose(page, noise);
  await page
    .getByRole('alert')
    .getByText(/noise\.bin/)
    .first()
    .waitFor();
  await choose(page, sample('runs/before-1.pb.gz'), sample('runs/after-1.pb.gz'));
  const together = page.getByRole('dialog');
  await together.waitFor();
  await shoot(page, 'page-together');
  await together
    .getByRole('button', { name: /compare/i })
    .first()
    .click();
  await flameOf(page);
  await eventually('a comparison', async () => /→/.test(await page.title()));
  await page.close();
});

test('is kept by the browser, and opens when the server is gone', async () => {
  const server = await serve();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const page = await open(url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await eventually('the page is kept', () =>
    page.evaluate(async () => {
      const [kept] = await caches.keys();
      return kept !== undefined && (await (await caches.open(kept)).keys()).length === 3;
    }),
  );
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await page.reload();
  await choose(page, sample('pprof/cpu.pb.gz'));
  await flameOf(page);
  await page.close();
});

/** Opens a profile, and then what takes the whole engine. */
async function grows(page: Page): Promise<void> {
  await choose(page, sample('collapsed/perf.collapsed'));
  await flameOf(page);
  await choose(page, sample('sdfg/sharpen.sdfg'));
  await page.locator('.graph-canvas').first().waitFor();
  assert.match(await page.title(), /sharpen/);
  // The profile is there as before.
  await page.evaluate(() => {
    location.hash = '#d=0';
  });
  assert.match(await framesOf(page), /577/);
}

test('takes the whole engine for a graph, as a file', async () => {
  const page = await open(asFile());
  await grows(page);
  await page.close();
});

test('takes the whole engine for a graph, from a web server', async () => {
  const server = await serve();
  const page = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await grows(page);
  await page.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('takes the whole engine for a format that is rarely met', async () => {
  const page = await open(asFile());
  await choose(page, sample('jfr/plain.jfr'));
  await flameOf(page);
  await page.close();
});

/** Bytes as zstd that packs nothing (RFC 8878): one frame with one block, as they are. */
function storedAsZstd(bytes: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt32LE(0xfd2fb528, 0);
  // One segment, whose size has four bytes.
  head.writeUInt8(0xa0, 4);
  head.writeUInt32LE(bytes.length, 5);
  // The last block.
  head.writeUIntLE((bytes.length << 3) | 1, 9, 3);
  return Buffer.concat([head, bytes]);
}

test('takes the whole engine for what is packed with zstd', async () => {
  const packed = path.join(folder, 'perf.collapsed.zst');
  writeFileSync(packed, storedAsZstd(readFileSync(sample('collapsed/perf.collapsed'))));
  const page = await open(asFile());
  await choose(page, packed);
  await flameOf(page);
  await page.close();
});

/** Writes a report and opens it. */
async function report(name: string, ...words: string[]): Promise<Page> {
  const file = path.join(folder, `${name}.html`);
  execFileSync(binary(), ['export', ...words, '-o', file]);
  return open(pathToFileURL(file).href);
}

test('a report has a profile and its view inside', async () => {
  const file = sample('collapsed/perf.collapsed');
  const page = await report('profile', file, '--view', 'bottom-up', '--search', 'a');
  await flameOf(page);
  assert.equal(hashOf(page).get('shape'), 'bottom_up');
  assert.equal(hashOf(page).get('q'), 'a');
  await shoot(page, 'report-profile');
  // It has the page around it, but for the engine that is not needed.
  const written = statSync(path.join(folder, 'profile.html')).size;
  const [viewer = ''] = readFileSync(path.join(PAGE, 'index.html'), 'utf8').split(
    '<script type="text/plain" id="hotframe-whole-engine">',
  );
  assert.ok(
    written - viewer.length < statSync(file).size * 1.5 + 1000,
    `${written - viewer.length} bytes of data`,
  );
  await page.close();
});

test('a report has a comparison inside', async () => {
  const runs = (side: string) => [1, 2, 3].map((run) => sample(`runs/${side}-${run}.pb.gz`));
  const page = await report('comparison', ...runs('after'), '--base', ...runs('before'));
  await flameOf(page);
  await eventually('a comparison', async () => /→/.test(await page.title()));
  await shoot(page, 'report-comparison');
  await page.close();
});

test('a report has a timeline inside', async () => {
  const page = await report(
    'timeline',
    sample('chrome-trace/object.trace.json'),
    '--view',
    'timeline',
  );
  await page.getByRole('tree', { name: 'Timeline' }).waitFor();
  await shoot(page, 'report-timeline');
  await page.close();
});

test('a report has a graph inside', async () => {
  const page = await report('graph', sample('sdfg/sharpen.sdfg'));
  await page.locator('.graph-canvas, [role=tree]').first().waitFor();
  await shoot(page, 'report-graph');
  // One engine each, that which is needed.
  const size = (name: string) => statSync(path.join(folder, `${name}.html`)).size;
  assert.ok(size('profile') + 1e6 < size('graph'), `${size('profile')} and ${size('graph')} bytes`);
  assert.ok(size('graph') < statSync(path.join(PAGE, 'index.html')).size);
  await page.close();
});

test('a report has an experiment inside', async () => {
  const file = sample('hotframe/experiment.hotframe');
  const page = await report('experiment', file, '--address', '#d=0&view=experiment');
  await page.locator('.experiment table').first().waitFor();
  await shoot(page, 'report-experiment');
  await page.close();
});

test('a folder that is one profile opens as one', async () => {
  const page = await open(asFile());
  await page.getByRole('button', { name: 'Open a folder…' }).waitFor();
  await page
    .getByLabel('Open a folder', { exact: true })
    .setInputFiles(sample('hpctoolkit/database'));
  await flameOf(page);
  await eventually('its name', async () => /database/.test(await page.title()));
  await page.close();
});
