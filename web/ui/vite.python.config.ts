import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, defineConfig, type Plugin } from 'vite';
import { packages } from './vite.packages.ts';

const OUT = 'dist-python';

/** What is large, as it is: binaries have an archive of it. */
const INTERPRETER = 'dist-interpreter';
const PYODIDE = path.dirname(fileURLToPath(import.meta.resolve('pyodide')));
const PACKAGE = fileURLToPath(new URL('../../python/src/', import.meta.url));

/** The worker that runs scripts and what it needs, each as a file that the page asks for by name. */
export default defineConfig({
  // The worker may be made of a text, which has no address; nothing is asked for at this one.
  define: { 'import.meta.url': JSON.stringify('https://python.invalid/worker.js') },
  logLevel: 'error',
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: fileURLToPath(import.meta.resolve('@hotframe/engine/python')),
      output: { format: 'iife', entryFileNames: 'worker.js', codeSplitting: false },
      // Ways of other hosts, which are not taken here.
      external: [/^node:/, 'ws'],
    },
  },
  plugins: [packages('python'), parts()],
});

function parts(): Plugin {
  return {
    name: 'python-parts',
    enforce: 'post',
    generateBundle(_, bundle) {
      // The interpreter comes from the page, whatever its script knows itself.
      for (const name of Object.keys(bundle)) if (name !== 'worker.js') delete bundle[name];
    },
    async closeBundle() {
      const editor = await editorCode();
      mkdirSync(OUT, { recursive: true });
      const write = (name: string, bytes: Uint8Array) => {
        const packed = gzipSync(bytes, { level: 9 });
        writeFileSync(`${OUT}/${name}.gz`, packed);
        console.log(`${name}: ${told(bytes.length)}, gzip ${told(packed.length)}`);
      };
      mkdirSync(INTERPRETER, { recursive: true });
      copyFileSync(`${PYODIDE}/pyodide.asm.wasm`, `${INTERPRETER}/interpreter.wasm`);
      copyFileSync(`${PYODIDE}/python_stdlib.zip`, `${INTERPRETER}/library.zip`);
      write('sources.json', Buffer.from(JSON.stringify(sources())));
      write('worker.js', readFileSync(`${OUT}/worker.js`));
      rmSync(`${OUT}/worker.js`);
      write('editor.js', Buffer.from(editor));
    },
  };
}

/** The editor as a script of its own, for pages that are one file. */
async function editorCode(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [packages('editor')],
    build: {
      write: false,
      target: 'es2022',
      lib: {
        entry: fileURLToPath(new URL('./src/views/python/editor/editor.ts', import.meta.url)),
        formats: ['iife'],
        name: 'hotframeEditor',
      },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  if (first === undefined || !('output' in first)) throw new Error('the editor was not built');
  return first.output[0].code;
}

/** The package `hotframe` without what needs its compiled part, by path. */
function sources(): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = (folder: string) => {
    for (const entry of readdirSync(path.join(PACKAGE, folder), { withFileTypes: true })) {
      const file = `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== '_site' && entry.name !== '__pycache__') walk(file);
      if (entry.isFile() && file.endsWith('.py')) {
        found[file] = readFileSync(path.join(PACKAGE, file), 'utf8');
      }
    }
  };
  walk('hotframe');
  return found;
}

function told(count: number): string {
  return `${(count / 1e6).toFixed(2)} MB`;
}
