import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { processesOf } from './processes.ts';
import { missing } from './programs.ts';
import { whyNot } from './why.ts';

it('names the program that is missing, and what to do', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  writeFileSync(path.join(folder, 'tool'), '');
  const of = (...names: string[]) => missing(names, folder, folder);
  expect(of('tool')).toMatch(/"tool" is not on the PATH/);
  chmodSync(path.join(folder, 'tool'), 0o755);
  expect(of('tool', './tool', '${file}')).toBeUndefined();
  expect(of('tool', 'perf')).toMatch(/"perf" is not on the PATH.*linux-perf/);
  expect(of('./other')).toMatch(/no program .*other: build it/);
  rmSync(folder, { recursive: true });
});

it('says why there is no profile', () => {
  expect(whyNot('a', 'perf', 1, 4)).toMatch(/perf_event_paranoid is 4.*sysctl/);
  expect(whyNot('a', 'perf', 1, 2)).toMatch(
    /ended with code 1, and no profile was written. See its terminal/,
  );
  expect(whyNot('a', 'go', 0, 4)).toMatch(/Was there a test/);
  expect(whyNot('a', 'node', undefined, 0)).toMatch(/was stopped.*Ctrl\+C/);
});

it('lists processes, those of Python first', () => {
  const told =
    '    1 /sbin/init\n    2 [kthreadd]\n  30 python3 a.py\n 400 ./b c\n 401 ps -A -ww\n';
  expect(processesOf(told).map(({ pid, name }) => `${pid} ${name}`)).toEqual([
    '30 python3',
    '400 b',
    '1 init',
  ]);
});
