import * as vscode from 'vscode';

/** Switches a setting where it is decided: in the workspace if that says something, else for the person. */
export async function toggle(name: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration('hotframe');
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const isOfWorkspace = settings.inspect(name)?.workspaceValue !== undefined;
  await settings.update(name, !settings.get(name, true), isOfWorkspace ? Workspace : Global);
}
