import type { Engine, RunLogResult } from '@hotframe/engine';
import { computed, type ReadonlySignal } from '@preact/signals';
import { type Pace, poll, type Polled } from './polled.ts';

/** The end of what a job has written. */
export interface LogText {
  readonly job: string;
  readonly text: string;
  /** Where to go on, in bytes. */
  readonly next: number;
  /** Whether something before the text is not shown. */
  readonly isCut: boolean;
}

/** Characters that are shown: a screen has some hundred lines at most, and selects in a few thousand. */
const MOST_SHOWN = 200_000;
/** Most parts that are asked for at once. */
const MOST_PARTS = 16;

/** A log with what was written since; at most the last of it, from the beginning of a line. */
export function withPart(log: LogText, part: RunLogResult): LogText {
  const isGap = part.dropped > log.next;
  let text = (isGap ? '' : log.text) + part.text;
  let isCut = log.isCut || isGap;
  if (text.length > MOST_SHOWN) {
    const from = text.length - MOST_SHOWN;
    const line = text.indexOf('\n', from);
    text = text.slice(line < 0 ? from : line + 1);
    isCut = true;
  }
  return { ...log, text, next: part.next, isCut };
}

/** A job whose log is read. */
export interface LogOf {
  readonly job: string;
  /** Whether it goes on. */
  readonly isRunning: boolean;
}

/** The log of a job, as long as somebody looks. */
export function createLog(
  engine: Engine,
  of: ReadonlySignal<LogOf | undefined>,
  pace: Omit<Pace<LogText>, 'goesOn'>,
): Polled<LogText> {
  let kept: LogText | undefined;
  const job = computed(() => of.value?.job);
  const polled = poll(
    job,
    async (wanted, signal) => {
      let log = kept?.job === wanted ? kept : { job: wanted, text: '', next: 0, isCut: false };
      for (let part = 0; part < MOST_PARTS; part++) {
        const { result } = await engine.call(
          'run_log',
          { job: wanted, from: log.next },
          { signal },
        );
        if (result.text === '') break;
        log = withPart(log, result);
      }
      kept = log;
      return log;
    },
    { ...pace, goesOn: () => of.peek()?.isRunning === true },
  );
  // What was written last comes with the end.
  const isRunning = computed(() => of.value?.isRunning);
  let before: boolean | undefined;
  const stop = isRunning.subscribe((now) => {
    if (before === true && now === false) polled.again();
    if (before === false && now === true) polled.again();
    before = now;
  });
  return {
    ...polled,
    dispose() {
      stop();
      polled.dispose();
    },
  };
}
