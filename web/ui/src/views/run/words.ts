import type { RunCounts, RunPhase, RunPlanResult, RunRecorder } from '@hotframe/engine';
import { formatInteger, formatSeconds, formatThings } from '../../text/units.ts';
import { RECORDERS } from '../../state/runs/form.ts';
import { labelOf } from '../../state/view-state.ts';

/** What a button that runs a plan will do. */
export function willText(plan: RunPlanResult): string {
  const runs = formatThings(plan.run_count, 'run');
  const cells = plan.cell_count === 1 ? '' : ` of ${formatThings(plan.cell_count, 'cell')}`;
  return `${runs}${cells}, isolated: no network, no files of yours`;
}

/** How far an experiment is. */
export function phaseText(phase: RunPhase): string {
  switch (phase) {
    case 'waiting':
      return 'waits for its turn';
    case 'preparing':
      return 'is prepared';
    case 'running':
      return 'is running';
    case 'ended':
      return 'has ended';
    case 'stopped':
      return 'was stopped';
    case 'failed':
      return 'failed';
  }
}

export function totalOf({ waiting, running, done, failed }: RunCounts): number {
  return waiting + running + done + failed;
}

/** Runs by where they are: `2 done, 1 running, 3 waiting`. */
export function countsText(counts: RunCounts): string {
  const parts = (['done', 'failed', 'running', 'waiting'] as const)
    .filter((part) => counts[part] > 0)
    .map((part) => `${formatInteger(counts[part])} ${part}`);
  return parts.length === 0 ? 'nothing yet' : parts.join(', ');
}

/** Who measures, as plans name it. */
export function recorderText(recorder: string): string {
  const names: Readonly<Record<string, RunRecorder>> = {
    'python-trace': 'calls',
    python: 'samples',
    file: 'cprofile',
    time: 'time',
  };
  const known = names[recorder];
  return known === undefined ? recorder : labelOf(RECORDERS, known);
}

/** The line of a plan that a problem names. */
export function lineOf(problem: string): number | undefined {
  const [, digits] = /^line (\d{1,6})\b/.exec(problem) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export function meanOf(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** What a cell's runs took, for who does not see the picture. */
export function timesText(seconds: readonly number[]): string {
  const mean = meanOf(seconds);
  if (mean === undefined) return 'no run has ended';
  const each = seconds.map(formatSeconds).join(', ');
  return `mean of ${formatThings(seconds.length, 'run')} ${formatSeconds(mean)}: ${each}`;
}

/** A moment, as people say it here. */
export function momentText(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
}

/** How long something takes, in the unit that is read at a glance. */
export function whileText(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return formatThings(Math.floor(seconds / 86_400), 'day');
}
