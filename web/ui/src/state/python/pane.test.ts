import { expect, it } from 'vitest';
import { createNumbers } from './pane.ts';

it('numbers scripts, which keep theirs while they are edited and under their names', () => {
  const numbers = createNumbers({ name: '', text: 'print()' });
  expect(numbers.now.value).toBe(1);
  // Saved under a name, and put once more after it was edited elsewhere.
  numbers.put({ name: '', text: 'print(1)' }, { name: 'mine', text: 'print(1)' });
  expect(numbers.now.value).toBe(1);
  numbers.put({ name: 'mine', text: 'print(2)' }, { name: 'mine', text: 'print(3)' });
  expect(numbers.now.value).toBe(1);
  numbers.put({ name: 'mine', text: 'print(3)' }, { name: '', text: 'pass' });
  expect(numbers.now.value).toBe(2);
  numbers.put({ name: '', text: 'pass' }, { name: '', text: 'other' });
  expect(numbers.now.value).toBe(3);
  numbers.put({ name: '', text: 'other' }, { name: 'mine', text: 'print(3)' });
  expect(numbers.now.value).toBe(1);
});
