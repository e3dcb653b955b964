import { serveEngine } from './worker.ts';

serveEngine(self as unknown as DedicatedWorkerGlobalScope);
