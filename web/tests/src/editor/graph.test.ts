import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { eventually, sample, test } from '../harness.ts';
import { Workbench } from './harness.ts';

const PROJECT = sample('sdfg');
const NAME = 'sharpen.sdfg';
let code: Workbench;

// The tests share a window: after a failure all of them run once more.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  code = await Workbench.start(PROJECT);
});

test.afterAll(() => code.close());

/** Where DaCe says that a tasklet was written. */
function lineOf(label: string): number {
  interface Node {
    readonly type: string;
    readonly label: string;
    readonly attributes: { readonly debuginfo?: { readonly start_line: number } };
  }
  const graph = JSON.parse(readFileSync(`${PROJECT}/${NAME}`, 'utf8')) as {
    readonly nodes: readonly { readonly nodes: readonly Node[] }[];
  };
  const nodes = graph.nodes.flatMap((state) => state.nodes);
  const found = nodes.find((node) => node.type === 'Tasklet' && node.label === label);
  return found!.attributes.debuginfo!.start_line;
}

test('a graph opens in the editor, and its elements lead to their lines', async () => {
  await code.explorer(NAME).dblclick();
  const picture = code.profile.getByRole('tree', { name: 'Dataflow graph' });
  await picture.locator('[role=treeitem]').first().waitFor({ state: 'attached' });
  assert.match(
    (await picture.locator('[role=treeitem]').first().textContent()) ?? '',
    /^graph, sharpen/,
  );
  const search = code.profile.getByLabel('Search', { exact: true });
  await search.fill('_Sub_ kind:tasklet');
  await eventually('matches are counted', async () =>
    /\d/.test((await code.profile.locator('.graph-search output').textContent()) ?? ''),
  );
  await search.press('Enter');
  await eventually('the tasklet is selected', async () =>
    ((await picture.locator(':scope + [role=status]').textContent()) ?? '').includes('_Sub_'),
  );
  await picture.focus();
  await code.page.keyboard.press('e');
  await code.tab('sharpen.py').waitFor();
  await eventually('its line has the cursor', async () => (await code.line()) === lineOf('_Sub_'));
  await code.shoot('graph');
});
