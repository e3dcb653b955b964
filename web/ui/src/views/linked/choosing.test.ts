import type { ViewSpec } from '@hotframe/engine';
import { describe, expect, it } from 'vitest';
import { DEFAULT_VIEW, viewSpec } from '../../state/view-state.ts';
import { choose, choosePair, paneSpec, rankedRoles, roleSpec } from './choosing.ts';

const SPEC: ViewSpec = viewSpec(DEFAULT_VIEW, 0, 0);

describe('what is chosen in linked panes', () => {
  it('clears the panes after it', () => {
    expect(choose([[1], [2], [3]], 1, [5])).toEqual([[1], [5]]);
    expect(choose([], 2, [5])).toEqual([[], [], [5]]);
    expect(choose([[1], [2], [3]], 1, [])).toEqual([[1]]);
    expect(choose([[], [2]], 1, [])).toEqual([]);
  });

  it('narrows the panes after it', () => {
    const roleOf = (role: number) => paneSpec(SPEC, role, [[1, 2], [], [3]]).role;
    const first = { role: 0, shape: { kind: 'top_down' }, path: [1, 2] };
    expect(roleOf(0)).toEqual({ role: 0, chosen: [] });
    expect(roleOf(1)).toEqual({ role: 1, chosen: [first] });
    expect(roleOf(2)).toEqual({ role: 2, chosen: [first] });
  });

  it('is in the metric of the page, or of the pane', () => {
    expect(paneSpec({ ...SPEC, metric: 2 }, 1, []).metric).toBe(2);
    expect(paneSpec({ ...SPEC, metric: 2 }, 1, [], 3)).toMatchObject({
      metric: 3,
      role: { role: 1 },
    });
  });

  it('narrows a ranking by the roles that are not ranked', () => {
    const { role } = roleSpec(SPEC, 1, [[1], [2], [3]], (other) => other === 0);
    expect(role?.chosen.map((node) => node.path)).toEqual([[1]]);
  });

  it('is a pair in the shape of the panes', () => {
    const paths = [
      [1, 2],
      [3, 4],
    ] as const;
    expect(choosePair([[9]], [1, 2], paths, 'top_down')).toEqual([[9], [1, 2], [3, 4]]);
    expect(choosePair([[9]], [2, 1], paths, 'top_down')).toEqual([[9], [3, 4], [1, 2]]);
    expect(choosePair([], [0, 1], paths, 'bottom_up')).toEqual([
      [2, 1],
      [4, 3],
    ]);
  });
});

describe('the ranked roles', () => {
  it('are the last two unless others exist and are asked for', () => {
    expect(rankedRoles(3, undefined)).toEqual([1, 2]);
    expect(rankedRoles(3, [0, 2])).toEqual([0, 2]);
    expect(rankedRoles(2, [0, 2])).toEqual([0, 1]);
    expect(rankedRoles(1, undefined)).toBeUndefined();
  });
});
