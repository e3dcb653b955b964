import * as vscode from 'vscode';
import { configurations, folderOf, offerOfConfiguration } from './here.ts';
import { offerOfFile, offerOfTest, testIn } from './here.ts';
import { processes } from './processes.ts';
import type { Offer } from './wanted.ts';
import { wordsOf } from './words.ts';

/** What the last command line is kept as. */
const LAST = 'hotframe.commandLine';
/** Seconds of a process, unless somebody says otherwise. */
const SECONDS = '10';

interface Choice extends vscode.QuickPickItem {
  /** Asks for what is missing; nothing where that was not told. */
  offer?(): Promise<Offer | undefined>;
}

/** Lets the person choose what is recorded. */
export async function chooseRecording(memory: vscode.Memento): Promise<Offer | undefined> {
  const editor = vscode.window.activeTextEditor;
  const isFile = editor?.document.uri.scheme === 'file';
  const folder = folderOf(isFile ? editor.document.uri : undefined);
  const programs = configurations(folder).filter(({ request }) => request === 'launch');
  const choices: Choice[] = [
    ...(isFile ? choicesOf(editor) : []),
    ...programs.map((configuration) => ({
      label: `$(debug-alt) ${configuration.name}`,
      description: 'launch configuration',
      offer: () => offerOfConfiguration(configuration, folder),
    })),
    { label: '$(pulse) A Process That Runs…', offer: ofProcess },
    { label: '$(terminal) A Command Line…', offer: () => ofCommandLine(folder, memory) },
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    title: 'Hotframe: record',
    placeHolder: 'What is recorded; its profile opens when it ends',
  });
  return chosen?.offer?.();
}

/** The test at the cursor, and the file. */
function choicesOf({ document, selection }: vscode.TextEditor): Choice[] {
  const test = testIn(document, selection.active.line);
  const file: Choice = {
    label: `$(file-code) ${vscode.workspace.asRelativePath(document.uri)}`,
    description: 'this file',
    offer: () => offerOfFile(document),
  };
  if (test === undefined) return [file];
  const choice: Choice = {
    label: `$(beaker) ${test.names.at(-1) ?? ''}`,
    description: 'the test at the cursor',
    offer: () => offerOfTest(document, test),
  };
  return [choice, file];
}

async function ofProcess(): Promise<Offer | undefined> {
  const running = (await processes()).map((process) => ({
    label: process.name,
    description: `${process.pid}${process.isPython ? ' · its Python code' : ''}`,
    detail: process.command,
    process,
  }));
  const chosen = await vscode.window.showQuickPick(running, {
    title: 'Hotframe: record a process',
    placeHolder: 'A name, a number or a part of the command',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen === undefined) return undefined;
  const { pid, name, isPython } = chosen.process;
  const told = await vscode.window.showInputBox({
    title: `Hotframe: record ${name} (${pid})`,
    prompt: 'For how many seconds; empty: until Ctrl+C in its terminal',
    value: SECONDS,
    validateInput: (text) =>
      text.trim() === '' || Number(text) > 0 ? undefined : 'A number above 0, or nothing',
  });
  if (told === undefined) return undefined;
  const until = told.trim() === '' ? {} : { seconds: Number(told) };
  const recorder = isPython ? 'python' : 'perf';
  return { title: `${name}-${pid}`, wanted: { pid, recorder, ...until } };
}

async function ofCommandLine(
  folder: vscode.WorkspaceFolder | undefined,
  memory: vscode.Memento,
): Promise<Offer | undefined> {
  const line = await vscode.window.showInputBox({
    title: 'Hotframe: record a command line',
    prompt: 'The program and its arguments; no shell reads them',
    placeHolder: './pipeline --frames 200',
    value: memory.get(LAST, ''),
    validateInput: (text) => {
      try {
        wordsOf(text);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  });
  const command = wordsOf(line ?? '');
  const [program] = command;
  if (line === undefined || program === undefined) return undefined;
  await memory.update(LAST, line);
  const cwd = folder?.uri.fsPath;
  const title = program.split(/[\\/]/).at(-1) ?? program;
  return { title, wanted: { command, ...(cwd !== undefined && { cwd }) } };
}
