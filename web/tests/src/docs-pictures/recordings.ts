/**
 * What pictures show that no sample of the repository has. It is recorded as the docs say, in a temporary folder.
 * Times are only worth showing where the machine does little else meanwhile.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { binary, REPOSITORY, sample } from '../harness.ts';

/** Makes files in the working folder. It fails where this machine cannot make them. */
export type Recording = () => void;

/** Programs are named as in the docs, so no path of this machine is in a picture. */
function run(program: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  execFileSync(program, words, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  });
}

const hotframe = (...words: string[]) => run(binary(), words);

/** A Python that tells of its calls by itself, and another one where that is not here. */
function python(): string {
  const known = path.join(homedir(), '.pyenv/versions/3.12.1/bin/python3');
  return existsSync(known) ? known : 'python3';
}

function environmentWithNumpy(): void {
  run(python(), ['-m', 'venv', 'here']);
  run('here/bin/pip', ['install', '--quiet', '--disable-pip-version-check', 'numpy']);
}

/** Every call of two workers that share a lock. */
export const readings: Recording = () => {
  environmentWithNumpy();
  cpSync(sample('readings/readings.py'), 'readings.py');
  hotframe('record', 'python', '--trace', '-o', 'readings.calls', 'here/bin/python', 'readings.py');
};

interface Span {
  readonly name: string;
  readonly longest_ns: number;
  readonly longest_at_ns: number;
}

/** The longest of the spans with a name in a recording: when it begins and how long it lasts. */
export function longestSpan(file: string, name: string): Span {
  const words = ['show', file, '--view', 'spans', '--limit', '0', '--format', 'json'];
  const json = execFileSync(binary(), words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { rows } = JSON.parse(json) as { readonly rows: readonly Span[] };
  const span = rows.find((row) => row.name === name);
  assert.ok(span, `no span of ${file} is called ${name}`);
  return span;
}

/** The calls of functions that call themselves. */
export const queens: Recording = () => {
  run(python(), ['-m', 'venv', 'here']);
  cpSync(sample('readings/queens.py'), 'queens.py');
  hotframe('record', 'python', '--counts', '-o', 'queens.prof', 'here/bin/python', 'queens.py');
};

/** Five interpreters and two versions of numpy. */
export const sensors: Recording = () => {
  cpSync(sample('experiments/sensors.py'), 'sensors.py');
  cpSync(sample('experiments/plan.toml'), 'plan.toml');
  hotframe('experiment', 'run', 'plan.toml');
};

const NOTED = `
import hotframe

with hotframe.Profile("noted.hotframe") as profile:
    time = profile.metric("time", "nanoseconds")
    main = profile.frame("main", file="main.c", line=3)
    parse = profile.frame("parse", file="parse.c", line=40)
    copy = profile.frame("copy", file="parse.c", line=7)
    loop = profile.frame("loop of copy", file="parse.c", line=9, kind=hotframe.Kind.BLOCK)
    profile.point(profile.stack([main, parse, copy, loop]), {time: 60_000_000})
    profile.point(profile.stack([main, copy]), {time: 30_000_000})
    profile.point(profile.stack([main]), {time: 10_000_000})
    profile.note("Copied twice", "The buffer is copied again here.",
                 context=profile.stack([main, parse, copy]), link="https://example.com/copies")
    profile.note("Called often", "From two places.", frame=copy)
`;

/** A profile with a note of a function and one of a call path. */
export const notes: Recording = () => {
  writeFileSync('write.py', NOTED);
  run('python3', ['write.py'], { PYTHONPATH: path.join(REPOSITORY, 'python/src') });
};

const SIEVE = `#include <stdlib.h>

/* How many prime numbers are less than this one. */
__attribute__((noinline)) long primes(long limit) {
  char *composite = calloc(limit, 1);
  long count = 0;
  for (long n = 2; n < limit; n++) {
    if (composite[n]) continue;
    count++;
    for (long m = n * n; m < limit; m += n) composite[m] = 1;
  }
  free(composite);
  return count;
}

int main(void) {
  for (int run = 0; run < 100; run++) primes(2000000);
  return 0;
}
`;

/** A loop in C, with the addresses of its samples. */
export const sieve: Recording = () => {
  writeFileSync('sieve.c', SIEVE);
  run('gcc', ['-g', '-O1', '-o', 'sieve', 'sieve.c']);
  hotframe('record', 'perf', '--name', 'sieve', '--output', 'out', '--', './sieve');
};

const EVENTS = 'cpu-clock,sched:sched_switch,sched:sched_waking';

/** A pipeline of threads, placed by Linux and by itself. */
export const pipeline: Recording = () => {
  const source = sample('pipeline/pipeline.cpp');
  cpSync(source, 'pipeline.cpp');
  const flags = ['-O2', '-g', '-fno-omit-frame-pointer', '-pthread'];
  run('g++', [...flags, 'pipeline.cpp', '-o', 'pipeline']);
  mkdirSync('out', { recursive: true });
  for (const placement of ['free', 'pinned']) {
    hotframe(
      ...['record', 'perf', '--name', placement, '--runs', '3', '--frequency', '1999'],
      ...['--output', 'out', '--call-graph', 'fp', '--events', EVENTS],
      ...['--perf', '--switch-events --sample-cpu'],
      ...['--', './pipeline', '--frames', '3000', '--placement', placement],
    );
  }
};
