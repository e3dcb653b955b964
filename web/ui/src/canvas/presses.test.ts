import { describe, expect, it } from 'vitest';
import {
  followStep,
  type Gesture,
  middleOf,
  NO_PRESSES,
  type Pinch,
  type PointerStep,
  spread,
  spreadAcross,
} from './presses.ts';

/** Steps in short, such as `press 1 10,20`; what each of them means. */
function gesturesOf(...steps: readonly string[]): readonly (Gesture | undefined)[] {
  let presses = NO_PRESSES;
  return steps.map((text) => {
    const [kind, pointer, place] = text.split(' ');
    const [x = 0, y = 0] = place!.split(',').map(Number);
    const step = { kind, pointer: Number(pointer), at: { x, y } } as PointerStep;
    const next = followStep(presses, step);
    presses = next.presses;
    return next.gesture;
  });
}

const kindsOf = (...steps: readonly string[]) => gesturesOf(...steps).map((does) => does?.kind);

describe('pointers', () => {
  it('hover while nothing is pressed', () => {
    expect(gesturesOf('move 1 3,4')).toEqual([{ kind: 'hover', at: { x: 3, y: 4 } }]);
    // Another pointer may be pressed meanwhile.
    expect(kindsOf('press 1 0,0', 'move 2 3,4')).toEqual([undefined, 'hover']);
  });

  it('click where they hardly move', () => {
    expect(gesturesOf('press 1 10,10', 'move 1 11,12', 'release 1 11,12').at(-1)).toEqual({
      kind: 'click',
      at: { x: 11, y: 12 },
    });
  });

  it('drag from where they were pressed, all of the way', () => {
    const steps = ['press 1 10,10', 'move 1 13,10', 'move 1 14,10', 'move 1 20,5'];
    expect(gesturesOf(...steps, 'release 1 20,5')).toEqual([
      undefined,
      undefined,
      { kind: 'drag', from: { x: 10, y: 10 }, to: { x: 14, y: 10 } },
      { kind: 'drag', from: { x: 14, y: 10 }, to: { x: 20, y: 5 } },
      undefined,
    ]);
  });

  it('do not click after a drag that comes back', () => {
    const back = ['press 1 0,0', 'move 1 50,0', 'move 1 0,0', 'release 1 0,0'];
    expect(kindsOf(...back)).toEqual([undefined, 'drag', 'drag', undefined]);
    expect(kindsOf(...back, 'press 1 0,0', 'release 1 0,0').at(-1)).toBe('click');
  });

  it('mean nothing when they are cancelled, or were not pressed', () => {
    expect(kindsOf('press 1 0,0', 'cancel 1 0,0')).toEqual([undefined, undefined]);
    expect(kindsOf('release 1 0,0')).toEqual([undefined]);
    expect(kindsOf('press 1 0,0', 'cancel 1 0,0', 'move 1 9,9').at(-1)).toBe('hover');
  });

  it('pinch where there are two, and drag again when one is left', () => {
    const two = ['press 1 0,0', 'press 2 100,0', 'move 2 120,0', 'move 1 -20,0'];
    expect(gesturesOf(...two).slice(2)).toEqual([
      { kind: 'pinch', from: { x: 100, y: 0 }, to: { x: 120, y: 0 }, other: { x: 0, y: 0 } },
      { kind: 'pinch', from: { x: 0, y: 0 }, to: { x: -20, y: 0 }, other: { x: 120, y: 0 } },
    ]);
    expect(kindsOf(...two, 'release 1 -20,0', 'move 2 130,0', 'release 2 130,0').slice(4)).toEqual([
      undefined,
      'drag',
      undefined,
    ]);
  });

  it('leave what was there before as it was', () => {
    const before = followStep(NO_PRESSES, { kind: 'press', pointer: 1, at: { x: 0, y: 0 } });
    followStep(before.presses, { kind: 'move', pointer: 1, at: { x: 30, y: 0 } });
    followStep(before.presses, { kind: 'release', pointer: 1, at: { x: 30, y: 0 } });
    expect([...before.presses.places]).toEqual([[1, { x: 0, y: 0 }]]);
    expect(NO_PRESSES.places.size).toBe(0);
  });
});

describe('a pinch', () => {
  const pinch = (from: number, to: number, y = 0): Pinch => ({
    kind: 'pinch',
    from: { x: from, y },
    to: { x: to, y },
    other: { x: 0, y: 0 },
  });

  it('tells how far fingers go apart', () => {
    expect(spread(pinch(100, 200))).toBe(2);
    expect(spreadAcross(pinch(100, 200))).toBe(2);
    expect(spread(pinch(30, 60, 40))).toBeCloseTo(Math.hypot(60, 40) / 50);
    expect(spreadAcross(pinch(30, 60, 40))).toBe(2);
    expect(middleOf(pinch(100, 200, 40))).toEqual({ x: 100, y: 20 });
  });

  it('comes back to where it was', () => {
    for (let to = -300; to <= 300; to += 7) {
      expect(spread(pinch(100, to)) * spread(pinch(to, 100))).toBeCloseTo(1, 12);
      expect(spreadAcross(pinch(100, to)) * spreadAcross(pinch(to, 100))).toBeCloseTo(1, 12);
    }
  });

  it('stays finite where fingers meet', () => {
    expect(spread(pinch(0, 1))).toBe(1);
    expect(spread(pinch(0, 40))).toBe(2);
    expect(spreadAcross(pinch(40, 0))).toBe(0.5);
  });
});
