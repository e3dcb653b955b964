import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Files of tests that are of no use to the page without a server, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'connection.test.ts': 'a server goes and comes back',
  'page.test.ts': 'it opens that page by itself',
  'python.test.ts':
    'it opens the page beside its Python, and reports with Python inside, by itself',
  'report-dialog.test.ts': 'it writes reports, and that page is one here',
  'run.test.ts': 'experiments run on the machine',
  'source.test.ts': 'an editor stands beside the server',
  'source-text.test.ts': 'sources are files of the machine',
};

/** Runs the tests of the browser on the page without a server; arguments choose files. */
const folder = fileURLToPath(new URL('.', import.meta.url));
const chosen = process.argv.slice(2);
const tests = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
for (const [name, why] of Object.entries(LEFT_OUT)) {
  if (!tests.includes(name)) throw new Error(`there is no ${name} to leave out`);
  console.error(`left out of the page without a server: ${name}, for ${why}`);
}
const files = tests.filter((name) => chosen.includes(name) || chosen.length === 0);
const { status } = spawnSync(
  process.execPath,
  [
    ...['--import', 'tsx', '--test', '--test-concurrency=1', '--test-timeout=600000'],
    '--test-force-exit',
    ...files.filter((name) => LEFT_OUT[name] === undefined).map((name) => `src/${name}`),
  ],
  { stdio: 'inherit', env: { ...process.env, HOTFRAME_HOST: 'static' } },
);
process.exitCode = status ?? 1;
