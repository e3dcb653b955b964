import { type ColumnSet, decodeFrame, encodeFrame } from './codec.ts';
import type { ErrorCode, Progress, ProtocolError, Request } from './generated/protocol.ts';
import type { Answer, Method, Params } from './methods.ts';
import type { Connect, Given, Transport } from './transport.ts';

/** A call that failed; `code` is what programs branch on. */
export class EngineError extends Error {
  readonly code: ErrorCode | 'disconnected' | 'stopped';
  readonly hint: string;

  constructor(error: Pick<ProtocolError, 'message' | 'hint'> & { code: EngineError['code'] }) {
    super(error.message);
    this.name = 'EngineError';
    this.code = error.code;
    this.hint = error.hint;
  }
}

/** An answer that takes so long that the engine tells of it. */
export interface Work {
  readonly id: number;
  readonly progress: Progress;
}

export type Connection = 'connecting' | 'open' | 'lost';

export interface CallOptions {
  /** Aborting rejects the call at once and tells the engine to stop. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Bulk numbers that travel with the request. */
  readonly columns?: ColumnSet | undefined;
}

interface Pending {
  readonly resolve: (answer: { result: unknown; columns: ColumnSet }) => void;
  readonly reject: (error: EngineError) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** Calls methods of an engine over a transport: one promise a request. */
export class Engine {
  readonly #connect: Connect;
  readonly #onConnection: (connection: Connection) => void;
  readonly #onWork: (work: Work | undefined) => void;
  readonly #pending = new Map<number, Pending>();
  #transport: Transport | undefined;
  #nextId = 1;
  #working: number | undefined;

  constructor(
    connect: Connect,
    onConnection: (connection: Connection) => void = () => {},
    onWork: (work: Work | undefined) => void = () => {},
  ) {
    this.#connect = connect;
    this.#onConnection = onConnection;
    this.#onWork = onWork;
  }

  /** Connects, also after the connection was lost. */
  connect(): void {
    this.#transport?.close();
    this.#onConnection('connecting');
    let current = true;
    const transport = this.#connect({
      opened: () => {
        if (current) this.#onConnection('open');
      },
      message: (bytes) => this.#receive(bytes),
      closed: () => {
        current = false;
        if (this.#transport === transport) this.#lose();
      },
    });
    this.#transport = transport;
  }

  call<M extends Method>(
    method: M,
    params: Params<M>,
    options: CallOptions = {},
  ): Promise<Answer<M>> {
    const { signal, onProgress, columns } = options;
    const transport = this.#transport;
    if (transport === undefined) return Promise.reject(disconnected());
    if (signal?.aborted) return Promise.reject(cancelled());
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const abort = () => {
        if (this.#take(id) === undefined) return;
        this.#transport?.send(encodeFrame({ kind: 'cancel', id }));
        reject(cancelled());
      };
      signal?.addEventListener('abort', abort, { once: true });
      const settled = () => signal?.removeEventListener('abort', abort);
      this.#pending.set(id, {
        onProgress,
        resolve: (answer) => {
          settled();
          // The engine answers each method with its own type; the generated types say which.
          resolve(answer as unknown as Answer<M>);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      const request = { method, params } as unknown as Request;
      transport.send(encodeFrame({ kind: 'request', id, request }, columns));
    });
  }

  /** Whether the engine reads the page's files itself; otherwise their bytes are to be sent. */
  get readsFiles(): boolean {
    return this.#transport?.hand !== undefined;
  }

  /** Hands over what the upload of that number opens, to an engine that reads files itself. */
  hand(upload: number, files: readonly Given[]): void {
    this.#transport?.hand?.(upload, files);
  }

  #receive(bytes: ArrayBuffer): void {
    const { header, columns } = decodeFrame(bytes);
    switch (header.kind) {
      case 'response':
        this.#take(header.id)?.resolve({ result: header.result, columns });
        return;
      case 'error':
        this.#take(header.id)?.reject(new EngineError(header.error));
        return;
      case 'progress':
        this.#tellProgress(header.id, header.progress);
        return;
      case 'request':
      case 'cancel':
        // Only a page sends these.
        return;
    }
  }

  /**
   * Stops all answers that somebody does not want to wait for: those that tell nobody else how far
   * they are. They wait for one another's work.
   */
  stop(): void {
    for (const [id, { onProgress, reject }] of [...this.#pending]) {
      if (onProgress !== undefined) continue;
      this.#take(id);
      this.#transport?.send(encodeFrame({ kind: 'cancel', id }));
      const hint = 'Press ‘Ask again’, or change the view.';
      reject(new EngineError({ code: 'stopped', message: 'This was stopped.', hint }));
    }
  }

  #tellProgress(id: number, progress: Progress): void {
    const pending = this.#pending.get(id);
    if (pending?.onProgress !== undefined) pending.onProgress(progress);
    else if (pending !== undefined) {
      this.#working = id;
      this.#onWork({ id, progress });
    }
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    this.#endWork(id);
    return pending;
  }

  #endWork(id: number | undefined): void {
    if (this.#working === undefined || this.#working !== id) return;
    this.#working = undefined;
    this.#onWork(undefined);
  }

  #lose(): void {
    this.#transport = undefined;
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    this.#endWork(this.#working);
    for (const pending of lost) pending.reject(disconnected());
    this.#onConnection('lost');
  }
}

/** Whether an error only says that nobody waits for the answer any more. */
export function isCancelled(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'cancelled';
}

function cancelled(): EngineError {
  return new EngineError({ code: 'cancelled', message: 'cancelled', hint: '' });
}

function disconnected(): EngineError {
  return new EngineError({
    code: 'disconnected',
    message: 'the connection to Hotframe is lost',
    hint: 'Start it again and reconnect.',
  });
}
