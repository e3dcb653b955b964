import { expect, it } from 'vitest';
import { guessSides, twoGroups } from './sides.ts';

it.each([
  [['before-1.pb.gz', 'before-2.pb.gz', 'after-1.pb.gz', 'after-2.pb.gz'], 'bbnn'],
  [['after-1.pb', 'before-1.pb', 'after-2.pb'], 'nbn'],
  [['new.pb', 'old.pb'], 'nb'],
  [['cpu.base.pb', 'cpu.new.pb'], 'bn'],
  [['newton.pb', 'older.pb'], 'bn'],
  [['new-1.pb', 'new-2.pb'], 'bn'],
  [['run1.prof', 'run2.prof', 'run3.prof'], 'bbn'],
  [['cpu.pb', 'heap.pb'], 'bn'],
  [['a.pb', 'b.pb', 'c.pb'], 'bbn'],
])('takes the sides of %s for %s', (titles, sides) => {
  expect(
    guessSides(titles)
      .map((isNew) => (isNew ? 'n' : 'b'))
      .join(''),
  ).toBe(sides);
});

it('knows two groups from one and from three', () => {
  expect(twoGroups(['a-1.pb', 'b-1.pb', 'a-2.pb'])).toEqual([false, true, false]);
  expect(twoGroups(['a-1.pb', 'a-2.pb'])).toBeUndefined();
  expect(twoGroups(['a-1.pb', 'b-1.pb', 'c-1.pb'])).toBeUndefined();
});
