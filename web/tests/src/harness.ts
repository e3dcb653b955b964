import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  test as base,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from '@playwright/test';
import { serveStatic } from './static.ts';

/** The root of the repository. */
export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const SCREENSHOTS = path.join(REPOSITORY, 'web/tests/screenshots');
/** Generous, because a loaded machine is slow; nothing here measures time. */
export const PATIENCE_MS = 30_000;

/** A sample of the repository. */
export function sample(name: string): string {
  return path.join(REPOSITORY, 'testdata', name);
}

/** Whether the page is looked at that needs no server, and has the engine inside. */
export const IS_STATIC = process.env.HOTFRAME_HOST === 'static';

/** Marks a test that is not chosen for the page without a server, and why. */
export function onMachine(why: string) {
  return { tag: '@server', annotation: { type: 'needs a server', description: why } };
}

/** Where the page is that needs no server, as `cargo xtask page` builds it. */
export function pageFolder(): string {
  return process.env.HOTFRAME_PAGE ?? path.join(REPOSITORY, 'web/ui/dist-page');
}

/** A running Hotframe, or the page that needs none, and a browser to look at it. */
export interface Stage {
  readonly url: string;
  /** The program. */
  readonly server: ChildProcess;
  /** The address of a view of what it opened. */
  address(hash: string): string;
  open(hash?: string, options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** Starts the real program on some files, or serves the page that needs none, and starts a browser. */
export async function startStage(
  files: readonly string[],
  command: readonly string[] = ['open'],
): Promise<Stage> {
  if (IS_STATIC) {
    const { url, server, addressed } = await serveStatic(command, files);
    const stage = await onStage(url, () => server.close());
    return {
      ...stage,
      get server(): ChildProcess {
        throw new Error('the page without a server has no program');
      },
      address: (hash) => stage.address(addressed(hash)),
      open: (hash = '', options = {}) => stage.open(addressed(hash), options),
    };
  }
  const server = spawn(binary(), [...command, ...files, '--no-browser', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { ...(await onStage(await address(server), () => server.kill())), server };
}

/** The browser of a worker, which runs one file after the other. */
let shared: Promise<Browser> | undefined;

/** Pages that the running test opened; they are closed when it ends. */
const pages = new Set<Page>();
let isTesting = false;

/** A test of a page. */
export const test = base.extend<{ closesPages: void }>({
  closesPages: [
    async ({}, use) => {
      isTesting = true;
      await use();
      isTesting = false;
      for (const page of pages) await page.close();
      pages.clear();
    },
    { auto: true },
  ],
});

async function onStage(url: string, end: () => unknown): Promise<Omit<Stage, 'server'>> {
  shared ??= startBrowser();
  const browser = await shared;
  const problems: string[] = [];
  // A page begins sooner beside others of the same site.
  const context = await newContext(browser, {});
  return {
    url,
    address: (hash) => url + hash,
    async open(hash = '', options = {}) {
      const isPlain = Object.keys(options).length === 0;
      const own = isPlain ? context : await newContext(browser, options);
      const page = await openPage(own, url + hash, problems);
      if (!isPlain) page.on('close', () => void own.close());
      return page;
    },
    async close() {
      await context.close();
      end();
      assert.deepEqual(problems, [], 'the page reported problems');
    },
  };
}

/** Starts a browser that keeps to itself. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_BIN ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

async function newContext(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 860 },
    colorScheme: 'light',
    acceptDownloads: true,
    ...options,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await context.addInitScript(forgetOthers);
  return context;
}

/** A page begins without what others before it have kept; after a reload it still has its own. */
function forgetOthers(): void {
  if (location.origin === 'null' || sessionStorage.getItem('begun') !== null) return;
  sessionStorage.setItem('begun', '');
  localStorage.clear();
}

async function openPage(context: BrowserContext, url: string, problems: string[]): Promise<Page> {
  const page = await context.newPage();
  if (isTesting) pages.add(page);
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => problems.push(`${error.message}\n${error.stack ?? ''}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(url);
  return page;
}

/** Waits until the flame graph has boxes, and gives its element. */
export async function flameOf(page: Page) {
  const flame = page.getByRole('tree', { name: 'Flame graph' });
  await flame.locator('[role=treeitem]').first().waitFor({ state: 'attached' });
  return flame;
}

/** Clicks the leftmost, largest frame of a row. */
export async function clickRow(page: Page, row: number): Promise<void> {
  const flame = await flameOf(page);
  await flame.click({ position: { x: 40, y: 20 + row * 20 } });
}

/** What a screen reader says about the selected frame. */
export async function spokenSelection(page: Page): Promise<string> {
  const flame = await flameOf(page);
  return (await flame.locator(':scope + [role=status]').textContent()) ?? '';
}

/** Waits until a condition holds in the test's own terms. */
export async function eventually(
  what: string,
  holds: () => Promise<boolean> | boolean,
): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    assert.ok(Date.now() < end, `never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The hash of the page's address, decoded. */
export function hashOf(page: Page): URLSearchParams {
  return new URLSearchParams(new URL(page.url()).hash.slice(1));
}

/** Keeps a picture of the page for people to look at. In continuous integration nobody does. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (process.env.CI !== undefined) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
}

/** The real program. */
export function binary(): string {
  const file = process.env.HOTFRAME_BIN ?? path.join(REPOSITORY, 'target/debug/hotframe');
  assert.ok(
    existsSync(file),
    `no program at ${file}: 'cargo xtask demo' builds it, or HOTFRAME_BIN names it`,
  );
  return path.resolve(file);
}

function address(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      const found = said.match(/http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]+/);
      if (found) resolve(found[0]);
    };
    server.stdout?.on('data', listen);
    server.stderr?.on('data', listen);
    server.on('exit', (code) => reject(new Error(`hotframe ended with ${code}: ${said}`)));
    server.on('error', reject);
  });
}
