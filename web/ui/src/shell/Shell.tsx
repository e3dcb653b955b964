import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { App } from '../state/app.ts';
import { type Handlers, useCommands } from '../state/commands.ts';
import { shownView } from '../state/linked.ts';
import { useApp, useServices } from '../state/services.ts';
import { formatBytes, formatInteger } from '../text/units.ts';
import { DetailsPanel } from '../views/details/DetailsPanel.tsx';
import type { FlameController } from '../views/flame/controller.ts';
import type { FlameProps } from '../views/flame/FlameView.tsx';
import { FlameView } from '../views/flame/FlameView.tsx';
import { GraphBar } from '../views/graph/GraphBar.tsx';
import { GraphView } from '../views/graph/GraphView.tsx';
import { LinkedView } from '../views/linked/LinkedView.tsx';
import { SandwichView } from '../views/sandwich/SandwichView.tsx';
import { TableView } from '../views/table/TableView.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { ProgressBar } from '../widgets/ProgressBar.tsx';
import { Bar } from './Bar.tsx';
import { FormulaDialog } from './FormulaDialog.tsx';
import { Header } from './Header.tsx';
import { KeySheet } from './KeySheet.tsx';
import { OpenAsDialog } from './OpenAsDialog.tsx';
import { FailedPage, LoadingPage, WelcomePage } from './pages.tsx';
import { Status } from './Status.tsx';

/** The page: one frame around whatever is open. */
export function Shell() {
  const { app, commands } = useServices();
  const picker = useRef<HTMLInputElement>(null);
  const flame = useSignal<FlameController | undefined>(undefined);
  const open = () => picker.current?.click();
  const status = app.status.value;
  const view = shownView(app);

  useCommands(commands, () => undefined, {
    ...(status.kind === 'graph' ? graphCommands(app) : profileCommands(app)),
    toggle_details() {
      app.detailsOpen.value = !app.detailsOpen.peek();
    },
    show_keys() {
      app.overlay.value = 'keys';
    },
    open_file: open,
    open_as() {
      app.overlay.value = 'open_as';
    },
  });

  const close = () => {
    app.overlay.value = undefined;
  };
  return (
    <div class="shell">
      <Header onOpen={open} />
      {status.kind === 'ready' ? (
        <Bar flame={flame.value} />
      ) : status.kind === 'graph' ? (
        <GraphBar />
      ) : (
        <div />
      )}
      <Main
        view={view}
        onOpen={open}
        onFlame={(controller) => {
          flame.value = controller;
        }}
      />
      <Status />
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
      <DropTarget />
      <Banners />
      {app.overlay.value === 'keys' && <KeySheet onClose={close} />}
      {app.overlay.value === 'formula' && <FormulaDialog onClose={close} />}
      {app.overlay.value === 'open_as' && <OpenAsDialog onClose={close} />}
      {app.overlay.value === 'warnings' && <Warnings onClose={close} />}
    </div>
  );
}

/** Keys of the page while it shows a profile. */
function profileCommands(app: App): Handlers {
  return {
    shape_top_down: () => app.setShape('top_down'),
    shape_bottom_up: () => app.setShape('bottom_up'),
    shape_flat: () => app.setShape('flat'),
    view_flame: () => app.update({ view: 'flame' }, 'push'),
    view_table: () => app.update({ view: 'table' }, 'push'),
    view_both: () => app.update({ view: 'both' }, 'push'),
    view_sandwich: () => app.update({ view: 'sandwich' }, 'push'),
    view_linked() {
      if ((app.summary.peek()?.roles.length ?? 0) > 0) app.update({ view: 'linked' }, 'push');
      else app.notice.value = 'The samples of this profile join no contexts.';
    },
    next_metric() {
      const count = app.summary.peek()?.metrics.length ?? 1;
      app.setMetric((app.metric.peek() + 1) % count);
    },
    toggle_recursion: () => app.update({ collapse: !app.view.peek().collapse }, 'push'),
    add_filter() {
      app.overlay.value = 'filter';
    },
    define_metric() {
      app.overlay.value = 'formula';
    },
  };
}

/** Keys of the page while it shows a dataflow graph. */
function graphCommands(app: App): Handlers {
  const { graph } = app;
  const depth = () => graph.scene.peek()?.drawing.result.depth ?? 1;
  const deepest = () => (graph.summary.peek()?.depth ?? 1) + 1;
  return {
    toggle_outline() {
      graph.outlineOpen.value = !graph.outlineOpen.peek();
    },
    fold_level: () => graph.setDepth(Math.max(1, depth() - 1)),
    unfold_level: () => graph.setDepth(Math.min(deepest(), depth() + 1)),
    fold_all: () => graph.setDepth(1),
    unfold_all: () => graph.setDepth(deepest()),
  };
}

function Main(props: {
  readonly view: string;
  onOpen(): void;
  onFlame(controller: FlameController | undefined): void;
}) {
  const app = useApp();
  const status = app.status.value;
  switch (status.kind) {
    case 'none':
      return app.documents.value !== undefined ? (
        <WelcomePage onOpen={props.onOpen} />
      ) : (
        <div class="message" />
      );
    case 'loading':
      return (
        <LoadingPage
          key={status.title}
          title={status.title}
          progress={status.progress}
          onCancel={() => {
            const shown = app.view.value.document ?? app.documents.value?.[0]?.document;
            if (shown !== undefined) app.closeDocument(shown).catch(app.fail);
          }}
        />
      );
    case 'failed':
      return <FailedPage status={status} onOpen={props.onOpen} />;
    case 'graph':
      return <GraphView />;
    case 'ready':
      return status.summary.points === 0 ? (
        <div class="message">
          <h2>This profile is empty</h2>
          <p>{status.summary.title} was read without a problem, but it has no samples.</p>
        </div>
      ) : (
        <Views view={props.view} onFlame={props.onFlame} />
      );
  }
}

function Views(props: {
  readonly view: string;
  onFlame(controller: FlameController | undefined): void;
}) {
  const app = useApp();
  const spec = app.spec.value;
  if (spec === undefined) return null;
  const { zoom, search } = app.view.value;
  const colour = app.colour.value;
  const flame: FlameProps = {
    label: 'Flame graph',
    spec,
    zoom,
    search,
    colour,
    main: true,
    minimap: true,
    setZoom: (next, step) => app.update({ zoom: next }, step),
    onController: props.onFlame,
  };
  const { view } = props;
  return (
    <main class={app.detailsOpen.value ? 'main with-details' : 'main'}>
      <div class={view === 'both' ? 'views both' : 'views'}>
        {(view === 'flame' || view === 'both') && <FlameView {...flame} />}
        {(view === 'table' || view === 'both') && <TableView />}
        {view === 'sandwich' && <SandwichView />}
        {view === 'linked' && <LinkedView />}
      </div>
      {app.detailsOpen.value && <DetailsPanel />}
    </main>
  );
}

/** Takes files that are dropped anywhere on the page. */
function DropTarget() {
  const app = useApp();
  const over = useSignal(false);
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
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length === 0) return;
        event.preventDefault();
        void app.upload.send(files);
      },
      options,
    );
    return () => stop.abort();
  }, []);
  return over.value ? <div class="drop">Drop to open</div> : null;
}

function Banners() {
  const app = useApp();
  const upload = app.upload.status.value;
  const notice = app.notice.value;
  useEffect(() => {
    if (notice === undefined) return undefined;
    const timer = setTimeout(() => {
      app.notice.value = undefined;
    }, 4000);
    return () => clearTimeout(timer);
  }, [notice]);
  if (app.connection.value === 'lost') {
    return (
      <div class="banner" role="status">
        Hotframe has stopped or is out of reach; what you see stays as it is.
        {app.host.editor !== undefined && ' The editor starts it again.'}
        <button type="button" onClick={() => app.engine.connect()}>
          Reconnect
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
            app.graph.layOver(offer.document).catch(app.fail);
          })}
        >
          Lay over the graph
        </button>
        <button type="button" onClick={settle(() => app.openDocument(offer.document))}>
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
          <span>Reading {upload.name}</span>
          <ProgressBar done={upload.sent} total={upload.total} />
          <span class="mute number">
            {formatBytes(upload.sent)} of {formatBytes(upload.total)}
          </span>
          <button type="button" onClick={() => app.upload.cancel()}>
            Cancel
          </button>
        </div>
      );
    case 'failed':
      return (
        <div class="banner" role="alert">
          <span>
            {upload.name}: {upload.message} {upload.hint}
          </span>
          <button type="button" onClick={() => app.upload.dismiss()}>
            Close
          </button>
        </div>
      );
    case 'idle':
      return notice === undefined ? null : (
        <div class="banner" role="status">
          {notice}
        </div>
      );
  }
}

function Warnings(props: { onClose(): void }) {
  const app = useApp();
  const warnings = (app.summary.value ?? app.graph.summary.value)?.warnings ?? [];
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
