import { expect, it } from 'vitest';
import { statusText } from './ScriptStatus.tsx';

it('tells how a script ended and how long it took', () => {
  const ready = { kind: 'ready', python: '3.14.2' } as const;
  const run = { milliseconds: 0.2, how: 'ended', error: undefined } as const;
  expect(statusText(ready, undefined)).toBe('');
  expect(statusText(ready, run)).toBe('Ended after 1 ms');
  expect(statusText({ kind: 'loading' }, { ...run, how: 'stopped', milliseconds: 61_234 })).toBe(
    'Stopped after 61.2 s; Python is loading',
  );
  const error = { line: 3, message: 'ValueError', traceback: '' };
  expect(statusText(ready, { milliseconds: 1500, how: 'failed', error })).toBe(
    'Failed in line 3 after 1.50 s',
  );
});

it('tells what is under way', () => {
  const progress = { phase: 'reading lines', done: 1, total: 2 };
  expect(statusText({ kind: 'running', progress }, undefined)).toBe('Reading lines');
  expect(statusText({ kind: 'failed', message: 'no parts' }, undefined)).toBe(
    'Python cannot be loaded: no parts',
  );
});
