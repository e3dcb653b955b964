import { expect, it } from 'vitest';
import { part } from './lazy.tsx';

it('loads a part once, and again where that failed', async () => {
  let asked = 0;
  const one = part(async () => {
    asked += 1;
    if (asked === 1) throw new Error('gone');
    return 'here';
  });
  expect(one.value.value).toBeUndefined();
  await expect(one.load()).rejects.toThrow('gone');
  await Promise.all([one.load(), one.load()]);
  expect([asked, one.value.value]).toEqual([2, 'here']);
});
