import { defineConfig } from '@playwright/test';

/**
 * Tests that also run on the page without a server: how files get in and results get out, and a walk
 * through each kind of document. That both engines give the same answers is a test of `crates/wasm`.
 * With `HOTFRAME_LONG` all others run there, too.
 */
const WITHOUT_A_SERVER = [
  'files',
  'pictures',
  'progress',
  'reports',
  'several',
  'together',
  'walks',
].map((name) => `${name}.test.ts`);

/** Tests of what only a server has, or of that page itself. */
const WITH_A_SERVER = [
  'connection',
  'page',
  'python',
  'report-dialog',
  'run',
  'source',
  'source-text',
].map((name) => `${name}.test.ts`);

const isLong = process.env.HOTFRAME_LONG !== undefined;
const results = process.env.HOTFRAME_RESULTS;

/** Every test of a page: served, without a server, and in VS Code. A failed test is run once more, which records a trace; tests that share a window run again together. */
export default defineConfig({
  testDir: 'src',
  outputDir: '../../target/playwright',
  // Tests of a file share what they open, so a file stays with one worker.
  fullyParallel: false,
  workers: Number(process.env.HOTFRAME_WORKERS ?? 2),
  retries: 1,
  timeout: 300_000,
  forbidOnly: true,
  reporter: results === undefined ? 'list' : [['list'], ['junit', { outputFile: results }]],
  use: { screenshot: 'only-on-failure', trace: 'on-first-retry' },
  projects: [
    { name: 'page', testMatch: '*.test.ts', testIgnore: 'editor/**' },
    {
      name: 'static',
      testMatch: isLong ? '*.test.ts' : WITHOUT_A_SERVER,
      testIgnore: ['editor/**', ...WITH_A_SERVER],
      grepInvert: /@server/,
    },
    { name: 'editor', testMatch: 'editor/*.test.ts' },
  ],
});
