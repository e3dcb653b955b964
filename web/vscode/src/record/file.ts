import path from 'node:path';
import { targetOf } from './cargo.ts';
import type { Test } from './test-at.ts';
import type { Offer, Wanted } from './wanted.ts';

/** A source file, and what it takes to run it. */
export interface Source {
  readonly file: string;
  /** The language's name in VS Code. */
  readonly language: string;
  readonly text: string;
  /** The folder of the workspace, else that of the file. */
  readonly folder: string;
  /** The interpreter of Python. */
  readonly python: string;
  /** The version of Node.js, `v24.1.0`, where it matters. */
  readonly node: string;
}

/** What cargo builds is what is run for real, with the lines of its code. */
const LINES = ['--config', 'profile.release.debug = "line-tables-only"'];

/** What lets a version of Node.js run TypeScript. */
export function typesOf(version: string): readonly string[] {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major > 23 || (major === 23 && minor >= 6)) return [];
  if (major === 23 || (major === 22 && minor >= 6)) return ['--experimental-strip-types'];
  throw new Error(
    `Node.js ${version || 'on the PATH'} does not run TypeScript, which takes 22.6 or later: ` +
      'record the JavaScript that is made of it.',
  );
}

/** How a file is run. */
export function fileOffer(source: Source): Offer {
  const { file, language, text, folder, python, node } = source;
  const title = path.basename(file);
  const of = (command: readonly string[], cwd = folder, more: Wanted = {}): Offer => ({
    title,
    wanted: { command, cwd, ...more },
  });
  switch (language) {
    case 'python':
      return of([python, file]);
    case 'go': {
      const cwd = path.dirname(file);
      if (file.endsWith('_test.go')) return of(['go', 'test', '.'], cwd);
      if (!/^package main\b/m.test(text)) {
        throw new Error(`${title} is not a program (package main): record one of its tests.`);
      }
      // It is run where its folder is, as "go run ." does.
      const command = (binary: string) => ['go', 'build', '-o', binary, '.'];
      return { ...of([], cwd, { recorder: 'perf' }), build: { cwd, command } };
    }
    case 'javascript':
      return of(['node', file]);
    case 'typescript':
      return of(['node', ...typesOf(node), file]);
    case 'java':
      return of(['java', file]);
    case 'rust': {
      const target = targetOf(file);
      if (!target.isProgram) {
        throw new Error(`${title} is not a program: record one of its tests, or a command line.`);
      }
      return of(['cargo', 'run', '--release', ...LINES, ...target.options], folder, {
        callGraph: 'dwarf',
      });
    }
    default:
      throw new Error(
        `${title} is not a file that can be run. ` +
          'Record a launch configuration that starts the program, or a command line.',
      );
  }
}

/** How one test of a file is run. */
export function testOffer(source: Source, { names }: Test): Offer {
  const { file, language, folder, python, node } = source;
  const name = names.at(-1) ?? '';
  const of = (command: readonly string[], cwd: string, more: Wanted = {}): Offer => ({
    title: name,
    wanted: { command, cwd, ...more },
  });
  switch (language) {
    case 'python':
      return of([python, '-m', 'pytest', [file, ...names].join('::')], folder);
    case 'go': {
      const which = name.startsWith('Benchmark')
        ? ['-run', '^$', '-bench', `^${name}$`]
        : ['-run', `^${name}$`];
      return of(['go', 'test', ...which, '.'], path.dirname(file));
    }
    case 'rust': {
      const target = targetOf(file);
      const whole = [...target.modules, ...names].join('::');
      const command = ['cargo', 'test', '--release', ...LINES, ...target.options];
      return of([...command, '--', '--exact', whole], target.folder, { callGraph: 'dwarf' });
    }
    case 'javascript':
    case 'typescript': {
      const pattern = `--test-name-pattern=^${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;
      const types = language === 'typescript' ? typesOf(node) : [];
      return of(['node', ...types, pattern, file], folder);
    }
    default:
      throw new Error(`Tests of ${path.extname(file) || language} are not recorded.`);
  }
}

/** All tests of a file. */
export function testFileOffer(source: Source): Offer {
  const { file, language, folder, python } = source;
  if (language !== 'python') return fileOffer(source);
  const command = [python, '-m', 'pytest', file];
  return { title: path.basename(file), wanted: { command, cwd: folder } };
}
