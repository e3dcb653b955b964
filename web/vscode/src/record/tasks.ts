import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { text } from '../message.ts';
import { type CommandLine, commandLine } from './command-line.ts';
import { folderOf } from './here.ts';
import { FOLDER, placeFor } from './names.ts';
import { missing } from './programs.ts';
import { keyOf, runFirst, runNamed, taskOf } from './steps.ts';
import { type Offer, recorderOf, type Recorder, type Wanted, wantedOf } from './wanted.ts';
import { whyNot } from './why.ts';

/** A recording that a task makes. */
interface Recording {
  readonly title: string;
  readonly recorder: Recorder;
  readonly output: string;
  /** When it was started last. */
  started: number;
}

/** What recordings need of the extension. */
export interface Host {
  /** The program of the engine, which records, too. */
  hotframe(): string;
  /** Shows a profile that is there now. */
  open(file: string): Promise<void>;
}

/** Records in tasks, so that their terminal shows what happens and can stop it. */
export class Recordings implements vscode.Disposable {
  readonly #host: Host;
  /** Where profiles go that belong to no folder. */
  readonly #storage: vscode.Uri;
  /** By what is run, for tasks come back from VS Code without what they were made of. */
  readonly #made = new Map<string, Recording>();
  readonly #stops: readonly vscode.Disposable[];

  constructor(host: Host, storage: vscode.Uri) {
    this.#host = host;
    this.#storage = storage;
    this.#stops = [
      vscode.tasks.onDidStartTaskProcess(({ execution }) => {
        const recording = this.#made.get(keyOf(execution.task));
        if (recording !== undefined) recording.started = Date.now();
      }),
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        const recording = this.#made.get(keyOf(execution.task));
        if (recording !== undefined) void this.#end(recording, execution.task, exitCode);
      }),
    ];
  }

  /** Records something; it goes on when this is done. */
  async record(offer: Offer): Promise<void> {
    checkTrust();
    const { title, build, before } = offer;
    const folder = folderFor(offer.wanted);
    const base = await this.#placeFor(folder, title);
    if (before !== undefined) await runNamed(before);
    let { wanted } = offer;
    if (build !== undefined) {
      const binary = `${base}${process.platform === 'win32' ? '.exe' : '.bin'}`;
      const [program = '', ...args] = build.command(binary);
      check(missing([program], build.cwd));
      const run = { title: `build ${title}`, program, args, cwd: build.cwd };
      await runFirst(taskOf({ command: [program, ...args] }, folder, run));
      wanted = { ...wanted, command: [binary, ...(wanted.command ?? [])] };
    }
    const line = commandLine(wanted, this.#host.hotframe(), base);
    checkPlain([line.program, ...line.args, wanted.cwd ?? '', ...Object.values(wanted.env ?? {})]);
    await vscode.tasks.executeTask(this.#task(wanted, folder, title, line));
  }

  /** A task of tasks.json. */
  async resolve(task: vscode.Task): Promise<vscode.Task | undefined> {
    try {
      checkTrust();
      const wanted = wantedOf(task.definition);
      const { scope } = task;
      const folder = typeof scope === 'object' ? scope : folderOf(undefined);
      const base = await this.#placeFor(folder, task.name);
      const line = commandLine(wanted, this.#host.hotframe(), base);
      return this.#task(wanted, folder, task.name, line, task.definition);
    } catch (error) {
      void vscode.window.showErrorMessage(`Hotframe: ${text(error)}`);
      return undefined;
    }
  }

  dispose(): void {
    for (const stop of this.#stops) stop.dispose();
  }

  #task(
    wanted: Wanted,
    folder: vscode.WorkspaceFolder | undefined,
    title: string,
    line: CommandLine,
    definition?: vscode.TaskDefinition,
  ): vscode.Task {
    const cwd = wanted.cwd ?? folder?.uri.fsPath ?? path.dirname(line.output);
    check(missing(line.needs, cwd, wanted.env?.PATH));
    const { program, args, output } = line;
    const task = taskOf(wanted, folder, { title, program, args, cwd }, definition);
    const recorder = wanted.recorder ?? recorderOf(wanted.command ?? []);
    this.#made.set(keyOf(task), { title, recorder, output, started: 0 });
    return task;
  }

  #placeFor(folder: vscode.WorkspaceFolder | undefined, title: string): Promise<string> {
    const own = folder === undefined ? this.#storage : vscode.Uri.joinPath(folder.uri, FOLDER);
    return placeFor(own.fsPath, title);
  }

  async #end(recording: Recording, task: vscode.Task, code: number | undefined): Promise<void> {
    const { title, recorder, output, started } = recording;
    const written = await stat(output).catch(() => undefined);
    // One of a run before says nothing; clocks of file systems are a little behind.
    if (written !== undefined && written.size > 0 && written.mtimeMs > started - 2000) {
      await this.#host.open(output);
      return;
    }
    const show = 'Show Terminal';
    const message = `Hotframe: ${text(whyNot(title, recorder, code, paranoia()))}`;
    const chosen = await vscode.window.showWarningMessage(message, show);
    if (chosen === show) {
      vscode.window.terminals.find(({ name }) => name.includes(task.name))?.show();
    }
  }
}

/** The folder of the workspace that something is recorded in. */
function folderFor({ cwd }: Wanted): vscode.WorkspaceFolder | undefined {
  return folderOf(cwd === undefined ? undefined : vscode.Uri.file(cwd));
}

function checkTrust(): void {
  if (!vscode.workspace.isTrusted) {
    throw new Error(
      'Recording runs programs of this folder: trust it first (Manage Workspace Trust).',
    );
  }
}

function check(problem: string | undefined): void {
  if (problem !== undefined) throw new Error(problem);
}

/** VS Code replaces `${…}` in what tasks run, and has no way to write it otherwise. */
function checkPlain(words: readonly string[]): void {
  const odd = words.find((word) => word.includes('${'));
  if (odd !== undefined) {
    throw new Error(
      `"${odd}" has "\${", which VS Code would replace: it is not recorded from here.`,
    );
  }
}

/** Whether the kernel lets people take samples; nothing is known of others than Linux. */
function paranoia(): number {
  try {
    return Number(readFileSync('/proc/sys/kernel/perf_event_paranoid', 'utf8'));
  } catch {
    return 0;
  }
}
