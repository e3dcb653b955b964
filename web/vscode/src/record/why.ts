import type { Recorder } from './wanted.ts';

/** Where the kernel lets nobody but root take samples. */
const PARANOID = 3;

/** Why a recording ended without a profile, and what to do, as far as that is known. */
export function whyNot(
  title: string,
  recorder: Recorder,
  code: number | undefined,
  paranoid: number,
): string {
  const end = code === undefined ? 'was stopped' : `ended with code ${code}`;
  return `${title} ${end}, and no profile was written. ${reason(recorder, code, paranoid)}`;
}

function reason(recorder: Recorder, code: number | undefined, paranoid: number): string {
  const usesPerf = recorder === 'perf' || recorder === 'cargo';
  if (usesPerf && paranoid >= PARANOID) {
    return (
      `The kernel does not allow samples (kernel.perf_event_paranoid is ${paranoid}): ` +
      'sudo sysctl kernel.perf_event_paranoid=1'
    );
  }
  if (code === 0) {
    return recorder === 'go'
      ? 'Was there a test to run? See its terminal.'
      : 'Did another program do the work? Record that one.';
  }
  if (code === undefined) {
    return 'Stop it by Ctrl+C in its terminal: what was measured is written then.';
  }
  return 'See its terminal.';
}
