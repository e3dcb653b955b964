import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { eventually, sample, test } from '../harness.ts';
import { Workbench } from './harness.ts';

const RUNS = sample('runs');
const VISITOR = 'func (p *page) addVisitor';
let home: string;
let code: Workbench;

/** A repository whose last commit has another text of the source than the one that was recorded. */
// The tests share a window: after a failure all of them run once more.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'hotframe-project-'));
  const project = path.join(home, 'project');
  mkdirSync(path.join(project, 'logsummary'), { recursive: true });
  mkdirSync(path.join(project, 'runs'));
  const source = path.join(project, 'logsummary/main.go');
  const recorded = readFileSync(`${RUNS}/record/before/main.go`, 'utf8');
  writeFileSync(
    source,
    recorded.replace('\nfunc ', '\n// Committed, and not what was recorded.\nfunc '),
  );
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: project,
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  writeFileSync(source, recorded);
  cpSync(`${RUNS}/before-1.pb.gz`, path.join(project, 'before.pb.gz'));
  cpSync(`${RUNS}/after-1.pb.gz`, path.join(project, 'after.pb.gz'));
  for (const run of [1, 2, 3]) {
    cpSync(`${RUNS}/before-${run}.pb.gz`, path.join(project, `runs/${run}.pb.gz`));
  }
  code = await Workbench.start(project, {
    'hotframe.profiles': ['before.pb.gz'],
    // Else no side would have lenses, whatever they are of.
    'diffEditor.codeLens': true,
  });
});

test.afterAll(async () => {
  await code.close();
  rmSync(home, { recursive: true, force: true });
});

const lensOf = async (start: string) =>
  (await code.lenses()).find(({ line }) => line.startsWith(start))?.lens;

test('the profiles of the settings are there when the window is', async () => {
  await code.open('logsummary/main.go');
  await code.goTo(40);
  await eventually('a lens without a click', async () =>
    /^self 11\.1 % \(248 ms\) · total 66\.8 %/.test((await lensOf(VISITOR)) ?? ''),
  );
});

test('only the side of a comparison that is the file has marks', async () => {
  // Once git has seen the change.
  await code.page.locator('.editor-actions [aria-label^="Open Changes"]').click();
  const side = (name: string) => code.page.locator(`.monaco-diff-editor .editor.${name}`);
  await side('modified').locator('.view-line').first().waitFor();
  const bars = (name: string) => side(name).locator('.cgmr[class*="ced-"]').count();
  const lenses = (name: string) => side(name).locator('.codelens-decoration').allInnerTexts();
  const hints = async (name: string) =>
    (await side(name).locator('.view-line').allInnerTexts()).filter((line) =>
      /total\s\d+\.\d/.test(line),
    );
  await eventually('the file has its bars', async () => (await bars('modified')) > 0);
  await eventually('the file has its lens', async () =>
    (await lenses('modified')).some((lens) => /^self\s11\.1\s%/.test(lens)),
  );
  await eventually('the file has its hints', async () => (await hints('modified')).length > 0);
  assert.deepEqual(
    [await bars('original'), await lenses('original'), await hints('original')],
    [0, [], []],
  );
  await code.shoot('changes');
});

test('a frame opens its source beside the picture, where the file is behind it, too', async () => {
  await code.page.keyboard.press('Control+W');
  await code.explorer('before.pb.gz').dblclick();
  await code.flame();
  const groups = code.page.locator('.editor-group-container');
  assert.equal(await groups.count(), 1);
  await code.run('Hotframe: Show Flame Graph');
  for (let row = 1; row < 12 && (await groups.count()) === 1; row += 1) await code.clickRow(row);
  await eventually('the source is beside', async () => (await groups.count()) === 2);
  await code.flame();
  await code.shoot('beside');
});

test('what is compared is told in the status bar, and outlives the engine', async () => {
  await code.explorer('after.pb.gz').dblclick();
  await code.flame();
  // An older profile is offered and not compared unasked.
  await eventually('the older profile is offered', async () =>
    (await code.notifications()).includes('before.pb.gz is an older profile of the same program.'),
  );
  assert.equal((await code.status('hotframe.profile')).includes(' vs '), false);
  await code.shoot('offer');
  await code.answer('Compare after.pb.gz with it');
  await eventually('the older profile is the base', async () =>
    (await code.status('hotframe.profile')).includes('after.pb.gz · cpu · vs before.pb.gz'),
  );
  const reconnect = code.profile.getByRole('button', { name: 'Reconnect' });
  // As often as the window starts another one by itself, and once more.
  for (let kills = 1; kills <= 6; kills += 1) {
    const [engine] = code.engines();
    assert.ok(engine);
    code.killEngine(engine.pid);
    await eventually(`what follows kill ${kills}`, () => {
      const running = code.engines();
      return kills === 6
        ? running.length === 0
        : ![undefined, engine.pid].includes(running[0]?.pid);
    });
    // One that is killed while it starts is a fault that VS Code tells of itself, and not counted.
    await setTimeout(1_000);
    if (kills < 6) {
      await eventually('the panel is connected again', async () => !(await reconnect.isVisible()));
    }
  }
  await code.shoot('killed');
  await reconnect.click();
  await eventually('the comparison is there again', async () =>
    (await code.status('hotframe.profile')).includes('after.pb.gz · cpu · vs before.pb.gz'),
  );
  await code.shoot('comparison');
});

test('a folder of runs opens as one profile', async () => {
  await code.explorerMenu('runs', 'Open with Hotframe');
  await code.flame();
  await eventually('the folder is told of', async () =>
    (await code.status('hotframe.profile')).startsWith('runs (3 runs)'),
  );
  await code.shoot('runs');
});
