import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import {
  binary,
  clickRow,
  eventually,
  flameOf,
  PATIENCE_MS,
  sample,
  shoot,
  spokenSelection,
  startBrowser,
  test,
} from './harness.ts';

// A page that has lost its server logs that it cannot reach it: these tests open their own.
let browser: Browser;
let state: string;
test.beforeAll(async () => {
  browser = await startBrowser();
  state = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
});
test.afterAll(async () => {
  await browser.close();
  rmSync(state, { recursive: true });
});

/** A port that nobody serves on. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

/** Serves files on a port; where the state is kept decides which token the port has. */
async function serve(files: readonly string[], port: number, stateHome = state) {
  const server = spawn(binary(), ['open', ...files, '--no-browser', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, XDG_STATE_HOME: stateHome },
  });
  let said = '';
  server.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await eventually('an address', () => /token=[0-9a-f]{32}/.test(said));
  const ended = new Promise((resolve) => server.on('exit', resolve));
  return {
    url: /http:\S+/.exec(said)![0],
    async end() {
      server.kill();
      await ended;
    },
  };
}

/** A new page; several files are opened one by one. */
async function open(url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(url);
  await flameOf(page);
  if (url.endsWith('#together')) await page.getByRole('button', { name: 'One by one' }).click();
  return page;
}

const isStale = (page: Page) => page.locator('.stale').count();

test('says that the server has gone, greys what is shown, and goes on with the next', async () => {
  const port = await freePort();
  const files = [sample('pprof/cpu.pb.gz'), sample('pprof/heap.pb.gz')];
  const first = await serve(files, port);
  const page = await open(first.url);
  await clickRow(page, 2);
  const selected = await spokenSelection(page);
  assert.equal(await isStale(page), 0);
  await first.end();
  await page.getByText(/stopped or cannot be reached/).waitFor();
  await page.getByRole('button', { name: 'Reconnect' }).waitFor();
  assert.equal(await isStale(page), 1);
  assert.ok((await page.locator('[role=treeitem]').count()) > 0);
  await shoot(page, 'lost');

  // The same files in another order: the page stays with the one it shows.
  const second = await serve(files.toReversed(), port);
  await eventually('the page goes on', async () => (await isStale(page)) === 0);
  await flameOf(page);
  await eventually('the same file', async () => /cpu/.test(await page.title()));
  await eventually('the same selection', async () => (await spokenSelection(page)) === selected);
  await clickRow(page, 3);
  await eventually('answers to clicks', async () => (await spokenSelection(page)) !== selected);
  assert.equal(await page.locator('.banner').count(), 0);
  await second.end();
  await page.close();
});

test('says when another Hotframe with another token has its port', async () => {
  const port = await freePort();
  const first = await serve([sample('pprof/cpu.pb.gz')], port);
  const page = await open(first.url);
  await first.end();
  const other = await serve([sample('pprof/heap.pb.gz')], port, path.join(state, 'other'));
  await page.getByText(/Another Hotframe serves here now/).waitFor();
  assert.equal(await isStale(page), 1);
  await other.end();
  await page.close();
});

test('a comparison is made again, and what is typed stays', async () => {
  const port = await freePort();
  const files = ['before', 'after'].map((side) => {
    // One name in two folders.
    const folder = path.join(state, side);
    mkdirSync(folder);
    copyFileSync(sample(`runs/${side}-1.pb.gz`), path.join(folder, 'cpu.pb.gz'));
    return path.join(folder, 'cpu.pb.gz');
  });
  const first = await serve(files, port);
  const page = await open(first.url);
  await page.getByRole('button', { name: 'Document before/cpu.pb.gz' }).click();
  await shoot(page, 'same-names');
  await page.getByRole('menuitem', { name: 'Compare with after/cpu.pb.gz' }).click();
  const title = /^before\/cpu\.pb\.gz → after\/cpu\.pb\.gz – /;
  await eventually('compared', async () => title.test(await page.title()));
  await flameOf(page);
  await page.keyboard.press('M');
  const formula = page.getByRole('textbox', { name: 'Formula' });
  await formula.fill('samples * 2');
  await first.end();
  await page.getByText(/stopped or cannot be reached/).waitFor();

  const second = await serve(files.toReversed(), port);
  await eventually('the page goes on', async () => (await isStale(page)) === 0);
  await eventually('made again', async () => title.test(await page.title()));
  assert.equal(await formula.inputValue(), 'samples * 2');
  // The dialog may just be made again: it is closed if it stays so.
  await eventually('it closes', async () => {
    await page.keyboard.press('Escape');
    await page.waitForTimeout(400);
    return (await formula.count()) === 0;
  });
  await flameOf(page);
  await second.end();

  // One alone has a shorter title, and is the same file.
  const third = await serve(files.slice(0, 1), port);
  const notice = page.getByRole('alert').filter({ hasText: 'cannot be made again' });
  await notice.waitFor();
  assert.match(
    (await notice.textContent())!,
    /cannot be made again: after\/cpu\.pb\.gz is not open in the Hotframe that answers now\./,
  );
  await shoot(page, 'cannot-compare-again');
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await eventually('it goes', async () => (await notice.count()) === 0);
  await third.end();
  await page.close();
});

test('a page that is loaded anew makes again what it shows, or says why not', async () => {
  const port = await freePort();
  const files = ['before-1', 'after-1', 'after-2'].map((run) => sample(`runs/${run}.pb.gz`));
  const first = await serve(files, port);
  const page = await open(first.url);
  await page.getByRole('button', { name: 'Document before-1.pb.gz' }).click();
  await page.getByRole('menuitem', { name: 'Compare with after-1.pb.gz' }).click();
  const compared = /^before-1\.pb\.gz → after-1\.pb\.gz – /;
  await eventually('compared', async () => compared.test(await page.title()));
  // Nobody is asked again how the files relate.
  const other = await open(first.url.replace('#together', ''));
  await other.getByRole('button', { name: 'Document before-1.pb.gz' }).click();
  await other.getByRole('menuitem', { name: /Several together/ }).click();
  await other.getByRole('button', { name: /^Show \d profiles as one$/ }).click();
  await eventually('merged', async () => /runs\)|more/.test(await other.title()));
  const pages = [
    { again: page, title: (await page.title()).trim(), url: page.url() },
    { again: other, title: await other.title(), url: other.url() },
  ];
  // Away first: a page that stays goes on by itself once the next server is there.
  for (const { again } of pages) await again.goto('about:blank');
  await first.end();

  const second = await serve(files.toReversed(), port);
  for (const { again, title, url } of pages) {
    await again.goto(url);
    await flameOf(again);
    await eventually('made again', async () => (await again.title()) === title);
    assert.equal(await again.getByRole('alert').count(), 0);
  }
  // Once more: it is there already, and no second one is made.
  await page.reload();
  await flameOf(page);
  await eventually('still there', async () => compared.test(await page.title()));
  await page.getByRole('button', { name: 'Document before-1.pb.gz → after-1.pb.gz' }).click();
  assert.equal(await page.getByRole('menuitem', { name: / → .*\(2\)/ }).count(), 0);
  await page.keyboard.press('Escape');
  await second.end();

  const third = await serve(files.slice(0, 1), port);
  await page.reload();
  const notice = page.getByRole('alert').filter({ hasText: 'cannot be made again' });
  await notice.getByText(/after-1\.pb\.gz is not open/).waitFor();
  await eventually('the first', async () => /^before-1\.pb\.gz – /.test(await page.title()));
  await shoot(page, 'cannot-compare-after-reload');
  await third.end();
  await page.close();
  await other.close();
});
