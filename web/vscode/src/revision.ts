import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Engine } from './engine.ts';

/** Bytes of a file of a revision; larger ones are compared as files. */
const MOST_BYTES = 1 << 30;
/** Milliseconds that git may take. */
const PATIENCE_MS = 60_000;
/** Branches and tags offered, the newest first. */
const MOST_REVISIONS = 500;
/** How files begin that Git LFS has elsewhere. */
const LFS = 'version https://git-lfs.github.com/';

/** A revision of a file's repository. */
interface Revision extends vscode.QuickPickItem {
  readonly name: string;
}

/** After so long a file of a revision is written down anew. */
const OLD_MS = 30 * 24 * 3600 * 1000;

/** Files of revisions, which are kept for as long as a window that is loaded again may want them. */
export class Revisions {
  readonly #engine: Engine;
  readonly #folder: string;

  constructor(engine: Engine, storage: vscode.Uri) {
    this.#engine = engine;
    this.#folder = path.join(storage.fsPath, 'revisions');
    void removeOld(this.#folder);
  }

  /**
   * Compares a file with what a revision has in its place, which the person chooses. Gives the path of
   * what is to be shown.
   */
  async compare(uri: vscode.Uri): Promise<string | undefined> {
    const file = uri.fsPath;
    const chosen = await vscode.window.showQuickPick(revisionsOf(file), {
      title: `Compare ${path.basename(file)} with a revision`,
      placeHolder: 'HEAD, a branch or a tag',
    });
    if (chosen === undefined) return undefined;
    const told = await git(file, ['rev-parse', '--verify', '--end-of-options', chosen.name]);
    const commit = told.toString('latin1').trim();
    const bytes = await fileAt(file, commit);
    const folder = path.join(this.#folder, commit);
    await mkdir(folder, { recursive: true });
    // The name tells the side, and keeps the ending, by which formats are told apart.
    const then = path.join(folder, nameAt(file, chosen.name));
    await writeFile(then, bytes);
    await this.#engine.open([then, file]);
    await this.#engine.compare(then, file);
    return file;
  }
}

/** Removes what nobody wanted for long. */
async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const one = path.join(folder, name);
    const written = await stat(one).catch(() => undefined);
    if (written !== undefined && Date.now() - written.mtimeMs > OLD_MS) {
      await rm(one, { recursive: true, force: true }).catch(() => {});
    }
  }
}

/** HEAD, and the branches and tags of a file's repository, the newest first. */
export async function revisionsOf(file: string): Promise<Revision[]> {
  const told = await git(file, [
    'for-each-ref',
    '--sort=-committerdate',
    `--count=${MOST_REVISIONS}`,
    '--format=%(refname)%09%(refname:short)',
    'refs/heads',
    'refs/tags',
    'refs/remotes',
  ]);
  const head: Revision = { name: 'HEAD', label: 'HEAD', description: 'what was committed last' };
  const lines = told.toString('utf8').split('\n');
  const others = lines.flatMap((line): Revision[] => {
    const [name = '', short = ''] = line.split('\t');
    if (name === '' || name.endsWith('/HEAD')) return [];
    return [{ name, label: short, description: name.startsWith('refs/tags/') ? 'tag' : 'branch' }];
  });
  return [head, ...others];
}

/** The bytes that a revision has of a file. */
export async function fileAt(file: string, revision: string): Promise<Buffer> {
  const bytes = await git(file, [
    'show',
    '--no-textconv',
    '--end-of-options',
    `${revision}:./${path.basename(file)}`,
  ]);
  if (bytes.subarray(0, LFS.length).toString('latin1') === LFS) {
    throw new Error(
      `${path.basename(file)} is kept by Git LFS: check that revision out, and compare the files`,
    );
  }
  return bytes;
}

/** `v1.2 cpu.pb.gz`: a name for a file of a revision. */
export function nameAt(file: string, revision: string): string {
  const short = revision.replace(/^refs\/(heads|tags|remotes)\//, '');
  return `${short.replace(/[^\w.-]+/g, '-')} ${path.basename(file)}`;
}

function git(file: string, words: readonly string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      ['--no-optional-locks', '-c', 'core.fsmonitor=false', ...words],
      {
        cwd: path.dirname(file),
        encoding: 'buffer',
        maxBuffer: MOST_BYTES,
        timeout: PATIENCE_MS,
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      },
      (error, out, problem) => {
        if (error === null) resolve(out);
        else if ('code' in error && error.code === 'ENOENT')
          reject(new Error('git is not installed here'));
        else reject(new Error(problem.toString('utf8').trim() || error.message));
      },
    );
  });
}
