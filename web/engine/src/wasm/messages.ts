import type { Given } from '../transport.ts';

/** What the page sends to the worker of an engine; each is answered by `done` or `fault`. */
export type ToWorker =
  | { readonly kind: 'start'; readonly module: WebAssembly.Module; readonly id: string }
  | {
      readonly kind: 'hand';
      readonly upload: number;
      readonly files: readonly Given[];
      /** Why they must not be read. */
      readonly refused: string | undefined;
    }
  | { readonly kind: 'frame'; readonly bytes: ArrayBuffer };

/** What the worker sends to the page. */
export type FromWorker =
  | { readonly kind: 'frame'; readonly bytes: ArrayBuffer }
  | { readonly kind: 'done' }
  /** The engine is gone; `message` is empty where it had no words for it. */
  | { readonly kind: 'fault'; readonly message: string; readonly trap: string };
