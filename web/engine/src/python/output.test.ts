import { expect, it } from 'vitest';
import { OutputGate } from './output.ts';

function gate() {
  const told: string[] = [];
  let now = 0;
  const made = new OutputGate(
    (message) =>
      told.push(
        message.kind === 'dropped'
          ? `<${message.characters}>`
          : `${message.stream === 'stderr' ? '!' : ''}${message.text}`,
      ),
    () => now,
  );
  return { told, made, pass: (ms: number) => (now += ms) };
}

it('tells at once what a script writes, in order', () => {
  const { told, made } = gate();
  made.write('stdout', 'a');
  made.write('stderr', 'b');
  made.write('stdout', '');
  made.write('stdout', 'c');
  expect(told).toEqual(['a', '!b', 'c']);
});

it('tells the last of more than is of use, and how much was left out', () => {
  const { told, made, pass } = gate();
  const line = 'x'.repeat(1023) + '\n';
  let written = 0;
  for (let at = 0; at < 5000; at++) {
    made.write('stdout', line);
    written += line.length;
    pass(1);
  }
  made.write('stderr', 'end');
  written += 3;
  made.flush();
  expect(told.at(-1)).toBe('!end');
  const dropped = told
    .filter((text) => /^<\d+>$/.test(text))
    .map((text) => Number(text.slice(1, -1)))
    .reduce((sum, count) => sum + count, 0);
  const shown = told
    .filter((text) => !/^<\d+>$/.test(text))
    .map((text) => text.replace('!', '').length)
    .reduce((sum, count) => sum + count, 0);
  expect(shown + dropped).toBe(written);
  // A mebibyte, and 32 KiB four times a second.
  expect(shown).toBeLessThan(2 ** 20 + 20 * 2 ** 15);
  expect(shown).toBeGreaterThan(2 ** 20);
});

it('begins anew with another script', () => {
  const { told, made } = gate();
  made.write('stdout', 'x'.repeat(2 ** 20));
  made.write('stdout', 'late');
  made.write('stdout', 'later');
  made.reset();
  made.write('stdout', 'new');
  made.flush();
  expect(told.slice(1)).toEqual(['late', 'new']);
});
