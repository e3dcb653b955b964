import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

const NAME = process.platform === 'win32' ? 'hotframe.exe' : 'hotframe';

/** The program to start: the one of the settings, else the extension's own, else one on the PATH. */
export function findBinary(context: vscode.ExtensionContext): string {
  const chosen = vscode.workspace.getConfiguration('hotframe').get('path', '');
  if (chosen !== '') {
    if (existsSync(chosen)) return chosen;
    throw new Error(`There is no program at ${chosen}, which the setting "hotframe.path" names.`);
  }
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const places = [path.join(context.extensionPath, 'bin'), ...folders];
  const found = places.map((folder) => path.join(folder, NAME)).find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new Error(
    'The program "hotframe" is neither in the extension nor on the PATH. ' +
      'Build it with "cargo build --release" and name it in the setting "hotframe.path".',
  );
}
