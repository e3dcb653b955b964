import { describe, expect, it } from 'vitest';
import { launchOffer } from './launch.ts';
import type { Place } from './variables.ts';

const PLACE: Place = {
  folders: [{ name: 'w', path: '/w' }],
  file: '/w/a.py',
  home: '/home/me',
  environment: {},
  setting: () => undefined,
};
const of = (properties: object) =>
  launchOffer(
    { type: 'cppdbg', name: 'It', request: 'launch', ...properties },
    PLACE,
    '/venv/bin/python',
    'linux',
  );

describe('a launch configuration', () => {
  it('of Python', () => {
    expect(
      of({ type: 'debugpy', program: '${file}', args: ['-n', 3], env: { A: '${file}' } }),
    ).toEqual({
      title: 'It',
      wanted: {
        command: ['/venv/bin/python', '/w/a.py', '-n', '3'],
        recorder: 'python',
        cwd: '/w',
        env: { A: '/w/a.py' },
      },
    });
    const module = of({
      type: 'python',
      module: 'pytest',
      args: '-k "a b"',
      python: '/x y/python',
    });
    expect(module.wanted.command).toEqual(['/x y/python', '-m', 'pytest', '-k', 'a b']);
  });

  it('of C and C++, with the task before it', () => {
    const offer = of({
      program: '${workspaceFolder}/build/a',
      args: ['x y'],
      cwd: '${workspaceFolder}/build',
      environment: [{ name: 'B', value: '2' }],
      preLaunchTask: 'build',
      linux: { args: ['on linux'] },
      osx: { args: ['on a Mac'] },
    });
    expect(offer.before).toBe('build');
    expect(offer.wanted).toEqual({
      command: ['/w/build/a', 'on linux'],
      recorder: 'perf',
      callGraph: 'dwarf',
      cwd: '/w/build',
      env: { B: '2' },
    });
  });

  it('of CodeLLDB with cargo', () => {
    const cargo = { args: ['test', '--no-run', '--lib'] };
    expect(of({ type: 'lldb', cargo, args: ['tree'] }).wanted.command).toEqual([
      ...['cargo', 'test', '--lib', '--', 'tree'],
    ]);
  });

  it('of Go', () => {
    const { wanted, build } = of({ type: 'go', program: '${workspaceFolder}/cmd/x', args: ['a'] });
    expect(build?.cwd).toBe('/w/cmd/x');
    expect(build?.command('/out')).toEqual(['go', 'build', '-o', '/out', '.']);
    expect(wanted).toEqual({ command: ['a'], recorder: 'perf', cwd: '/w/cmd/x' });
    const test = of({ type: 'go', mode: 'test', program: '/w/x', args: ['-run', 'A'], cwd: '/y' });
    expect(test.wanted).toEqual({ command: ['go', 'test', '.', '-run', 'A'], cwd: '/w/x' });
  });

  it('of Node.js and Java', () => {
    const node = of({ type: 'node', program: '/w/a.js', runtimeArgs: ['--flag'] });
    expect(node.wanted.command).toEqual(['node', '--flag', '/w/a.js']);
    const java = of({
      type: 'java',
      mainClass: 'a.B',
      classPaths: ['/c', '/d.jar'],
      vmArgs: '-Xmx1g',
    });
    expect(java.wanted.command).toEqual(['java', '-Xmx1g', '-cp', '/c:/d.jar', 'a.B']);
  });

  it('that cannot be recorded says why', () => {
    const refused: readonly (readonly [object, RegExp])[] = [
      [{ type: 'chrome' }, /"It" is of the type "chrome"/],
      [{ request: 'attach' }, /record that process/],
      [{}, /"It" names no "program"/],
      [{ program: '${command:pick}' }, /\$\{command:pick\} has no value/],
      [{ program: 'a', envFile: '.env' }, /"envFile", which is not read/],
      [{ program: 'a', env: { A: null } }, /"env.A" of "It" is not a text/],
      [{ type: 'java', mainClass: 'A' }, /class path/],
      [{ type: 'java', mainClass: 'A', classPaths: ['$Auto'] }, /class path/],
      [{ type: 'node', runtimeExecutable: 'npm' }, /"npm" starts Node.js by itself/],
      [{ type: 'go', mode: 'remote' }, /mode "remote"/],
      [{ type: 'lldb', cargo: { args: ['clippy'] } }, /"cargo clippy"/],
    ];
    for (const [properties, why] of refused) expect(() => of(properties)).toThrow(why);
  });
});
