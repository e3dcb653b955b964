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
  console.error(
    `error: there is no program of hotframe for ${machine}\n` +
      'hint: npm leaves it out with --omit=optional; install again without that. For other machines, build it from ' +
      'source: https://github.com/hotframe/hotframe',
  );
  process.exit(1);
}
const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
// A terminal sends these to both; the program says when it ends.
for (const signal of ['SIGINT', 'SIGQUIT']) {
  process.on(signal, () => undefined);
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
