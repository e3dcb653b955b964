import type { LocationKind, MetricInfo } from '@hotframe/engine';
import { type ComponentChildren, Fragment } from 'preact';
import { comparedMetric } from '../../state/comparison.ts';
import { spreads } from '../../state/members.ts';
import type { Selected } from '../../state/selection.ts';
import { useApp } from '../../state/services.ts';
import { sourceOf } from '../../state/source.ts';
import { boundedName, shortenPath, visible } from '../../text/names.ts';
import { formatExact, formatValue } from '../../text/units.ts';
import { lazy } from '../../widgets/lazy.tsx';
import { FunctionAdvice } from '../advice/FunctionAdvice.tsx';
import { ProgramAdvice } from '../advice/ProgramAdvice.tsx';
import { ChangeValues } from '../comparison/ChangeValues.tsx';
import { Estimate } from '../estimates/Estimate.tsx';
import { Labels } from './Labels.tsx';
import { ShareList } from './ShareList.tsx';
import { totalOf, Values } from './Values.tsx';

const Distribution = lazy(async () => (await import('./Distribution.tsx')).Distribution);

/** Letters of a file's path. */
const MOST_OF_PATH = 200;

/** All about the selected frame; about the whole program while none is selected. */
export function DetailsPanel() {
  const app = useApp();
  const { value: selected, error, pending } = app.profile.selection.selected.value;
  return (
    <aside class="details" aria-label="Details" aria-busy={pending}>
      {pending && <div class="busy" />}
      {error !== undefined && error.code !== 'disconnected' && <p class="mute">{error.message}</p>}
      {selected !== undefined && <Details selected={selected} />}
    </aside>
  );
}

function Details(props: { readonly selected: Selected }) {
  const app = useApp();
  const { details, isProgram, spec } = props.selected;
  const { result, columns } = details;
  const metrics = app.profile.summary.value?.metrics ?? [];
  const metric = spec.metric;
  // Lists add up, which values of formulas do not: they are in a measured metric.
  const unit = metrics[result.list_metric] ?? app.profile.metricInfo.value;
  const listed = result.list_metric === metric ? undefined : unit.name;
  const compared = comparedMetric(app.profile.summary.value, metric);
  const name = result.label ?? result.name;
  const overRuns = isProgram ? undefined : app.profile.overRuns.value.get(spec.document)?.get(name);
  const nodeTotal = columns.total_value[result.list_metric] ?? 0n;
  // Modules and files of the flat shape are not functions.
  const functionTotal = columns.function[1] ?? nodeTotal;
  return (
    <>
      <h2 title={isProgram ? undefined : name}>
        {isProgram ? 'Whole program' : boundedName(name)}
      </h2>
      {isProgram ? (
        <ProgramPlace />
      ) : (
        <>
          <Place selected={props.selected} />
          <Estimate of={result.key} />
          <Meta
            entries={[
              ['Kind', KIND_NAMES[result.kind]],
              ['Linker name', boundedName(result.system_name)],
              ['Starts at', result.start_line > 0 ? `line ${result.start_line}` : ''],
              ['Module', shortenPath(result.module, MOST_OF_PATH)],
              ['Inlined', result.inlined ? 'into its caller' : ''],
            ]}
          />
        </>
      )}
      {compared === undefined ? (
        <Values selected={props.selected} metrics={metrics} />
      ) : (
        <ChangeValues
          metric={compared.metric}
          metrics={metrics}
          rows={[
            ...(isProgram ? [] : [{ label: 'self', values: columns.self_value }]),
            { label: totalOf(result, metric), values: columns.total_value },
          ]}
          whole={columns.program_total}
          change={isProgram ? null : result.change}
          runs={app.profile.summary.value?.comparison?.runs ?? [1, 1]}
        />
      )}
      {isProgram ? <ProgramAdvice /> : <FunctionAdvice of={result.key} />}
      {compared?.side === 'both' && <p class="mute">The lists below show base and new together.</p>}
      {overRuns !== undefined && <p class="over-runs">{overRuns}</p>}
      {spreads(app.profile.summary.value) && <Distribution />}
      {!isProgram && (
        <>
          {functionTotal !== nodeTotal && (
            <p class="mute number" title={formatExact(functionTotal, unit)}>
              All its calls together: {formatValue(functionTotal, unit)}
            </p>
          )}
          {result.lines.length > 0 && (
            <>
              <h3>
                Lines
                <Listed of={listed} />
              </h3>
              <ShareList
                unit={unit}
                whole={nodeTotal}
                values
                more={result.more_lines}
                rows={result.lines.map((line, index) => ({
                  id: `${line.file}:${line.line}`,
                  name: placeOf(line.file, line.line),
                  value: columns.lines[index] ?? 0n,
                  run: () => app.source.open(line, true),
                }))}
              />
            </>
          )}
          <Relatives title="Called from" selected={props.selected} unit={unit} of={listed} />
          <Relatives title="Calls" selected={props.selected} unit={unit} of={listed} />
        </>
      )}
      <Labels selected={props.selected} unit={unit} whole={nodeTotal} />
      {!isProgram && (result.build_id !== '' || result.address !== '') && (
        <>
          <h3>In the binary</h3>
          <Meta
            entries={[
              ['Address', result.address],
              ['Build id', result.build_id],
            ]}
          />
          {result.address !== '' && compared === undefined && (
            <button
              type="button"
              class="link"
              onClick={() => {
                app.overlay.value = 'instructions';
              }}
            >
              Instructions…
            </button>
          )}
        </>
      )}
      {isProgram && <ProgramNotes />}
    </>
  );
}

/** Where a frame is in the source, and the way there. */
function Place(props: { readonly selected: Selected }) {
  const app = useApp();
  const place = sourceOf(props.selected);
  if (place === undefined) return null;
  const text = breakable(placeOf(shortenPath(place.file, MOST_OF_PATH), place.line));
  return (
    <button
      type="button"
      class="place link"
      title="Open its source (e)"
      onClick={() => app.source.openSelected(true)}
    >
      {text}
    </button>
  );
}

function ProgramPlace() {
  const summary = useApp().profile.summary.value;
  if (summary === undefined) return null;
  const when = summary.time_s === null ? '' : new Date(summary.time_s * 1000).toLocaleString();
  return (
    <Meta
      entries={[
        ['Format', summary.format],
        ['Written by', summary.producer],
        ['Measured', when],
      ]}
    />
  );
}

/** What the producer says of the profile; it may be long. */
function ProgramNotes() {
  const summary = useApp().profile.summary.value;
  if (summary === undefined || (summary.comments.length === 0 && summary.doc_url === '')) {
    return null;
  }
  return (
    <>
      <h3>Notes</h3>
      {summary.comments.map((comment) => (
        <p key={comment} class="mute">
          {comment}
        </p>
      ))}
      {summary.doc_url !== '' && (
        <p>
          <a href={summary.doc_url} rel="noreferrer noopener" target="_blank">
            What this profile means
          </a>
        </p>
      )}
    </>
  );
}

function Meta(props: { readonly entries: readonly (readonly [string, string])[] }) {
  const entries = props.entries.filter(([, value]) => value !== '');
  if (entries.length === 0) return null;
  return (
    <dl class="meta">
      {entries.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** The metric that a list is in, where it is not the shown one. */
function Listed(props: { readonly of: string | undefined }) {
  return props.of === undefined ? null : <small class="mute"> by {visible(props.of)}</small>;
}

function Relatives(props: {
  readonly title: 'Called from' | 'Calls';
  readonly selected: Selected;
  readonly unit: MetricInfo;
  readonly of: string | undefined;
}) {
  const app = useApp();
  const { result, columns } = props.selected.details;
  const callers = props.title === 'Called from';
  const list = callers ? result.callers : result.callees;
  const values = callers ? columns.callers : columns.callees;
  if (list.length === 0) return null;
  return (
    <>
      <h3>
        {props.title}
        <Listed of={props.of} />
      </h3>
      <ShareList
        unit={props.unit}
        whole={columns.function[1] ?? 0n}
        more={callers ? result.more_callers : result.more_callees}
        rows={list.map(({ key, name }, index) => ({
          id: String(key),
          name,
          value: values[index] ?? 0n,
          title: `${visible(name)}\nOpen in the sandwich`,
          run: () => app.profile.openFunction(key),
        }))}
      />
    </>
  );
}

/** What a frame stands for, where it is not a function. */
const KIND_NAMES: Record<LocationKind, string> = {
  code: '',
  loop: 'loop',
  data: 'data object',
  region: 'region named by the program',
  block: 'basic block',
};

function placeOf(file: string, line: number): string {
  if (file === '') return '';
  return line > 0 ? `${file}:${line}` : file;
}

/** A path that breaks after its folders where it does not fit a line. */
function breakable(path: string): ComponentChildren {
  return path.split(/(?<=\/)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
