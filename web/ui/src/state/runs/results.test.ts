import type { RunStatusResult } from '@hotframe/engine';
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import type { Documents } from '../documents.ts';
import { fakeEngine } from '../engine.fixture.ts';
import type { Loaded } from '../resource.ts';
import { createResults } from './results.ts';

const statusOf = (run: string, version: number) =>
  ({ summary: { run }, result_version: version }) as unknown as RunStatusResult;

function results() {
  let version = 1;
  let next = 4;
  const { engine, asked } = fakeEngine({
    run_status: ({ run }: { run: string }) => statusOf(run, version),
    run_open: () => ({ document: next++ }),
    wait: () => ({}),
    compare: () => ({ document: 9 }),
  });
  const named = signal<number | undefined>(undefined);
  const documents = {
    named,
    refresh: () => Promise.resolve(),
    open: (document: number) => {
      named.value = document;
    },
  } as unknown as Documents;
  const status = signal<Loaded<RunStatusResult>>({
    value: undefined,
    error: undefined,
    pending: false,
  });
  const made = createResults({ engine, documents, status: () => status });
  const grow = (run: string, to: number) => {
    version = to;
    status.value = { value: statusOf(run, to), error: undefined, pending: false };
  };
  return { made, named, grow, asked };
}

describe('results of experiments', () => {
  it('tell that there is more while they are looked at', async () => {
    const { made, named, grow } = results();
    expect(made.watched.value).toBeUndefined();
    await made.open('a');
    expect([named.value, made.watched.value, made.newer.value]).toEqual([4, 'a', undefined]);
    grow('a', 2);
    expect(made.newer.value).toBe('a');
    // What is told of another one says nothing.
    grow('b', 3);
    expect(made.newer.value).toBeUndefined();
    grow('a', 3);
    await made.open('a');
    expect([named.value, made.newer.value]).toEqual([5, undefined]);
    named.value = 0;
    expect(made.watched.value).toBeUndefined();
  });

  it('are compared once both are read, the first as the base', async () => {
    const { made, named, asked } = results();
    await made.compare('a', 'b');
    expect(named.value).toBe(9);
    expect(asked.at(-1)).toMatchObject({ method: 'compare', params: { base: [4], new: [5] } });
    expect(asked.filter(({ method }) => method === 'wait')).toHaveLength(2);
  });
});
