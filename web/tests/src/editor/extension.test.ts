import { after, before, test } from 'node:test';
import { sample } from '../harness.ts';
import { Workbench } from './harness.ts';

let code: Workbench;

before(async () => {
  code = await Workbench.start(sample('editor/rust'));
});

after(() => code.close());

test('the extension opens a profile', async () => {
  await code.explorer('gazetteer.perf-script.gz').click();
  await code.tab('gazetteer.perf-script.gz').waitFor();
  await code.flame();
  await code.shoot('profile');
});
