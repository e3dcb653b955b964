#!/usr/bin/env node
// Starts the program hotframe, which a package for this kind of machine brings along.

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import process from 'node:process';

/** The path of the program; nothing if no package for this machine is installed. */
function program() {
  const require = createRequire(import.meta.url);
  const file = process.platform === 'win32' ? 'hotframe.exe' : 'hotframe';
  try {
    return require.resolve(`@hotframe/${process.platform}-${process.arch}/bin/${file}`);
  } catch {
    return undefined;
  }
}

const path = program();
if (path === undefined) {
  const machine = `${process.platform}-${process.arch}`;
  const { optionalDependencies } = createRequire(import.meta.url)('../package.json');
  const machines = Object.keys(optionalDependencies).map((name) => name.replace('@hotframe/', ''));
  const isMusl =
    process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  console.error(
    !machines.includes(machine)
      ? `error: there is no package of hotframe for ${machine}, only for ${machines.join(', ')}\n` +
          'hint: build it from source: https://github.com/hotframe/hotframe'
      : isMusl
        ? 'error: the program of hotframe needs glibc, which this system does not have'
        : `error: the package @hotframe/${machine} is not installed\n` +
          'hint: npm leaves it out with --omit=optional; install again without that',
  );
  process.exit(1);
}
const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
// A terminal sends these to both; the program says when it ends. Who sends them to this process alone waits a
// moment.
for (const signal of ['SIGINT', 'SIGQUIT']) {
  process.on(signal, () => setTimeout(() => child.kill(signal), 500));
}
for (const signal of ['SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
  console.error(`error: cannot start ${path}: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  if (signal === null) {
    process.exit(code ?? 1);
  }
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(name);
  }
  process.kill(process.pid, signal);
});
