import type { DocumentInfo, SummaryResult } from '@hotframe/engine';
import { useRef } from 'preact/hooks';
import { type App, isGraphFile } from '../state/app.ts';
import { useCommands } from '../state/commands.ts';
import { comparedMetric } from '../state/comparison.ts';
import { memberWord } from '../state/members.ts';
import { useServices } from '../state/services.ts';
import { nextTheme, THEMES } from '../state/theme.ts';
import { shownView } from '../state/linked.ts';
import { SHAPES, VIEWS } from '../state/view-state.ts';
import {
  formatExact,
  formatInteger,
  formatShare,
  formatValue,
  several,
  shareOf,
} from '../text/units.ts';
import { MenuButton, type MenuItem } from '../widgets/Menu.tsx';
import { SearchBox } from '../widgets/SearchBox.tsx';
import { Segments } from '../widgets/Segments.tsx';
import { GraphSearch } from '../views/graph/GraphSearch.tsx';
import { exportMenu } from './export.ts';
import { graphExportMenu } from './graph-export.ts';

export function Header(props: { onOpen(): void }) {
  const { app } = useServices();
  const ready = app.status.value.kind === 'ready';
  const isGraph = app.status.value.kind === 'graph';
  const { shape } = app.view.value;
  const view = shownView(app);
  const linked = (app.summary.value?.roles.length ?? 0) > 0;
  return (
    <header class="header">
      {app.host.editor === undefined && (
        <span class="logo">
          hot<i>frame</i>
        </span>
      )}
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
            choices={linked ? VIEWS : VIEWS.filter(({ value }) => value !== 'linked')}
            value={view}
            wideOnly={['both']}
            onChange={(value) => app.update({ view: value }, 'push')}
          />
          <Search />
        </>
      )}
      {isGraph && <GraphSearch />}
      <span class="grow" />
      {(ready || isGraph) && (
        <MenuButton label="Export" items={isGraph ? graphExportMenu(app) : exportMenu(app)}>
          Export
        </MenuButton>
      )}
      {app.host.editor === undefined && (
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
    </header>
  );
}

function DocumentPicker(props: { onOpen(): void }) {
  const { app } = useServices();
  const documents = app.documents.value ?? [];
  const status = app.status.value;
  if (status.kind === 'none') {
    // In an editor there is always a file, which is on its way.
    if (app.host.editor !== undefined) return null;
    return (
      <button type="button" class="plain" onClick={props.onOpen}>
        Open…
      </button>
    );
  }
  const title =
    status.kind === 'ready' || status.kind === 'graph' ? status.summary.title : status.title;
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
        ...together(app, shown),
        // In an editor files are opened and closed there.
        ...(app.host.editor !== undefined
          ? []
          : [
              { label: 'Open…', key: 'Ctrl+o', apart: true, run: props.onOpen },
              {
                label: 'Open as…',
                key: 'O',
                title: 'Say which format a file is in, where it is not recognised',
                run: () => {
                  app.overlay.value = 'open_as';
                },
              },
              // What an editor has loaded is closed there.
              ...(app.opensSource.value
                ? []
                : [
                    {
                      label: 'Close this one',
                      run: () => {
                        if (shown !== undefined) app.closeDocument(shown).catch(app.fail);
                      },
                    },
                  ]),
            ]),
      ]}
    >
      <span class="title">{title}</span> <span class="caret">▾</span>
    </MenuButton>
  );
}

function MetricPicker() {
  const { app } = useServices();
  const status = app.status.value;
  if (status.kind !== 'ready') return null;
  const { summary, totals } = status;
  const current = app.metricInfo.value;
  const compared = comparedMetric(summary, app.metric.value);
  return (
    <MenuButton
      label={`Metric ${current.name}`}
      class="control"
      title={formatExact(totals[app.metric.value] ?? 0n, current)}
      items={[
        ...metricItems(app, summary, totals),
        ...figureItems(app, summary),
        {
          label: 'By formula…',
          key: 'M',
          apart: true,
          run: () => {
            app.overlay.value = 'formula';
          },
        },
      ]}
    >
      {compared?.metric.name ?? current.name} <small>{current.unit}</small>{' '}
      <span class="caret">▾</span>
    </MenuButton>
  );
}

/** The metrics; of a comparison those that are compared, whichever side is shown. */
function metricItems(app: App, summary: SummaryResult, totals: BigInt64Array): MenuItem[] {
  const shown = comparedMetric(summary, app.metric.value);
  const compared = summary.comparison?.metrics ?? [];
  const sides = new Set(
    compared.flatMap(({ base, new: now, both, change, ratio }) => [base, now, both, change, ratio]),
  );
  const item = (index: number, name: string, checked: boolean): MenuItem => {
    const info = summary.metrics[index]!;
    const total = totals[index] ?? 0n;
    return {
      label: `${name} · ${formatValue(total, info)}`,
      title: info.formula ?? formatExact(total, info),
      checked,
      run: () => app.setMetric(index),
    };
  };
  return [
    ...compared.map((metric) =>
      item(metric[shown?.side ?? 'both'], metric.name, metric === shown?.metric),
    ),
    ...summary.metrics.flatMap((info, index) =>
      sides.has(index) ? [] : [item(index, info.name, index === app.metric.value)],
    ),
  ];
}

/** What can be said of the shown metric over the profiles that came as one. */
function figureItems(app: App, summary: SummaryResult): MenuItem[] {
  const info = app.metricInfo.value;
  if (summary.members < 2 || summary.comparison !== null || info.formula !== null) return [];
  const name = /^[A-Za-z_]\w*$/.test(info.name) ? info.name : `\`${info.name}\``;
  const word = memberWord(app.view.value.members);
  const said = (text: string) =>
    text.replaceAll('profiles', several(word)).replaceAll('profile', word);
  return FIGURES.map(({ label, title, formula }, index) => ({
    label: said(label),
    title: said(title),
    apart: index === 0,
    run: () => {
      app.setFormula(formula(name)).then((error) => error && app.fail(error), app.fail);
    },
  }));
}

const FIGURES = [
  {
    label: 'Mean over the profiles',
    title: 'Arithmetic mean',
    formula: (m: string) => `mean_of(${m})`,
  },
  {
    label: 'Median',
    title: 'The profile in the middle',
    formula: (m: string) => `median_of(${m})`,
  },
  {
    label: 'Smallest',
    title: 'What every profile has at least',
    formula: (m: string) => `min_of(${m})`,
  },
  {
    label: 'Largest',
    title: 'What no profile has more of',
    formula: (m: string) => `max_of(${m})`,
  },
  {
    label: 'Standard deviation',
    title: 'How much profiles differ',
    formula: (m: string) => `deviation_of(${m})`,
  },
  {
    label: '95th percentile',
    title: 'What 95 of 100 do not exceed',
    formula: (m: string) => `percentile_of(${m}, 95)`,
  },
  {
    label: 'How many have it',
    title: 'Profiles in which it is not 0',
    formula: (m: string) => `count_of(${m})`,
  },
  {
    label: 'What is left at the end',
    title: 'The last profile',
    formula: (m: string) => `last_of(${m})`,
  },
  {
    label: 'What keeps growing',
    title: 'Change from profile to profile, 0 where it may be chance',
    formula: (m: string) => `rise_of(${m})`,
  },
] as const;

/** What can be done with the shown document and each of the others. */
function together(app: App, shown: number | undefined): MenuItem[] {
  const documents = app.documents.value ?? [];
  const others = documents.filter(
    ({ document, state }) => document !== shown && state.kind !== 'failed',
  );
  if (app.status.value.kind === 'graph') return withGraph(app, others);
  if (app.summary.value === undefined || app.summary.value.comparison !== null) return [];
  const profiles = others.filter(({ state }) => state.kind !== 'ready' || state.shows !== 'graph');
  return profiles.flatMap(({ document, title }, index) => [
    {
      label: `Compare with ${title}`,
      title: 'This one is the base, the other one the new profile',
      apart: index === 0,
      run: () => {
        app.compareWith(document).catch(app.fail);
      },
    },
    {
      label: `Add ${title} to this view`,
      title: 'Both as one profile, whose members they are',
      run: () => {
        app.mergeWith(document).catch(app.fail);
      },
    },
  ]);
}

/** What can be done with a dataflow graph and each of the other documents. */
function withGraph(app: App, others: readonly DocumentInfo[]): MenuItem[] {
  const { graph } = app;
  const isGraph = ({ title, state }: DocumentInfo) =>
    state.kind === 'ready' ? state.shows === 'graph' : isGraphFile(title);
  return others.map(({ document, title, state }, index) =>
    isGraph({ document, title, state })
      ? {
          label: `Compare with ${title}`,
          title: 'That one is before, this one after',
          apart: index === 0,
          run: () => {
            graph.update({ against: document }, 'push');
            graph.panel.value = 'compare';
            app.detailsOpen.value = true;
          },
        }
      : {
          label: `Lay ${title} over the graph`,
          title: 'What it measured, on the elements that it is of',
          apart: index === 0,
          run: () => {
            graph.layOver(document).catch(app.fail);
          },
        },
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
      if (app.host.editor !== undefined) return;
      app.theme.choice.value = nextTheme(app.theme.choice.value);
    },
  });
  const matched = found?.columns.matched;
  // In the linked view each pane has a share of its own.
  const share =
    matched === undefined || shownView(app) === 'linked'
      ? ''
      : formatShare(shareOf(matched[0] ?? 0n, matched[1] ?? 0n));
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
