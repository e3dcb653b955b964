import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import type { App } from '../state/app.ts';
import type { PythonHost } from '../state/python/host.ts';
import { useApp } from '../state/services.ts';

/** Whether there is something that scripts work on. */
export function hasPython(app: App): boolean {
  const status = app.documents.status.value;
  return (
    app.host.python !== undefined &&
    status.kind === 'ready' &&
    status.shows === 'profile' &&
    app.runs.place.value === undefined
  );
}

interface Loaded {
  readonly PythonPane: FunctionComponent<{ readonly host: PythonHost }>;
  readonly host: PythonHost;
}

/** The pane of scripts, which is loaded when it is opened. */
export function PythonDrawer() {
  const app = useApp();
  const loaded = useSignal<Loaded | undefined>(undefined);
  useEffect(() => {
    const parts = [import('../views/python/PythonPane.tsx'), app.host.python?.()] as const;
    Promise.all(parts).then(([{ PythonPane }, host]) => {
      if (host !== undefined) loaded.value = { PythonPane, host };
    }, app.notices.fail);
    // Who closes it goes on where it was opened.
    return () => document.querySelector<HTMLElement>('.python-toggle')?.focus();
  }, []);
  if (loaded.value === undefined) return null;
  const { PythonPane, host } = loaded.value;
  return <PythonPane host={host} />;
}
