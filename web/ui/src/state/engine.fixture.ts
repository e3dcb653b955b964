import { type Engine, EngineError } from '@hotframe/engine';
import { signal } from '@preact/signals';
import type { ViewHistory } from './history.ts';
import { decodeHash } from './url.ts';
import { defineView } from './view.ts';
import type { ViewState } from './view-state.ts';

type Answers = Readonly<Record<string, (params: never) => unknown>>;

/** An engine that answers results from a table, and what it was asked. */
export function fakeEngine(answers: Answers) {
  const asked: { readonly method: string; readonly params: unknown }[] = [];
  const call = async (method: string, params: never) => {
    asked.push({ method, params });
    const answer = answers[method];
    if (answer === undefined) {
      throw new EngineError({ code: 'bad_request', message: `no ${method}`, hint: '' });
    }
    const result = await answer(params);
    return { result, columns: { total: new BigInt64Array([7n, 9n]) } };
  };
  return { engine: { call } as unknown as Engine, asked };
}

/** The view that a profile has where no test is about others. */
export const FRAMES = defineView({
  id: 'frames',
  label: 'Frames',
  title: 'All frames',
  key: '4',
  findsFrames: true,
  draw: () => null,
});

/** A view that keeps what it was changed to, and how. */
export function fakeHistory(hash = ''): ViewHistory & { readonly steps: string[] } {
  const view = signal<ViewState>(decodeHash(hash, []));
  const steps: string[] = [];
  return {
    view,
    steps,
    update(change, step) {
      steps.push(step);
      view.value = { ...view.value, ...change };
    },
  };
}

/** Lets what is promised happen. */
export const turn = () => new Promise((resolve) => setTimeout(resolve));
