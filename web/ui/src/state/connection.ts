import { type Connection, Engine, type Work } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Host } from './host.ts';

/** The engine, and whether it can be reached. */
export interface Connected {
  readonly engine: Engine;
  /** After a loss it is lost until it is open again. */
  readonly connection: ReadonlySignal<Connection>;
  /** Whether what answers now does not know this page: another process with another token. */
  readonly refused: ReadonlySignal<boolean>;
  /** Counts connections, so that everything is asked for again after a new one. */
  readonly epoch: ReadonlySignal<number>;
  /** What takes long at the moment, as far as the engine tells. */
  readonly work: ReadonlySignal<Work | undefined>;
}

/** Soon, as a restart takes a second; then seldom, as nobody may be there for hours. */
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/** An engine that is not connected yet. In a browser it tries again when it was lost. */
export function createConnection(host: Pick<Host, 'connect' | 'editor' | 'admitted'>): Connected {
  const connection = signal<Connection>('connecting');
  const refused = signal(false);
  const epoch = signal(0);
  const work = signal<Work | undefined>(undefined);
  let delay = FIRST_RETRY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const retry = () => {
    // An editor starts its engine itself, and says when.
    if (host.editor !== undefined) return;
    clearTimeout(timer);
    timer = setTimeout(() => engine.connect(), delay);
    delay = Math.min(2 * delay, LAST_RETRY_MS);
    host.admitted().then((admitted) => {
      refused.value = !admitted;
    }, ignored);
  };
  const engine = new Engine(
    host.connect,
    (state) => {
      if (state !== 'connecting' || connection.peek() !== 'lost') connection.value = state;
      if (state === 'lost') retry();
      if (state !== 'open') return;
      delay = FIRST_RETRY_MS;
      refused.value = false;
      epoch.value++;
    },
    (now) => {
      work.value = now;
    },
  );
  return { engine, connection, refused, epoch, work };
}

/** Nobody is there who could refuse. */
function ignored(): void {}
