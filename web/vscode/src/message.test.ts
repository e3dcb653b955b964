import { expect, it } from 'vitest';
import { text } from './message.ts';

it('makes no links of names', () => {
  expect(text(new Error('no metric [a](command:b)'))).toBe('no metric [a] (command:b)');
  expect(text('gone')).toBe('gone');
});
