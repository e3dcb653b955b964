import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, shoot, test } from '../harness.ts';
import { Workbench } from './harness.ts';

/** Long enough for some hundred samples, however busy the machine is. */
const SPIN = `def spin(seconds):
    end = time.process_time() + seconds
    total = 0
    while time.process_time() < end:
        total += sum(range(1000))
    return total
`;
const PYTHON = `import time

${SPIN}
if __name__ == "__main__":
    spin(0.7)
`;
const NODE = `'use strict';

function spin(ms) {
  const end = performance.now() + ms;
  let total = 0;
  while (performance.now() < end) total += Math.sqrt(total + 1);
  return total;
}
// It runs until somebody stops it.
setInterval(() => spin(40), 50);
require('node:fs').writeFileSync('ready', '');
`;
let home: string;
let folder: string;
let code: Workbench;

/** A project without a profile. */
// The tests share a window: after a failure all of them run once more.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'hotframe-record-'));
  const project = path.join(home, 'project');
  mkdirSync(path.join(project, '.vscode'), { recursive: true });
  writeFileSync(path.join(project, 'hot.py'), PYTHON);
  writeFileSync(path.join(project, 'server.js'), NODE);
  const tasks = [
    {
      type: 'hotframe',
      label: 'silent',
      command: ['python3', '--no-such-option', '${file}'],
      recorder: 'node',
      group: { kind: 'build', isDefault: true },
    },
  ];
  writeFileSync(
    path.join(project, '.vscode/tasks.json'),
    JSON.stringify({ version: '2.0.0', tasks }),
  );
  const configurations = [
    { type: 'debugpy', name: 'Spins', request: 'launch', program: '${workspaceFolder}/hot.py' },
  ];
  writeFileSync(
    path.join(project, '.vscode/launch.json'),
    JSON.stringify({ version: '0.2.0', configurations }),
  );
  code = await Workbench.start(project);
  folder = path.join(code.folder, '.hotframe');
});

test.afterAll(async () => {
  await code.close();
  rmSync(home, { recursive: true, force: true });
});

/** The profiles that were recorded, by how their names begin and end. */
const recorded = (start: string, end: string) =>
  existsSync(folder)
    ? readdirSync(folder).filter((name) => name.startsWith(start) && name.endsWith(end))
    : [];

const hasLens = (start: string) =>
  eventually(`a lens above ${start}`, async () =>
    (await code.lenses()).some(
      ({ line, lens }) => line.startsWith(start) && lens.startsWith('self '),
    ),
  );

test('the file in the editor is recorded, and its code has marks', async () => {
  await code.open('hot.py');
  await code.goTo(3);
  await code.ask('Hotframe: Record…', 'hot.py');
  await eventually('its profile is there', () => recorded('hot.py-', '.hotframe').length === 1);
  const [name] = recorded('hot.py-', '.hotframe');
  await code.tab(name!).waitFor();
  await code.flame();
  await eventually('the status bar names it', async () =>
    (await code.status('hotframe.profile')).includes(name!),
  );
  assert.equal(await code.title(), 'hot.py', 'the code keeps the keyboard');
  await hasLens('def spin');
  assert.deepEqual(recorded('.gitignore', ''), ['.gitignore']);
  await code.shoot('record');
});

test('all marks go and come', async () => {
  const status = () => code.status('hotframe.profile');
  await code.run('Hotframe: Toggle All Marks');
  await eventually('the status bar says so', async () =>
    (await status()).includes('marks are off'),
  );
  await eventually('the lenses are gone', async () => (await code.lenses()).length === 0);
  await eventually('hints and heat are gone', async () => {
    const heat = await code.code.locator('.cgmr').count();
    return heat === 0 && !(await code.lines()).some((line) => line.includes(' %'));
  });
  await code.shoot('marks-off');
  await code.run('Hotframe: Toggle All Marks');
  await hasLens('def spin');
  await eventually('the heat is there', async () => {
    return (await code.code.locator('.cgmr').count()) > 0;
  });
  assert.doesNotMatch(await status(), /marks are off/);
});

test('a launch configuration is recorded', async () => {
  await code.ask('Hotframe: Record…', 'Spins');
  await eventually('its profile is there', () => recorded('Spins-', '.hotframe').length === 1);
  await code.tab(recorded('Spins-', '.hotframe')[0]!).waitFor();
});

test('a task that leaves no profile says so', async () => {
  await code.page.keyboard.press('Control+Shift+B');
  await eventually('it is told', async () =>
    (await code.notifications()).some((text) => text.includes('and no profile was written')),
  );
  await code.shoot('record-nothing');
  await code.run('Notifications: Clear All Notifications');
});

test('a program that runs on is stopped in its terminal', async () => {
  await code.open('server.js');
  await code.goTo(1);
  await code.ask('Hotframe: Record…', 'server.js');
  await eventually('it runs', () => existsSync(path.join(code.folder, 'ready')));
  await code.page.waitForTimeout(500);
  await code.page.locator('.terminal-wrapper.active .xterm-screen').first().click();
  await code.page.keyboard.press('Control+C');
  await eventually(
    'its profile is there',
    () => recorded('server.js-', '.cpuprofile').length === 1,
  );
  await code.tab(recorded('server.js-', '.cpuprofile')[0]!).waitFor();
  await code.focusGroup(1);
  await hasLens('function spin');
  await code.shoot('record-node');
});

test('the summary is beside the code and follows it', async () => {
  await code.focusGroup(1);
  await code.run('Hotframe: Show Summary');
  await code.page.locator('.tabs-container .tab[aria-label^="Summary"]').waitFor();
  assert.equal(await code.title(), 'server.js', 'the code keeps the keyboard');
  const summary = code.profile.locator('body');
  await eventually('it tells of all profiles', async () =>
    /hot\.py-.*server\.js-|server\.js-.*hot\.py-/s.test(await summary.innerText()),
  );
  await code.shoot('summary');
  // Groups without the keyboard show no buttons.
  await code.focusGroup(2);
  const [window] = await Promise.all([
    code.page.context().waitForEvent('page'),
    code.page.getByRole('button', { name: 'Move Summary into a Window' }).click(),
  ]);
  const inside = window.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  await inside.getByRole('heading', { name: /server\.js-/ }).waitFor();
  await shoot(window, 'vscode-summary-window');
  await window.close();
});
