import type { RunUpload } from '@hotframe/engine';
import { type Draft, givenLast, RECORDERS } from '../../state/runs/form.ts';
import { useApp } from '../../state/services.ts';
import { FactorRows } from './FactorRows.tsx';
import { Interpreters } from './Interpreters.tsx';

/** What is run, and in which conditions. */
export function FormFields(props: { readonly upload: RunUpload }) {
  const { draft, set } = useDraft();
  const { upload } = props;
  const last = givenLast(draft);
  return (
    <>
      <section class="run-section">
        <h2>Command</h2>
        <div class="run-row">
          <label>
            <span>Script</span>
            <select
              class="control"
              value={draft.script}
              onChange={(event) => set({ script: event.currentTarget.value })}
            >
              {upload.scripts.map((script) => (
                <option key={script} value={script}>
                  {script}
                </option>
              ))}
            </select>
          </label>
          <label class="wide">
            <span>Arguments</span>
            <input
              class="control mono"
              value={draft.words}
              placeholder="none"
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => set({ words: event.currentTarget.value })}
            />
          </label>
        </div>
        {upload.scripts.length === 0 && (
          <p class="problem">
            There is no Python file in it: write the command into the plan yourself.
          </p>
        )}
      </section>
      <Interpreters />
      <FactorRows
        title="Packages"
        rows={draft.requirements}
        name="Package"
        levels="Versions"
        placeholders={['numpy', '1.26.4, 2.2.1']}
        add="Add a package"
        help="Of one version: installed in every cell. Of several: a cell for each. Any version where none is given."
        onChange={(requirements) => set({ requirements })}
      />
      <FactorRows
        title="Parameters"
        rows={draft.parameters}
        name="Name"
        levels="Values"
        placeholders={['n', '10, 100']}
        add="Add a parameter"
        help={
          last.length === 0
            ? 'Stand in the arguments as {name}; a cell for each value.'
            : `${last.map((name) => `{${name}}`).join(' ')} ${
                last.length === 1 ? 'is given last' : 'are given last'
              }; write it into the arguments where it belongs.`
        }
        onChange={(parameters) => set({ parameters })}
      />
      <section class="run-section">
        <h2>Runs</h2>
        <div class="run-row">
          <NumberField
            label="Runs of each cell"
            value={draft.runs}
            onChange={(runs) => set({ runs })}
          />
          <NumberField
            label="Seconds a run may take"
            value={draft.timeout}
            onChange={(timeout) => set({ timeout })}
          />
          <label>
            <span>Measured by</span>
            <select
              class="control"
              value={draft.recorder}
              title={RECORDERS.find(({ value }) => value === draft.recorder)?.title}
              onChange={(event) =>
                set({ recorder: event.currentTarget.value as Draft['recorder'] })
              }
            >
              {RECORDERS.map(({ value, label, title }) => (
                <option key={value} value={value} title={title}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </div>
      </section>
      <details class="run-section" open={draft.variables.length > 0}>
        <summary>Environment variables</summary>
        <FactorRows
          title=""
          rows={draft.variables}
          name="Variable"
          levels="Values"
          placeholders={['OMP_NUM_THREADS', '1, 2']}
          add="Add a variable"
          help="A cell for each value."
          onChange={(variables) => set({ variables })}
        />
      </details>
    </>
  );
}

/** The form and how to change it. */
function useDraft() {
  const { draft } = useApp().runs.fresh;
  return {
    draft: draft.value,
    set: (change: Partial<Draft>) => {
      draft.value = { ...draft.peek(), ...change };
    },
  };
}

function NumberField(props: {
  readonly label: string;
  readonly value: number;
  onChange(value: number): void;
}) {
  return (
    <label>
      <span>{props.label}</span>
      <input
        class="control number"
        type="number"
        min={1}
        step={1}
        value={props.value}
        onInput={(event) => {
          const value = event.currentTarget.valueAsNumber;
          if (Number.isSafeInteger(value) && value > 0) props.onChange(value);
        }}
      />
    </label>
  );
}
