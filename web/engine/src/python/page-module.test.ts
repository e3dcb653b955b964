import { expect, it } from 'vitest';
import type { FromScripts } from './messages.ts';
import { createPageModule } from './page-module.ts';
import type { ScriptEngine } from './profile.ts';

function made() {
  const told: FromScripts[] = [];
  let now = 0;
  const engine = {
    take: (frame: Uint8Array) => [frame],
    document: 3,
    documents: [1, 2],
    name: 'run',
  } as unknown as ScriptEngine;
  const page = createPageModule(
    engine,
    (message) => told.push(message),
    () => now,
  );
  return { told, page, pass: (ms: number) => (now += ms) };
}

it('takes bytes and what stands for bytes, and nothing else', () => {
  const { module } = made().page;
  const bytes = new Uint8Array([1, 2]);
  expect(module.take(bytes)).toEqual([bytes]);
  expect(module.take({ toJs: () => bytes })).toEqual([bytes]);
  expect(() => module.take('text' as unknown as Uint8Array)).toThrow('bytes are wanted');
  expect(() => module.take({ toJs: () => 'text' })).toThrow('bytes are wanted');
});

it('shows copies, and not more than a page has room for', () => {
  const { told, page } = made();
  const whole = new Uint8Array([1, 2, 3]);
  page.module.show('a', whole.subarray(1));
  const [first] = told;
  expect(first?.kind === 'show' && [...new Uint8Array(first.bytes)]).toEqual([2, 3]);
  expect(whole.length).toBe(3);
  for (let at = 0; at < 19; at++) page.module.show('b', whole);
  expect(() => page.module.show('c', whole)).toThrow(
    'at most 20 profiles of one run of a script: show fewer',
  );
  page.reset();
  page.module.show('d', whole);
  expect(told.length).toBe(21);
});

it('shows no more bytes than a page has room for', () => {
  const { page } = made();
  const large = new Uint8Array(2 ** 27);
  page.module.show('a', large);
  page.module.show('b', large);
  expect(() => page.module.show('c', new Uint8Array(1))).toThrow(
    '256 MiB of profiles of one run of a script: show fewer',
  );
});

it('tells of progress now and then, however often a script does', () => {
  const { told, page, pass } = made();
  for (let done = 0; done < 1000; done++) {
    page.module.progress('reading', done, 1000);
    page.module.progress('reading', 1000, 1000);
    pass(1);
  }
  expect(told.length).toBe(10);
  expect(told[1]).toEqual({ kind: 'progress', phase: 'reading', done: 100, total: 1000 });
});
