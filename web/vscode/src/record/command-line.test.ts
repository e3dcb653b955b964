import { describe, expect, it } from 'vitest';
import { commandLine } from './command-line.ts';
import type { Wanted } from './wanted.ts';

const of = (wanted: Wanted) => commandLine(wanted, '/bin/hotframe', '/w/.hotframe/x y');

describe('a command line that records', () => {
  it('has perf around a program', () => {
    expect(of({ command: ['./a', 'b c'], callGraph: 'dwarf' })).toEqual({
      program: '/bin/hotframe',
      args: [
        ...['record', '--no-open', '--call-graph', 'dwarf'],
        ...['-o', '/w/.hotframe/x y.perf.data', '--', './a', 'b c'],
      ],
      output: '/w/.hotframe/x y.perf.data',
      needs: ['./a', 'perf'],
    });
  });

  it('has the sampler of Python around its programs', () => {
    const { args, output, needs } = of({ command: ['python3', 'a.py'] });
    expect(output).toBe('/w/.hotframe/x y.hotframe');
    expect(args).toEqual(['record', 'python', '--no-open', '-o', output, '--', 'python3', 'a.py']);
    expect(needs).toEqual(['python3']);
  });

  it('has options of Go, Node.js and Java', () => {
    expect(of({ command: ['go', 'test', '-run', '^TestA$', '.'] }).args).toEqual([
      ...['test', '-cpuprofile', '/w/.hotframe/x y.pb.gz', '-o', '/w/.hotframe/x y.test'],
      ...['-run', '^TestA$', '.'],
    ]);
    const node = of({ command: ['node', 'a.js'] });
    expect(node.program).toBe('node');
    expect(node.args.slice(0, 5)).toEqual([
      ...['--cpu-prof', '--cpu-prof-dir', '/w/.hotframe'],
      ...['--cpu-prof-name', 'x y.cpuprofile'],
    ]);
    expect(node.args.at(-1)).toBe('a.js');
    const java = of({ command: ['java', 'A.java'] });
    expect(java.args).toEqual([
      '-XX:StartFlightRecording=filename=/w/.hotframe/x y.jfr,settings=profile',
      'A.java',
    ]);
    const comma = commandLine({ command: ['java', 'A'] }, 'h', '/a,b/x');
    expect(comma.args[0]).toContain('filename="/a,b/x.jfr",');
  });

  it('lets cargo run what it built under perf', () => {
    const { program, args } = of({ command: ['cargo', '+nightly', 'run', '--release'] });
    expect(program).toBe('cargo');
    expect(args).toEqual([
      '+nightly',
      '--config',
      `target.'cfg(all())'.runner = ["/bin/hotframe","record","--no-open","-o","/w/.hotframe/x y.perf.data","--"]`,
      'run',
      '--release',
    ]);
  });

  it('goes to a process, for a while or until it is stopped', () => {
    expect(of({ pid: 7, recorder: 'python', seconds: 3 }).args).toEqual([
      ...['record', 'python', '--no-open', '--pid', '7', '--duration', '3s'],
      ...['-o', '/w/.hotframe/x y.hotframe'],
    ]);
    const perf = of({ pid: 7, seconds: 3 });
    expect(perf.program).toBe('perf');
    expect(perf.args.slice(-3)).toEqual(['--', 'sleep', '3']);
    expect(of({ pid: 7 }).args).not.toContain('sleep');
    expect(() => of({ pid: 7, recorder: 'java' })).toThrow(/by "perf" or "python"/);
  });

  it('refuses what leaves nothing to read', () => {
    expect(() => of({ command: ['go', 'run', '.'] })).toThrow(/go build -o FILE/);
    expect(() => of({ command: ['go', 'vet'], recorder: 'go' })).toThrow(/"go test" is recorded/);
  });
});
