import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, flameOf, type Stage, shoot, startStage, test } from './harness.ts';

const EVIL = 'evil\u001b[2J\u202e\nname';
const SHOWN = 'evil\\u{1b}[2J\\u{202e}\\nname';
const LONG = 'github.com/example/organisation/repository/internal/package.(*Receiver).Method';
const MACHINE = `std::map<${'very::long::name<int, '.repeat(450)}x>`;

let stage: Stage;
let folder: string;
test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  const file = path.join(folder, 'names.speedscope.json');
  const frames = [
    { name: 'main', file: 'main.py' },
    { name: 'run', file: 'src/a.py' },
    { name: 'run', file: 'src/b.py' },
    { name: EVIL, file: 'main.py' },
    { name: LONG, file: 'main.go' },
    { name: MACHINE, file: 'map.h' },
    { name: '<lambda>', file: 'lib/rules.py' },
  ];
  const profile = {
    type: 'sampled',
    name: 'p',
    unit: 'none',
    startValue: 0,
    endValue: 13,
    samples: [
      [0, 1],
      [0, 2],
      [0, 3],
      [0, 4],
      [0, 5],
      [0, 6],
    ],
    weights: [4, 3, 2, 1, 2, 1],
  };
  const schema = 'https://www.speedscope.app/file-format-schema.json';
  writeFileSync(file, JSON.stringify({ $schema: schema, shared: { frames }, profiles: [profile] }));
  stage = await startStage([file]);
});
test.afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

test('shows of names what can be read and nothing that does more, with places where names repeat', async () => {
  const page = await stage.open('#view=both&list=tree&shape=bottom_up');
  const names = page.locator('.table .row .name b');
  await names.first().waitFor();
  assert.deepEqual((await names.allTextContents()).slice(0, 2), ['run src/a.py', 'run src/b.py']);
  assert.ok((await names.allTextContents()).includes('<lambda> lib/rules.py'));
  await page.locator('.table .row', { hasText: 'std::map' }).click();
  const heading = page.locator('.details > h2', { hasText: 'std::map' });
  await heading.waitFor();
  assert.ok((await heading.textContent())!.length <= 240);
  const { height } = (await heading.boundingBox())!;
  assert.ok(height < 200, `${height}`);
  const flame = await flameOf(page);
  for (let step = 0; step < 8; step++) {
    await flame.hover({ position: { x: 40 + step * 100, y: 40 } });
    if (/std::map/.test((await page.locator('.tooltip').textContent()) ?? '')) break;
  }
  const tip = page.locator('.tooltip', { hasText: 'std::map' });
  assert.ok((await tip.boundingBox())!.height < 300);
  await shoot(page, 'machine-name');

  // In a narrow window both ends of long ones.
  await page.setViewportSize({ width: 760, height: 700 });
  await eventually('a long one is cut', async () =>
    (await names.allTextContents()).some((name) => /^github\.com\/….*Method$/.test(name)),
  );
  const shown = await names.allTextContents();
  assert.ok(shown.includes(SHOWN), shown.join());
  await page.locator('.table .row', { hasText: 'evil' }).click();
  await page.getByRole('heading', { name: SHOWN }).waitFor();
  const text = await page.evaluate(() => document.body.textContent);
  assert.doesNotMatch(text, /[\u001b\u202e]/);
  await shoot(page, 'names');
});
