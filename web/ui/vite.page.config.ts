import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';
import { oneFile } from './vite.one-file.ts';
import { packages } from './vite.packages.ts';

/** Most bytes of the engines as gzip; docs/performance.md says what is in them. */
const MOST_BYTES = 2.2e6;
const MOST_WHOLE_BYTES = 4.4e6;

/** What scripts need, as vite.python.config.ts builds it. */
const PYTHON = 'dist-python';
const INTERPRETER = 'dist-interpreter';

/** What the binary has inside, as gzip: the page without engines. */
const PARTS = 'dist-parts';

const [FIRST, WHOLE] = ['hotframe-engine', 'hotframe-whole-engine'];
const engines = new Map<string, Buffer>();

/**
 * The page that needs no server: one file with scripts, styles and the engines inside. What is needed
 * for the first profile stands before the script, which begins as soon as it is read.
 */
export default defineConfig({
  base: './',
  publicDir: 'page',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'iife', plugins: () => [packages('page-worker')] },
  build: {
    outDir: 'dist-page',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    rollupOptions: { input: 'page.html', output: { codeSplitting: false } },
  },
  plugins: [
    packages('page'),
    oneFile({
      page: 'page.html',
      file: 'index.html',
      head: ({ code, css }) => `${policy(code, css)}\n    ${notices()}`,
      body: (code) =>
        [
          element(FIRST, engineOf(process.env.HOTFRAME_WASM_FIRST ?? '', MOST_BYTES)),
          `<script async type="module">${code}</script>`,
          element(WHOLE, engineOf(process.env.HOTFRAME_WASM ?? '', MOST_WHOLE_BYTES)),
        ].join('\n'),
      // Browsers take a page for a newer one when this file differs.
      written(html) {
        const version = createHash('sha256').update(html).digest('hex').slice(0, 16);
        const file = 'dist-page/sw.js';
        writeFileSync(file, readFileSync(file, 'utf8').replace('VERSION', version));
        writeFileSync('dist-page/python.js', python());
        mkdirSync(PARTS, { recursive: true });
        let empty = html;
        for (const [id, bytes] of engines) {
          empty = empty.replace(elementWith(id, bytes.toString('base64')), () =>
            elementWith(id, ''),
          );
        }
        writeFileSync(`${PARTS}/page.html.gz`, gzipSync(empty, { level: 9 }));
      },
    }),
  ],
});

/** Parts by name, for a page that loads nothing but scripts. */
function python(): string {
  const parts = readdirSync(PYTHON)
    .filter((file) => file.endsWith('.gz'))
    .map((file) => [file.replace(/\.gz$/, ''), readFileSync(`${PYTHON}/${file}`, 'base64')]);
  for (const file of readdirSync(INTERPRETER)) {
    const packed = gzipSync(readFileSync(`${INTERPRETER}/${file}`), { level: 9 });
    parts.push([file, packed.toString('base64')]);
  }
  return `self.hotframePython=${JSON.stringify(Object.fromEntries(parts))};\n`;
}

/**
 * Nothing is fetched and nothing is sent. Besides the page's own script one beside it may run, `python.js`,
 * and what that has inside: the editor.
 */
function policy(code: string, css: string): string {
  const editor = gunzipSync(readFileSync(`${PYTHON}/editor.js.gz`)).toString();
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const rules = [
    "default-src 'none'",
    `script-src 'self' ${hash(code)} ${hash(editor)} 'wasm-unsafe-eval'`,
    `style-src ${hash(css)}`,
    'img-src data: blob:',
    "worker-src blob: 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join('; ')}" />`;
}

/** What packages of others are inside, here and in the engines. In the head, so that reports have it. */
function notices(): string {
  const xtask = process.env.HOTFRAME_XTASK ?? '';
  const text = execFileSync(xtask, ['notices', 'page'], { encoding: 'utf8', maxBuffer: 1e8 });
  // What begins or ends a script does so in a text, too.
  const safe = text.replaceAll(/<(?=\/?script|!--)/gi, '&lt;');
  return `<script type="text/plain" id="hotframe-notices">\n${safe}</script>`;
}

/** An element with an engine, which is kept as a part. */
function element(id: string, bytes: Buffer): string {
  engines.set(id, bytes);
  return elementWith(id, bytes.toString('base64'));
}

function elementWith(id: string, text: string): string {
  return `<script type="text/plain" id="${id}">${text}</script>`;
}

/** An engine, compressed, if it is not too large. */
function engineOf(file: string, most: number): Buffer {
  const bytes = readFileSync(file);
  const gzip = gzipSync(bytes, { level: 9 });
  const told = (count: number) => `${(count / 1e6).toFixed(2)} MB`;
  console.log(`${path.basename(file)}: ${told(bytes.length)}, gzip ${told(gzip.length)}`);
  if (gzip.length > most) {
    throw new Error(`${file} must be at most ${told(most)} when compressed`);
  }
  return gzip;
}
