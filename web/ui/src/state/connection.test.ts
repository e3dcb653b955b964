import type { Connect } from '@hotframe/engine';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createConnection } from './connection.ts';

type Events = Parameters<Connect>[0];

/** A host whose connections a test opens and closes. */
function hostOf(options: { admitted?: () => Promise<boolean>; inEditor?: boolean } = {}) {
  const asked: Events[] = [];
  const connect: Connect = (events) => {
    asked.push(events);
    return { send() {}, close() {} };
  };
  return {
    asked,
    host: {
      connect,
      admitted: options.admitted ?? (() => Promise.resolve(true)),
      editor: options.inEditor ? ({} as never) : undefined,
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tries again until it is there, and counts connections', () => {
  const { asked, host } = hostOf();
  const { engine, connection, epoch } = createConnection(host);
  engine.connect();
  asked[0]!.opened();
  expect([connection.value, epoch.value]).toEqual(['open', 1]);
  asked[0]!.closed();
  expect(connection.value).toBe('lost');
  vi.advanceTimersByTime(500);
  expect(asked).toHaveLength(2);
  // What tries is not yet there.
  expect(connection.value).toBe('lost');
  asked[1]!.closed();
  vi.advanceTimersByTime(999);
  expect(asked).toHaveLength(2);
  vi.advanceTimersByTime(1);
  asked[2]!.opened();
  expect([connection.value, epoch.value]).toEqual(['open', 2]);
  vi.advanceTimersByTime(60_000);
  expect(asked).toHaveLength(3);
});

it('never waits longer than ten seconds', () => {
  const { asked, host } = hostOf();
  createConnection(host).engine.connect();
  for (let round = 0; round < 20; round++) {
    asked.at(-1)!.closed();
    vi.advanceTimersByTime(10_000);
  }
  expect(asked).toHaveLength(21);
});

it('says when what answers does not know it', async () => {
  const { asked, host } = hostOf({ admitted: () => Promise.resolve(false) });
  const { engine, refused } = createConnection(host);
  engine.connect();
  asked[0]!.closed();
  await vi.advanceTimersByTimeAsync(1);
  expect(refused.value).toBe(true);
});

it('leaves it to an editor to start the engine again', () => {
  const { asked, host } = hostOf({ inEditor: true });
  createConnection(host).engine.connect();
  asked[0]!.closed();
  vi.advanceTimersByTime(60_000);
  expect(asked).toHaveLength(1);
});
