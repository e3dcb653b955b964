import type { Work } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { shownPage } from '../documents/pages.ts';
import type { App } from '../state/app.ts';
import { useCommands } from '../state/commands.ts';
import { chosenTree, droppedTree } from '../state/dropped.ts';
import { useApp, useServices } from '../state/services.ts';
import { anyStopped, askAgain } from '../state/stopped.ts';
import { shortenName } from '../text/names.ts';
import { formatBytes, formatInteger } from '../text/units.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import { lazy } from '../widgets/lazy.tsx';
import { ProgressBar } from '../widgets/ProgressBar.tsx';
import { Header } from './Header.tsx';
import { hasPython, PythonDrawer } from './PythonDrawer.tsx';
import { FailedPage, LoadingPage, WelcomePage } from './pages.tsx';

// What is not in the first picture is loaded when it is shown.
const InstructionSheet = lazy(
  async () => (await import('../views/instructions/InstructionSheet.tsx')).InstructionSheet,
);
const SourceSheet = lazy(async () => (await import('../views/source/SourceSheet.tsx')).SourceSheet);
const AboutDialog = lazy(async () => (await import('./AboutDialog.tsx')).AboutDialog);
const KeySheet = lazy(async () => (await import('./KeySheet.tsx')).KeySheet);
const OpenAsDialog = lazy(async () => (await import('./OpenAsDialog.tsx')).OpenAsDialog);
const ReportDialog = lazy(async () => (await import('./ReportDialog.tsx')).ReportDialog);
const TogetherDialog = lazy(async () => (await import('./TogetherDialog.tsx')).TogetherDialog);

/** The page: one frame around whatever is open. */
export function Shell() {
  const { app, commands } = useServices();
  const picker = useRef<HTMLInputElement>(null);
  const folderPicker = useRef<HTMLInputElement>(null);
  const open = () => picker.current?.click();
  const openFolder = () => folderPicker.current?.click();
  const page = shownPage(app);

  useCommands(commands, () => undefined, {
    ...page?.commands(app),
    toggle_details() {
      app.detailsOpen.value = !app.detailsOpen.peek();
    },
    ...(hasPython(app) && {
      toggle_python() {
        app.pythonOpen.value = !app.pythonOpen.peek();
      },
    }),
    show_keys() {
      app.overlay.value = 'keys';
    },
    open_file: open,
    open_as() {
      app.overlay.value = 'open_as';
    },
    ...(app.runs.isAllowed.value === true && {
      open_run: () => app.runs.go({ page: 'new', upload: undefined }),
      open_kept: () => app.runs.go({ page: 'kept' }),
      open_queue: () => app.runs.go({ page: 'queue' }),
    }),
  });

  const close = () => {
    app.overlay.value = undefined;
  };
  return (
    <div
      class={[
        'shell',
        app.connection.value === 'lost' ? 'stale' : '',
        app.toolsOpen.value ? 'tools-open' : '',
      ].join(' ')}
    >
      <Header onOpen={open} />
      {page === undefined ? <div /> : <page.Bar />}
      {page === undefined ? <Waiting onOpen={open} onFolder={openFolder} /> : <page.Main />}
      {hasPython(app) && app.pythonOpen.value && <PythonDrawer />}
      {page === undefined ? <footer class="status" /> : <page.Status />}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Open files"
        onChange={(event) => {
          void app.upload.send([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      {app.engine.readsFiles && (
        <input
          ref={folderPicker}
          type="file"
          {...{ webkitdirectory: true }}
          hidden
          aria-label="Open a folder"
          onChange={(event) => {
            const files = chosenTree(event.currentTarget.files ?? []);
            event.currentTarget.value = '';
            app.upload.sendTree(files).catch(app.notices.fail);
          }}
        />
      )}
      <DropTarget />
      <Banners />
      {app.overlay.value === 'keys' && <KeySheet onClose={close} />}
      {page !== undefined && <page.Dialogs />}
      {page !== undefined && app.view.value.source !== undefined && <SourceSheet />}
      {app.overlay.value === 'instructions' && <InstructionSheet onClose={close} />}
      {app.overlay.value === 'open_as' && <OpenAsDialog onClose={close} />}
      {app.overlay.value === 'report' && <ReportDialog onClose={close} />}
      {app.overlay.value === 'about' && <AboutDialog onClose={close} />}
      {app.overlay.value === 'together' && <TogetherDialog onClose={close} />}
      {app.overlay.value === 'warnings' && <Warnings onClose={close} />}
    </div>
  );
}

/** What stands where no document is ready. */
function Waiting(props: { onOpen(): void; onFolder(): void }) {
  const app = useApp();
  const status = app.documents.status.value;
  switch (status.kind) {
    case 'none':
      return app.documents.list.value !== undefined ? (
        <WelcomePage {...props} />
      ) : (
        <main class="message" />
      );
    case 'loading':
      return (
        <LoadingPage
          key={status.title}
          title={status.title}
          progress={status.progress}
          onCancel={() => {
            const shown = app.view.value.document ?? app.documents.list.value?.[0]?.document;
            if (shown !== undefined) app.documents.close(shown).catch(app.notices.fail);
          }}
        />
      );
    case 'failed':
      return <FailedPage status={status} onOpen={props.onOpen} />;
    case 'ready':
      return <main class="message" />;
  }
}

/** Takes files that are dropped anywhere on the page. */
function DropTarget() {
  const app = useApp();
  const over = useSignal(false);
  const takesPrograms = () =>
    app.runs.isAllowed.peek() === true && app.runs.place.peek() !== undefined;
  const takesSources = () =>
    app.view.peek().source !== undefined && !app.documents.opensSource.peek();
  useEffect(() => {
    const stop = new AbortController();
    const options = { signal: stop.signal };
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        over.value = true;
      },
      options,
    );
    addEventListener(
      'dragleave',
      (event) => {
        if (event.relatedTarget === null) over.value = false;
      },
      options,
    );
    addEventListener(
      'drop',
      (event) => {
        over.value = false;
        if (event.dataTransfer === null || !hasFiles(event)) return;
        event.preventDefault();
        const { dataTransfer } = event;
        const taken = droppedTree(dataTransfer).then((files) => {
          if (takesPrograms()) return app.runs.fresh.take(files);
          // What is dropped on a source that is not there is where it is.
          if (takesSources()) return app.source.folder.choose(files);
          return app.upload.sendTree(files);
        });
        taken.catch(app.notices.fail);
      },
      options,
    );
    return () => stop.abort();
  }, []);
  if (!over.value) return null;
  return <div class="drop">{takesPrograms() ? 'Drop to run' : 'Drop to open'}</div>;
}

/** A slow reader's time for a letter. */
const READING_MS = 90;

function Banners() {
  const app = useApp();
  const upload = app.upload.status.value;
  const notice = app.notices.notice.value;
  const work = app.work.value;
  useEffect(() => {
    if (notice === undefined) return undefined;
    const timer = setTimeout(
      () => {
        app.notices.notice.value = undefined;
      },
      Math.max(4000, notice.length * READING_MS),
    );
    return () => clearTimeout(timer);
  }, [notice]);
  if (app.connection.value === 'lost') {
    return (
      <div class="banner" role="status">
        <span>{lostText(app)}</span>
        <button type="button" onClick={() => app.engine.connect()}>
          Reconnect
        </button>
      </div>
    );
  }
  const standing = app.notices.standing.value;
  if (standing !== undefined) {
    return (
      <div class="banner" role="alert">
        <span class="told">{standing}</span>
        <button
          type="button"
          aria-label="Dismiss"
          onClick={() => {
            app.notices.standing.value = undefined;
          }}
        >
          ×
        </button>
      </div>
    );
  }
  const newer = app.runs.results.newer.value;
  if (newer !== undefined && app.runs.place.value === undefined) {
    return (
      <div class="banner" role="status">
        <span>More runs have ended.</span>
        <button type="button" onClick={() => app.runs.results.open(newer).catch(app.notices.fail)}>
          Show the newer result
        </button>
      </div>
    );
  }
  const offer = app.graph.offer.value;
  if (offer !== undefined && upload.kind === 'idle') {
    const settle = (run: () => void) => () => {
      app.graph.offer.value = undefined;
      run();
    };
    return (
      <div class="banner" role="status">
        <span>{offer.title} is open.</span>
        <button
          type="button"
          onClick={settle(() => {
            app.graph.layOver(offer.document).catch(app.notices.fail);
          })}
        >
          Lay over the graph
        </button>
        <button type="button" onClick={settle(() => app.documents.open(offer.document))}>
          Show on its own
        </button>
        <button type="button" aria-label="Leave it" onClick={settle(() => {})}>
          ×
        </button>
      </div>
    );
  }
  switch (upload.kind) {
    case 'sending':
      return (
        <div class="banner" role="status">
          <span>Reading {shortenName(upload.name, 40)}</span>
          <ProgressBar done={upload.sent} total={upload.total} />
          <span class="mute number">
            {formatBytes(upload.sent)} of {formatBytes(upload.total)}
          </span>
          <button type="button" onClick={() => app.upload.cancel()}>
            Cancel
          </button>
        </div>
      );
    case 'failed': {
      const { document } = upload;
      return (
        <div class="banner" role="alert">
          <span class="told">
            <b>{shortenName(upload.name, 40)}</b> cannot be shown: {upload.message}. {upload.hint}
          </span>
          {document !== undefined && (
            <button
              type="button"
              onClick={() => {
                app.upload.dismiss();
                app.documents.open(document);
                app.overlay.value = 'open_as';
              }}
            >
              Open as…
            </button>
          )}
          <button
            type="button"
            onClick={() => {
              app.upload.dismiss();
              if (document !== undefined) app.documents.close(document).catch(app.notices.fail);
            }}
          >
            Close
          </button>
        </div>
      );
    }
    case 'idle':
      if (work !== undefined) return <WorkBanner work={work} />;
      if (anyStopped.value) {
        return (
          <div class="banner" role="status">
            <span>Stopped. The view may be outdated.</span>
            <button type="button" onClick={askAgain}>
              Ask again
            </button>
          </div>
        );
      }
      return notice === undefined ? null : (
        <div class="banner" role="status">
          {notice}
        </div>
      );
  }
}

/** What is known of an engine that does not answer, and what happens next. */
function lostText(app: App): string {
  if (app.refused.value) {
    return 'Another Hotframe serves here now: open the address that it printed.';
  }
  const next =
    app.host.editor === undefined
      ? 'Restart it with the same --port to resume.'
      : 'The editor starts it again.';
  return `Disconnected: Hotframe has stopped or cannot be reached. ${next}`;
}

/** What takes long, with how to stop it. */
function WorkBanner(props: { work: Work }) {
  const app = useApp();
  const { progress } = props.work;
  const { phase } = progress;
  return (
    <div class="banner" role="status">
      <span>{phase.charAt(0).toUpperCase() + phase.slice(1)}</span>
      <ProgressBar done={progress.done} total={progress.total} />
      <button type="button" onClick={() => app.engine.stop()}>
        Stop
      </button>
    </div>
  );
}

function Warnings(props: { onClose(): void }) {
  const app = useApp();
  const warnings = shownPage(app)?.warnings(app) ?? [];
  return (
    <Dialog title="Warnings" onClose={props.onClose}>
      <p class="mute">The file was read; this was repaired or left out on the way.</p>
      <ul class="warnings">
        {warnings.map(({ message, count }) => (
          <li key={message}>
            {message}
            {count > 1 && <span class="mute"> ({formatInteger(count)} times)</span>}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
