import { browserHost } from './host/browser.ts';
import { start } from './host/start.tsx';

start(browserHost(window));
