import { describe, expect, it } from 'vitest';
import { DEFAULT_GRAPH_VIEW, nodeQuantity, withFold, withPath } from './graph-view.ts';

describe('folding', () => {
  const state = { ...DEFAULT_GRAPH_VIEW, opened: [4], closed: [7] };

  it('moves a container from one list to the other', () => {
    expect(withFold(state, 7, true)).toEqual({ opened: [4, 7], closed: [] });
    expect(withFold(state, 4, false)).toEqual({ opened: [], closed: [7, 4] });
    expect(withFold(state, 4, true)).toEqual({ opened: [4], closed: [7] });
  });

  it('opens what is closed on a path, and nothing else', () => {
    const isOpen = (element: number) => element < 5;
    expect(withPath(state, [0, 4, 7, 9], isOpen)).toEqual({ opened: [4, 7, 9], closed: [] });
  });
});

describe('what boxes tell', () => {
  it('is a quantity of the model or a measured one, by name', () => {
    expect(nodeQuantity('intensity')).toEqual({ kind: 'intensity' });
    expect(nodeQuantity('measured:a:b')).toEqual({ kind: 'measured', name: 'a:b' });
    expect(nodeQuantity('nonsense')).toEqual({ kind: 'none' });
  });
});
