import { expect, it } from 'vitest';
import { nameOf } from './names.ts';

const TIME = new Date(2026, 4, 4, 7, 3, 12);

it('names recordings after what was recorded, and when', () => {
  expect(nameOf('pricing.py', TIME)).toBe('pricing.py-2026-05-04-070312');
  expect(nameOf('../Run: "all" $x', TIME)).toBe('Run-all-x-2026-05-04-070312');
  expect(nameOf('…', TIME)).toBe('recording-2026-05-04-070312');
});
