import { EngineError } from '@hotframe/engine';
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { createAccesses } from './accesses.ts';
import type { AccessesViewState } from './accesses-view.ts';
import { DEFAULT_VIEW, type ViewState } from './view-state.ts';

/** A screen whose engine answers runs with what their changes are, or fails. */
function screen(change: Partial<AccessesViewState>, isRecorded = false) {
  const asked: unknown[] = [];
  const engine = {
    call(method: string, params: { readonly program: { readonly changes: readonly string[] } }) {
      if (method === 'accesses_sizes') {
        return Promise.resolve({ result: { symbols: [], is_recorded: isRecorded } });
      }
      asked.push(params);
      return params.program.changes.length === 0 && !isRecorded
        ? Promise.reject(
            new EngineError({
              code: 'bad_request',
              message: 'no loop of it is parallel',
              hint: '',
            }),
          )
        : Promise.resolve({ result: { totals: {} }, columns: {} });
    },
  };
  const accesses = { ...DEFAULT_VIEW.accesses, ...change };
  const view = signal<ViewState>({ ...DEFAULT_VIEW, accesses });
  const state = createAccesses({
    engine: engine as unknown as Parameters<typeof createAccesses>[0]['engine'],
    documents: {
      shown: signal(0),
      status: signal({ kind: 'ready', title: '', shows: 'accesses' }),
    } as unknown as Parameters<typeof createAccesses>[0]['documents'],
    view,
    update: () => undefined,
  });
  return { state, asked };
}

const settled = () => new Promise((done) => setTimeout(done, 0));

describe('before and after beside each other', () => {
  it('say why there is nothing before', async () => {
    const { state } = screen({ changes: ['order k,i,j'], side: 'both' });
    await settled();
    await settled();
    expect(state.run.value.value).toBeDefined();
    expect(state.run.value.error).toBeUndefined();
    expect(state.base.value).toBeUndefined();
    expect(state.baseProblem.value).toBe('no loop of it is parallel');
  });

  it('say nothing of what is not shown', async () => {
    const { state } = screen({ changes: ['order k,i,j'], side: 'after' });
    await settled();
    await settled();
    expect(state.baseProblem.value).toBeUndefined();
  });
});

describe('recorded accesses', () => {
  it('are asked for without what loops alone have', async () => {
    const { state, asked } = screen(
      {
        changes: ['order k,i,j'],
        schedule: 'static:4',
        rules: ['packed', 'prefetch'],
        ranges: ['a=0x40:8:2'],
        overlay: 'related',
        cache: '32K:8',
        private: 1,
      },
      true,
    );
    await settled();
    await settled();
    expect(state.isRecorded.value).toBe(true);
    expect(state.view.value.overlay).toBe('count');
    expect(asked.at(-1)).toMatchObject({
      program: { changes: [], schedule: '', packed: false, ranges: ['a=0x40:8:2'] },
      caches: { private: 0, prefetches_next: true },
    });
  });
});
