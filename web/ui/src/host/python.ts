import type { PythonParts, WebviewApi } from '@hotframe/engine';
import type { EditorModule } from '../state/python/editor.ts';
import { type PythonHost, scriptWorker } from '../state/python/host.ts';
import type { Listen } from './webview.ts';
import { compressedPart, fromBase64, unpacked } from './parts.ts';

/** Scripts of a served page: the server has all parts, and gives the worker a policy of its own. */
export function servedPython(): PythonHost {
  return {
    lacking: undefined,
    parts: () =>
      partsOf(async (name) => {
        const answer = await fetch(`/python/${name}`);
        if (!answer.ok) throw new Error((await answer.text()) || `there is no ${name}`);
        return answer.arrayBuffer();
      }),
    worker: () => Promise.resolve(scriptWorker(new Worker('/python/worker.js'))),
    editor: () => import('../views/python/editor/editor.ts'),
  };
}

/** Scripts of a panel of VS Code: the extension takes the parts from the engine. */
export function relayedPython(api: WebviewApi, listen: Listen): PythonHost {
  const waiting = new Map<string, Asked>();
  listen('part', ({ name, bytes, problem }) => {
    const asked = waiting.get(name);
    waiting.delete(name);
    if (bytes !== undefined) asked?.resolve(bytes);
    else asked?.reject(new Error(problem));
  });
  const bring = (name: string): Promise<ArrayBuffer> => {
    const known = waiting.get(name);
    if (known !== undefined) return known.promise();
    const promise = new Promise<ArrayBuffer>((resolve, reject) => {
      waiting.set(name, { resolve, reject, promise: () => promise });
    });
    api.postMessage({ kind: 'part', name });
    return promise;
  };
  return broughtPython(bring, () => import('../views/python/editor/editor.ts'));
}

interface Asked {
  readonly promise: () => Promise<ArrayBuffer>;
  resolve(bytes: ArrayBuffer): void;
  reject(error: Error): void;
}

/** Scripts where somebody else brings the parts, and the page makes the worker of a text. */
function broughtPython(
  bring: (name: string) => Promise<ArrayBuffer>,
  editor: () => Promise<EditorModule>,
): PythonHost {
  return {
    lacking: undefined,
    parts: () => partsOf(bring),
    worker: async () => {
      const code = new Blob([await bring('worker.js')], { type: 'text/javascript' });
      const address = URL.createObjectURL(code);
      const worker = scriptWorker(new Worker(address));
      // It is read by the time that it has long begun.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
      return worker;
    },
    editor,
  };
}

/** Where a page without a server has the parts: a script beside it, or elements of a report. */
const BESIDE = './python.js';
const ELEMENT = 'hotframe-python-';
const NOT_BESIDE =
  'Python is not beside this page: put the file python.js there, which `cargo xtask page` builds';
const NOT_INSIDE =
  'Python is not in this report: it was written without `hotframe export --with-python`.';

/** What `python.js` defines, and the editor: parts by name, as gzip in base64. */
interface Defined {
  hotframePython?: Readonly<Record<string, string>>;
  hotframeEditor?: EditorModule;
}

/** Scripts of a page without a server; `engine` is the element that has its engine. */
export function insidePython(page: Window, engine: string, isReport: boolean): PythonHost {
  const { document } = page;
  const defined = page as unknown as Defined;
  const isInside = document.getElementById(`${ELEMENT}worker.js`) !== null;
  const bring = async (name: string): Promise<ArrayBuffer> => {
    if (name === 'engine.wasm') return (await compressedPart(document, engine)).buffer;
    if (isInside) return (await compressedPart(document, ELEMENT + name)).buffer;
    if (defined.hotframePython === undefined) await loadBeside(document);
    const part = defined.hotframePython?.[name];
    if (part === undefined) throw new Error(NOT_BESIDE);
    return (await unpacked(fromBase64(part))).buffer;
  };
  const editor = async (): Promise<EditorModule> => {
    if (defined.hotframeEditor === undefined) {
      const script = document.createElement('script');
      // The page's policy knows this text.
      script.textContent = new TextDecoder().decode(await bring('editor.js'));
      document.head.append(script);
    }
    if (defined.hotframeEditor === undefined) {
      throw new Error('the editor is of another version than the page');
    }
    return defined.hotframeEditor;
  };
  return {
    ...broughtPython(bring, editor),
    lacking: isReport && !isInside ? NOT_INSIDE : undefined,
  };
}

function loadBeside(document: Document): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = BESIDE;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(NOT_BESIDE));
    document.head.append(script);
  });
}

async function partsOf(bring: (name: string) => Promise<ArrayBuffer>): Promise<PythonParts> {
  const [interpreter, library, sources, engine] = await Promise.all(
    ['interpreter.wasm', 'library.zip', 'sources.json', 'engine.wasm'].map(bring),
  );
  if (!interpreter || !library || !sources || !engine)
    throw new Error('parts of Python are missing');
  const text = new TextDecoder().decode(sources);
  return {
    interpreter,
    library,
    sources: JSON.parse(text) as Readonly<Record<string, string>>,
    engine,
  };
}
