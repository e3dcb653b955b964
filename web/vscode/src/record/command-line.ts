import path from 'node:path';
import { type Recorder, recorderOf, type Wanted } from './wanted.ts';

/** What is run to record something. */
export interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
  /** The profile that is there afterwards. */
  readonly output: string;
  /** Programs that must be there. */
  readonly needs: readonly string[];
}

/** How names of profiles end. */
const ENDINGS: Readonly<Record<Recorder, string>> = {
  perf: '.perf.data',
  cargo: '.perf.data',
  python: '.hotframe',
  go: '.pb.gz',
  node: '.cpuprofile',
  java: '.jfr',
};

/** Node.js writes its profile when it ends by itself, which Ctrl+C then lets it do. */
const NODE_ENDS =
  'data:text/javascript,process.on("SIGINT",()=>{' +
  'process.listenerCount("SIGINT")===1&&process.exit(130)})';

/** The command line that records something; `base` is the name of the profile without its ending. */
export function commandLine(wanted: Wanted, hotframe: string, base: string): CommandLine {
  const { command, pid } = wanted;
  const recorder = wanted.recorder ?? recorderOf(command ?? []);
  const output = base + ENDINGS[recorder];
  if (command === undefined) return ofProcess(wanted, recorder, hotframe, output, pid ?? 0);
  const [program = '', ...rest] = command;
  const needs = [program];
  const perf = () => ['record', '--no-open', ...callGraphOf(wanted), '-o', output, '--'];
  switch (recorder) {
    case 'perf':
      return {
        program: hotframe,
        args: [...perf(), ...command],
        output,
        needs: [...needs, 'perf'],
      };
    case 'python':
      return {
        program: hotframe,
        args: ['record', 'python', '--no-open', '-o', output, '--', ...command],
        output,
        needs,
      };
    case 'go': {
      if (rest[0] === 'run') {
        throw new Error(
          '"go run" throws away the program that it builds, and with it the names of its functions. ' +
            'Build it with "go build -o FILE", in a task that this one depends on, and record FILE.',
        );
      }
      if (rest[0] !== 'test') throw new Error('Of the commands of "go", "go test" is recorded.');
      // The binary would be left in the folder of the package.
      const args = ['test', '-cpuprofile', output, '-o', `${base}.test`, ...rest.slice(1)];
      return { program, args, output, needs };
    }
    case 'node': {
      const [folder, name] = [path.dirname(output), path.basename(output)];
      const where = ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-name', name];
      return { program, args: [...where, '--import', NODE_ENDS, ...rest], output, needs };
    }
    case 'java': {
      const file = output.includes(',') ? `"${output}"` : output;
      const start = `-XX:StartFlightRecording=filename=${file},settings=profile`;
      return { program, args: [start, ...rest], output, needs };
    }
    case 'cargo': {
      // What cargo runs is recorded, and not the compiler. Its settings are TOML, and so is JSON here.
      const runner = JSON.stringify([hotframe, ...perf()]);
      const toolchain = rest[0]?.startsWith('+') === true ? 1 : 0;
      const args = [
        ...rest.slice(0, toolchain),
        '--config',
        `target.'cfg(all())'.runner = ${runner}`,
        ...rest.slice(toolchain),
      ];
      return { program, args, output, needs: [...needs, 'perf'] };
    }
  }
}

/** How stacks are found; by frame pointers where nothing is said. */
function callGraphOf({ callGraph }: Wanted): readonly string[] {
  return callGraph === undefined ? [] : ['--call-graph', callGraph];
}

function ofProcess(
  { seconds, callGraph = 'fp' }: Wanted,
  recorder: Recorder,
  hotframe: string,
  output: string,
  pid: number,
): CommandLine {
  switch (recorder) {
    case 'python': {
      const until = seconds === undefined ? [] : ['--duration', `${seconds}s`];
      const of = ['--pid', String(pid), ...until];
      const args = ['record', 'python', '--no-open', ...of, '-o', output];
      return { program: hotframe, args, output, needs: [] };
    }
    case 'perf': {
      const until = seconds === undefined ? [] : ['--', 'sleep', String(seconds)];
      const of = ['-F', '997', '--call-graph', callGraph, '-p', String(pid)];
      const args = ['record', ...of, '-o', output, ...until];
      return { program: 'perf', args, output, needs: ['perf'] };
    }
    default:
      throw new Error('A process that runs is recorded by "perf" or "python".');
  }
}
