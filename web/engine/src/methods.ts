import type { Replies, Request } from './generated/protocol.ts';

/** A method's name. */
export type Method = Request['method'];

/** A method's parameters. */
export type Params<M extends Method> = Extract<Request, { method: M }>['params'];

/** What a method answers; `columns` are views into the frame's bytes, not copies. */
export interface Answer<M extends Method> {
  readonly result: Replies[M]['result'];
  readonly columns: Replies[M]['columns'];
}
