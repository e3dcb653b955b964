import { shownPage } from '../documents/pages.ts';
import type { App } from '../state/app.ts';
import { type MenuItem, useCommands } from '../state/commands.ts';
import { canReport } from '../state/report.ts';
import { useServices } from '../state/services.ts';
import { nextTheme, THEMES } from '../state/theme.ts';
import { MenuButton } from '../widgets/Menu.tsx';
import { hasPython } from './PythonDrawer.tsx';

/** What is open, and what every page has: export, theme, keys. */
export function Header(props: { onOpen(): void }) {
  const { app, commands } = useServices();
  const page = shownPage(app);
  const status = app.documents.status.value;
  const isRuns = app.runs.place.value !== undefined;
  useCommands(commands, () => undefined, {
    next_theme() {
      if (app.host.theme !== undefined) return;
      app.theme.choice.value = nextTheme(app.theme.choice.value);
    },
  });
  return (
    <header class="header">
      {app.host.editor === undefined && (
        <span class="logo">
          hot<i>frame</i>
        </span>
      )}
      {page !== undefined && !isRuns && status.kind !== 'none' && (
        <h1 class="hidden-visually">{status.title}</h1>
      )}
      <DocumentPicker onOpen={props.onOpen} />
      {page !== undefined && <page.Controls />}
      <span class="grow" />
      {page !== undefined && <NarrowTools />}
      <div class="secondary">
        {app.runs.isAllowed.value === true && (
          <button
            type="button"
            class={isRuns ? 'plain on' : 'plain'}
            aria-current={isRuns ? 'page' : undefined}
            title="Run a program, isolated, and measure it (R)"
            onClick={() => app.runs.go({ page: 'new', upload: undefined })}
          >
            Run
          </button>
        )}
        {hasPython(app) && (
          <button
            type="button"
            class={app.pythonOpen.value ? 'plain on python-toggle' : 'plain python-toggle'}
            aria-pressed={app.pythonOpen.value}
            title="Scripts over this profile (Shift+P)"
            onClick={() => {
              app.pythonOpen.value = !app.pythonOpen.peek();
            }}
          >
            Python
          </button>
        )}
        {page !== undefined && !isRuns && (
          <MenuButton label="Export" items={[...page.exports(app), ...reportItems(app)]}>
            Export
          </MenuButton>
        )}
        {app.host.theme === undefined && (
          <MenuButton
            label="Theme"
            title="Theme"
            items={THEMES.map(({ value, label, title }) => ({
              label,
              title,
              checked: app.theme.choice.value === value,
              run: () => {
                app.theme.choice.value = value;
              },
            }))}
          >
            ◐
          </MenuButton>
        )}
        <button
          type="button"
          class="plain"
          aria-label="Keyboard"
          title="Keys (?)"
          onClick={() => {
            app.overlay.value = 'keys';
          }}
        >
          ?
        </button>
      </div>
    </header>
  );
}

/** What makes a report of what is shown, or tells of this one. */
function reportItems(app: App): readonly MenuItem[] {
  const { report } = app.host;
  if (report !== undefined) {
    // Who only opens a file so has nothing to say.
    if (report.contains.length === 0) return [];
    return [
      {
        label: 'About this report…',
        title: 'What this report contains, and its note',
        apart: true,
        run: () => {
          app.overlay.value = 'about';
        },
      },
    ];
  }
  return canReport(app)
    ? [
        {
          label: 'Report as one page…',
          title: 'Viewer, data and this view in one file, which opens from a mail or a ticket',
          apart: true,
          run: () => {
            app.overlay.value = 'report';
          },
        },
      ]
    : [];
}

/** What a narrow window has in its one row of tools: the panel, and the way to all others. */
function NarrowTools() {
  const { app } = useServices();
  const { detailsOpen, toolsOpen } = app;
  return (
    <div class="narrow-tools">
      {app.runs.place.value === undefined && (
        <button
          type="button"
          class={detailsOpen.value ? 'plain on' : 'plain'}
          aria-label="Details"
          aria-pressed={detailsOpen.value}
          onClick={() => {
            detailsOpen.value = !detailsOpen.value;
          }}
        >
          <i class="about">i</i>
        </button>
      )}
      <button
        type="button"
        class={toolsOpen.value ? 'plain on' : 'plain'}
        aria-label="More tools"
        aria-expanded={toolsOpen.value}
        onClick={() => {
          toolsOpen.value = !toolsOpen.value;
        }}
      >
        ⋯
      </button>
    </div>
  );
}

function DocumentPicker(props: { onOpen(): void }) {
  const { app } = useServices();
  const documents = app.documents.list.value ?? [];
  const status = app.documents.status.value;
  if (status.kind === 'none') {
    // In an editor there is always a file, which is on its way.
    if (app.host.editor !== undefined) return null;
    return (
      <button type="button" class="plain" onClick={props.onOpen}>
        Open…
      </button>
    );
  }
  const { title } = status;
  const shown = app.view.value.document ?? documents[0]?.document;
  const others = documents.filter(
    ({ document, state }) => document !== shown && state.kind !== 'failed',
  );
  return (
    <MenuButton
      label={`Document ${title}`}
      class="plain file"
      items={[
        ...documents.map((info) => ({
          label: info.state.kind === 'failed' ? `${info.title} (unreadable)` : info.title,
          checked: info.document === shown,
          run: () => app.documents.open(info.document),
        })),
        ...(shownPage(app)?.together(app, others) ?? []),
        // In an editor files are opened and closed there.
        ...(app.host.editor !== undefined
          ? []
          : [
              { label: 'Open…', key: 'Ctrl+o', apart: true, run: props.onOpen },
              {
                label: 'Open as…',
                key: 'O',
                title: 'Open a file whose format is not recognised',
                run: () => {
                  app.overlay.value = 'open_as';
                },
              },
              // What an editor has loaded is closed there.
              ...(app.documents.opensSource.value
                ? []
                : [
                    {
                      label: 'Close this one',
                      run: () => {
                        if (shown !== undefined) app.documents.close(shown).catch(app.notices.fail);
                      },
                    },
                  ]),
            ]),
      ]}
    >
      <span class="title">{title}</span>{' '}
      <span class="caret" aria-hidden="true">
        ▾
      </span>
    </MenuButton>
  );
}
