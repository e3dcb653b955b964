import { describe, expect, it } from 'vitest';
import {
  cachesOf,
  cacheText,
  DEFAULT_ACCESSES_VIEW,
  isPlain,
  parseCaches,
} from './accesses-view.ts';

describe('caches', () => {
  it.each([
    ['32K:8,1M:16', '32K:8,1M:16'],
    [' 48 KiB : 12 ', '48K:12'],
    ['640', '640'],
    ['0.5k', '512'],
  ])('are written and read: %s', (text, again) => {
    expect(parseCaches(text)?.map(cacheText).join(',')).toBe(again);
  });

  it.each([
    '',
    '32Q',
    '0',
    '-1',
    '32K:',
    '32K:8,',
    '1'.repeat(30),
    new Array(9).fill('1K').join(','),
  ])('are none: %s', (text) => {
    expect(parseCaches(text)).toBeUndefined();
  });

  it('are so many lines where nothing else is said', () => {
    const caches = cachesOf({ ...DEFAULT_ACCESSES_VIEW, lines: 12, line: 32 }, 'shown');
    expect(caches.levels).toEqual([{ size: 384, ways: null }]);
    expect(isPlain(DEFAULT_ACCESSES_VIEW)).toBe(true);
    expect(isPlain({ ...DEFAULT_ACCESSES_VIEW, rules: ['around'] })).toBe(false);
    expect(isPlain({ ...DEFAULT_ACCESSES_VIEW, rules: ['packed'] })).toBe(true);
  });

  it('without ways give way to what was used least recently', () => {
    const state = { ...DEFAULT_ACCESSES_VIEW, replacement: 'fifo' as const };
    expect(cachesOf(state, 'shown').replacement).toBe('lru');
    expect(cachesOf({ ...state, fullCache: '32K:8' }, 'full').replacement).toBe('fifo');
  });
});
