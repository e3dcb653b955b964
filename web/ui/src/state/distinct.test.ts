import { effect, signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { distinct } from './distinct.ts';

it('tells of another value, and not of another object', () => {
  const source = signal({ a: 1, other: 1 });
  const only = distinct(() => (source.value.a === 0 ? undefined : { a: source.value.a }));
  expect(distinct(() => undefined).value).toBeUndefined();
  const seen: unknown[] = [];
  const stop = effect(() => void seen.push(only.value));
  source.value = { a: 1, other: 2 };
  expect(seen).toEqual([{ a: 1 }]);
  source.value = { a: 2, other: 2 };
  source.value = { a: 0, other: 2 };
  source.value = { a: 0, other: 3 };
  expect(seen).toEqual([{ a: 1 }, { a: 2 }, undefined]);
  stop();
});
