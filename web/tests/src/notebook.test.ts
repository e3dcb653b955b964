import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import type { Browser, Page } from '@playwright/test';
import { eventually, binary, PATIENCE_MS, startBrowser, sample, shoot, test } from './harness.ts';

/** The page of a notebook's cell in a frame without an origin, and an engine whose frames are relayed. */
let browser: Browser;
let page: Page;
let engine: Engine;
const problems: string[] = [];

class Engine {
  readonly #process: ChildProcess;
  readonly #waiting: ((frame: Buffer) => void)[] = [];
  #got = Buffer.alloc(0);

  constructor() {
    this.#process = spawn(binary(), ['engine'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#process.stdout!.on('data', (bytes: Buffer) => {
      this.#got = Buffer.concat([this.#got, bytes]);
      for (;;) {
        if (this.#got.length < 4) return;
        const end = 4 + this.#got.readUInt32LE(0);
        if (this.#got.length < end) return;
        const frame = this.#got.subarray(4, end);
        this.#got = this.#got.subarray(end);
        const { kind } = header(frame);
        if (kind !== 'progress') this.#waiting.shift()?.(Buffer.from(frame));
      }
    });
  }

  /** The answer to a frame. */
  ask(frame: Uint8Array): Promise<Buffer> {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(frame.length);
    this.#process.stdin!.write(Buffer.concat([length, frame]));
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.#process.kill();
  }
}

function header(frame: Buffer): { kind: string; result?: { document: number } } {
  return JSON.parse(frame.subarray(8, 8 + frame.readUInt32LE(4)).toString()) as never;
}

function request(method: string, params: object): Buffer {
  const text = Buffer.from(
    JSON.stringify({ kind: 'request', id: 1, request: { method, params }, columns: [] }),
  );
  const start = Buffer.alloc(8);
  start.write('HOTF');
  start.writeUInt32LE(text.length, 4);
  return Buffer.concat([start, text]);
}

test.beforeAll(async () => {
  engine = new Engine();
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => problems.push(String(error)));
});

test.afterAll(async () => {
  await browser.close();
  engine.close();
});

test('a cell shows the live page in the notebook’s theme', async () => {
  const opened = await engine.ask(
    request('open_files', { paths: [sample('runs/before-1.pb.gz')] }),
  );
  const { document } = header(opened).result!;
  const html = execFileSync(binary(), ['engine', '--page'], {
    maxBuffer: 1 << 26,
  }).toString();
  const widget = execFileSync('python3', ['-c', 'import hotframe.widget as w; print(w._ESM)'], {
    env: { ...process.env, PYTHONPATH: sample('../python/src') },
  }).toString();
  await page.exposeFunction('askEngine', async (bytes: number[]) => [
    ...(await engine.ask(Uint8Array.from(bytes))),
  ]);
  await page.setContent('<body data-jp-theme-light="false"><div id="cell"></div></body>');
  // What a notebook gives a widget.
  await page.evaluate(`(async () => {
    const [widget, html, opened] = ${JSON.stringify([widget, html, document]).replaceAll('<', '\\u003c')};
    const address = URL.createObjectURL(new Blob([widget], { type: 'text/javascript' }));
    const { default: made } = await import(address);
    const listeners = [];
    const tell = (message, buffers = []) =>
      setTimeout(() => listeners.forEach((listener) => listener(message, buffers)));
    const model = {
      get: (name) => (name === 'height' ? 560 : 'before-1'),
      on: (_, listener) => listeners.push(listener),
      off() {},
      send(message, _, buffers) {
        if (message.kind === 'page') tell({ kind: 'page', text: html });
        else if (message.kind === 'connect') tell({ kind: 'opened', document: opened });
        else
          askEngine([...new Uint8Array(buffers[0])]).then((answer) =>
            tell({ kind: 'frame' }, [new DataView(Uint8Array.from(answer).buffer)]),
          );
      },
    };
    made.render({ model, el: document.getElementById('cell') });
  })()`);
  const frame = page.frameLocator('iframe');
  await eventually('the profile is told of', async () =>
    (await frame.locator('body').innerText()).includes('before-1.pb.gz'),
  );
  await frame.locator('canvas').first().waitFor();
  await eventually(
    'the theme is the notebook’s',
    async () => (await frame.locator('html').getAttribute('data-theme')) === 'dark',
  );
  await shoot(page, 'notebook-dark');
  await frame.getByPlaceholder('Search functions, files').fill('memeqbody');
  await eventually('a search is answered by the kernel', async () =>
    (await frame.locator('body').innerText()).includes('51.4 %'),
  );
  await shoot(page, 'notebook-search');
  assert.equal(await frame.getByText('Reconnect').count(), 0);
  assert.deepEqual(problems, []);
});
