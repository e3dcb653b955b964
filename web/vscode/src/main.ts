import * as vscode from 'vscode';
import { findBinary } from './binary.ts';
import type { Command } from './commands.ts';
import { Engine } from './engine.ts';
import { Heat } from './heat.ts';
import { showInstructions } from './instructions.ts';
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
import type { Item, ProfileTree } from './tree.ts';

/** What the extension does once somebody wants something of it. */
export interface Main {
  readonly commands: Readonly<Record<Command, (...args: never[]) => Thenable<unknown>>>;
  readonly panels: Panels;
  readonly recordings: Recordings;
  readonly summary: Summary;
}

/** Runs something and tells the person of its errors. */
type Run = (does: () => Thenable<unknown>) => Promise<void>;

/** Starts it. The engine holds all that is known of profiles; here it gets its places. */
export function start(context: vscode.ExtensionContext, tree: ProfileTree, run: Run): Main {
  const lines = new SourceLines();
  const engine = new Engine(context, (params) => lines.show(params));
  const heat = new Heat(engine);
  const status = new StatusItem();
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
      if (event.affectsConfiguration('hotframe.path')) void run(() => engine.restartIfStarted());
      else if (event.affectsConfiguration('hotframe')) void run(() => engine.configure());
      if (event.affectsConfiguration('hotframe.marks')) refresh();
    }),
  );
  const commands: Main['commands'] = {
    'hotframe.open': async () => {
      const files = await vscode.window.showOpenDialog({
        canSelectMany: true,
        openLabel: 'Open with Hotframe',
        ...(vscode.workspace.workspaceFolders?.[0] && {
          defaultUri: vscode.workspace.workspaceFolders[0].uri,
        }),
      });
      for (const { fsPath } of files ?? []) await panels.show(fsPath);
    },
    'hotframe.openWith': async (uri?: vscode.Uri, all?: vscode.Uri[]) => {
      const files = all ?? (uri === undefined ? [] : [uri]);
      for (const { fsPath } of files) await panels.show(fsPath);
    },
    'hotframe.openTogether': async (uri?: vscode.Uri, all?: vscode.Uri[]) => {
      const shown = await openTogether(engine, all ?? (uri === undefined ? [] : [uri]));
      if (shown !== undefined) await panels.show(shown);
    },
    'hotframe.compareWithRevision': async (uri?: vscode.Uri) => {
      const shown = uri === undefined ? undefined : await revisions.compare(uri);
      if (shown !== undefined) await panels.show(shown);
    },
    'hotframe.showProfile': async (item?: Item) => {
      const profile = await profileOf(item);
      if (profile !== undefined) await panels.show(profile.path);
    },
    'hotframe.close': async (item?: Item) => {
      const profile = await profileOf(item);
      if (profile !== undefined) await engine.close(profile.path);
    },
    'hotframe.choose': () => choose(engine),
    'hotframe.summary': () => summary.show(),
    'hotframe.summaryInWindow': () => summary.float(),
    'hotframe.record': async () => {
      const offer = await chooseRecording(context.workspaceState);
      if (offer !== undefined) await recordings.record(offer);
    },
    'hotframe.recordTest': async (item?: vscode.TestItem) => {
      if (item !== undefined) await recordings.record(await offerOfItem(item));
    },
    'hotframe.showInstructions': async (uri: string, key: number) =>
      showInstructions(vscode.Uri.parse(uri), await engine.instructions(uri, key)),
    'hotframe.showFunction': (name: string, path: string, key: number) =>
      panels.reveal(path, { name, key }),
    'hotframe.reveal': async (item?: Item) => {
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
    },
    'hotframe.openLine': (uri: string, line: number) => {
      const position = { line, character: 0 };
      return lines.show({ uri, takeFocus: true, selection: { start: position, end: position } });
    },
    'hotframe.toggleHeat': () => toggle('heat'),
    'hotframe.toggleMarks': () => toggle('marks'),
    'hotframe.clearHighlight': async () => lines.clear(),
    'hotframe.restart': () => engine.restart(),
  };
  void run(() => engine.startNamed());
  void run(() => panels.loadTabs());
  return { commands, panels, recordings, summary };
}

async function tell(message: string): Promise<void> {
  await vscode.window.showInformationMessage(message);
}
