import path from 'node:path';
import { runOf } from './cargo.ts';
import { type Configuration, Properties } from './properties.ts';
import type { Place } from './variables.ts';
import type { Offer, Wanted } from './wanted.ts';

/** What starts a program by its configuration, by the type of that. */
const KINDS: Readonly<Record<string, (of: Properties) => Partial<Offer> & { wanted: Wanted }>> = {
  python: ofPython,
  debugpy: ofPython,
  go: ofGo,
  node: ofNode,
  'pwa-node': ofNode,
  java: ofJava,
  cppdbg: ofNative,
  cppvsdbg: ofNative,
  lldb: ofNative,
  'lldb-dap': ofNative,
  gdb: ofNative,
};

/** How the program of a configuration is recorded; where it cannot be, that is told. */
export function launchOffer(
  configuration: Configuration,
  place: Place,
  python: string,
  platform: string = process.platform,
): Offer {
  const { type, name, request } = configuration;
  const kind = KINDS[type];
  if (kind === undefined) {
    throw new Error(
      `"${name}" is of the type "${type}", which is not recorded: record its command line.`,
    );
  }
  if (request !== 'launch') {
    throw new Error(`"${name}" goes to a process that runs: record that process.`);
  }
  const system = { linux: 'linux', darwin: 'osx', win32: 'windows' }[platform] ?? '';
  const own = configuration[system];
  const all = { ...configuration, ...(typeof own === 'object' ? own : {}) };
  const properties = new Properties(all, place, python);
  const { wanted, ...more } = kind(properties);
  const cwd = wanted.cwd ?? properties.text('cwd') ?? place.folders[0]?.path;
  const env = properties.environment();
  const before = properties.text('preLaunchTask');
  return {
    ...more,
    title: name,
    wanted: {
      ...wanted,
      ...(cwd !== undefined && { cwd }),
      ...(Object.keys(env).length > 0 && { env }),
    },
    ...(before !== undefined && { before }),
  };
}

function ofPython(of: Properties) {
  const chosen = ['python', 'pythonPath'].find((name) => of.get(name) !== undefined);
  const [program = of.python, ...options] = chosen === undefined ? [] : interpreter(of, chosen);
  const module = of.text('module');
  const what = module === undefined ? [of.needed('program')] : ['-m', module];
  const command = [program, ...options, ...of.words('pythonArgs'), ...what, ...of.words('args')];
  return { wanted: { command, recorder: 'python' } as const };
}

/** A path, which may have spaces, or a list. */
function interpreter(of: Properties, name: string): readonly string[] {
  return typeof of.get(name) === 'string' ? [of.needed(name)] : of.words(name);
}

/** Go builds and tests where the program is. */
function ofGo(of: Properties) {
  const mode = of.text('mode') ?? 'auto';
  const [flags, args] = [of.words('buildFlags'), of.words('args')];
  const program = path.resolve(of.place.folders[0]?.path ?? '.', of.text('program') ?? '.');
  const [folder, file] = program.endsWith('.go')
    ? [path.dirname(program), path.basename(program)]
    : [program, '.'];
  if (mode === 'test' || (mode === 'auto' && file.endsWith('_test.go'))) {
    const command = ['go', 'test', ...flags, '.', ...args];
    return { wanted: { command, cwd: folder } };
  }
  if (mode === 'exec') {
    return { wanted: { command: [program, ...args], recorder: 'perf' } as const };
  }
  if (mode !== 'debug' && mode !== 'auto') {
    throw new Error(`The mode "${mode}" of Go is not recorded: record its command line.`);
  }
  const build = {
    cwd: folder,
    command: (binary: string) => ['go', 'build', ...flags, '-o', binary, file],
  };
  const cwd = of.text('cwd') ?? folder;
  return { wanted: { command: args, recorder: 'perf', cwd } as const, build };
}

function ofNode(of: Properties) {
  const program = of.text('program');
  const command = [
    of.text('runtimeExecutable') ?? 'node',
    ...of.words('runtimeArgs'),
    ...(program === undefined ? [] : [program]),
    ...of.words('args'),
  ];
  if (!/(^|[\\/])node(\.exe)?$/.test(command[0]!)) {
    throw new Error(
      `"${command[0]}" starts Node.js by itself: record a configuration whose "program" is a script.`,
    );
  }
  if (command.length === 1) of.needed('program');
  return { wanted: { command, recorder: 'node' } as const };
}

function ofJava(of: Properties) {
  const [classes, modules] = [of.words('classPaths'), of.words('modulePaths')];
  const unknown = [...classes, ...modules].find((one) => one.startsWith('$'));
  if ((classes.length === 0 && modules.length === 0) || unknown !== undefined) {
    throw new Error(
      'Only the Java extension knows the class path of this configuration: ' +
        'write it into "classPaths", or record a command line.',
    );
  }
  const between = process.platform === 'win32' ? ';' : ':';
  const paths = (option: string, all: readonly string[]) =>
    all.length === 0 ? [] : [option, all.join(between)];
  const main = of.needed('mainClass');
  const command = [
    of.text('javaExec') ?? 'java',
    ...of.words('vmArgs'),
    ...paths('-cp', classes),
    ...paths('--module-path', modules),
    ...(main.includes('/') ? ['--module', main] : [main]),
    ...of.words('args'),
  ];
  return { wanted: { command, recorder: 'java' } as const };
}

/** Programs of C, C++, Rust and the like: they have debug information, and rarely frame pointers. */
function ofNative(of: Properties) {
  const cargo = of.get('cargo');
  if (typeof cargo === 'object' && cargo !== null && of.text('program') === undefined) {
    const built = (cargo as { readonly args?: unknown }).args;
    if (!Array.isArray(built)) throw new Error('"cargo" has no list of "args".');
    const command = runOf(built.map(String), of.words('args'));
    return { wanted: { command, recorder: 'cargo', callGraph: 'dwarf' } as const };
  }
  const command = [of.needed('program'), ...of.words('args')];
  return { wanted: { command, recorder: 'perf', callGraph: 'dwarf' } as const };
}
