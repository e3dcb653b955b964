import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { recorderOf } from './wanted.ts';

/** A process that runs. */
export interface Process {
  readonly pid: number;
  /** The name of its program. */
  readonly name: string;
  readonly command: string;
  readonly isPython: boolean;
}

/** What runs here, Python's programs first, the newest of each first. */
export async function processes(): Promise<readonly Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,args='], {
    maxBuffer: 1 << 26,
  });
  return processesOf(stdout).filter(({ pid }) => pid !== process.pid);
}

/** The processes that `ps` tells of, without those of the kernel. */
export function processesOf(told: string): readonly Process[] {
  const all = told.split('\n').flatMap((line): Process[] => {
    const [, pid, command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || command.startsWith('[') || command.startsWith('ps -A')) return [];
    const program = command.split(' ')[0] ?? '';
    const isPython = recorderOf([program]) === 'python';
    return [{ pid: Number(pid), name: path.basename(program), command, isPython }];
  });
  return all.sort(
    (one, other) => Number(other.isPython) - Number(one.isPython) || other.pid - one.pid,
  );
}
