import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

/** Of the Python extension, what tells the interpreter that the person chose. */
interface Environments {
  getActiveEnvironmentPath(uri?: vscode.Uri): unknown;
  resolveEnvironment(
    path: unknown,
  ): Promise<{ readonly executable?: { readonly uri?: vscode.Uri } } | undefined>;
}

/**
 * The interpreter of Python for a file: the one that was chosen in the Python extension or named in
 * its settings, else that of the folder's environment, else the one on the PATH.
 */
export async function interpreterFor(uri: vscode.Uri, folder: string): Promise<string> {
  const extension = vscode.extensions.getExtension<{ environments?: Environments }>(
    'ms-python.python',
  );
  const environments = extension?.isActive === true ? extension.exports?.environments : undefined;
  const active = environments?.getActiveEnvironmentPath(uri);
  const chosen = (await environments?.resolveEnvironment(active))?.executable?.uri?.fsPath;
  if (chosen !== undefined) return chosen;
  const settings = vscode.workspace.getConfiguration('python', uri);
  const named = settings.get('defaultInterpreterPath', '').replaceAll('${workspaceFolder}', folder);
  if (path.isAbsolute(named) && existsSync(named)) {
    if (statSync(named).isFile()) return named;
  }
  const isWindows = process.platform === 'win32';
  const inside = isWindows ? 'Scripts/python.exe' : 'bin/python';
  const own = ['.venv', 'venv', '.env', 'env'].map((name) => path.join(folder, name, inside));
  return own.find((file) => existsSync(file)) ?? (isWindows ? 'python' : 'python3');
}
