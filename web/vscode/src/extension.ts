import * as vscode from 'vscode';
import { findBinary } from './binary.ts';
import { Engine } from './engine.ts';
import { Heat } from './heat.ts';
import { showInstructions } from './instructions.ts';
import { text } from './message.ts';
import { Panels } from './panel.ts';
import { chooseRecording } from './record/choose.ts';
import { offerOfItem } from './record/here.ts';
import { Recordings } from './record/tasks.ts';
import { Revisions } from './revision.ts';
import { SourceLines } from './source.ts';
import { choose, StatusItem } from './status.ts';
import { Summary } from './summary.ts';
import { toggle } from './toggle.ts';
import { openTogether } from './together.ts';
import { type Item, ProfileTree } from './tree.ts';

/** Hotframe in VS Code. The engine holds all that is known of profiles; here it gets its places. */
export function activate(context: vscode.ExtensionContext): void {
  const lines = new SourceLines();
  const engine = new Engine(context, (params) => lines.show(params));
  const heat = new Heat(engine);
  const status = new StatusItem();
  const tree = new ProfileTree(context);
  const panels = new Panels(context, engine, run);
  const storage = context.storageUri ?? context.globalStorageUri;
  const revisions = new Revisions(engine, storage);
  const summary = new Summary(context, engine);
  const recordings = new Recordings(
    {
      hotframe: () => findBinary(context),
      // The code stays in front, for its marks.
      open: (file) => run(() => panels.show(file, vscode.ViewColumn.Beside, true)),
    },
    storage,
  );

  const refresh = () => {
    engine.loaded().then(
      (loaded) => {
        const { profiles } = loaded;
        status.show(profiles);
        tree.show(profiles);
        panels.follow(loaded);
        void vscode.commands.executeCommand(
          'setContext',
          'hotframe.hasProfile',
          profiles.length > 0,
        );
      },
      // An engine that has stopped says so itself.
      () => {},
    );
  };
  const command = (name: string, does: (...args: never[]) => Thenable<unknown>) =>
    vscode.commands.registerCommand(name, (...args: unknown[]) =>
      run(() => does(...(args as never[]))),
    );
  /** The profile that a command is about: that of a row of the side bar, else the shown one. */
  const profileOf = async (item: Item | undefined) => {
    const profiles = await engine.profiles();
    return item?.profile ?? profiles.find(({ is_active: active }) => active) ?? profiles[0];
  };

  context.subscriptions.push(
    engine,
    lines,
    heat,
    status,
    summary,
    recordings,
    engine.onChange(refresh),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('hotframe.path')) void run(() => engine.restart());
      else if (event.affectsConfiguration('hotframe')) void run(() => engine.configure());
      if (event.affectsConfiguration('hotframe.marks')) refresh();
    }),
    command('hotframe.open', async () => {
      const files = await vscode.window.showOpenDialog({
        canSelectMany: true,
        openLabel: 'Open with Hotframe',
        ...(vscode.workspace.workspaceFolders?.[0] && {
          defaultUri: vscode.workspace.workspaceFolders[0].uri,
        }),
      });
      for (const { fsPath } of files ?? []) await panels.show(fsPath);
    }),
    command('hotframe.openWith', async (uri?: vscode.Uri, all?: vscode.Uri[]) => {
      const files = all ?? (uri === undefined ? [] : [uri]);
      for (const { fsPath } of files) await panels.show(fsPath);
    }),
    command('hotframe.openTogether', async (uri?: vscode.Uri, all?: vscode.Uri[]) => {
      const shown = await openTogether(engine, all ?? (uri === undefined ? [] : [uri]));
      if (shown !== undefined) await panels.show(shown);
    }),
    command('hotframe.compareWithRevision', async (uri?: vscode.Uri) => {
      const shown = uri === undefined ? undefined : await revisions.compare(uri);
      if (shown !== undefined) await panels.show(shown);
    }),
    command('hotframe.showProfile', async (item?: Item) => {
      const profile = await profileOf(item);
      if (profile !== undefined) await panels.show(profile.path);
    }),
    command('hotframe.close', async (item?: Item) => {
      const profile = await profileOf(item);
      if (profile !== undefined) await engine.close(profile.path);
    }),
    command('hotframe.choose', () => choose(engine)),
    command('hotframe.summary', () => summary.show()),
    command('hotframe.summaryInWindow', () => summary.float()),
    command('hotframe.record', async () => {
      const offer = await chooseRecording(context.workspaceState);
      if (offer !== undefined) await recordings.record(offer);
    }),
    command('hotframe.recordTest', async (item?: vscode.TestItem) => {
      if (item !== undefined) await recordings.record(await offerOfItem(item));
    }),
    command('hotframe.showInstructions', async (uri: string, key: number) =>
      showInstructions(vscode.Uri.parse(uri), await engine.instructions(uri, key)),
    ),
    command('hotframe.showFunction', (name: string, path: string, key: number) =>
      panels.reveal(path, { name, key }),
    ),
    command('hotframe.reveal', async (item?: Item) => {
      if (item?.kind === 'function') {
        await panels.reveal(item.profile.path, item.hot);
        return;
      }
      const editor = vscode.window.activeTextEditor;
      if (editor === undefined) return;
      const { document, selection } = editor;
      const found = await engine.functionAt(document.uri, selection.active.line);
      if (found !== undefined) await panels.reveal(found.path, found);
      else await tell('No loaded profile has a function here.');
    }),
    command('hotframe.openLine', (uri: string, line: number) => {
      const position = { line, character: 0 };
      return lines.show({ uri, takeFocus: true, selection: { start: position, end: position } });
    }),
    command('hotframe.toggleHeat', () => toggle('heat')),
    command('hotframe.toggleMarks', () => toggle('marks')),
    command('hotframe.clearHighlight', async () => lines.clear()),
    command('hotframe.restart', () => engine.restart()),
  );
  void run(() => engine.startNamed());
  void run(() => panels.loadTabs());
}

async function run(does: () => Thenable<unknown>): Promise<void> {
  try {
    await does();
  } catch (error) {
    await vscode.window.showErrorMessage(`Hotframe: ${text(error)}`);
  }
}

async function tell(message: string): Promise<void> {
  await vscode.window.showInformationMessage(message);
}
