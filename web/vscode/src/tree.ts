import * as vscode from 'vscode';
import type { EditorHotFunction, EditorProfile } from '@hotframe/engine';
import { filesOf, meanOf } from './several.ts';

export type Item =
  | { readonly kind: 'profile'; readonly profile: EditorProfile }
  | { readonly kind: 'function'; readonly profile: EditorProfile; readonly hot: EditorHotFunction };

/** The side bar: the loaded profiles and their hottest functions. */
export class ProfileTree implements vscode.TreeDataProvider<Item> {
  readonly #changed = new vscode.EventEmitter<void>();
  #profiles: readonly EditorProfile[] = [];
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(context: vscode.ExtensionContext) {
    context.subscriptions.push(
      vscode.window.registerTreeDataProvider('hotframe.profiles', this),
      this.#changed,
    );
  }

  show(profiles: readonly EditorProfile[]): void {
    this.#profiles = profiles;
    this.#changed.fire();
  }

  getChildren(item?: Item): Item[] {
    if (item === undefined) {
      return this.#profiles.map((profile) => ({ kind: 'profile', profile }));
    }
    if (item.kind === 'function') return [];
    const { profile } = item;
    return profile.functions.map((hot) => ({ kind: 'function', profile, hot }));
  }

  getTreeItem(item: Item): vscode.TreeItem {
    return item.kind === 'profile' ? profileItem(item.profile) : functionItem(item);
  }
}

function profileItem(profile: EditorProfile): vscode.TreeItem {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const open = profile.is_active ? Expanded : Collapsed;
  const item = new vscode.TreeItem(profile.title, profile.state === 'ready' ? open : None);
  const metric = profile.metrics[profile.metric];
  const roles = [profile.is_active ? 'shown' : '', profile.is_base ? 'base' : ''];
  const words = [
    metric === undefined ? 'reading…' : `${metric.name} ${metric.total}`,
    meanOf(metric),
    ...roles,
  ];
  item.id = `${profile.path}:${profile.is_active ? 'shown' : ''}`;
  item.description = words.filter((word) => word !== '').join(' · ');
  item.tooltip = filesOf(profile.path).join('\n');
  item.contextValue = `profile${profile.is_active ? '.active' : ''}`;
  item.iconPath = new vscode.ThemeIcon(profile.is_active ? 'flame' : 'graph');
  return item;
}

function functionItem({ profile, hot }: Extract<Item, { kind: 'function' }>): vscode.TreeItem {
  const item = new vscode.TreeItem(hot.name);
  item.description = `self ${hot.self}`;
  const values = [
    `self ${hot.self}`,
    `total ${hot.total}`,
    meanOf(profile.metrics[profile.metric]),
  ];
  item.tooltip = `${hot.name}\n${values.filter((value) => value !== '').join(' · ')}`;
  item.contextValue = 'function';
  item.iconPath = new vscode.ThemeIcon('symbol-function');
  if (hot.uri !== null) {
    item.command = {
      command: 'hotframe.openLine',
      title: 'Open its source',
      arguments: [hot.uri, hot.line],
    };
  }
  return item;
}
