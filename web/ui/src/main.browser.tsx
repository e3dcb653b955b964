import { socketTransport } from '@hotframe/engine';
import { render } from 'preact';
import './theme/tokens.css';
import './theme/app.css';
import { Shell } from './shell/Shell.tsx';
import { createApp } from './state/app.ts';
import { createDispatcher } from './state/commands.ts';
import { ServicesProvider } from './state/services.ts';

const { protocol, host, search } = window.location;
const token = new URLSearchParams(search).get('token') ?? '';
const scheme = protocol === 'https:' ? 'wss:' : 'ws:';
const app = createApp(
  window,
  socketTransport(`${scheme}//${host}/socket?token=${encodeURIComponent(token)}`),
);
const root = document.getElementById('app');
if (root !== null) {
  render(
    <ServicesProvider value={{ app, commands: createDispatcher(window) }}>
      <Shell />
    </ServicesProvider>,
    root,
  );
}
