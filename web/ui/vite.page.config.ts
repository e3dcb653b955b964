import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Most bytes of the engines as gzip; docs/performance.md says what is in them. */
const MOST_BYTES = 2e6;
const MOST_WHOLE_BYTES = 4.2e6;

/** What scripts need, as vite.python.config.ts builds it. */
const PYTHON = 'dist-python';

/**
 * The page that needs no server: one file with scripts, styles and the engines inside. What is needed
 * for the first profile stands before the script, which begins as soon as it is read.
 */
export default defineConfig({
  base: './',
  publicDir: 'page',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'iife' },
  build: {
    outDir: 'dist-page',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    rollupOptions: { input: 'page.html', output: { codeSplitting: false } },
  },
  plugins: [oneFile(process.env.HOTFRAME_WASM_FIRST ?? '', process.env.HOTFRAME_WASM ?? '')],
});

function oneFile(engine: string, whole: string): Plugin {
  let version = '';
  return {
    name: 'one-file',
    enforce: 'post',
    // Browsers take a page for a newer one when this file differs.
    closeBundle() {
      const file = 'dist-page/sw.js';
      writeFileSync(file, readFileSync(file, 'utf8').replace('VERSION', version));
      writeFileSync('dist-page/python.js', python());
    },
    generateBundle(_, bundle) {
      const outputs = Object.values(bundle);
      const html = outputs.find(({ fileName }) => fileName === 'page.html');
      const scripts = outputs.filter((output) => output.type === 'chunk');
      const styles = outputs.filter(({ fileName }) => fileName.endsWith('.css'));
      const [script] = scripts;
      const [style] = styles;
      if (html?.type !== 'asset' || script === undefined || style?.type !== 'asset') {
        this.error(`a page, a script and styles were expected: ${Object.keys(bundle).join(', ')}`);
      }
      if (scripts.length > 1 || outputs.length > 3) {
        this.error(`the page must be one file: ${Object.keys(bundle).join(', ')}`);
      }
      // What ends an element ends it in a string, too.
      const code = script.code
        .replaceAll('</script', '<\\/script')
        .replaceAll('<!--', '<\\!--')
        // Nothing is to be loaded before what is inside already.
        .replaceAll('__VITE_PRELOAD__', 'undefined');
      const css = String(style.source);
      const body = html.source
        .toString()
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace(
          '<meta charset="utf-8" />',
          () => `<meta charset="utf-8" />\n    ${policy(code, css)}`,
        )
        .replace('</head>', () => `<style>${css}</style>\n  </head>`)
        .replace('</body>', () =>
          [
            part('hotframe-engine', engineOf(engine, MOST_BYTES)),
            `<script async type="module">${code}</script>`,
            part('hotframe-whole-engine', engineOf(whole, MOST_WHOLE_BYTES)),
            '</body>',
          ].join('\n'),
        );
      for (const { fileName } of outputs) delete bundle[fileName];
      this.emitFile({ type: 'asset', fileName: 'index.html', source: body });
      version = createHash('sha256').update(body).digest('hex').slice(0, 16);
    },
  };
}

/** Parts by name, for a page that loads nothing but scripts. */
function python(): string {
  const parts = readdirSync(PYTHON)
    .filter((file) => file.endsWith('.gz'))
    .map((file) => [file.replace(/\.gz$/, ''), readFileSync(`${PYTHON}/${file}`, 'base64')]);
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

function part(id: string, bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('base64');
  return `<script type="text/plain" id="${id}">${text}</script>`;
}

/** An engine, compressed, if it is not too large. */
function engineOf(file: string, most: number): Uint8Array {
  const bytes = readFileSync(file);
  const gzip = gzipSync(bytes, { level: 9 });
  // The last step of quality takes a minute.
  const brotli = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
  });
  const told = (count: number) => `${(count / 1e6).toFixed(2)} MB`;
  console.log(
    `${path.basename(file)}: ${told(bytes.length)}, gzip ${told(gzip.length)}, brotli ${told(brotli.length)}`,
  );
  if (gzip.length > most) {
    throw new Error(`${file} must be at most ${told(most)} when compressed`);
  }
  return gzip;
}
