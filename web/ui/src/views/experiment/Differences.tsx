import type { ExperimentDifferencesResult, ExperimentOnly } from '@hotframe/engine';
import { stateOf } from '../../state/address-part.ts';
import type { Loaded } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { formatThings } from '../../text/units.ts';
import { Segments } from '../../widgets/Segments.tsx';
import { pickFunction, standingOut } from '../charts/chosen.ts';
import { updateExperiment } from './experiment.ts';
import { endsOf, Forest, ForestHead, Sign } from './Forest.tsx';
import { chanceText, ratioAxis } from './ratios.ts';
import { EXPERIMENT_PART, OWN_OR_TOTAL } from './state.ts';

/** Which functions make the difference between two groups of cells. */
export function Differences(props: {
  readonly titles: readonly [base: string, now: string];
  readonly answer: Loaded<ExperimentDifferencesResult>;
  onSwap(): void;
  onLetGo(): void;
  /** Opens both sides as one comparison; undefined where no sample is of either. */
  readonly onProfiles: (() => void) | undefined;
}) {
  const app = useApp();
  const { answer } = props;
  const [base, now] = props.titles;
  const told = answer.value;
  const out = standingOut(app);
  const { fn } = app.view.value;
  const axis = ratioAxis(endsOf((told?.rows ?? []).map(({ ratio }) => ratio)));
  const pick = (key: number) => pickFunction(app, key === fn ? undefined : key);
  return (
    <section class="differences" aria-label="What makes the difference">
      <h2>
        <b class="side base">{base}</b> <span aria-hidden="true">→</span>{' '}
        <b class="side new">{now}</b>
      </h2>
      {answer.error !== undefined && answer.error.code !== 'disconnected' && (
        <p class="problem">
          {answer.error.message} {answer.error.hint}
        </p>
      )}
      {told !== undefined && (
        <p class="whole" role="status">
          {told.title}: <b>{told.whole}</b>
        </p>
      )}
      {told !== undefined && told.notes.length > 0 && (
        <ul class="notes">
          {told.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <div class="tools">
        <Segments
          label="Functions by"
          choices={OWN_OR_TOTAL}
          value={stateOf(app.view.value, EXPERIMENT_PART).functions}
          onChange={(functions) => updateExperiment(app, { functions })}
        />
        <button type="button" class="plain" onClick={props.onSwap}>
          ⇄ Swap
        </button>
        {props.onProfiles !== undefined && (
          <button
            type="button"
            class="plain"
            title="Open both groups as one comparison: flame graph, table and all (c)"
            onClick={props.onProfiles}
          >
            Compare as profiles
          </button>
        )}
        <button type="button" class="plain" title="Nothing chosen (Escape)" onClick={props.onLetGo}>
          Clear
        </button>
      </div>
      {told !== undefined && told.rows.length > 0 && (
        <div class="scrolled" tabIndex={0} role="group" aria-label="Functions of both sides">
          <table class="told">
            <caption>{told.of_functions}: most significant first</caption>
            <thead>
              <tr>
                <th scope="col">Function</th>
                <th scope="col">Base</th>
                <th scope="col">New</th>
                <th scope="col">Difference</th>
                <th scope="col">Ratio</th>
                <th scope="col" class="wide-forest">
                  <ForestHead axis={axis} />
                  <span class="hidden-text">Interval of the ratio</span>
                </th>
                <th scope="col" title="Of all rows up to this one at most that share is chance">
                  q
                </th>
              </tr>
            </thead>
            <tbody>
              {told.rows.map((row) => {
                const classes = [
                  row.key === fn && 'on',
                  !row.believed && 'unsure',
                  out?.has(row.key) === false && 'back',
                ];
                return (
                  <tr key={row.key} class={classes.filter(Boolean).join(' ')}>
                    <th scope="row">
                      <button
                        type="button"
                        aria-pressed={row.key === fn}
                        title={row.label}
                        onClick={() => pick(row.key)}
                      >
                        {row.label}
                      </button>
                    </th>
                    <td>{row.base}</td>
                    <td>{row.new}</td>
                    <td>
                      <Sign value={row.difference.value} zero={0} /> {row.difference.text}
                    </td>
                    <td title={row.ratio === null ? undefined : `95 %: ${row.ratio.interval}`}>
                      {row.ratio?.text ?? 'no ratio'}
                    </td>
                    <td class="wide-forest">
                      <Forest axis={axis} ratio={row.ratio} believed={row.believed} />
                      <span class="hidden-text">{row.ratio?.interval ?? 'none'}</span>
                    </td>
                    <td title={row.believed ? 'more than chance' : 'may be chance'}>
                      {row.difference.low === null ? 'untested' : chanceText(row.q)}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {told !== undefined && told.rows.length > 0 && told.ratio_note !== '' && (
        <p class="mute">{told.ratio_note}</p>
      )}
      {told !== undefined && told.rows.length < told.total_rows && (
        <p class="mute">
          The first {told.rows.length} of {formatThings(told.total_rows, 'function')}.
        </p>
      )}
      {told !== undefined && told.only.length > 0 && (
        <div class="only-lists">
          {[false, true].map((isNew) => (
            <OnlyOn
              key={String(isNew)}
              title={isNew ? now : base}
              functions={told.only.filter((one) => one.is_new === isNew)}
              chosen={fn}
              onPick={pick}
            />
          ))}
        </div>
      )}
      {answer.pending && <div class="busy" />}
    </section>
  );
}

/** Functions that one side has alone. */
function OnlyOn(props: {
  readonly title: string;
  readonly functions: readonly ExperimentOnly[];
  readonly chosen: number | undefined;
  onPick(key: number): void;
}) {
  const { title, functions, chosen } = props;
  if (functions.length === 0) return null;
  return (
    <details class="only-in">
      <summary>
        only in <b>{title}</b>: {formatThings(functions.length, 'function')}
      </summary>
      <ul>
        {functions.map(({ key, label, mean, runs, of_runs }) => (
          <li key={key}>
            <button
              type="button"
              class={key === chosen ? 'plain on' : 'plain'}
              aria-pressed={key === chosen}
              onClick={() => props.onPick(key)}
            >
              <code>{label}</code> {mean}, in {runs} of {of_runs} runs
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
