import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A target of a package, as cargo is told of it. */
export interface Target {
  /** The folder of the package. */
  readonly folder: string;
  readonly options: readonly string[];
  /** The modules that stand for the file's place, which names of tests begin with. */
  readonly modules: readonly string[];
  /** Whether it is a program. */
  readonly isProgram: boolean;
}

/** The target that a source file of Rust belongs to, as cargo finds targets where nobody names them. */
export function targetOf(file: string): Target {
  const folder = packageOf(file);
  const words = path.relative(folder, file).replace(/\.rs$/, '').split(path.sep);
  const [top = '', ...rest] = words;
  const of = (option: string, name: string, modules: readonly string[], isProgram = false) => ({
    folder,
    options: [option, name].filter((word) => word !== ''),
    modules: modules.filter((name, at) => !(at === modules.length - 1 && isRoot(name))),
    isProgram,
  });
  const [name = '', ...inside] = rest;
  switch (top) {
    case 'tests':
      return of('--test', name, inside);
    case 'benches':
      return of('--bench', name, inside);
    case 'examples':
      return of('--example', name, inside, true);
    case 'src': {
      if (name === 'bin') return of('--bin', rest[1] ?? '', rest.slice(2), true);
      const isMain = rest.length === 1 && name === 'main';
      if (!isMain && existsSync(path.join(folder, 'src/lib.rs'))) return of('--lib', '', rest);
      return of('--bin', nameIn(folder), rest, isMain);
    }
    default:
      throw new Error(
        `${path.basename(file)} is in none of cargo's folders (src, tests, benches, examples): ` +
          'record a command line, such as cargo run --bin NAME.',
      );
  }
}

/** What runs what cargo would build: `build` and `test --no-run`, as debuggers are told of it. */
export function runOf(built: readonly string[], args: readonly string[]): readonly string[] {
  const at = built.findIndex((word) => !word.startsWith('+'));
  const [toolchain, verb] = [built.slice(0, at), built[at] ?? ''];
  const options = built.slice(at + 1).filter((word) => word !== '--no-run');
  const run = { build: 'run', b: 'run', run: 'run', test: 'test', bench: 'bench' }[verb];
  if (run === undefined) throw new Error(`"cargo ${verb}" makes nothing that is recorded.`);
  return ['cargo', ...toolchain, run, ...options, ...(args.length === 0 ? [] : ['--', ...args])];
}

/** `mod.rs`, and what a target begins with, stand for their folders. */
function isRoot(name: string): boolean {
  return ['mod', 'main', 'lib'].includes(name);
}

function packageOf(file: string): string {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'Cargo.toml'))) return folder;
    if (folder === path.dirname(folder)) {
      throw new Error(`${path.basename(file)} belongs to no package: there is no Cargo.toml.`);
    }
  }
}

/** The name of a package, which its program has, too. */
function nameIn(folder: string): string {
  const manifest = readFileSync(path.join(folder, 'Cargo.toml'), 'utf8');
  const section = /^\[package\]([^]*?)(?=^\[|(?![^]))/m.exec(manifest)?.[1] ?? '';
  const name = /^\s*name\s*=\s*["']([^"']+)["']/m.exec(section)?.[1];
  if (name !== undefined) return name;
  throw new Error(`${path.join(folder, 'Cargo.toml')} names no package.`);
}
