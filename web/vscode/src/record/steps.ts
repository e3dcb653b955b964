import * as vscode from 'vscode';
import type { Wanted } from './wanted.ts';

/** The type of tasks that record. */
export const TYPE = 'hotframe';

/** What a task runs: a program with its arguments, that no shell reads. */
export interface Run {
  readonly title: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** A task of a folder that runs something. */
export function taskOf(
  wanted: Wanted,
  folder: vscode.WorkspaceFolder | undefined,
  { title, program, args, cwd }: Run,
  definition: vscode.TaskDefinition = { type: TYPE, ...wanted },
): vscode.Task {
  const execution = new vscode.ProcessExecution(program, [...args], {
    cwd,
    ...(wanted.env !== undefined && { env: { ...wanted.env } }),
  });
  const scope = folder ?? vscode.TaskScope.Workspace;
  const task = new vscode.Task(definition, scope, title, 'Hotframe', execution, []);
  task.detail = 'records a profile';
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: false };
  return task;
}

/** What a task runs, as a key: tasks come back from VS Code without what they were made of. */
export function keyOf({ execution }: vscode.Task): string {
  if (!(execution instanceof vscode.ProcessExecution)) return '';
  return JSON.stringify([execution.process, ...execution.args]);
}

/** Runs a task to its end; one that fails ends what comes after it. */
export async function runFirst(task: vscode.Task): Promise<void> {
  let stops: readonly vscode.Disposable[] = [];
  const ended = new Promise<number | undefined>((resolve) => {
    const isIt = (other: vscode.Task) => other.name === task.name && other.source === task.source;
    stops = [
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        if (isIt(execution.task)) resolve(exitCode);
      }),
      // A task without a process of its own, such as one of other tasks, has no code.
      vscode.tasks.onDidEndTask(({ execution }) => {
        if (isIt(execution.task)) setTimeout(() => resolve(0), 500);
      }),
    ];
  });
  try {
    await vscode.tasks.executeTask(task);
    const code = await ended;
    if (code !== 0) {
      const how = code === undefined ? 'was stopped' : `ended with code ${code}`;
      throw new Error(`"${task.name}", which comes first, ${how}: nothing is recorded.`);
    }
  } finally {
    for (const stop of stops) stop.dispose();
  }
}

/** Runs a task of the workspace, which a launch configuration names. */
export async function runNamed(name: string): Promise<void> {
  const tasks = await vscode.tasks.fetchTasks();
  const named = (task: vscode.Task) =>
    task.name === name || `${task.source}: ${task.name}` === name;
  const task = tasks.find(named);
  if (task === undefined) throw new Error(`There is no task "${name}", which comes first.`);
  if (task.isBackground) {
    throw new Error(`"${name}", which comes first, does not end: record without it.`);
  }
  await runFirst(task);
}
