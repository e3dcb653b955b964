import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { steadyResource } from './resource.ts';

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
