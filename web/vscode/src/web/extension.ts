import * as vscode from 'vscode';
import { Heat } from '../heat.ts';
import { SourceLines } from '../source.ts';
import { toggle } from '../toggle.ts';
import { LineMarks } from './line-marks.ts';
import { EDITOR, Profiles } from './profiles.ts';
import { Sources } from './sources.ts';

/** Starts the extension where nothing can be started beside it, in a browser: the page has its own engine. */
export function activate(context: vscode.ExtensionContext): void {
  const { executeCommand, registerCommand } = vscode.commands;
  const open = (uri: vscode.Uri) => executeCommand('vscode.openWith', uri, EDITOR);
  const lines = new SourceLines();
  const profiles = new Profiles(context.extensionUri, new Sources(lines));
  context.subscriptions.push(
    lines,
    profiles,
    new Heat(profiles),
    new LineMarks(profiles),
    vscode.window.registerCustomEditorProvider(EDITOR, profiles, {
      webviewOptions: { retainContextWhenHidden: true },
      supportsMultipleEditorsPerDocument: true,
    }),
    registerCommand('hotframe.open', async () => {
      const chosen = await vscode.window.showOpenDialog({
        canSelectMany: true,
        title: 'Open profiles',
      });
      for (const uri of chosen ?? []) await open(uri);
    }),
    registerCommand('hotframe.openWith', (uri: vscode.Uri | undefined) => uri && open(uri)),
    registerCommand('hotframe.toggleHeat', () => toggle('heat')),
    registerCommand('hotframe.toggleMarks', () => toggle('marks')),
    registerCommand('hotframe.clearHighlight', () => lines.clear()),
  );
}
