import { useRef } from 'preact/hooks';
import { useCommands } from '../state/commands.ts';
import { useServices } from '../state/services.ts';
import { nextTheme, THEMES } from '../state/theme.ts';
import { SHAPES, VIEWS } from '../state/view-state.ts';
import { formatExact, formatInteger, formatShare, formatValue, shareOf } from '../text/units.ts';
import { MenuButton } from '../widgets/Menu.tsx';
import { SearchBox } from '../widgets/SearchBox.tsx';
import { Segments } from '../widgets/Segments.tsx';
import { exportMenu } from './export.ts';

export function Header(props: { onOpen(): void }) {
  const { app } = useServices();
  const ready = app.status.value.kind === 'ready';
  const { shape, view } = app.view.value;
  return (
    <header class="header">
      <span class="logo">
        hot<i>frame</i>
      </span>
      <DocumentPicker onOpen={props.onOpen} />
      {ready && (
        <>
          <MetricPicker />
          <Segments
            label="Shape"
            choices={SHAPES}
            value={shape}
            onChange={(value) => app.setShape(value)}
          />
          <Segments
            label="View"
            choices={VIEWS}
            value={view}
            wideOnly={['both']}
            onChange={(value) => app.update({ view: value }, 'push')}
          />
          <Search />
        </>
      )}
      <span class="grow" />
      {ready && (
        <MenuButton label="Export" items={exportMenu(app)}>
          Export
        </MenuButton>
      )}
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
    </header>
  );
}

function DocumentPicker(props: { onOpen(): void }) {
  const { app } = useServices();
  const documents = app.documents.value ?? [];
  const status = app.status.value;
  if (status.kind === 'none') {
    return (
      <button type="button" class="plain" onClick={props.onOpen}>
        Open…
      </button>
    );
  }
  const title = status.kind === 'ready' ? status.summary.title : status.title;
  const shown = app.view.value.document ?? documents[0]?.document;
  return (
    <MenuButton
      label={`Document ${title}`}
      class="plain file"
      items={[
        ...documents.map((info) => ({
          label: info.state.kind === 'failed' ? `${info.title} (unreadable)` : info.title,
          checked: info.document === shown,
          run: () => app.openDocument(info.document),
        })),
        { label: 'Open…', key: 'Ctrl+o', apart: true, run: props.onOpen },
        {
          label: 'Close this one',
          run: () => {
            if (shown !== undefined) app.closeDocument(shown).catch(app.fail);
          },
        },
      ]}
    >
      {title} <span class="caret">▾</span>
    </MenuButton>
  );
}

function MetricPicker() {
  const { app } = useServices();
  const status = app.status.value;
  if (status.kind !== 'ready') return null;
  const { summary, totals } = status;
  const current = app.metricInfo.value;
  return (
    <MenuButton
      label={`Metric ${current.name}`}
      class="control"
      title={formatExact(totals[app.metric.value] ?? 0n, current)}
      items={summary.metrics.map((info, index) => ({
        label: `${info.name} · ${formatValue(totals[index] ?? 0n, info)}`,
        title: formatExact(totals[index] ?? 0n, info),
        checked: index === app.metric.value,
        run: () => app.update({ metric: index }, 'push'),
      }))}
    >
      {current.name} <small>{current.unit}</small> <span class="caret">▾</span>
    </MenuButton>
  );
}

function Search() {
  const { app, commands } = useServices();
  const input = useRef<HTMLInputElement>(null);
  const { value: found, error } = app.search.value;
  const pattern = app.view.value.search;
  const focusMain = () => document.querySelector<HTMLElement>('[data-scope]')?.focus();
  useCommands(commands, () => undefined, {
    search() {
      input.current?.focus();
      input.current?.select();
    },
    next_theme() {
      app.theme.choice.value = nextTheme(app.theme.choice.value);
    },
  });
  const matched = found?.columns.matched;
  const share =
    matched === undefined ? '' : formatShare(shareOf(matched[0] ?? 0n, matched[1] ?? 0n));
  const title =
    found === undefined
      ? undefined
      : `${formatInteger(found.result.matches)} functions match; together they cover ` +
        `${formatValue(matched?.[0] ?? 0n, app.metricInfo.value)}, each stack counted once`;
  return (
    <SearchBox
      label="Search"
      placeholder="Search functions, files"
      value={pattern}
      inputRef={input}
      problem={error?.code === 'bad_pattern' ? error.message : undefined}
      onChange={(search) => app.update({ search }, 'replace')}
      onEnter={(back) => commands.run(back ? 'previous_match' : 'next_match', null)}
      onEscape={focusMain}
    >
      {pattern === '' ? (
        <span class="key" aria-hidden="true">
          /
        </span>
      ) : (
        <output class="share" title={title} aria-live="polite">
          {error !== undefined ? '!' : share}
        </output>
      )}
    </SearchBox>
  );
}
