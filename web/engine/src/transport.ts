/** What a transport tells its owner. */
export interface TransportEvents {
  /** Frames can be sent from now on. */
  opened(): void;
  /** One frame has come. */
  message(bytes: ArrayBuffer): void;
  /** Nothing will come any more, because the other side is gone or never was there. */
  closed(): void;
}

/** Carries frames to an engine and back. */
export interface Transport {
  send(bytes: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

/** Starts a transport; sending before `opened` queues. */
export type Connect = (events: TransportEvents) => Transport;
