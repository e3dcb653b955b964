import { isCancelled } from '@hotframe/engine';
import { type Signal, signal } from '@preact/signals';
import { asEngineError } from './resource.ts';

/** What the page says about something that just happened. */
export interface Notices {
  /** One line; goes away by itself. */
  readonly notice: Signal<string | undefined>;
  /** What is to be known until somebody puts it out of sight. */
  readonly standing: Signal<string | undefined>;
  /** Says what is wrong, unless nobody waits for it any more or the connection says it. */
  fail(error: unknown): void;
}

export function createNotices(): Notices {
  const notice = signal<string | undefined>(undefined);
  return {
    notice,
    standing: signal<string | undefined>(undefined),
    fail(error) {
      if (isCancelled(error)) return;
      const { message, hint, code } = asEngineError(error);
      if (code !== 'disconnected') notice.value = hint === '' ? message : `${message} ${hint}`;
    },
  };
}
