import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { EngineError } from '@hotframe/engine';
import { resource, steadyResource } from './resource.ts';
import { anyStopped, askAgain } from './stopped.ts';

/** Lets what is promised happen. */
const turn = () => new Promise((resolve) => setTimeout(resolve));

describe('a steady resource', () => {
  it('loads one input at a time, and of those that wait only the newest', async () => {
    const input = signal<number | undefined>(1);
    const asked: number[] = [];
    const answers: ((value: string) => void)[] = [];
    const { state, dispose } = steadyResource(input, (wanted) => {
      asked.push(wanted);
      return new Promise<string>((resolve) => answers.push(resolve));
    });
    input.value = 2;
    input.value = 3;
    expect(asked).toEqual([1]);
    answers[0]!('one');
    await turn();
    expect(asked).toEqual([1, 3]);
    expect(state.value).toEqual({ value: 'one', error: undefined, pending: true });
    answers[1]!('three');
    await turn();
    expect(state.value).toEqual({ value: 'three', error: undefined, pending: false });
    dispose();
  });

  it('has no value for no input, and keeps an error', async () => {
    const input = signal<number | undefined>(1);
    const { state, dispose } = steadyResource(input, () => Promise.reject(new Error('broken')));
    await turn();
    expect(state.value.error?.message).toBe('broken');
    input.value = undefined;
    expect(state.value).toEqual({ value: undefined, error: undefined, pending: false });
    dispose();
  });
});

describe('what somebody stopped', () => {
  const stopped = () =>
    Promise.reject(new EngineError({ code: 'stopped', message: 'This was stopped.', hint: '' }));

  it.each([resource, steadyResource])('is asked for again on request (%#)', async (make) => {
    const input = signal<number | undefined>(1);
    let asked = 0;
    const { state, dispose } = make(input, () => (asked++ === 0 ? stopped() : Promise.resolve(7)));
    await turn();
    expect([state.value.error?.code, anyStopped.value]).toEqual(['stopped', true]);
    askAgain();
    await turn();
    expect([state.value.value, anyStopped.value, asked]).toEqual([7, false, 2]);
    dispose();
  });

  it.each([resource, steadyResource])('is forgotten with another input (%#)', async (make) => {
    const input = signal<number | undefined>(1);
    const { dispose } = make(input, (wanted) => (wanted === 1 ? stopped() : Promise.resolve(7)));
    await turn();
    input.value = 2;
    await turn();
    expect(anyStopped.value).toBe(false);
    dispose();
  });
});
