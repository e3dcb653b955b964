import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { eventually, sample } from '../harness.ts';
import { Workbench } from './harness.ts';
import { WEB_EXTENSION } from './serving.ts';

/** The extension of VS Code in a browser: no binary runs beside it. */
let code: Workbench;
let home: string;

before(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'hotframe-web-'));
  const project = path.join(home, 'shop');
  cpSync(sample('pprof/cpu.pb.gz'), path.join(project, 'cpu.pb.gz'));
  cpSync(sample('sdfg/sharpen.sdfg'), path.join(project, 'sharpen.sdfg'));
  code = await Workbench.start(project, {}, WEB_EXTENSION);
});
after(async () => {
  await code.close();
  rmSync(home, { recursive: true });
});

test('a profile opens with the engine of the page', async () => {
  await code.explorer('cpu.pb.gz').dblclick();
  const flame = code.profile.getByRole('tree', { name: 'Flame graph' });
  await flame.waitFor();
  // The program, and what it calls: 7.24 s of 7.50, as pprof says.
  await eventually('frames of the program', async () =>
    (await flame.locator('[role=treeitem]').allTextContents()).some((text) =>
      text.includes('sync.(*WaitGroup).Go.func1, 7.24 s'),
    ),
  );
  // The theme is the editor's, and follows it.
  const theme = () => code.profile.locator('html').getAttribute('data-theme');
  assert.equal(await theme(), 'light');
  await code.shoot('web-extension');
});

test('a graph takes the whole engine', async () => {
  await code.explorer('sharpen.sdfg').dblclick();
  await eventually(
    'the graph',
    async () => (await code.profile.locator('.graph-canvas, [role=tree]').count()) > 0,
  );
});
