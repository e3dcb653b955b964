import { expect, it } from 'vitest';
import { recorderOf, wantedOf } from './wanted.ts';

it('knows by the program who records it', () => {
  const of = (line: string) => recorderOf(line.split(' '));
  expect(of('/usr/bin/python3.12 a.py')).toBe('python');
  expect(of('pytest a_test.py')).toBe('python');
  expect(of('/opt/node/bin/node a.js')).toBe('node');
  expect(of('java -jar a.jar')).toBe('java');
  expect(of('go test .')).toBe('go');
  expect(of('go build .')).toBe('perf');
  expect(of('cargo test')).toBe('cargo');
  expect(of('./node-like')).toBe('perf');
});

it('takes what tasks.json says, and nothing else', () => {
  const task = {
    type: 'hotframe',
    label: 'x',
    command: ['./a', 'b c'],
    cwd: '/x',
    env: { A: '1' },
  };
  expect(wantedOf(task)).toEqual({ command: ['./a', 'b c'], cwd: '/x', env: { A: '1' } });
  expect(wantedOf({ pid: 7, seconds: 2 })).toEqual({ pid: 7, seconds: 2 });
  const refused: readonly (readonly [object, RegExp])[] = [
    [{}, /either a "command" or a "pid"/],
    [{ command: ['a'], pid: 1 }, /either a "command" or a "pid"/],
    [{ command: 'a b' }, /"command" is a list/],
    [{ command: [] }, /"command" is a list/],
    [{ pid: 'x' }, /"pid" is the number/],
    [{ command: ['a'], recorder: 'gdb' }, /"recorder" is one of perf/],
    [{ command: ['a'], env: { A: 1 } }, /"env" has a text/],
    [{ command: ['a'], cwd: 1 }, /"cwd" is a text/],
  ];
  for (const [task, why] of refused) expect(() => wantedOf({ ...task })).toThrow(why);
});
