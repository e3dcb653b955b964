import { expect, test } from 'vitest';
import { type Arrangement, arrangeTracks, type Track } from './arrange.ts';
import { TIMELINE_PART } from './state.ts';

const { standard, encode, decode } = TIMELINE_PART;

const track = (number: number, name: string, depth: number, busy = 0): Track => ({
  track: number,
  name,
  kind: depth === 0 ? 'process' : 'thread',
  depth,
  spans: busy > 0 ? 1 : 0,
  only: [],
  busy,
  busy_share: 0,
  marks: 0,
  samples: 0,
  recording: '',
});

const TRACKS = [
  track(0, 'browser', 0),
  track(1, 'main', 1, 50),
  track(4, 'worker 10', 1, 70),
  track(2, 'worker 9', 1, 20),
  track(3, 'renderer', 0),
  track(5, 'Main', 1, 300),
];

const shown = (how: Partial<Arrangement>) =>
  arrangeTracks(TRACKS, { ...standard, ...how }).map(
    ({ track: { name }, depth, sum, of }) =>
      `${'.'.repeat(depth)}${name}${sum === undefined ? '' : `=${sum}`}${of === undefined ? '' : ` of ${of}`}`,
  );

test('tracks stand as they were recorded', () => {
  expect(shown({})).toEqual(['browser', '.main', '.worker 10', '.worker 9', 'renderer', '.Main']);
});

test('by name numbers count, by busy time groups count with all under them', () => {
  expect(shown({ order: 'name' })).toEqual([
    'browser',
    '.main',
    '.worker 9',
    '.worker 10',
    'renderer',
    '.Main',
  ]);
  expect(shown({ order: 'busy' })).toEqual([
    'renderer',
    '.Main',
    'browser',
    '.worker 10',
    '.main',
    '.worker 9',
  ]);
});

test('a hidden track takes those under it along', () => {
  expect(shown({ hidden: [0] })).toEqual(['renderer', '.Main']);
});

test('a pinned track stands above all and says whose it is', () => {
  expect(shown({ pinned: [5, 2] })).toEqual([
    'Main of renderer',
    'worker 9 of browser',
    'browser',
    '.main',
    '.worker 10',
    'renderer',
  ]);
  // One within a pinned group is there once.
  expect(shown({ pinned: [1, 0] }).filter((name) => name.includes('main'))).toHaveLength(1);
});

test('a folded group says how many charts it sums up', () => {
  expect(shown({ grouped: [0] })).toEqual(['browser=3', 'renderer', '.Main']);
});

test('names are looked for with what is around and inside', () => {
  expect(shown({ names: 'WORK 1' })).toEqual(['browser', '.worker 10']);
  expect(shown({ names: 'rend' })).toEqual(['renderer', '.Main']);
  expect(shown({ names: 'main', grouped: [0] })).toEqual(['browser', '.main', 'renderer', '.Main']);
  expect(shown({ names: 'nothing' })).toEqual([]);
  expect(shown({ names: 'worker 9', pinned: [1] })).toEqual([
    'main of browser',
    'browser',
    '.worker 9',
  ]);
});

test('all of it lives in the address', () => {
  const view = {
    ...standard,
    window: { from: 5, to: 10 },
    toggled: [1],
    grouped: [0, 3],
    hidden: [2],
    pinned: [5],
    order: 'busy',
    names: 'main thread',
    upwards: true,
    noIdle: true,
    below: 'spans',
    sort: { by: 'self_time', reverse: true },
    span: 7,
    frame: { point: 3, depth: 0 },
  } as const;
  const none = () => [];
  const fields = new Map<string, string>();
  encode(view, (key, value, usual) => {
    if (value !== undefined && value !== usual) fields.set(key, String(value));
  });
  expect(decode((key) => fields.get(key), none)).toEqual(view);
  expect(decode(() => undefined, none)).toEqual(standard);
  expect(decode(() => '<x>.-1', none)).toEqual({ ...standard, names: '<x>.-1' });
});
