import * as vscode from 'vscode';
import { namesProfiles, tabsWithProfiles, VIEW_TYPES } from './at-start.ts';
import { COMMANDS } from './commands.ts';
import type { Main } from './main.ts';
import { text } from './message.ts';
import { ProfileTree } from './tree.ts';

/**
 * Hotframe in VS Code. Every window runs this file, so it is small: it says what there is, and loads `main.ts`
 * when something of it is wanted. Nothing is read and no process is started before that.
 */
export function activate(context: vscode.ExtensionContext): void {
  const tree = new ProfileTree(context);
  let main: Promise<Main> | undefined;
  const load = () =>
    (main ??= import('./main.ts')
      .then(({ start }) => start(context, tree, run))
      .catch((error: unknown) => {
        // An update may have taken the file away: the next try looks again.
        main = undefined;
        throw error;
      }));

  context.subscriptions.push(
    ...COMMANDS.map((name) =>
      vscode.commands.registerCommand(name, (...args: unknown[]) =>
        run(async () => (await load()).commands[name](...(args as never[]))),
      ),
    ),
    ...VIEW_TYPES.map((type) =>
      vscode.window.registerCustomEditorProvider(
        type,
        {
          openCustomDocument: (uri) => ({ uri, dispose() {} }),
          resolveCustomEditor: async (document, view) => (await load()).panels.add(document, view),
        },
        {
          webviewOptions: { retainContextWhenHidden: true, enableFindWidget: false },
          supportsMultipleEditorsPerDocument: true,
        },
      ),
    ),
    // As it was when the window was loaded again.
    vscode.window.registerWebviewPanelSerializer('hotframe.summary', {
      deserializeWebviewPanel: async (panel) => (await load()).summary.showIn(panel),
    }),
    vscode.tasks.registerTaskProvider('hotframe', {
      // What can be recorded is offered by the command: only there it is looked for when it is wanted.
      provideTasks: () => [],
      resolveTask: async (task) => (await load()).recordings.resolve(task),
    }),
  );
  if (namesProfiles() || tabsWithProfiles().length > 0) void run(load);
}

/** Runs something and tells the person of its errors. */
async function run(does: () => Thenable<unknown>): Promise<void> {
  try {
    await does();
  } catch (error) {
    await vscode.window.showErrorMessage(`Hotframe: ${text(error)}`);
  }
}
