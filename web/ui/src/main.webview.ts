import type { WebviewApi } from '@hotframe/engine';
import { start } from './host/start.tsx';
import { webviewHost } from './host/webview.ts';
import './theme/editor.css';

declare function acquireVsCodeApi(): WebviewApi;

document.documentElement.dataset.host = 'editor';
start(webviewHost(window, acquireVsCodeApi()));
