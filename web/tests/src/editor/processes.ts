import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that another one started, directly or not. */
export interface Descendant {
  readonly pid: number;
  /** The name of its program, without the folder. */
  readonly name: string;
  /** The program and its arguments. */
  readonly command: string;
}

/** What runs below a process, the nearest first. */
export function descendants(root: number): readonly Descendant[] {
  const all = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const children = new Map<number, Descendant[]>();
  for (const line of all.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    if (!match) continue;
    const [pid, parent, command] = [Number(match[1]), Number(match[2]), match[3] ?? ''];
    const name = command.split(' ')[0]?.split('/').at(-1) ?? '';
    const siblings = children.get(parent);
    if (siblings) siblings.push({ pid, name, command });
    else children.set(parent, [{ pid, name, command }]);
  }
  const found: Descendant[] = [];
  for (const pid of reachable(root)) found.push(...(children.get(pid) ?? []));
  return found;

  function* reachable(from: number): Generator<number> {
    const open = [from];
    for (const pid of open) {
      yield pid;
      open.push(...(children.get(pid) ?? []).map((child) => child.pid));
    }
  }
}

/** Ends a process and what it started, by force where asking does not help. */
export async function endTree(root: number): Promise<void> {
  const tree = [root, ...descendants(root).map((process) => process.pid)];
  send(root, 'SIGTERM');
  for (let wait = 0; wait < 50 && tree.some(isAlive); wait += 1) await sleep(100);
  for (const pid of tree) send(pid, 'SIGKILL');
}

function isAlive(pid: number): boolean {
  return send(pid, 0);
}

/** Sends a signal; false if there is no such process. */
export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
