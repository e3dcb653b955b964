import assert from 'node:assert/strict';
import { PATIENCE_MS, sample, test } from '../harness.ts';
import { Workbench } from './harness.ts';

const NAME = 'cpu.pb.gz';
let code: Workbench;

// The tests share a window: after a failure all of them run once more.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  code = await Workbench.start(sample('pprof'));
});

test.afterAll(() => code.close());

test('Python is there in a panel, with an editor that asks it', async () => {
  await code.explorer(NAME).dblclick();
  const picture = code.profile.getByRole('tree', { name: 'Flame graph' });
  await picture.locator('[role=treeitem]').first().waitFor({ state: 'attached' });
  await code.profile.getByRole('button', { name: 'Python', exact: true }).click();
  const editor = code.profile.getByRole('textbox', { name: 'Python script' });
  await editor.waitFor();
  const loading = code.profile.locator('.python-status').getByText('Python is loading');
  await loading.waitFor({ state: 'detached', timeout: 4 * PATIENCE_MS });
  assert.equal(await code.profile.locator('.python-status').textContent(), '');
  await editor.click();
  await code.page.keyboard.press('Control+a');
  // Only the interpreter knows what this has.
  await code.page.keyboard.type('__builtins__.Zero');
  await code.profile
    .locator('.cm-tooltip-autocomplete', { hasText: 'ZeroDivisionError' })
    .waitFor();
  await code.page.keyboard.press('Escape');
  await code.page.keyboard.press('Control+a');
  await code.page.keyboard.type("print('in a panel')");
  await code.profile.getByRole('button', { name: 'Run', exact: true }).click();
  await code.profile.getByRole('log', { name: 'Output' }).getByText('in a panel').waitFor();
  await code.shoot('python');
});
