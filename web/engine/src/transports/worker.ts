import { decodeFrame, encodeFrame } from '../codec.ts';
import type { Request } from '../generated/protocol.ts';
import type { Method } from '../methods.ts';
import type { Connect, Given, TransportEvents } from '../transport.ts';
import type { FromWorker, ToWorker } from '../wasm/messages.ts';

/** A worker with an engine inside, as far as the transport has to do with it. */
export type EngineWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

export interface WorkerOptions {
  start(): EngineWorker;
  readonly module: Promise<WebAssembly.Module>;
  /** Gives the engine that has all in it, if `module` leaves some out. */
  readonly whole?: (() => Promise<WebAssembly.Module>) | undefined;
  /** Tells the engine from that of any other page. */
  readonly id: string;
  /** What the page came with: it is open from the beginning. */
  readonly first?: Promise<readonly First[]> | undefined;
}

/** A request that comes before those of the page, and the files that it opens if it is an upload. */
export interface First {
  readonly request: Request;
  readonly files?: readonly Given[] | undefined;
}

/** What makes or changes documents: it is done again in a worker that takes another's place. */
const CHANGES: ReadonlySet<Method> = new Set<Method>([
  'upload',
  'close',
  'read_as',
  'compare',
  'swap',
  'normalise',
  'merge',
  'split_members',
  'align',
  'graph_measure',
  'graph_counting',
]);

/** Errors are short: what is longer is another answer. */
const MOST_ERROR_BYTES = 1 << 14;

/** A cancelled answer is waited for so long at least: most come before. */
const LEAST_PATIENCE_MS = 300;

const OUTSIDE = 'open it with `hotframe open FILE`, which may take all that this machine has';
const NO_MEMORY = `this needs more than the 4 GB of memory that a page has: ${OUTSIDE}`;

type Hand = { readonly kind: 'hand'; readonly upload: number; readonly files: readonly Given[] };

interface Asked {
  readonly kind: 'frame';
  readonly id: number;
  readonly method: Method | undefined;
  /** The document that it asks. */
  readonly document: number | undefined;
  /** The upload that it is. */
  readonly upload: number | undefined;
  readonly bytes: ArrayBuffer;
}

type Task = Hand | Asked;

/**
 * Frames as messages of a worker, which answers one after the other and cannot be interrupted. Where
 * a cancelled answer takes longer than opening everything again, or where the engine fails, another
 * worker takes its place: it is handed the same files, whose bytes stay where they are, and is told all
 * again that made documents, so that their numbers stay. So it is where the first engine leaves out
 * what is asked: the whole one takes its place.
 */
export function workerTransport(options: WorkerOptions): Connect {
  return (events) => new WorkerLink(options, events);
}

class WorkerLink {
  readonly #options: WorkerOptions;
  readonly #events: TransportEvents;
  #module: Promise<WebAssembly.Module>;
  #whole: WorkerOptions['whole'];
  /** Whether the answer under way takes what the engine leaves out. */
  #isLeftOut = false;
  #worker: EngineWorker | undefined;
  #isClosed = false;
  /** What is to be told again to another worker, and what of it is still to be told to this one. */
  #log: Task[] = [];
  #again: Task[] = [];
  #queue: Task[] = [];
  #running: { readonly task: Task; readonly isAgain: boolean; readonly since: number } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The uploads that opened documents, and why some must not be read again. */
  readonly #uploads = new Map<number, number>();
  readonly #refused = new Map<number, string>();
  /** Milliseconds that reading each document took. */
  readonly #readMs = new Map<number, number>();

  constructor(options: WorkerOptions, events: TransportEvents) {
    this.#options = options;
    this.#events = events;
    this.#module = options.module;
    this.#whole = options.whole;
    void this.#begin().then(
      () => events.opened(),
      () => this.#lose(),
    );
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    const frame = bytes.slice().buffer;
    const { header } = decodeFrame(frame);
    if (header.kind === 'cancel') {
      this.#cancel(header.id);
      return;
    }
    if (header.kind !== 'request') return;
    const task = asked(header.id, header.request, frame);
    const running = this.#running?.task;
    // What is closed is not to be read to its end.
    if (
      task.method === 'close' &&
      running?.kind === 'frame' &&
      running.document === task.document
    ) {
      this.#cancel(running.id);
    }
    this.#queue.push(task);
    this.#next();
  }

  readonly hand = (upload: number, files: readonly Given[]): void => {
    this.#queue.push({ kind: 'hand', upload, files });
    this.#next();
  };

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#worker?.terminate();
  }

  async #begin(): Promise<void> {
    for (const { request, files } of (await this.#options.first) ?? []) {
      if (request.method === 'upload' && files !== undefined) {
        this.#log.push({ kind: 'hand', upload: request.params.upload, files });
      }
      this.#log.push(asked(0, request, encodeFrame({ kind: 'request', id: 0, request }).buffer));
    }
    this.#again = [...this.#log];
    await this.#start();
  }

  async #start(): Promise<void> {
    const module = await this.#module;
    if (this.#isClosed) return;
    const worker = this.#options.start();
    await new Promise<void>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.kind === 'done') resolve();
        else if (data.kind === 'fault') reject(new Error(data.trap));
      };
      worker.onerror = () => reject(new Error('the worker of the engine does not start'));
      this.#post(worker, { kind: 'start', module, id: this.#options.id });
    });
    if (this.#isClosed) {
      worker.terminate();
      return;
    }
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#take(data);
    worker.onerror = () => this.#fail('', 'the worker ended');
    this.#worker = worker;
    this.#next();
  }

  #post(worker: EngineWorker, message: ToWorker): void {
    worker.postMessage(message);
  }

  #next(): void {
    if (this.#running !== undefined || this.#worker === undefined) return;
    const again = this.#again.shift();
    const task = again ?? this.#queue.shift();
    if (task === undefined) return;
    this.#running = { task, isAgain: again !== undefined, since: performance.now() };
    if (task.kind === 'frame') this.#post(this.#worker, { kind: 'frame', bytes: task.bytes });
    else this.#post(this.#worker, { ...task, refused: this.#refused.get(task.upload) });
  }

  #take(message: FromWorker): void {
    switch (message.kind) {
      case 'frame':
        this.#pass(message.bytes);
        return;
      case 'done':
        if (this.#isLeftOut) {
          this.#grow();
          return;
        }
        this.#end();
        this.#next();
        return;
      case 'fault':
        this.#fail(message.message, message.trap);
        return;
    }
  }

  /** Gives a frame to the page, unless it has it already. */
  #pass(bytes: ArrayBuffer): void {
    const running = this.#running;
    if (running === undefined) return;
    if (this.#whole !== undefined && bytes.byteLength <= MOST_ERROR_BYTES) {
      const { header } = decodeFrame(bytes);
      this.#isLeftOut = header.kind === 'error' && header.error.code === 'left_out';
      if (this.#isLeftOut) return;
    }
    if (running.task.kind === 'frame' && running.task.upload !== undefined) {
      const { header } = decodeFrame(bytes);
      if (header.kind === 'response') {
        const { document } = header.result as { readonly document?: number | null };
        if (typeof document === 'number') this.#uploads.set(document, running.task.upload);
      }
    }
    if (!running.isAgain) this.#events.message(bytes);
  }

  #end(): void {
    clearTimeout(this.#timer);
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined || running.isAgain) return;
    const { task, since } = running;
    if (task.kind === 'hand' || (task.method !== undefined && CHANGES.has(task.method))) {
      this.#log.push(task);
    }
    if (task.kind === 'frame' && task.method === 'wait' && task.document !== undefined) {
      const readMs = this.#readMs.get(task.document) ?? 0;
      this.#readMs.set(task.document, Math.max(readMs, performance.now() - since));
    }
  }

  #cancel(id: number): void {
    const waiting = this.#queue.findIndex((task) => task.kind === 'frame' && task.id === id);
    if (waiting >= 0) {
      this.#queue.splice(waiting, 1);
      return;
    }
    const running = this.#running;
    if (running?.task.kind !== 'frame' || running.isAgain || running.task.id !== id) return;
    const openingMs = [...this.#readMs.values()].reduce((sum, ms) => sum + ms, 0);
    const patience = Math.max(LEAST_PATIENCE_MS, openingMs - (performance.now() - running.since));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#running !== running) return;
      const error = { code: 'cancelled' as const, message: 'the request was cancelled', hint: '' };
      this.#events.message(encodeFrame({ kind: 'error', id, error }).buffer);
      this.#restart();
    }, patience);
  }

  /** The engine failed on what it does. */
  #fail(message: string, trap: string): void {
    const running = this.#running;
    if (running === undefined || running.isAgain || running.task.kind === 'hand') {
      this.#lose();
      return;
    }
    const { id, document } = running.task;
    const isMemory = message === '' && !/stack/i.test(trap);
    const told = isMemory ? NO_MEMORY : `the engine failed on this: ${message || trap}`;
    const upload = document === undefined ? undefined : this.#uploads.get(document);
    if (document !== undefined && upload !== undefined && !this.#readMs.has(document)) {
      this.#refused.set(upload, told);
    }
    const error = {
      code: isMemory ? ('limit' as const) : ('bad_request' as const),
      message: told,
      hint: isMemory ? '' : 'This is a fault of Hotframe, please report it.',
    };
    this.#events.message(encodeFrame({ kind: 'error', id, error }).buffer);
    this.#restart();
  }

  /** The engine that has all in it takes the place of one that leaves out what was asked. */
  #grow(): void {
    const running = this.#running;
    if (this.#whole !== undefined) this.#module = this.#whole();
    this.#whole = undefined;
    this.#isLeftOut = false;
    if (running !== undefined && !running.isAgain) this.#queue.unshift(running.task);
    this.#restart();
  }

  /** Another worker takes the place of this one. */
  #restart(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#running = undefined;
    this.#again = [...this.#log];
    this.#start().catch(() => this.#lose());
  }

  #lose(): void {
    if (this.#isClosed) return;
    this.close();
    this.#events.closed();
  }
}

function asked(id: number, request: Request, bytes: ArrayBuffer): Asked {
  const { method, params } = request;
  const { document, view, upload } = params as {
    readonly document?: number;
    readonly view?: { readonly document?: number };
    readonly upload?: number;
  };
  return { kind: 'frame', id, method, document: document ?? view?.document, upload, bytes };
}
