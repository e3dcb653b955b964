import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from './commands.ts';

type Call = (...args: unknown[]) => unknown;

interface Tab {
  readonly isActive: boolean;
  readonly input: unknown;
}

/** What VS Code was given, by kind and name. */
const given = new Map<string, unknown>();
const settings = new Map<string, unknown>();
let tabs: Tab[] = [];
const errors: string[] = [];
const started = vi.fn();
const ran: unknown[][] = [];

function take(kind: string) {
  return (name: string, what: unknown) => {
    given.set(`${kind} ${name}`, what);
    return { dispose() {} };
  };
}

vi.mock('vscode', () => {
  class TabInputCustom {
    constructor(
      readonly uri: unknown,
      readonly viewType: string,
    ) {}
  }
  return {
    commands: { registerCommand: take('command') },
    tasks: { registerTaskProvider: take('tasks') },
    window: {
      registerCustomEditorProvider: take('editor'),
      registerTreeDataProvider: take('view'),
      registerWebviewPanelSerializer: take('panel'),
      showErrorMessage: (message: string) => errors.push(message),
      tabGroups: {
        get all() {
          return [{ tabs }];
        },
      },
    },
    workspace: {
      getConfiguration: () => ({
        get: (name: string, other: unknown) => settings.get(name) ?? other,
      }),
    },
    EventEmitter: class {
      event() {}
    },
    TabInputCustom,
  };
});

vi.mock('./main.ts', () => ({
  start(...args: unknown[]) {
    started(...args);
    const part =
      (name: string) =>
      (...own: unknown[]) =>
        void ran.push([name, ...own]);
    return {
      commands: Object.fromEntries(COMMANDS.map((name) => [name, part(name)])),
      panels: { add: part('panel') },
      recordings: { resolve: part('task') },
      summary: { showIn: part('summary') },
    };
  },
}));

const { activate } = await import('./extension.ts');
const { TabInputCustom } = await import('vscode');

function start(): void {
  activate({ subscriptions: [] } as never);
}

const settled = () => new Promise((done) => setTimeout(done));

function tab(viewType: string): Tab {
  const Input = TabInputCustom as unknown as new (uri: unknown, type: string) => unknown;
  return { isActive: false, input: new Input('cpu.pb.gz', viewType) };
}

describe('a window', () => {
  beforeEach(() => {
    given.clear();
    settings.clear();
    tabs = [];
    errors.length = 0;
    ran.length = 0;
    started.mockClear();
  });

  it('loads nothing while nobody wants a profile', async () => {
    tabs = [tab('markdown.preview'), { isActive: true, input: undefined }];
    start();
    await settled();
    expect(started).not.toHaveBeenCalled();
    for (const name of COMMANDS) expect(given.has(`command ${name}`), name).toBe(true);
    expect([...given.keys()].filter((key) => !key.startsWith('command ')).sort()).toEqual([
      'editor hotframe.any',
      'editor hotframe.profile',
      'panel hotframe.summary',
      'tasks hotframe',
      'view hotframe.profiles',
    ]);
  });

  it.each([
    ['the settings name profiles', () => settings.set('profiles', ['cpu.pb.gz'])],
    ['the settings name a base', () => settings.set('base', 'main.pb.gz')],
    ['a tab has one', () => (tabs = [tab('hotframe.any')])],
  ])('loads the rest if %s', async (_, set) => {
    set();
    start();
    await settled();
    expect(started).toHaveBeenCalledOnce();
  });

  it('loads the rest once, for what is wanted', async () => {
    start();
    const tasks = given.get('tasks hotframe') as Record<string, Call>;
    expect(tasks.provideTasks!()).toEqual([]);
    await settled();
    expect(started).not.toHaveBeenCalled();
    await (given.get('command hotframe.openWith') as Call)('a', ['a', 'b']);
    await (given.get('editor hotframe.any') as Record<string, Call>).resolveCustomEditor!('d', 'v');
    await (given.get('panel hotframe.summary') as Record<string, Call>).deserializeWebviewPanel!(
      'p',
    );
    await tasks.resolveTask!('t');
    expect(ran).toEqual([
      ['hotframe.openWith', 'a', ['a', 'b']],
      ['panel', 'd', 'v'],
      ['summary', 'p'],
      ['task', 't'],
    ]);
    expect(started).toHaveBeenCalledOnce();
  });

  it('says what went wrong', async () => {
    start();
    started.mockImplementationOnce(() => {
      throw new Error('no program');
    });
    await (given.get('command hotframe.open') as Call)();
    expect(errors).toEqual(['Hotframe: no program']);
  });
});

describe('what every window runs', () => {
  it('is a few small files that need nothing but VS Code', () => {
    const files = new Set(['extension.ts']);
    const packages = new Set<string>();
    let size = 0;
    for (const file of files) {
      const text = readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8');
      size += text.length;
      for (const [, name = ''] of text.matchAll(
        /^(?:import|export) (?!type ).* from '([^']+)'/gm,
      )) {
        if (name.startsWith('./')) files.add(name.slice(2));
        else packages.add(name);
      }
    }
    expect([...packages]).toEqual(['vscode']);
    expect([...files].sort()).toEqual([
      'at-start.ts',
      'commands.ts',
      'extension.ts',
      'message.ts',
      'several.ts',
      'tree.ts',
    ]);
    expect(size).toBeLessThan(16_000);
  });
});
