import { type Connection, Engine, type Work } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Host } from './host.ts';

/** The engine, and whether it can be reached. */
export interface Connected {
  readonly engine: Engine;
  readonly connection: ReadonlySignal<Connection>;
  /** Counts connections, so that everything is asked for again after a new one. */
  readonly epoch: ReadonlySignal<number>;
  /** What takes long at the moment, as far as the engine tells. */
  readonly work: ReadonlySignal<Work | undefined>;
}

/** An engine that is not connected yet. */
export function createConnection(host: Pick<Host, 'connect'>): Connected {
  const connection = signal<Connection>('connecting');
  const epoch = signal(0);
  const work = signal<Work | undefined>(undefined);
  const engine = new Engine(
    host.connect,
    (state) => {
      connection.value = state;
      if (state === 'open') epoch.value++;
    },
    (now) => {
      work.value = now;
    },
  );
  return { engine, connection, epoch, work };
}
