/** What a transport tells its owner. */
export interface TransportEvents {
  /** Frames can be sent from now on. */
  opened(): void;
  /** One frame has come. */
  message(bytes: ArrayBuffer): void;
  /** Nothing will come any more, because the other side is gone or never was there. */
  closed(): void;
}

/** A file that the page holds, as an engine in the page can take it. */
export interface Given {
  /** Its path below the folder that is opened; undefined for a file by itself. */
  readonly path: string | undefined;
  readonly file: Blob;
}

/** Carries frames to an engine and back. */
export interface Transport {
  send(bytes: Uint8Array<ArrayBuffer>): void;
  /**
   * Hands over what the upload of that number opens, where the engine reads files itself: that
   * upload then brings no bytes.
   */
  readonly hand?: ((upload: number, files: readonly Given[]) => void) | undefined;
  close(): void;
}

/** Starts a transport; sending before `opened` queues. */
export type Connect = (events: TransportEvents) => Transport;
