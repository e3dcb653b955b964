import type { FunctionRef } from '../generated/protocol.ts';
import type { Connect } from '../transport.ts';

/** The sides of a comparison. */
export interface ComparedDocuments {
  readonly base: readonly number[];
  readonly now: readonly number[];
}

/** What a page in an editor's panel tells the extension. */
export type FromPage =
  | { readonly kind: 'connect' }
  | { readonly kind: 'frame'; readonly bytes: ArrayBuffer }
  /** Another metric was chosen: its name or formula. */
  | { readonly kind: 'metric'; readonly name: string }
  /** Other documents are compared; with no base one is shown on its own. */
  | ({ readonly kind: 'compare' } & ComparedDocuments)
  /** A file for the person. */
  | { readonly kind: 'save'; readonly name: string; readonly bytes: ArrayBuffer }
  /** A part of what scripts need is wanted, by its name. */
  | { readonly kind: 'part'; readonly name: string };

/** What the extension tells the page. */
export type ToPage =
  /** The engine is there, and this is the document to show. */
  | { readonly kind: 'opened'; readonly document: number }
  | { readonly kind: 'frame'; readonly bytes: ArrayBuffer }
  | { readonly kind: 'closed' }
  /** The engine was started again: connect. */
  | { readonly kind: 'restarted' }
  /** Show another metric, by its name or formula. */
  | { readonly kind: 'metric'; readonly name: string }
  /** Compare other documents; with no base, show one on its own. */
  | ({ readonly kind: 'compare' } & ComparedDocuments)
  /** Show the frames of a function. */
  | { readonly kind: 'reveal'; readonly name: string; readonly function: FunctionRef }
  /** A part that was wanted, or why it cannot be had. */
  | {
      readonly kind: 'part';
      readonly name: string;
      readonly bytes: ArrayBuffer | undefined;
      readonly problem: string;
    };

/** What VS Code gives a page. */
export interface WebviewApi {
  postMessage(message: FromPage): void;
  getState(): PanelState | undefined;
  setState(state: PanelState): void;
}

/** What an editor keeps of a panel while it is out of sight or closed with the window. */
export interface PanelState {
  readonly view: string;
  /** Choices that are remembered, by name. */
  readonly kept?: Readonly<Record<string, string>>;
}

/** Frames as messages of a panel; the extension relays them to the engine's socket. */
export function webviewTransport(page: EventTarget, api: WebviewApi): Connect {
  return (events) => {
    const waiting: Uint8Array<ArrayBuffer>[] = [];
    const stop = new AbortController();
    let open = false;
    const post = (bytes: Uint8Array<ArrayBuffer>) =>
      api.postMessage({ kind: 'frame', bytes: bytes.slice().buffer });
    const close = () => {
      if (stop.signal.aborted) return;
      stop.abort();
      events.closed();
    };
    page.addEventListener(
      'message',
      (event) => {
        const { data } = event as MessageEvent<ToPage>;
        if (data.kind === 'opened') {
          open = true;
          for (const bytes of waiting.splice(0)) post(bytes);
          events.opened();
        } else if (data.kind === 'frame') events.message(data.bytes);
        else if (data.kind === 'closed') close();
      },
      { signal: stop.signal },
    );
    api.postMessage({ kind: 'connect' });
    return {
      send(bytes) {
        if (open) post(bytes);
        else waiting.push(bytes);
      },
      close,
    };
  };
}
