import createPyodideModule from 'pyodide/pyodide.asm.mjs';
import { loadPyodide, type PyodideAPI } from 'pyodide';
import type { PageModule } from './page-module.ts';
import type { PythonParts, ScriptError, Stream } from './messages.ts';
import runner from './runner.py?raw';

/** Where the package lies in the interpreter's file system, which is in memory. */
const PACKAGE = '/hotframe-package';
const RUNNER = '/hotframe-runner.py';

/** Where the interpreter believes that its parts are: its worker may have no address that others follow. */
const ADDRESS = 'https://python.invalid/';

/** Python, ready for scripts. */
export interface Interpreter {
  readonly version: string;
  /** Runs a script; what went wrong, if anything. Fails where the interpreter itself does. */
  run(source: string): ScriptError | undefined;
  complete(text: string): readonly string[];
}

interface Scripts {
  run(source: string): string | undefined;
  complete(text: string): string;
}

type Write = (stream: Stream, text: string) => void;

/** Loads CPython; what comes of it takes away what leads out. */
export async function loadInterpreter(
  parts: PythonParts,
  write: Write,
): Promise<(page: PageModule) => Interpreter> {
  const pyodide = await loadPyodide({
    createPyodideModule,
    indexURL: ADDRESS,
    // No package is loaded from anywhere.
    lockFileContents: JSON.stringify({ info: LOCK, packages: {} }),
    jsglobals: Object.create(null) as object,
    // What is written past Python's streams.
    stdout: (line) => write('stdout', `${line}\n`),
    stderr: (line) => write('stderr', `${line}\n`),
    env: { HOME: '/home/script' },
  });
  for (const [path, text] of Object.entries(parts.sources)) {
    const file = `${PACKAGE}/${path}`;
    pyodide.FS.mkdirTree(file.slice(0, file.lastIndexOf('/')));
    pyodide.FS.writeFile(file, text);
  }
  return (page) => {
    pyodide.registerJsModule('_hotframe_page', { ...page });
    return prepared(pyodide, write);
  };
}

/** What the lock file of this version says of it; it has no packages. */
const LOCK = {
  abi_version: '2026_0',
  arch: 'wasm32',
  platform: 'emscripten_5_0_3',
  python: '3.14.2',
};

function prepared(pyodide: PyodideAPI, write: Write): Interpreter {
  const names = pyodide.toPy({ __file__: RUNNER, __name__: 'hotframe_runner' });
  pyodide.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(PACKAGE)})`);
  pyodide.runPython(runner, { globals: names, filename: RUNNER });
  names.get('open_streams')(write);
  const version = String(pyodide.runPython('sys.version.split()[0]'));
  names.get('close')((name: string) => pyodide.unregisterJsModule(name));
  const scripts = (names.get('scripts') as () => Scripts)();
  return {
    version,
    run(source) {
      const failed = scripts.run(source);
      if (failed === undefined || failed === null) return undefined;
      const { line, message, traceback } = JSON.parse(failed) as ScriptError & {
        readonly line: number | null;
      };
      return { line: line ?? undefined, message, traceback };
    },
    complete: (text) => JSON.parse(scripts.complete(text)) as string[],
  };
}
