import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { targetOf } from './cargo.ts';
import { fileOffer, type Source, testFileOffer, testOffer } from './file.ts';

const source = (file: string, language: string, text = ''): Source => ({
  ...{ file, language, text },
  ...{ folder: '/w', python: 'python3', node: 'v24.1.0' },
});
const command = (file: string, language: string, ...names: string[]) =>
  testOffer(source(file, language), { names }).wanted.command;

let rust: string;
beforeAll(() => {
  rust = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  for (const folder of ['app/src', 'lib/src/tree']) {
    mkdirSync(path.join(rust, folder), { recursive: true });
  }
  writeFileSync(
    path.join(rust, 'app/Cargo.toml'),
    '[lib]\nname = "y"\n[package]\nname = "my-app"\n',
  );
  writeFileSync(path.join(rust, 'lib/Cargo.toml'), '[package]\nname = "lib"\n');
  writeFileSync(path.join(rust, 'lib/src/lib.rs'), '');
});
afterAll(() => rmSync(rust, { recursive: true }));

describe('a file', () => {
  it('is run as its language is', () => {
    expect(fileOffer(source('/w/a.py', 'python')).wanted).toEqual({
      command: ['python3', '/w/a.py'],
      cwd: '/w',
    });
    expect(fileOffer(source('/w/a.mjs', 'javascript')).wanted.command).toEqual([
      'node',
      '/w/a.mjs',
    ]);
    expect(fileOffer(source('/w/A.java', 'java')).wanted.command).toEqual(['java', '/w/A.java']);
    const go = fileOffer(source('/w/x/main.go', 'go', '// It.\npackage main\n'));
    expect(go.build?.command('/out')).toEqual(['go', 'build', '-o', '/out', '.']);
    expect(go.wanted).toEqual({ command: [], cwd: '/w/x', recorder: 'perf' });
    expect(() => fileOffer(source('/w/x.go', 'go', 'package x'))).toThrow(/not a program/);
    expect(() => fileOffer(source('/w/x.c', 'c'))).toThrow(/launch configuration/);
  });

  it('of TypeScript takes a Node.js that knows it', () => {
    const of = (node: string) =>
      fileOffer({ ...source('/w/a.ts', 'typescript'), node }).wanted.command;
    expect(of('v24.1.0')).toEqual(['node', '/w/a.ts']);
    expect(of('v22.9.0')).toEqual(['node', '--experimental-strip-types', '/w/a.ts']);
    expect(() => of('v20.1.0')).toThrow(/v20\.1\.0 does not run TypeScript/);
  });

  it('of Rust is run by cargo', () => {
    const main = fileOffer(source(`${rust}/app/src/main.rs`, 'rust')).wanted.command;
    expect(main?.slice(-2)).toEqual(['--bin', 'my-app']);
    expect(() => fileOffer(source(`${rust}/lib/src/tree.rs`, 'rust'))).toThrow(/not a program/);
  });
});

describe('a test', () => {
  it('is run alone', () => {
    expect(command('/w/a.py', 'python', 'TestA', 'test_b')).toEqual([
      ...['python3', '-m', 'pytest', '/w/a.py::TestA::test_b'],
    ]);
    expect(command('/w/x/a_test.go', 'go', 'TestA')).toEqual([
      'go',
      'test',
      '-run',
      '^TestA$',
      '.',
    ]);
    expect(command('/w/x/a_test.go', 'go', 'BenchmarkA')).toEqual([
      ...['go', 'test', '-run', '^$', '-bench', '^BenchmarkA$', '.'],
    ]);
    expect(command('/w/a.js', 'javascript', 'does (this)')).toEqual([
      ...['node', '--test-name-pattern=^does \\(this\\)$', '/w/a.js'],
    ]);
    expect(command(`${rust}/lib/src/tree/leaf.rs`, 'rust', 'tests', 'a')?.slice(-4)).toEqual([
      ...['--lib', '--', '--exact', 'tree::leaf::tests::a'],
    ]);
    expect(() => command('/w/A.java', 'java', 'a')).toThrow(/\.java are not recorded/);
  });

  it('or with all of its file', () => {
    const all = testFileOffer(source('/w/a.py', 'python')).wanted.command;
    expect(all).toEqual(['python3', '-m', 'pytest', '/w/a.py']);
  });
});

it('finds targets of cargo by their folders', () => {
  const of = (file: string) => {
    const { options, modules } = targetOf(`${rust}/${file}`);
    return [...options, ...modules].join(' ');
  };
  expect(of('lib/tests/it.rs')).toBe('--test it');
  expect(of('lib/tests/it/main.rs')).toBe('--test it');
  expect(of('lib/benches/b.rs')).toBe('--bench b');
  expect(of('lib/examples/e.rs')).toBe('--example e');
  expect(of('lib/src/lib.rs')).toBe('--lib');
  expect(of('lib/src/tree/mod.rs')).toBe('--lib tree');
  expect(of('lib/src/main.rs')).toBe('--bin lib');
  expect(of('lib/src/bin/x.rs')).toBe('--bin x');
  expect(of('app/src/a/b.rs')).toBe('--bin my-app a b');
  expect(() => of('lib/build.rs')).toThrow(/none of cargo's folders/);
  expect(() => targetOf('/nowhere/a.rs')).toThrow(/no Cargo\.toml/);
});
