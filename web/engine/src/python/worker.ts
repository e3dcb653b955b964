import { type Interpreter, loadInterpreter } from './interpreter.ts';
import type { FromScripts, PythonParts, ScriptError, Stream, ToScripts } from './messages.ts';
import { OutputGate } from './output.ts';
import { createPageModule } from './page-module.ts';
import { ScriptEngine } from './profile.ts';
import { boundMemory, raiseWalls } from './walls.ts';

/** What is left of the worker for scripts once the walls stand is in here. */
interface Started {
  readonly engine: ScriptEngine;
  readonly interpreter: Interpreter;
  readonly output: OutputGate;
  reset(): void;
}

/** Runs scripts for the page that sends messages, one after the other. */
export function serveScripts(worker: DedicatedWorkerGlobalScope): void {
  const post = worker.postMessage.bind(worker);
  const tell = (message: FromScripts, transfer: readonly Transferable[] = []) =>
    post(message, [...transfer]);
  const clock = performance.now.bind(performance);
  let started: Promise<Started> | undefined;

  async function take(message: ToScripts): Promise<void> {
    if (message.kind === 'begin') {
      started = begin(worker, message.parts, tell, clock);
      tell({ kind: 'ready', python: (await started).interpreter.version });
      return;
    }
    if (started === undefined) return;
    const { engine, interpreter, output, reset } = await started;
    if (message.kind === 'complete') {
      const { id, text } = message;
      tell({ kind: 'completions', id, names: interpreter.complete(text) });
      return;
    }
    reset();
    engine.open(message.handed);
    let error: ScriptError | undefined;
    try {
      error = interpreter.run(message.source);
    } finally {
      output.flush();
    }
    tell({ kind: 'ended', error });
  }

  // One after the other, in the order in which they come.
  let last = Promise.resolve();
  worker.addEventListener('message', ({ data }: MessageEvent<ToScripts>) => {
    last = last
      .then(() => take(data))
      .catch((error: unknown) => tell({ kind: 'fault', message: String(error) }));
  });
}

async function begin(
  worker: DedicatedWorkerGlobalScope,
  parts: PythonParts,
  tell: (message: FromScripts, transfer?: readonly Transferable[]) => void,
  clock: () => number,
): Promise<Started> {
  boundMemory();
  const compiled = WebAssembly.compile(parts.engine);
  const id = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const output = new OutputGate(tell, clock);
  const write = (stream: Stream, text: string) => output.write(stream, text);
  answerFetches(worker, parts);
  const start = await loadInterpreter(parts, write);
  const engine = new ScriptEngine(await compiled, () => clock() / 1000, id);
  const page = createPageModule(engine, tell, clock);
  const interpreter = start(page.module);
  raiseWalls(worker);
  return {
    engine,
    interpreter,
    output,
    reset() {
      output.reset();
      page.reset();
    },
  };
}

/** The interpreter asks a network for its parts: they are here. */
function answerFetches(worker: DedicatedWorkerGlobalScope, parts: PythonParts): void {
  // It refuses workers that could load more scripts; this one could, and never does.
  Object.defineProperty(worker, 'importScripts', { value: undefined, configurable: true });
  worker.fetch = (asked) => {
    const address = asked instanceof Request ? asked.url : String(asked);
    if (address.endsWith('.wasm')) {
      const headers = { 'content-type': 'application/wasm' };
      return Promise.resolve(new Response(parts.interpreter, { headers }));
    }
    if (address.endsWith('python_stdlib.zip')) {
      return Promise.resolve(new Response(parts.library));
    }
    return Promise.reject(new TypeError(`the page has no ${address}`));
  };
}
