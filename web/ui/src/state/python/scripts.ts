import type { Engine, FromScripts, MadeBy, Progress, ScriptError } from '@hotframe/engine';
import { isCancelled } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import { asEngineError } from '../resource.ts';
import { handedOf } from './handed.ts';
import type { PythonHost, ScriptWorker } from './host.ts';
import { NOTHING, type Piece, withMore, type Written } from './output.ts';

/** What scripts do at the moment. */
export type ScriptsStatus =
  /** Nothing is loaded. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly python: string }
  /** The engine writes the profile for a script. */
  | { readonly kind: 'handing'; readonly progress: Progress | undefined }
  | { readonly kind: 'running'; readonly progress: Progress | undefined }
  /** Python is not to be had. */
  | { readonly kind: 'failed'; readonly message: string };

/** How the last script ended. */
export interface LastRun {
  readonly milliseconds: number;
  readonly how: 'ended' | 'failed' | 'stopped';
  readonly error: ScriptError | undefined;
}

/** The profile that a script is to work on. */
export interface OfProfile {
  readonly document: number;
  /** The one of the list that it is, or that it shows with other members or on another axis of time. */
  readonly listed: number;
  readonly name: string;
  /** What it was made of, and how, where it was: scripts get these. */
  readonly parts: readonly { readonly document: number; readonly name: string }[];
  readonly made: MadeBy | undefined;
}

/** A script and what it works on. */
export interface Work {
  /** Its number, which it keeps while it is edited. */
  readonly script: number;
  readonly of: OfProfile;
}

export interface Scripts {
  readonly status: ReadonlySignal<ScriptsStatus>;
  readonly written: ReadonlySignal<Written>;
  readonly last: ReadonlySignal<LastRun | undefined>;
  /** Loads Python before somebody needs it. */
  warm(): void;
  run(source: string, work: Work): Promise<void>;
  stop(): void;
  clear(): void;
  /** Names that Python knows, as soon as it is loaded; none while a script runs. */
  complete(text: string): Promise<readonly string[]>;
}

export interface ScriptsOptions {
  readonly engine: Engine;
  readonly host: PythonHost;
  /** Opens a profile that a script shows. */
  show(name: string, bytes: ArrayBuffer, work: Work): void;
  /** Calls back when the page draws next. */
  later(run: () => void): void;
}

/** A worker on its way to be ready, or ready. */
interface Begun {
  readonly worker: ScriptWorker;
  readonly python: string;
}

/** Runs scripts in a worker, which another takes the place of when one is stopped or ends. */
export function createScripts({ engine, host, show, later }: ScriptsOptions): Scripts {
  const status = signal<ScriptsStatus>({ kind: 'idle' });
  const written = signal<Written>(NOTHING);
  const last = signal<LastRun | undefined>(undefined);
  let worker: ScriptWorker | undefined;
  let begun: Promise<Begun> | undefined;
  let python = '';
  let abort: AbortController | undefined;
  let began = 0;
  let work: Work | undefined;
  let waiting: Piece[] = [];
  let nextCompletion = 1;
  const completions = new Map<number, (names: readonly string[]) => void>();

  function write(...pieces: Piece[]): void {
    if (waiting.length === 0) later(draw);
    waiting.push(...pieces);
  }

  function draw(): void {
    written.value = withMore(written.peek(), waiting);
    waiting = [];
  }

  function end(): void {
    worker?.end();
    worker = undefined;
    begun = undefined;
    for (const answer of completions.values()) answer([]);
    completions.clear();
  }

  /** A worker that is ready for a script; at most one is on its way. */
  function begin(): Promise<Begun> {
    begun ??= start().catch((error: unknown) => {
      end();
      throw error;
    });
    return begun;
  }

  async function start(): Promise<Begun> {
    const [own, parts] = await Promise.all([host.worker(), host.parts()]);
    worker = own;
    return new Promise((resolve, reject) => {
      own.listen((message) => {
        if (worker !== own) return;
        if (message.kind === 'ready') {
          python = message.python;
          own.listen((next) => {
            if (worker === own) take(next);
          });
          resolve({ worker: own, python });
        } else if (message.kind === 'fault') reject(new Error(message.message));
      });
      own.post({ kind: 'begin', parts });
    });
  }

  function take(message: FromScripts): void {
    switch (message.kind) {
      case 'written':
        write({ of: message.stream, text: message.text });
        return;
      case 'dropped':
        write({ of: 'note', text: leftOut(message.characters) });
        return;
      case 'progress':
        if (status.peek().kind === 'running') {
          const { phase, done, total } = message;
          status.value = { kind: 'running', progress: { phase, done, total } };
        }
        return;
      case 'show':
        if (work !== undefined) show(message.name, message.bytes, work);
        return;
      case 'ended':
        if (message.error !== undefined) write({ of: 'stderr', text: message.error.traceback });
        settle(message.error === undefined ? 'ended' : 'failed', message.error);
        status.value = { kind: 'ready', python };
        return;
      case 'completions':
        completions.get(message.id)?.(message.names);
        completions.delete(message.id);
        return;
      case 'fault': {
        end();
        const text = `Python has ended: ${message.message}. The next run starts it again.\n`;
        write({ of: 'note', text });
        settle('failed', undefined);
        status.value = { kind: 'idle' };
        return;
      }
      case 'ready':
        return;
    }
  }

  function settle(how: LastRun['how'], error: ScriptError | undefined): void {
    // Who sees that it ended sees all that it wrote.
    draw();
    last.value = { milliseconds: performance.now() - began, how, error };
  }

  async function run(source: string, asked: Work): Promise<void> {
    const now = status.peek().kind;
    if (now === 'running' || now === 'handing' || host.lacking !== undefined) return;
    const own = new AbortController();
    abort = own;
    waiting = [];
    written.value = NOTHING;
    last.value = undefined;
    status.value = { kind: 'handing', progress: undefined };
    try {
      const onProgress = (progress: Progress) => {
        if (abort === own) status.value = { kind: 'handing', progress };
      };
      const [ready, handed] = await Promise.all([
        begin(),
        handedOf(engine, asked.of, { signal: own.signal, onProgress }),
      ]);
      if (abort !== own || own.signal.aborted) return;
      began = performance.now();
      work = asked;
      status.value = { kind: 'running', progress: undefined };
      const bytes = handed.profiles.map((profile) => profile.bytes);
      ready.worker.post({ kind: 'run', source, handed }, bytes);
    } catch (error) {
      if (abort !== own || isCancelled(error)) return;
      own.abort();
      const { message, hint } = asEngineError(error);
      write({ of: 'note', text: `${message}${hint === '' ? '' : ` ${hint}`}\n` });
      status.value = begun === undefined ? { kind: 'failed', message } : { kind: 'ready', python };
    }
  }

  function warm(): void {
    if (status.peek().kind !== 'idle' || host.lacking !== undefined) return;
    status.value = { kind: 'loading' };
    begin().then(
      () => {
        if (status.peek().kind === 'loading') status.value = { kind: 'ready', python };
      },
      (error: unknown) => {
        if (status.peek().kind !== 'loading') return;
        status.value = { kind: 'failed', message: asEngineError(error).message };
      },
    );
  }

  return {
    status,
    written,
    last,
    warm,
    run,
    stop() {
      const { kind } = status.peek();
      if (kind !== 'running' && kind !== 'handing') return;
      abort?.abort();
      abort = undefined;
      if (kind === 'running') {
        end();
        write({ of: 'note', text: 'Stopped.\n' });
        settle('stopped', undefined);
      }
      status.value = { kind: 'idle' };
      warm();
    },
    clear() {
      waiting = [];
      written.value = NOTHING;
    },
    async complete(text) {
      const { kind } = status.peek();
      if ((kind !== 'ready' && kind !== 'loading') || begun === undefined) return [];
      // Whoever writes while it loads waits; where it cannot be loaded, there are no names.
      const ready = await begun.catch(() => undefined);
      if (ready === undefined || status.peek().kind !== 'ready') return [];
      const { worker: asked } = ready;
      const id = nextCompletion++;
      return new Promise((resolve) => {
        completions.set(id, resolve);
        asked.post({ kind: 'complete', id, text });
      });
    },
  };
}

/** What is said where more was written than is told. */
export function leftOut(characters: number): string {
  return `… ${characters.toLocaleString('en')} characters were left out here …\n`;
}
