import type { FromScripts, PythonParts, ToScripts } from '@hotframe/engine';
import { type Engine, EngineError } from '@hotframe/engine';
import { expect, it } from 'vitest';
import { turn } from '../engine.fixture.ts';
import type { PythonHost, ScriptWorker } from './host.ts';
import { createScripts, type Work } from './scripts.ts';

const PROFILE = {
  script: 1,
  of: { document: 4, listed: 4, name: 'run', parts: [], made: undefined },
};

/** Scripts with workers that do what a test has them do. */
function made(
  asked: (document: number) => Promise<Uint8Array> = () => bytes(),
  parts: PythonHost['parts'] = () => Promise.resolve({} as PythonParts),
) {
  const workers: { posted: ToScripts[]; send(message: FromScripts): void; isEnded: boolean }[] = [];
  const shown: [string, Work][] = [];
  const host: PythonHost = {
    lacking: undefined,
    parts,
    worker() {
      let hear: (message: FromScripts) => void = () => {};
      const own = {
        posted: [] as ToScripts[],
        isEnded: false,
        send: (message: FromScripts) => hear(message),
      };
      workers.push(own);
      const worker: ScriptWorker = {
        post(message) {
          own.posted.push(message);
          if (message.kind === 'begin') {
            void Promise.resolve().then(() => hear({ kind: 'ready', python: '3.14' }));
          }
        },
        listen(listener) {
          hear = listener;
        },
        end() {
          own.isEnded = true;
        },
      };
      return Promise.resolve(worker);
    },
    editor: () => Promise.reject(new Error('there is none')),
  };
  const engine = {
    call: async (_: string, { document }: { document: number }) => ({
      result: {},
      columns: { bytes: await asked(document) },
    }),
  } as unknown as Engine;
  const scripts = createScripts({
    engine,
    host,
    show: (name, _, work) => shown.push([name, work]),
    later: (run) => void Promise.resolve().then(run),
  });
  return { workers, shown, scripts };
}

const bytes = () => Promise.resolve(new Uint8Array([1, 2, 3]));
const textOf = ({ written }: ReturnType<typeof made>['scripts']) =>
  written.value.pieces.map(({ text }) => text).join('');

it('hands the profile over, runs, and tells what was written and how it ended', async () => {
  const { workers, shown, scripts } = made();
  await scripts.run('print(1)', PROFILE);
  expect(scripts.status.value.kind).toBe('running');
  const [begin, run] = workers[0]!.posted;
  expect(begin?.kind).toBe('begin');
  expect(run?.kind === 'run' && run.source).toBe('print(1)');
  expect(run?.kind === 'run' && run.handed.profiles[0]?.bytes.byteLength).toBe(3);
  const send = workers[0]!.send;
  send({ kind: 'written', stream: 'stdout', text: '1\n' });
  send({ kind: 'progress', phase: 'counting', done: 1, total: 2 });
  expect(scripts.status.value).toMatchObject({ progress: { phase: 'counting', total: 2 } });
  send({ kind: 'show', name: 'made', bytes: new ArrayBuffer(1) });
  const error = { line: 2, message: 'ValueError', traceback: 'Traceback\n' };
  send({ kind: 'ended', error });
  expect(textOf(scripts)).toBe('1\nTraceback\n');
  expect(scripts.last.value).toMatchObject({ how: 'failed', error });
  expect(scripts.status.value.kind).toBe('ready');
  expect(shown).toEqual([['made', PROFILE]]);
  // The same worker runs the next one.
  await scripts.run('print(2)', PROFILE);
  expect(workers.length).toBe(1);
  expect(textOf(scripts)).toBe('');
});

it('ends the worker of a script that is stopped, and has another ready', async () => {
  const { workers, scripts } = made();
  await scripts.run('while True: pass', PROFILE);
  scripts.stop();
  expect(workers[0]!.isEnded).toBe(true);
  expect(scripts.last.value?.how).toBe('stopped');
  expect(textOf(scripts)).toBe('Stopped.\n');
  await turn();
  expect(workers.length).toBe(2);
  expect(scripts.status.value.kind).toBe('ready');
  // What the old one still sends is nobody's.
  workers[0]!.send({ kind: 'written', stream: 'stdout', text: 'late' });
  await turn();
  expect(textOf(scripts)).toBe('Stopped.\n');
});

it('says that the interpreter ended, and runs the next script in another', async () => {
  const { workers, scripts } = made();
  await scripts.run('deep()', PROFILE);
  workers[0]!.send({ kind: 'fault', message: 'RangeError' });
  expect(textOf(scripts)).toContain('Python has ended: RangeError');
  expect(workers[0]!.isEnded).toBe(true);
  await scripts.run('print()', PROFILE);
  expect(workers.length).toBe(2);
  expect(scripts.status.value.kind).toBe('running');
});

it('stops handing over, and tells why a profile cannot be had', async () => {
  let answer: (bytes: Uint8Array) => void = () => {};
  const held = new Promise<Uint8Array>((resolve) => {
    answer = resolve;
  });
  const first = made(() => held);
  const running = first.scripts.run('print()', PROFILE);
  await turn();
  expect(first.scripts.status.value.kind).toBe('handing');
  first.scripts.stop();
  answer(new Uint8Array(1));
  await running;
  await turn();
  expect(first.workers[0]!.posted.map(({ kind }) => kind)).toEqual(['begin']);
  expect(first.scripts.status.value.kind).toBe('ready');

  const refusal = { code: 'bad_request', message: 'no profile', hint: 'Open one.' } as const;
  const other = made(() => Promise.reject(new EngineError(refusal)));
  await other.scripts.run('print()', PROFILE);
  await turn();
  expect(textOf(other.scripts)).toBe('no profile Open one.\n');
  expect(other.scripts.status.value.kind).not.toBe('handing');
});

it('asks for completions only what is idle, and leaves nobody waiting', async () => {
  const { workers, scripts } = made();
  expect(await scripts.complete('a')).toEqual([]);
  scripts.warm();
  await turn();
  const names = scripts.complete('a');
  await turn();
  workers[0]!.send({ kind: 'completions', id: 1, names: ['abs('] });
  expect(await names).toEqual(['abs(']);
  const left = scripts.complete('b');
  await turn();
  workers[0]!.send({ kind: 'fault', message: 'gone' });
  expect(await left).toEqual([]);
});

it('answers who asks for names while Python loads, once it is there', async () => {
  const { workers, scripts } = made();
  scripts.warm();
  expect(scripts.status.value.kind).toBe('loading');
  const names = scripts.complete('a');
  await turn();
  const asked = workers[0]!.posted.filter(({ kind }) => kind === 'complete');
  expect(asked).toEqual([{ kind: 'complete', id: 1, text: 'a' }]);
  workers[0]!.send({ kind: 'completions', id: 1, names: ['abs('] });
  expect(await names).toEqual(['abs(']);
});

it('has no names where Python cannot be loaded', async () => {
  const { scripts } = made(undefined, () => Promise.reject(new Error('not here')));
  scripts.warm();
  expect(await scripts.complete('a')).toEqual([]);
  expect(scripts.status.value).toEqual({ kind: 'failed', message: 'not here' });
});
