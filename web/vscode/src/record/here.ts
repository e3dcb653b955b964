import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { fileOffer, type Source, testFileOffer, testOffer } from './file.ts';
import { interpreterFor } from './interpreter.ts';
import { launchOffer } from './launch.ts';
import type { Configuration } from './properties.ts';
import { type Test, testAt } from './test-at.ts';
import type { Place } from './variables.ts';
import type { Offer } from './wanted.ts';

/** The folder of the workspace that a file is in; else the first one. */
export function folderOf(uri: vscode.Uri | undefined): vscode.WorkspaceFolder | undefined {
  const own = uri && vscode.workspace.getWorkspaceFolder(uri);
  return own ?? vscode.workspace.workspaceFolders?.[0];
}

/** How a file is recorded. */
export async function offerOfFile(document: vscode.TextDocument): Promise<Offer> {
  return fileOffer(await sourceOf(document));
}

/** The test that a line (from 0) belongs to. */
export function testIn(document: vscode.TextDocument, line: number): Test | undefined {
  return testAt(document.languageId, document.getText(), line);
}

/** How a test is recorded. */
export async function offerOfTest(document: vscode.TextDocument, test: Test): Promise<Offer> {
  return testOffer(await sourceOf(document), test);
}

/** How an item of the testing view is recorded: a test, or all of a file. */
export async function offerOfItem(item: vscode.TestItem): Promise<Offer> {
  if (item.uri === undefined) {
    throw new Error(`"${item.label}" has no file: record a test inside of it.`);
  }
  const document = await vscode.workspace.openTextDocument(item.uri);
  const source = await sourceOf(document);
  if (item.range === undefined) return testFileOffer(source);
  const test = testIn(document, item.range.start.line);
  if (test !== undefined) return testOffer(source, test);
  throw new Error(
    `How "${item.label}" is run is not known: tests of Python (pytest), Go, Rust and Node.js ` +
      '(node:test) are recorded. A command line can be recorded instead.',
  );
}

/** The configurations of launch.json. */
export function configurations(folder: vscode.WorkspaceFolder | undefined): Configuration[] {
  const settings = vscode.workspace.getConfiguration('launch', folder?.uri);
  return settings.get<Configuration[]>('configurations', []);
}

/** How a launch configuration is recorded. */
export async function offerOfConfiguration(
  configuration: Configuration,
  folder: vscode.WorkspaceFolder | undefined,
): Promise<Offer> {
  const uri = folder?.uri ?? vscode.Uri.file(homedir());
  const python = await interpreterFor(uri, uri.fsPath);
  return launchOffer(configuration, placeIn(folder), python);
}

async function sourceOf(document: vscode.TextDocument): Promise<Source> {
  const { uri, languageId: language } = document;
  if (uri.scheme !== 'file') throw new Error('Save the file before it is recorded.');
  const file = uri.fsPath;
  const folder = folderOf(uri)?.uri.fsPath ?? path.dirname(file);
  const [python, node] = await Promise.all([
    language === 'python' ? interpreterFor(uri, folder) : 'python3',
    language === 'typescript' ? versionOfNode() : '',
  ]);
  return { file, language, text: document.getText(), folder, python, node };
}

/** The version of Node.js on the PATH; nothing if there is none. */
async function versionOfNode(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('node', ['--version']);
    return stdout.trim();
  } catch {
    return '';
  }
}

function placeIn(folder: vscode.WorkspaceFolder | undefined): Place {
  const editor = vscode.window.activeTextEditor;
  const isFile = editor?.document.uri.scheme === 'file';
  const all = vscode.workspace.workspaceFolders ?? [];
  const folders = [...all].sort((one, other) => Number(other === folder) - Number(one === folder));
  return {
    folders: folders.map(({ name, uri }) => ({ name, path: uri.fsPath })),
    ...(isFile && { file: editor.document.uri.fsPath, line: editor.selection.active.line + 1 }),
    home: homedir(),
    environment: process.env,
    setting: (name) => vscode.workspace.getConfiguration(undefined, folder?.uri).get(name),
  };
}
