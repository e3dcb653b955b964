import { type Connection, Engine } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Host } from './host.ts';

/** The engine, and whether it can be reached. */
export interface Connected {
  readonly engine: Engine;
  readonly connection: ReadonlySignal<Connection>;
  /** Counts connections, so that everything is asked for again after a new one. */
  readonly epoch: ReadonlySignal<number>;
}

/** An engine that is not connected yet. */
export function createConnection(host: Pick<Host, 'connect'>): Connected {
  const connection = signal<Connection>('connecting');
  const epoch = signal(0);
  const engine = new Engine(host.connect, (state) => {
    connection.value = state;
    if (state === 'open') epoch.value++;
  });
  return { engine, connection, epoch };
}
