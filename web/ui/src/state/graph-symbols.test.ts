import type { GraphSummaryResult } from '@hotframe/engine';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSymbolDrag, withAllSymbols, withSymbol } from './graph-symbols.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const INFO = {
  symbols: [
    { name: 'N', suggested: 10, unknown: '' },
    { name: 'M', suggested: 20, unknown: '' },
    { name: 'x', suggested: 3, unknown: 'is read from a file' },
  ],
} as unknown as GraphSummaryResult;

it('a symbol has another value, or none of its own', () => {
  const symbols = withSymbol([{ name: 'M', value: 1 }], 'N', 5);
  expect(symbols).toEqual([
    { name: 'M', value: 1 },
    { name: 'N', value: 5 },
  ]);
  expect(withSymbol(symbols, 'M', undefined)).toEqual([{ name: 'N', value: 5 }]);
});

it('all sizes change from what they are, and what is no size stays', () => {
  const set = [
    { name: 'N', value: 100 },
    { name: 'x', value: 4 },
  ];
  expect(withAllSymbols(INFO, set, (value) => value * 2)).toEqual([
    { name: 'x', value: 4 },
    { name: 'N', value: 200 },
    { name: 'M', value: 40 },
  ]);
  expect(withAllSymbols(INFO, set, () => undefined)).toEqual([{ name: 'x', value: 4 }]);
});

it('a drag rests after its last value', () => {
  const rest = vi.fn();
  const symbols = createSymbolDrag(rest);
  for (const value of [1, 2, 3]) {
    symbols.drag([{ name: 'N', value }]);
    vi.advanceTimersByTime(200);
  }
  expect(symbols.dragged.value).toEqual([{ name: 'N', value: 3 }]);
  expect(rest).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(rest).toHaveBeenCalledExactlyOnceWith([{ name: 'N', value: 3 }]);
});

it('a drag that is forgotten does not rest', () => {
  const rest = vi.fn();
  const symbols = createSymbolDrag(rest);
  symbols.drag([{ name: 'N', value: 1 }]);
  symbols.forget();
  vi.advanceTimersByTime(1000);
  expect([symbols.dragged.value, rest.mock.calls]).toEqual([undefined, []]);
});
