import assert from 'node:assert/strict';
import { eventually, sample, test } from '../harness.ts';
import { figuresOf, functionRow, lineRow, lensText, hintText } from './figures.ts';
import { Workbench } from './harness.ts';

const PROJECT = sample('editor/python');
/** `orders.prof` has functions where they are defined. */
const CPROFILE = figuresOf(`${PROJECT}/orders.prof`, 'function');
/** `orders.collapsed` has the lines that ran. */
const PY_SPY = `${PROJECT}/orders.collapsed`;
let code: Workbench;

// The tests share a window: after a failure all of them run once more.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  code = await Workbench.start(PROJECT);
});

test.afterAll(() => code.close());

test('functions of cProfile have their lenses', async () => {
  await code.explorer('orders.prof').dblclick();
  await code.flame();
  await code.open('orders/pricing.py');
  for (const name of ['price', 'list_price', 'discount']) {
    const expected = lensText(CPROFILE, functionRow(CPROFILE, name));
    await eventually(`${name} has ${expected}`, async () =>
      (await code.lenses()).some(
        ({ line, lens }) => line.startsWith(`def ${name}(`) && lens === expected,
      ),
    );
  }
});

test('lines of py-spy have their hints, and only those of the profile in front', async () => {
  await code.explorer('orders.collapsed').dblclick();
  await code.flame();
  await code.open('orders/pricing.py');
  const lines = figuresOf(PY_SPY, 'line');
  const returned = 'return Decimal(name.removeprefix("sku")) + Decimal("0.99")';
  assert.equal(await code.hint(returned), hintText(lines, lineRow(lines, 'list_price', 22)));
  const functions = figuresOf(PY_SPY, 'function');
  await eventually('the lenses are of py-spy', async () => {
    const lenses = (await code.lenses()).map(({ lens }) => lens);
    return (
      lenses.includes(lensText(functions, functionRow(functions, 'list_price'))) &&
      !lenses.includes(lensText(CPROFILE, functionRow(CPROFILE, 'list_price')))
    );
  });
  await code.shoot('python');
});
