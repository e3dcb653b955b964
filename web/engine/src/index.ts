export type { ColumnData, ColumnSet, Frame } from './codec.ts';
export { decodeFrame, encodeFrame, FrameError } from './codec.ts';
export type { CallOptions, Connection, Work } from './engine.ts';
export { Engine, EngineError, isCancelled } from './engine.ts';
export type * from './generated/protocol.ts';
export {
  BoxFlag,
  CHANGE_TAGS,
  EDITOR_CHANGED,
  EDITOR_LOCATE,
  EdgeFlag,
  FlameFlag,
  GRAPH_KINDS,
} from './generated/protocol.ts';
export { type LongestEnd, longestEnd } from './longest-end.ts';
export { partsOf, renumbered } from './made-by.ts';
export type { Answer, Method, Params } from './methods.ts';
export type {
  FromScripts,
  Handed,
  HandedProfile,
  PythonParts,
  ScriptError,
  Stream,
  ToScripts,
} from './python/messages.ts';
export type { Connect, Given, Transport, TransportEvents } from './transport.ts';
export { socketTransport } from './transports/socket.ts';
export type {
  FromOwnEngine,
  MeasuredLine,
  MeasuredLines,
  ToOwnEngine,
} from './transports/own-engine.ts';
export type {
  ComparedDocuments,
  FromPage,
  PanelState,
  ToPage,
  WebviewApi,
} from './transports/webview.ts';
export { webviewTransport } from './transports/webview.ts';
export type { EngineWorker, First, WorkerOptions } from './transports/worker.ts';
export { workerTransport } from './transports/worker.ts';
