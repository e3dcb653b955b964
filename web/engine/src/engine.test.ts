import { describe, expect, it } from 'vitest';
import { type ColumnSet, decodeFrame, encodeFrame } from './codec.ts';
import { type Connection, Engine, type Work } from './engine.ts';
import type { Header } from './generated/protocol.ts';
import type { TransportEvents } from './transport.ts';

/** An engine whose other side is the test: what it sends, and a way to answer. */
function connected() {
  const sent: Header[] = [];
  const connections: Connection[] = [];
  const works: (Work | undefined)[] = [];
  let events: TransportEvents | undefined;
  const engine = new Engine(
    (given) => {
      events = given;
      return { send: (bytes) => sent.push(decodeFrame(bytes.buffer).header), close() {} };
    },
    (connection) => connections.push(connection),
    (work) => works.push(work),
  );
  engine.connect();
  const answer = (header: Header, columns: ColumnSet = {}) =>
    events?.message(encodeFrame(header, columns).buffer);
  return { engine, sent, connections, works, answer, lose: () => events?.closed() };
}

const documents = { documents: [] };

describe('the engine', () => {
  it('joins answers to requests by id, in any order', async () => {
    const { engine, answer } = connected();
    const first = engine.call('documents', {});
    const second = engine.call('formats', {});
    answer({ kind: 'response', id: 2, result: { formats: [] } });
    answer({ kind: 'response', id: 1, result: documents });
    expect((await first).result).toEqual(documents);
    expect((await second).result).toEqual({ formats: [] });
  });

  it('reports progress until the answer comes', async () => {
    const { engine, answer } = connected();
    const seen: number[] = [];
    const call = engine.call('documents', {}, { onProgress: (p) => seen.push(p.done) });
    answer({ kind: 'progress', id: 1, progress: { phase: 'reading', done: 5, total: 10 } });
    answer({ kind: 'response', id: 1, result: documents });
    await call;
    answer({ kind: 'progress', id: 1, progress: { phase: 'reading', done: 9, total: 10 } });
    expect(seen).toEqual([5]);
  });

  it('cancels at once and tells the other side', async () => {
    const { engine, sent, answer } = connected();
    const controller = new AbortController();
    const call = engine.call('documents', {}, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    expect(sent.at(-1)).toEqual({ kind: 'cancel', id: 1 });
    answer({ kind: 'response', id: 1, result: documents });
  });

  it('rejects with the code and the hint of an error', async () => {
    const { engine, answer } = connected();
    const call = engine.call('documents', {});
    const error = { code: 'bad_pattern', message: 'unclosed group', hint: 'close it' } as const;
    answer({ kind: 'error', id: 1, error });
    await expect(call).rejects.toMatchObject(error);
  });

  it('fails what is open when the connection is lost, and connects again', async () => {
    const { engine, connections, lose, answer } = connected();
    const call = engine.call('documents', {});
    lose();
    await expect(call).rejects.toMatchObject({ code: 'disconnected' });
    await expect(engine.call('documents', {})).rejects.toMatchObject({ code: 'disconnected' });
    engine.connect();
    const again = engine.call('documents', {});
    answer({ kind: 'response', id: 2, result: documents });
    expect((await again).result).toEqual(documents);
    expect(connections).toEqual(['connecting', 'lost', 'connecting']);
  });

  it('tells of the work that takes long, and stops it', async () => {
    const { engine, sent, answer, works } = connected();
    const call = engine.call('documents', {});
    const other = engine.call('formats', {});
    const progress = { phase: 'adding up', done: 5, total: 10 };
    answer({ kind: 'progress', id: 1, progress });
    expect(works).toEqual([{ id: 1, progress }]);
    answer({ kind: 'response', id: 2, result: { formats: [] } });
    await other;
    expect(works).toHaveLength(1);
    // What waits for the same is stopped with it; what tells its own progress has its own button.
    const third = engine.call('formats', {});
    const opening = engine.call('wait', { document: 0 }, { onProgress: () => {} });
    engine.stop();
    await expect(call).rejects.toMatchObject({ code: 'stopped' });
    await expect(third).rejects.toMatchObject({ code: 'stopped' });
    expect(sent.slice(-2)).toEqual([
      { kind: 'cancel', id: 1 },
      { kind: 'cancel', id: 3 },
    ]);
    expect(works.at(-1)).toBeUndefined();
    answer({ kind: 'response', id: 4, result: {} });
    await opening;
    // Too late.
    answer({ kind: 'progress', id: 1, progress });
    engine.stop();
    expect(works).toHaveLength(2);
  });

  it('ends the work that was told of with its answer', async () => {
    const { engine, answer, works } = connected();
    const call = engine.call('documents', {});
    answer({ kind: 'progress', id: 1, progress: { phase: 'adding up', done: 5, total: 10 } });
    answer({ kind: 'response', id: 1, result: documents });
    await call;
    expect(works.at(-1)).toBeUndefined();
  });
});
