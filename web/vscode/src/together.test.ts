import { expect, it, vi } from 'vitest';

vi.mock('vscode', () => ({}));

const { choicesOf } = await import('./together.ts');
const { joined } = await import('./several.ts');

it('makes one profile of runs of one name without a question', () => {
  const files = ['/x/run-1.pb', '/x/run-2.pb', '/x/run-3.pb'];
  expect(choicesOf(files).map(({ opened }) => opened)).toEqual([[joined(files)]]);
});

it('offers to compare two groups, either way', () => {
  const before = ['/x/before-1.pb', '/x/before-2.pb'];
  const after = ['/y/after-1.pb'];
  const choices = choicesOf([...before, ...after]);
  expect(choices.map(({ label }) => label)).toEqual([
    'Show 3 profiles as one',
    'Compare after-1.pb against before-1.pb and 1 more',
    'Compare before-1.pb and 1 more against after-1.pb',
  ]);
  expect(choices.map(({ opened }) => opened)).toEqual([
    [joined([...before, ...after])],
    [joined(before), joined(after)],
    [joined(after), joined(before)],
  ]);
});

it('offers to compare two files, whatever they are called', () => {
  const files = ['/x/run-1.pb', '/x/run-2.pb'];
  expect(choicesOf(files).map(({ opened }) => opened)).toEqual([
    [joined(files)],
    ['/x/run-1.pb', '/x/run-2.pb'],
    ['/x/run-2.pb', '/x/run-1.pb'],
  ]);
});
