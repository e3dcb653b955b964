import { EngineError } from '@hotframe/engine';
import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { poll } from './polled.ts';

function page() {
  const listeners = new Set<() => void>();
  return {
    visibilityState: 'visible' as DocumentVisibilityState,
    addEventListener: (_: string, listener: unknown) => void listeners.add(listener as () => void),
    removeEventListener: (_: string, listener: unknown) =>
      void listeners.delete(listener as () => void),
    see(now: DocumentVisibilityState) {
      this.visibilityState = now;
      for (const listener of listeners) listener();
    },
  };
}

function polled(goesOn: (answer: number) => boolean) {
  const input = signal<string | undefined>('a');
  const epoch = signal(1);
  const shown = page();
  let count = 0;
  const answers = { fails: undefined as EngineError | undefined };
  const asked = vi.fn((_: string) => {
    if (answers.fails !== undefined) return Promise.reject(answers.fails);
    return Promise.resolve(count++);
  });
  const made = poll(input, asked, { epoch, page: shown as never, goesOn, delayMs: 1000 });
  return { input, epoch, shown, asked, answers, made };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('what is asked again and again', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is asked once a second until it does not go on', async () => {
    const { asked, made } = polled((answer) => answer < 2);
    await pass(0);
    expect(made.state.value.value).toBe(0);
    await pass(10_000);
    expect(asked).toHaveBeenCalledTimes(3);
    expect(made.state.value.value).toBe(2);
    made.again();
    await pass(0);
    expect(made.state.value.value).toBe(3);
  });

  it('waits while nobody looks, and is asked when somebody does', async () => {
    const { asked, shown } = polled(() => true);
    await pass(0);
    shown.see('hidden');
    await pass(10_000);
    expect(asked).toHaveBeenCalledTimes(1);
    shown.see('visible');
    await pass(0);
    expect(asked).toHaveBeenCalledTimes(2);
    // What has ended is not asked for by looking away and back.
    const ended = polled(() => false);
    await pass(0);
    ended.shown.see('hidden');
    ended.shown.see('visible');
    await pass(5000);
    expect(ended.asked).toHaveBeenCalledTimes(1);
  });

  it('keeps what was answered while the connection is lost, and goes on with the next', async () => {
    const { asked, answers, made, epoch } = polled(() => true);
    await pass(0);
    answers.fails = new EngineError({ code: 'disconnected', message: 'lost', hint: '' });
    await pass(5000);
    expect(asked).toHaveBeenCalledTimes(2);
    expect(made.state.value).toMatchObject({ value: 0, error: undefined });
    answers.fails = undefined;
    epoch.value++;
    await pass(0);
    expect(made.state.value.value).toBe(1);
    made.dispose();
    await pass(5000);
    expect(asked).toHaveBeenCalledTimes(3);
  });

  it('says what is wrong, and tries again later', async () => {
    const { asked, answers, made } = polled(() => true);
    answers.fails = new EngineError({ code: 'bad_request', message: 'locked', hint: '' });
    await pass(1000);
    expect(made.state.value.error?.message).toBe('locked');
    answers.fails = undefined;
    await pass(5000);
    expect(made.state.value).toMatchObject({ value: 1, error: undefined });
    expect(asked).toHaveBeenCalledTimes(3);
  });

  it('forgets what was asked before', async () => {
    const { input, made } = polled(() => false);
    await pass(0);
    input.value = 'b';
    expect(made.state.value.value).toBeUndefined();
    await pass(0);
    expect(made.state.value.value).toBe(1);
    input.value = undefined;
    expect(made.state.value).toEqual({ value: undefined, error: undefined, pending: false });
  });
});
