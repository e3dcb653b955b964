import type { ExperimentQuantity, ViewSpec } from '@hotframe/engine';
import { computed } from '@preact/signals';
import { stateOf } from '../../state/address-part.ts';
import { distinct } from '../../state/distinct.ts';
import { type ExportedTable, useChartExports } from '../../state/exports.ts';
import { results } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { useMade } from '../../widgets/made.ts';
import { Pick } from '../../widgets/Pick.tsx';
import { Segments } from '../../widgets/Segments.tsx';
import { useFollowed } from '../../widgets/followed.ts';
import { inksOf } from '../charts/inks.ts';
import { svgOf } from '../charts/shapes.ts';
import { cellCharts, CellCharts, chartOf } from './CellCharts.tsx';
import { Differences } from './Differences.tsx';
import { EffectList } from './EffectList.tsx';
import { type Measured, updateExperiment } from './experiment.ts';
import { gridOf, groupTitle, known, patternOf, type Sides } from './grid.ts';
import { HistoryView } from './HistoryView.tsx';
import { Matrix } from './Matrix.tsx';
import { overRunsOf } from './over-runs.ts';
import { matrixPicture } from './picture.ts';
import { QuantityPick } from './QuantityPick.tsx';
import { RunList } from './RunList.tsx';
import { differencesCsv, effectsCsv, matrixCsv, runsCsv } from './sheets.ts';
import { EXPERIMENT_PART, EXPERIMENT_PARTS, type ExperimentPart, quantityOf } from './state.ts';

/** Most functions that are told apart. */
const MOST_FUNCTIONS = 200;

/** The cells of an experiment, what differs between them, and in which functions. */
export function ExperimentView(props: { readonly spec: ViewSpec }) {
  const app = useApp();
  const spec = useFollowed(props.spec);
  const loads = useMade(() => {
    const noRuns = distinct(() => ({ document: spec.value.document, first: 0, count: 0 }));
    const experiment = results(app.engine, 'experiment', noRuns);
    const quantity = computed((): ExperimentQuantity | undefined => {
      const measures = experiment.state.value.value?.measures;
      const { of } = stateOf(app.view.value, EXPERIMENT_PART);
      return measures && quantityOf(of, measures, app.view.value.fn);
    });
    const asked = distinct(() =>
      quantity.value === undefined
        ? undefined
        : { view: whole(spec.value), quantity: quantity.value },
    );
    const matrix = results(app.engine, 'experiment_matrix', asked);
    const sides = computed((): Sides => {
      const { base, now } = stateOf(app.view.value, EXPERIMENT_PART);
      return known({ base, now }, experiment.state.value.value?.cells.length ?? 0);
    });
    const compared = distinct(() => {
      const { base, now } = sides.value;
      if (quantity.value === undefined || base.length === 0 || now.length === 0) return undefined;
      const total = stateOf(app.view.value, EXPERIMENT_PART).functions === 'total';
      return {
        view: whole(spec.value),
        quantity: quantity.value,
        base: [...base],
        new: [...now],
        total,
        count: MOST_FUNCTIONS,
      };
    });
    const differences = results(app.engine, 'experiment_differences', compared);
    return { experiment, quantity, asked, matrix, sides, compared, differences };
  });
  const shown = stateOf(app.view.value, EXPERIMENT_PART);
  const experiment = loads.experiment.state.value.value;
  const matrix = loads.matrix.state.value.value;
  const measured: Measured | undefined =
    experiment && matrix && matrix.cells.length === experiment.cells.length
      ? { experiment, matrix }
      : undefined;
  const grid = gridOf(
    experiment?.factors ?? [],
    experiment?.cells ?? [],
    shown.rows,
    shown.columns,
  );
  const metrics = app.profile.summary.value?.metrics ?? [];
  const sides = loads.sides.value;
  const titles = [sides.base, sides.now].map((cells) =>
    groupTitle(experiment?.factors ?? [], experiment?.cells ?? [], cells),
  ) as [string, string];
  const isCompared = sides.base.length > 0 && sides.now.length > 0;
  const onChoose = ({ base, now }: Sides) => updateExperiment(app, { base, now });
  const toProfiles = profilesOf();

  function profilesOf(): (() => void) | undefined {
    const patterns = [sides.base, sides.now].map((cells) =>
      patternOf(experiment?.cells ?? [], cells),
    );
    const [base, now] = patterns;
    const hasSamples = (app.profile.summary.value?.points ?? 0) > 0;
    if (base === undefined || now === undefined || !hasSamples) return undefined;
    const filter = (pattern: string) => [{ kind: 'label_focus' as const, pattern }];
    return () => {
      // What was told of filtered samples is not so of all.
      const { value: told } = loads.differences.state.peek();
      const hasAll = told !== undefined && props.spec.filters.length === 0;
      const keep = (opened: number | undefined) => {
        if (opened === undefined || !hasAll) return;
        const { overRuns } = app.profile;
        overRuns.value = new Map([...overRuns.peek(), [opened, overRunsOf(told, titles)]]);
      };
      app.profile.compareParts(filter(base), filter(now)).then(keep).catch(app.notices.fail);
    };
  }

  const tables = experiment === undefined ? [] : tablesOf();

  function tablesOf(): readonly ExportedTable[] {
    const table = (label: string, csv: () => Promise<string> | string) => ({
      label,
      title: 'All of its figures; exact',
      csv: async () => ({ text: await csv(), file_name: `${label.toLowerCase()}.csv` }),
    });
    const { engine } = app;
    const told = loads.differences.state.value.value;
    const asked = loads.asked.value;
    return [
      ...(told === undefined ? [] : [table('Differences', () => differencesCsv(told))]),
      ...(asked === undefined
        ? []
        : [
            table('Effects', async () => {
              const { result } = await engine.call('experiment_effects', asked);
              return effectsCsv(experiment!, result);
            }),
          ]),
      table('Runs', async () => {
        const all = { document: props.spec.document, first: 0, count: experiment!.total_runs };
        return runsCsv((await engine.call('experiment', all)).result);
      }),
    ];
  }

  const isMatrixSaved = shown.part !== 'charts' && shown.part !== 'history';
  useChartExports(() => {
    if (measured === undefined || !isMatrixSaved) return undefined;
    return {
      label: 'Matrix',
      picture() {
        const inks = inksOf(document.documentElement);
        const { shapes, size } = matrixPicture(measured, grid, inks, app.theme.shown.peek());
        return svgOf(shapes, size, inks.paper);
      },
      csv: () => ({ text: matrixCsv(measured), file_name: 'matrix.csv' }),
      tables,
    };
  });

  const error = loads.experiment.state.value.error ?? loads.matrix.state.value.error;
  const names = (experiment?.factors ?? []).map(({ name }) => ({
    value: name,
    label: name,
    title: `The levels of ${name}`,
  }));
  return (
    <div class="experiment">
      <div class="tools">
        <Segments
          label="Part"
          choices={EXPERIMENT_PARTS}
          value={shown.part}
          onChange={(part: ExperimentPart) => updateExperiment(app, { part })}
        />
        {shown.part === 'charts' && (
          <Segments
            label="Chart"
            choices={cellCharts(metrics)}
            value={chartOf(metrics, shown.chart)}
            onChange={(chart) => updateExperiment(app, { chart })}
          />
        )}
        {!['runs', 'charts'].includes(shown.part) && loads.quantity.value !== undefined && (
          <QuantityPick measures={experiment?.measures ?? []} quantity={loads.quantity.value} />
        )}
        {(shown.part === 'matrix' || shown.part === 'charts') && names.length > 1 && (
          <>
            <Pick
              label="Rows"
              choices={names}
              value={grid.rowFactor ?? ''}
              onChange={(rows) => {
                const columns = rows === grid.columnFactor ? grid.rowFactor : grid.columnFactor;
                updateExperiment(app, { rows, columns });
              }}
            />
            <Pick
              label="Columns"
              choices={names}
              value={grid.columnFactor ?? ''}
              onChange={(columns) => {
                const rows = columns === grid.rowFactor ? grid.columnFactor : grid.rowFactor;
                updateExperiment(app, { rows, columns });
              }}
            />
          </>
        )}
        {shown.part === 'history' && names.length > 0 && (
          <Pick
            label="Along"
            choices={names}
            value={shown.factor ?? standardFactor(names.map(({ value }) => value))}
            onChange={(factor) => updateExperiment(app, { factor })}
          />
        )}
      </div>
      <div class="experiment-body" tabIndex={0} role="group" aria-label="Experiment">
        {error !== undefined && error.code !== 'disconnected' && (
          <p class="problem">
            {error.message} {error.hint}
          </p>
        )}
        {shown.part === 'matrix' && measured !== undefined && (
          <section aria-label="Matrix">
            <p class="caption">{measured.matrix.caption}</p>
            <Matrix
              measured={measured}
              grid={grid}
              sides={sides}
              onChoose={onChoose}
              onProfiles={() => toProfiles?.()}
            />
            <Notes notes={measured.matrix.notes} />
          </section>
        )}
        {shown.part === 'charts' &&
          experiment !== undefined &&
          (metrics.length === 0 ? (
            <p class="message">Nothing was recorded in these runs: there are no charts.</p>
          ) : (
            <CellCharts
              spec={props.spec}
              experiment={experiment}
              grid={grid}
              sides={sides}
              tables={tables}
              onProfiles={() => toProfiles?.()}
            />
          ))}
        {shown.part === 'effects' && experiment !== undefined && (
          <EffectList asked={loads.asked} experiment={experiment} onChoose={onChoose} />
        )}
        {shown.part === 'history' && experiment !== undefined && (
          <HistoryView
            asked={loads.asked}
            factor={shown.factor ?? standardFactor(names.map(({ value }) => value))}
            sides={sides}
            tables={tables}
            onChoose={onChoose}
          />
        )}
        {shown.part === 'runs' && experiment !== undefined && (
          <RunList document={props.spec.document} experiment={experiment} />
        )}
        {shown.part !== 'runs' && isCompared && (
          <Differences
            titles={titles}
            answer={loads.differences.state.value}
            onSwap={() => onChoose({ base: sides.now, now: sides.base })}
            onLetGo={() => onChoose({ base: [], now: [] })}
            onProfiles={toProfiles}
          />
        )}
        {(loads.experiment.state.value.pending || loads.matrix.state.value.pending) && (
          <div class="busy" />
        )}
      </div>
    </div>
  );
}

/** Revisions are what histories are of; else what comes first. */
function standardFactor(names: readonly string[]): string {
  return names.includes('revision') ? 'revision' : (names[0] ?? '');
}

/** Experiments are asked of the program as a whole. */
function whole(spec: ViewSpec): ViewSpec {
  return { ...spec, shape: { kind: 'top_down' } };
}

function Notes({ notes }: { readonly notes: readonly string[] }) {
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
