import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { PATIENCE_MS, REPOSITORY } from '../harness.ts';

const TOOLS = path.join(REPOSITORY, 'target/tools');
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
/** The Node.js that VS Code wants. */
export const NODE =
  process.env.HOTFRAME_VSCODE_NODE ??
  path.join(TOOLS, 'node/node_modules', NODE_PACKAGE, 'bin/node');
/** VS Code for the browser. */
export const VSCODE =
  process.env.HOTFRAME_VSCODE ??
  path.join(TOOLS, 'code-server/node_modules/code-server/out/node/entry.js');
/** The extension as people install it. */
export const EXTENSION =
  process.env.HOTFRAME_VSIX ??
  path.join(REPOSITORY, `target/dist/hotframe-${process.platform}-${process.arch}.vsix`);

/** The extension for VS Code in a browser, where no binary runs. */
export const WEB_EXTENSION =
  process.env.HOTFRAME_WEB_VSIX ?? path.join(REPOSITORY, 'target/dist/hotframe-web.vsix');

const SETTINGS: Settings = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.colorTheme': 'Light Modern',
  'editor.minimap.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'chat.disableAIFeatures': true,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
};

/** What the workbench itself says on the console, and no fault of ours. */
const KNOWN_PROBLEMS = [
  // There is no network.
  /open-vsx\.org|authentication provider 'github'/,
  // Parts that are not compiled, or are not free.
  /native-watchdog|Could not locate the bindings file|\/vsda\//,
  // The terminal of a task that has ended gets its icon.
  /Could not find pty \d+ on pty host/,
  // What was under way when the window closed.
  /\[lifecycle\]|\(Canceled: Canceled\)|IndexedDB database '[^']*' is closed/,
  /^%c +ERR color: #f33 Canceled: Canceled\n +at \S+ \(\S*\/workbench\.js:/,
  // On a busy machine the extension host is slow to say that nobody wants to change a saved file.
  /Error: Aborted onWillSaveTextDocument-event after \d+ms/,
];

/** What the editor's client wanted to tell an engine that was just killed. */
export const TOLD_THE_DEAD =
  /(^(Sending document notification|Request) \S+ failed\.|Error: |^\[hotframe\.hotframe\]).*(EPIPE|write after a stream was destroyed)|^%c +ERR color: #f33 An unknown error occurred\./;

/** Settings of VS Code by their full name. */
export type Settings = Readonly<Record<string, unknown>>;

/** Lets all files be older than the profiles among them can be: a copy is as new as its copying. */
export function age(folder: string): void {
  const longAgo = new Date('2001-01-01');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (/\.(rs|py|go)$/.test(name)) utimesSync(path.join(folder, name), longAgo, longAgo);
  }
}

export function writeSettings(home: string, settings: Settings): void {
  const folder = path.join(home, 'data/User');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ ...SETTINGS, ...settings }));
}

export function serve(port: number, where: readonly string[]): ChildProcess {
  const address = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`];
  const quiet = ['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'];
  // Started from within VS Code, it would only talk to that one.
  const { VSCODE_IPC_HOOK_CLI: _, ...environment } = process.env;
  return spawn(NODE, [VSCODE, ...address, ...quiet, ...where], {
    stdio: 'ignore',
    env: environment,
  });
}

export async function openWindow(browser: Browser, problems: string[]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => note(`${error.message}\n${error.stack ?? ''}`));
  page.on('console', (message) => {
    if (message.type() === 'error') note(`${message.text()} ${message.location().url}`);
  });
  return page;

  function note(problem: string): void {
    if (!KNOWN_PROBLEMS.some((known) => known.test(problem))) problems.push(problem);
  }
}

export function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

/** A port of this machine that nothing listens at. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      probe.close(() => (port === undefined ? reject(new Error('no port')) : resolve(port)));
    });
  });
}
