import type { FromScripts, Stream } from './messages.ts';

/** Characters that go to the page at once. */
const FREELY = 2 ** 20;
/** Characters that are kept of what comes after these until they can be told. */
const TAIL = 2 ** 15;
/** Milliseconds between what is told of a script that writes more. */
const PAUSE_MS = 250;

type Told = Extract<FromScripts, { kind: 'written' | 'dropped' }>;

/**
 * Tells the page what a script writes. A script that does not end sends faster than a page shows, and
 * cannot be asked to wait: beyond what is of use only the last of it is told, now and then, with how
 * much was left out.
 */
export class OutputGate {
  readonly #tell: (message: Told) => void;
  readonly #now: () => number;
  #sent = 0;
  #last = Number.NEGATIVE_INFINITY;
  #waiting: { stream: Stream; text: string }[] = [];
  #held = 0;
  #dropped = 0;

  constructor(tell: (message: Told) => void, now: () => number) {
    this.#tell = tell;
    this.#now = now;
  }

  write(stream: Stream, text: string): void {
    if (text === '') return;
    if (this.#sent + text.length <= FREELY) {
      this.#sent += text.length;
      this.#tell({ kind: 'written', stream, text });
      return;
    }
    this.#sent = FREELY;
    this.#hold(stream, text);
    if (this.#now() - this.#last >= PAUSE_MS) this.flush();
  }

  /** Tells what is held back; the script ended, or has written for a while. */
  flush(): void {
    this.#last = this.#now();
    if (this.#dropped > 0) this.#tell({ kind: 'dropped', characters: this.#dropped });
    for (const { stream, text } of this.#waiting) this.#tell({ kind: 'written', stream, text });
    this.#waiting = [];
    this.#held = 0;
    this.#dropped = 0;
  }

  /** Another script begins. */
  reset(): void {
    this.#waiting = [];
    this.#held = 0;
    this.#dropped = 0;
    this.#sent = 0;
    this.#last = Number.NEGATIVE_INFINITY;
  }

  #hold(stream: Stream, text: string): void {
    const kept = text.slice(-TAIL);
    this.#dropped += text.length - kept.length;
    const last = this.#waiting.at(-1);
    if (last?.stream === stream) last.text += kept;
    else this.#waiting.push({ stream, text: kept });
    this.#held += kept.length;
    while (this.#held > TAIL) {
      const first = this.#waiting[0];
      if (first === undefined) return;
      const over = Math.min(first.text.length, this.#held - TAIL);
      first.text = first.text.slice(over);
      if (first.text === '') this.#waiting.shift();
      this.#held -= over;
      this.#dropped += over;
    }
  }
}
