import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import {
  binary,
  clickRow,
  eventually,
  flameOf,
  sample,
  spokenSelection,
  startBrowser,
  test,
} from './harness.ts';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
}

/** An editor without pages of its own, as most are: it talks to the language server alone. */
class PlainEditor {
  readonly #server: ChildProcess;
  readonly received: Message[] = [];
  #waiting = Buffer.alloc(0);
  #last = 0;

  constructor(folder: string, profile: string) {
    this.#server = spawn(binary(), ['lsp', '--profile', profile], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#server.stdout?.on('data', (bytes: Buffer) => this.#take(bytes));
  }

  async request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#last;
    this.#send({ jsonrpc: '2.0', id, method, params });
    const answer = () => this.received.find((message) => message.id === id);
    await eventually(`an answer to ${method}`, () => answer() !== undefined);
    return answer()?.result;
  }

  notify(method: string, params: unknown): void {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  /** What the server asks the editor to show. */
  shown(): readonly Record<string, unknown>[] {
    const asked = this.received.filter(({ method }) => method === 'window/showDocument');
    return asked.map(({ params }) => params ?? {});
  }

  end(): void {
    this.#server.kill();
  }

  #send(message: object): void {
    const text = JSON.stringify(message);
    this.#server.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #take(bytes: Buffer): void {
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    for (;;) {
      const end = this.#waiting.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(
        /Content-Length: (\d+)/.exec(this.#waiting.toString('utf8', 0, end))?.[1],
      );
      if (this.#waiting.length < end + 4 + length) return;
      const text = this.#waiting.toString('utf8', end + 4, end + 4 + length);
      this.received.push(JSON.parse(text) as Message);
      this.#waiting = this.#waiting.subarray(end + 4 + length);
    }
  }
}

let folder: string;
let editor: PlainEditor;
let browser: Browser;

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'hotframe-source-'));
  mkdirSync(path.join(folder, 'logsummary'));
  cpSync(sample('runs/record/before/main.go'), path.join(folder, 'logsummary/main.go'));
  editor = new PlainEditor(folder, sample('runs/before-1.pb.gz'));
  const uri = pathToFileURL(folder).href;
  await editor.request('initialize', {
    processId: null,
    rootUri: uri,
    workspaceFolders: [{ uri, name: 'work' }],
    capabilities: { window: { showDocument: { support: true } } },
  });
  editor.notify('initialized', {});
  browser = await startBrowser();
});

test.afterAll(async () => {
  await browser.close();
  editor.end();
  rmSync(folder, { recursive: true });
});

async function openPage(address: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
  await page.goto(address);
  await flameOf(page);
  return page;
}

async function run(command: string, args: readonly unknown[]): Promise<unknown> {
  return editor.request('workspace/executeCommand', { command, arguments: args });
}

test('a frame in the browser leads to its line in the editor', async () => {
  const { address } = (await run('hotframe.page', [])) as { address: string };
  const page = await openPage(address);
  await clickRow(page, 3);
  await eventually('the frame is selected', async () =>
    (await spokenSelection(page)).includes('main.summarize'),
  );
  // In a browser nothing opens unasked.
  assert.deepEqual(editor.shown(), []);
  await page.keyboard.press('e');
  await eventually('the editor is asked', () => editor.shown().length === 1);
  const [shown] = editor.shown();
  assert.equal(shown?.uri, pathToFileURL(path.join(folder, 'logsummary/main.go')).href);
  assert.equal(shown?.takeFocus, true);
  // Line 92 calls addVisitor, which costs most, as `go tool pprof -list` has it; from 0 it is 91.
  assert.deepEqual(shown?.selection, {
    start: { line: 91, character: 0 },
    end: { line: 91, character: 0 },
  });
  await page.getByRole('button', { name: 'logsummary/main.go:92' }).first().click();
  await eventually('the place leads there too', () => editor.shown().length === 2);
  await page.close();
});

test('a function of the editor is found in the picture', async () => {
  const before = editor.shown().length;
  await run('hotframe.showFunction', ['main.(*page).addVisitor']);
  await eventually('the page is opened', () => editor.shown().length > before);
  const shown = editor.shown().at(-1);
  assert.equal(shown?.external, true);
  const page = await openPage(String(shown?.uri));
  await eventually('its largest frame is selected', async () =>
    (await spokenSelection(page)).includes('main.(*page).addVisitor'),
  );
  assert.equal(
    await page.getByRole('searchbox', { name: 'Search' }).first().inputValue(),
    String.raw`^main\.\(\*page\)\.addVisitor$`,
  );
  await page.close();
});

test('a file that is not here is told and nothing else', async () => {
  const { address } = (await run('hotframe.page', [])) as { address: string };
  const page = await openPage(address);
  const before = editor.shown().length;
  // runtime.main, whose source is Go's own.
  await clickRow(page, 1);
  await eventually('the frame is selected', async () =>
    (await spokenSelection(page)).includes('runtime.main'),
  );
  await page.keyboard.press('e');
  await page.getByText('is not among the files of the editor').waitFor();
  assert.equal(editor.shown().length, before);
  await page.close();
});
