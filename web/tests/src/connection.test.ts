import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flameOf, sample, startStage } from './harness.ts';

test('says calmly that the server has gone, and keeps the picture', async () => {
  const stage = await startStage([sample('pprof/cpu.pb.gz')]);
  const page = await stage.open();
  const flame = await flameOf(page);
  stage.server.removeAllListeners('exit');
  stage.server.kill();
  await page.getByText(/stopped or is out of reach/).waitFor();
  await page.getByRole('button', { name: 'Reconnect' }).waitFor();
  assert.ok((await flame.locator('[role=treeitem]').count()) > 0);
  await stage.close();
});
