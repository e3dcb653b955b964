import { keepOffline } from './host/offline.ts';
import { start } from './host/start.tsx';
import { staticHost } from './host/static.ts';

start(staticHost(window));
keepOffline(window);
