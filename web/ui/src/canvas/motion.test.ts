import { signal } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import { afterRest, createMotion, eased, type Frames } from './motion.ts';

/** Frames that come when the test says so. */
function createClock(isReduced = false) {
  let now = 0;
  let last = 0;
  const waiting = new Map<number, () => void>();
  const frames: Frames = {
    now: () => now,
    request(tick) {
      waiting.set(++last, tick);
      return last;
    },
    cancel: (frame) => waiting.delete(frame),
    isReduced: () => isReduced,
  };
  return {
    frames,
    waiting,
    pass(ms: number) {
      now += ms;
      const due = [...waiting.values()];
      waiting.clear();
      for (const tick of due) tick();
    },
  };
}

const along = (from: number, to: number, progress: number) => from + (to - from) * progress;

describe('a motion', () => {
  it('goes to its end, further in each frame, and not beyond', async () => {
    const clock = createClock();
    const position = signal(0);
    const motion = createMotion(position, along, clock.frames);
    const arrived = motion.moveTo(100, 160);
    expect(position.value).toBe(0);
    expect(motion.goal()).toBe(100);
    let before = -1;
    for (let frame = 0; frame < 12; frame++) {
      clock.pass(16);
      expect(position.value).toBeGreaterThanOrEqual(before);
      expect(position.value).toBeLessThanOrEqual(100);
      before = position.value;
    }
    await arrived;
    expect(position.value).toBe(100);
    expect(clock.waiting.size).toBe(0);
  });

  it('ends at the very place, whatever is between', async () => {
    const clock = createClock();
    const position = signal({ at: 0 });
    const end = { at: 1 };
    const motion = createMotion(position, () => ({ at: Number.NaN }), clock.frames);
    const arrived = motion.moveTo(end, 10);
    clock.pass(1000);
    await arrived;
    expect(position.value).toBe(end);
  });

  it('begins where it is, stops the one before, and adds to where that would end', async () => {
    const clock = createClock();
    const position = signal(0);
    const motion = createMotion(position, along, clock.frames);
    const first = motion.moveTo(100, 100);
    clock.pass(50);
    const midway = position.value;
    const second = motion.moveTo(motion.goal() + 100, 100);
    await first;
    expect(position.value).toBe(midway);
    expect(clock.waiting.size).toBe(1);
    clock.pass(1);
    expect(position.value).toBeGreaterThan(midway);
    clock.pass(100);
    await second;
    expect(position.value).toBe(200);
  });

  it('stays where it is when it is stopped', async () => {
    const clock = createClock();
    const position = signal(0);
    const motion = createMotion(position, along, clock.frames);
    const arrived = motion.moveTo(100, 100);
    clock.pass(30);
    const midway = position.value;
    motion.stop();
    await arrived;
    clock.pass(100);
    expect(position.value).toBe(midway);
    expect(motion.goal()).toBe(midway);
    motion.stop();
  });

  it.each([
    ['it has no duration', 0, false],
    ['people want no motions', 100, true],
  ])('is there at once where %s', async (_, duration, isReduced) => {
    const clock = createClock(isReduced);
    const position = signal(0);
    const motion = createMotion(position, along, clock.frames);
    const arrived = motion.moveTo(7, duration);
    expect(position.value).toBe(7);
    expect(clock.waiting.size).toBe(0);
    await arrived;
  });
});

it('is eased from end to end', () => {
  expect([eased(0), eased(1)]).toEqual([0, 1]);
  for (let step = 0; step < 100; step++) {
    const [now, next] = [eased(step / 100), eased((step + 1) / 100)];
    expect(next).toBeGreaterThan(now);
    // It is ahead of an even motion all the way.
    expect(now).toBeGreaterThanOrEqual(step / 100);
  }
});

it('does something once nothing has happened for a while', () => {
  vi.useFakeTimers();
  const run = vi.fn();
  const rest = afterRest(run, 100);
  for (let step = 0; step < 5; step++) {
    rest.begin();
    vi.advanceTimersByTime(99);
  }
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(1);
  rest.begin();
  rest.cancel();
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
