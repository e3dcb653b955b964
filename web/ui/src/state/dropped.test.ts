import { expect, it } from 'vitest';
import { chosenTree, foldersOf } from './dropped.ts';

const file = (name: string) => new File([], name);

it('tells folders from files beside them', () => {
  const [a, b, c] = [file('a'), file('b'), file('c')];
  const dropped = [
    { path: 'run/metrics/a', file: a },
    { path: 'b', file: b },
    { path: 'run/c', file: c },
  ];
  expect(foldersOf(dropped)).toEqual([
    {
      name: 'run',
      files: [
        { path: 'metrics/a', file: a },
        { path: 'c', file: c },
      ],
    },
    { name: undefined, files: [{ path: 'b', file: b }] },
  ]);
});

it('knows where the files of a chosen folder stand', () => {
  const a = Object.assign(file('a'), { webkitRelativePath: 'run/a' });
  const b = Object.assign(file('b'), { webkitRelativePath: '' });
  expect(chosenTree([a, b]).map(({ path }) => path)).toEqual(['run/a', 'b']);
});
