import * as vscode from 'vscode';

/** The editor for files that belong to profiles, and the one that can be chosen for any file. */
export const VIEW_TYPES = ['hotframe.profile', 'hotframe.any'] as const;

/** Whether the settings name profiles, or a base. */
export function namesProfiles(): boolean {
  const settings = vscode.workspace.getConfiguration('hotframe');
  return settings.get<string[]>('profiles', []).length > 0 || settings.get('base', '') !== '';
}

/** The addresses of profiles in tabs, those in front last. */
export function tabsWithProfiles(): vscode.Uri[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs
    .filter(({ isActive }) => !isActive)
    .concat(tabs.filter(({ isActive }) => isActive))
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputCustom && VIEW_TYPES.some((one) => one === input.viewType)
        ? [input.uri]
        : [],
    );
}
