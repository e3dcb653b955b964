import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeFrame, encodeFrame } from '../codec.ts';
import type { Request } from '../generated/protocol.ts';
import type { FromWorker, ToWorker } from '../wasm/messages.ts';
import { type EngineWorker, type First, workerTransport } from './worker.ts';

/** A worker that the test answers for. */
class FakeWorker implements EngineWorker {
  onmessage: EngineWorker['onmessage'] = null;
  onerror: EngineWorker['onerror'] = null;
  readonly posted: ToWorker[] = [];
  isEnded = false;

  postMessage(message: ToWorker): void {
    this.posted.push(message);
    if (message.kind === 'start') void Promise.resolve().then(() => this.tell({ kind: 'done' }));
  }

  terminate(): void {
    this.isEnded = true;
  }

  tell(data: FromWorker): void {
    this.onmessage?.call(this as never, new MessageEvent('message', { data }));
  }

  /** Answers the request that it has, and is done. */
  answer(result: object = {}): void {
    const last = this.posted.at(-1);
    if (last?.kind === 'frame') {
      const { header } = decodeFrame(last.bytes);
      if (header.kind !== 'request') throw new Error(header.kind);
      const bytes = encodeFrame({ kind: 'response', id: header.id, result }).buffer;
      this.tell({ kind: 'frame', bytes });
    }
    this.tell({ kind: 'done' });
  }

  /** Answers that it leaves out what the request takes. */
  leaveOut(): void {
    const error = { code: 'left_out' as const, message: 'left out', hint: '' };
    this.tell({ kind: 'frame', bytes: encodeFrame({ kind: 'error', id: 0, error }).buffer });
    this.tell({ kind: 'done' });
  }

  /** The module that it was started with. */
  get module(): WebAssembly.Module | undefined {
    const [start] = this.posted;
    return start?.kind === 'start' ? start.module : undefined;
  }

  /** What it was asked, shortly. */
  get asked(): readonly string[] {
    return this.posted.map((message) => {
      if (message.kind === 'frame') {
        const { header } = decodeFrame(message.bytes);
        return header.kind === 'request' ? header.request.method : header.kind;
      }
      if (message.kind === 'start') return 'start';
      return message.refused === undefined ? `hand ${message.upload}` : `refuse ${message.upload}`;
    });
  }
}

const FIRST = { name: 'first' } as WebAssembly.Module;
const WHOLE = { name: 'whole' } as WebAssembly.Module;

function page(first?: readonly First[], whole?: () => Promise<WebAssembly.Module>) {
  const workers: FakeWorker[] = [];
  const seen: string[] = [];
  const connect = workerTransport({
    start: () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    module: Promise.resolve(FIRST),
    whole,
    id: 'a page',
    first: first && Promise.resolve(first),
  });
  const transport = connect({
    opened: () => seen.push('opened'),
    message(bytes) {
      const { header } = decodeFrame(bytes);
      seen.push(header.kind === 'error' ? header.error.message : `${header.kind} ${header.id}`);
    },
    closed: () => seen.push('closed'),
  });
  const ask = (id: number, method: Request['method'], params: object) =>
    transport.send(
      encodeFrame({ kind: 'request', id, request: { method, params } as unknown as Request }),
    );
  const open = (id: number, upload: number) => {
    transport.hand?.(upload, [{ path: undefined, file: new Blob(['x']) }]);
    ask(id, 'upload', { upload, name: 'x', offset: 0, last: true });
  };
  return { workers, seen, transport, ask, open };
}

const begun = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('the transport of a worker', () => {
  it('sends one request after the other', async () => {
    const { workers, seen, ask } = page();
    ask(1, 'documents', {});
    ask(2, 'formats', {});
    await begun();
    expect(workers[0]?.asked).toEqual(['start', 'documents']);
    workers[0]?.answer();
    expect(workers[0]?.asked).toEqual(['start', 'documents', 'formats']);
    expect(seen).toEqual(['opened', 'response 1']);
  });

  it('leaves out what is cancelled while it waits', async () => {
    const { workers, ask, transport } = page();
    ask(1, 'documents', {});
    ask(2, 'formats', {});
    transport.send(encodeFrame({ kind: 'cancel', id: 2 }));
    await begun();
    workers[0]?.answer();
    expect(workers[0]?.asked).toEqual(['start', 'documents']);
  });

  it('takes another worker where a cancelled answer takes longer than opening all again', async () => {
    const { workers, seen, ask, open, transport } = page();
    await begun();
    const [first] = workers;
    open(1, 7);
    first?.answer();
    first?.answer({ document: 0 });
    ask(2, 'wait', { document: 0 });
    await vi.advanceTimersByTimeAsync(2000);
    first?.answer();
    ask(3, 'flame', { view: { document: 0 } });
    ask(4, 'formats', {});
    transport.send(encodeFrame({ kind: 'cancel', id: 3 }));
    await vi.advanceTimersByTimeAsync(1900);
    expect(first?.isEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(first?.isEnded).toBe(true);
    const [, second] = workers;
    second?.answer();
    second?.answer({ document: 0 });
    expect(second?.asked).toEqual(['start', 'hand 7', 'upload', 'formats']);
    second?.answer();
    // What was told again is not answered again.
    expect(seen).toEqual([
      'opened',
      'response 1',
      'response 2',
      'the request was cancelled',
      'response 4',
    ]);
  });

  it('does not read what is closed to its end', async () => {
    const { workers, seen, ask, open } = page();
    await begun();
    open(1, 7);
    workers[0]?.answer();
    workers[0]?.answer({ document: 0 });
    ask(2, 'wait', { document: 0 });
    ask(3, 'close', { document: 0 });
    await vi.advanceTimersByTimeAsync(400);
    const [, second] = workers;
    for (let step = 0; step < 3; step++) second?.answer({ document: 0 });
    expect(second?.asked).toEqual(['start', 'hand 7', 'upload', 'close']);
    expect(seen.slice(2)).toEqual(['the request was cancelled', 'response 3']);
  });

  it('says what a file without memory needs, and does not read it again', async () => {
    const { workers, seen, ask, open } = page();
    await begun();
    open(1, 7);
    workers[0]?.answer();
    workers[0]?.answer({ document: 0 });
    ask(2, 'wait', { document: 0 });
    workers[0]?.tell({ kind: 'fault', message: '', trap: 'RuntimeError: unreachable' });
    await begun();
    expect(seen.at(-1)).toMatch(/more than the 4 GB .*hotframe open FILE/);
    expect(workers[1]?.asked).toEqual(['start', 'refuse 7']);
  });

  it('is lost where an engine does not start again', async () => {
    const { workers, seen, ask, open } = page();
    await begun();
    open(1, 7);
    workers[0]?.tell({ kind: 'fault', message: 'no room', trap: 'RuntimeError' });
    await begun();
    ask(2, 'documents', {});
    expect([workers.length, seen]).toEqual([1, ['opened', 'closed']]);
  });

  it('opens what the page came with', async () => {
    const request = (method: string, params: object) => ({ method, params }) as unknown as Request;
    const { workers, seen, ask } = page([
      { request: request('upload', { upload: 3 }), files: [{ path: undefined, file: new Blob() }] },
      { request: request('merge', { documents: [0] }) },
    ]);
    ask(1, 'documents', {});
    await begun();
    for (let step = 0; step < 4; step++) workers[0]?.answer();
    expect(workers[0]?.asked).toEqual(['start', 'hand 3', 'upload', 'merge', 'documents']);
    expect(seen).toEqual(['opened', 'response 1']);
  });

  it('takes the whole engine where the first leaves out what is asked', async () => {
    const { workers, seen, ask, open } = page(undefined, () => Promise.resolve(WHOLE));
    await begun();
    open(1, 7);
    workers[0]?.answer();
    workers[0]?.answer({ document: 0 });
    open(2, 8);
    workers[0]?.answer();
    workers[0]?.answer({ document: 1 });
    ask(3, 'wait', { document: 1 });
    ask(4, 'documents', {});
    workers[0]?.leaveOut();
    await begun();
    expect(workers[0]?.isEnded).toBe(true);
    for (let step = 0; step < 6; step++) workers[1]?.answer({ document: step < 2 ? 0 : 1 });
    expect(workers[1]?.asked).toEqual([
      'start',
      ...['hand 7', 'upload', 'hand 8', 'upload'],
      'wait',
      'documents',
    ]);
    expect(seen).toEqual(['opened', 'response 1', 'response 2', 'response 3', 'response 4']);
    // Once is enough: whatever takes its place is whole, too, and what it leaves out is told.
    ask(5, 'wait', { document: 1 });
    workers[1]?.leaveOut();
    expect([workers.length, seen.at(-1)]).toEqual([2, 'left out']);
    expect([workers[0]?.module, workers[1]?.module]).toEqual([FIRST, WHOLE]);
  });

  it('takes the whole engine for what the page came with', async () => {
    const request = (method: string, params: object) => ({ method, params }) as unknown as Request;
    const first = [{ request: request('merge', { documents: [0] }) }];
    const { workers, seen, ask } = page(first, () => Promise.resolve(WHOLE));
    ask(1, 'documents', {});
    await begun();
    workers[0]?.leaveOut();
    await begun();
    workers[1]?.answer();
    workers[1]?.answer();
    expect(workers[1]?.asked).toEqual(['start', 'merge', 'documents']);
    expect(seen).toEqual(['opened', 'response 1']);
  });

  it('is lost where there is no whole engine', async () => {
    const { workers, seen, ask } = page(undefined, () => Promise.reject(new Error('not saved')));
    await begun();
    ask(1, 'wait', { document: 0 });
    workers[0]?.leaveOut();
    await begun();
    expect(seen).toEqual(['opened', 'closed']);
  });
});
