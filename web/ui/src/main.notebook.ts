import { notebookHost } from './host/notebook.ts';
import { start } from './host/start.tsx';

start(notebookHost(window));
