import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** What to do where a program is missing. */
const ADVICE: Readonly<Record<string, string>> = {
  perf: 'Linux has it, in the package linux-perf, linux-tools-generic or perf',
  go: 'it is part of Go, https://go.dev',
  node: 'it is Node.js, https://nodejs.org',
  java: 'it is part of any JDK from 11 on',
  cargo: 'it is part of Rust, https://rustup.rs',
  python3: 'choose an interpreter in the Python extension, or make a .venv in the folder',
};

/** The first of the programs that is nowhere, as the person is told of it. */
export function missing(
  programs: readonly string[],
  cwd: string,
  folders: string = process.env.PATH ?? '',
): string | undefined {
  // VS Code gives variables their values later.
  const lacking = programs.find((name) => !name.includes('${') && !isThere(name, cwd, folders));
  if (lacking === undefined) return undefined;
  if (/[\\/]/.test(lacking)) {
    return `There is no program ${path.resolve(cwd, lacking)}: build it before it is recorded.`;
  }
  const advice = ADVICE[lacking];
  return (
    `"${lacking}" is not on the PATH of VS Code` + (advice === undefined ? '.' : ` (${advice}).`)
  );
}

function isThere(name: string, cwd: string, folders: string): boolean {
  if (/[\\/]/.test(name)) return isProgram(path.resolve(cwd, name));
  return folders
    .split(path.delimiter)
    .some((folder) => folder !== '' && isProgram(path.join(folder, name)));
}

function isProgram(file: string): boolean {
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  return endings.some((ending) => {
    try {
      accessSync(file + ending, constants.X_OK);
      return statSync(file + ending).isFile();
    } catch {
      return false;
    }
  });
}
