import { serveScripts } from './worker.ts';

serveScripts(self as unknown as DedicatedWorkerGlobalScope);
