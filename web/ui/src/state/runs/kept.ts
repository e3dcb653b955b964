import type { RunListParams, RunPhase } from '@hotframe/engine';

/** What of all that is kept is looked for. */
export interface KeptSearch {
  readonly text: string;
  readonly phase: RunPhase | undefined;
  /** A day here, as `2026-11-26`; empty for all. */
  readonly day: string;
}

export const EVERYTHING: KeptSearch = { text: '', phase: undefined, day: '' };

/** The same as the engine is asked. */
export function listOf({ text, phase, day }: KeptSearch): RunListParams {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  const at = (more: number) =>
    day === '' || year === undefined
      ? null
      : new Date(Number(year), Number(month) - 1, Number(date) + more).getTime() / 1000;
  return { search: text, phase: phase ?? null, from_s: at(0), to_s: at(1) };
}
