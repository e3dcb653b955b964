import type { AccessesRunResult, AccessesText, SymbolSetting } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import type { ChainStep } from '../../state/accesses.ts';
import { useApp } from '../../state/services.ts';
import { formatBytes, formatInteger } from '../../text/units.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import { proposals } from './proposals.ts';
import { SearchVariants } from './SearchVariants.tsx';

const LANGUAGES: readonly { readonly value: AccessesText; readonly label: string }[] = [
  { value: 'c', label: 'C' },
  { value: 'numpy', label: 'NumPy' },
  { value: 'dace', label: 'DaCe' },
];

/** What if: a chain of changes of layout and loops, with what each does at small and at full size. */
export function ChangesPanel() {
  const app = useApp();
  const { accesses } = app;
  const view = accesses.view.value;
  const typed = useSignal('');
  const run = accesses.run.value.value;
  const set = (changes: readonly string[]) =>
    accesses.update({ changes, at: undefined, range: undefined }, 'push');
  const add = (text: string) => {
    const change = text.trim();
    if (change === '') return;
    set([...view.changes, change]);
    typed.value = '';
  };
  const write = async (language: AccessesText) => {
    const program = accesses.program(view.changes, 'shown');
    if (program === undefined) return;
    const { result } = await app.engine.call('accesses_text', { program, language });
    app.host.save(new Blob([result.text], { type: 'text/plain' }), result.file_name);
  };
  if (accesses.isRecorded.value) {
    return (
      <>
        <h2>What if</h2>
        <p class="mute" role="note">
          A recorded trace has no loops to change. Of graphs and of loops of C, layouts and orders
          can be changed here.
        </p>
      </>
    );
  }
  return (
    <>
      <h2>What if</h2>
      <p class="mute">
        Layouts and loops are changed here alone, not in your code. Loop orders that reverse a
        dependence are refused, and the two accesses are shown.
      </p>
      <Chain />
      <form
        class="accesses-add"
        onSubmit={(event) => {
          event.preventDefault();
          add(typed.value);
        }}
      >
        <input
          class="control"
          name="change"
          aria-label="A change"
          placeholder="order k,i,j"
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="control">
          Add
        </button>
        <MenuButton
          label="Choose… a change to add"
          items={(run === undefined ? [] : proposals(run)).map(({ label, change, apart }) => ({
            label,
            apart,
            run: () => add(change),
          }))}
        >
          Choose…
        </MenuButton>
      </form>
      <p>
        <button
          type="button"
          class="plain"
          disabled={view.changes.length === 0}
          onClick={() => set(view.changes.slice(0, -1))}
        >
          Undo the last
        </button>
        <button
          type="button"
          class="plain"
          disabled={view.changes.length === 0}
          onClick={() => set([])}
        >
          Remove all
        </button>
        <MenuButton
          label="Write it… as text"
          items={LANGUAGES.map(({ value, label }) => ({
            label: `As ${label}`,
            run: () => {
              write(value).catch(app.notices.fail);
            },
          }))}
        >
          Write it…
        </MenuButton>
      </p>
      <SearchVariants onChoose={set} />
    </>
  );
}

/** The chain, each step with its misses and bytes. */
function Chain() {
  const { accesses } = useApp();
  const view = accesses.view.value;
  const { value: steps = [], pending, error } = accesses.chain.value;
  const first = steps[0];
  const remove = (index: number) =>
    accesses.update(
      {
        changes: view.changes.filter((_, other) => other !== index),
        at: undefined,
        range: undefined,
      },
      'push',
    );
  return (
    <>
      <table class="values graph-costs accesses-chain" aria-busy={pending}>
        <thead>
          <tr>
            <th scope="col" title="Misses of the first level at the sizes that are shown">
              misses here
            </th>
            {view.full && (
              <th scope="col" title={`Misses at full size in ${view.fullCache}`}>
                at full size
              </th>
            )}
          </tr>
        </thead>
        {steps.map((step) => {
          const change = step.changes.at(-1);
          // While other changes are on screen already, nothing of these can be taken away.
          const isThere = step.changes.every((one, at) => one === view.changes[at]);
          return (
            <tbody key={step.changes.length}>
              <tr>
                <th scope="rowgroup" colSpan={2}>
                  {change === undefined ? 'as it is' : <code>{change}</code>}
                  {change !== undefined && isThere && (
                    <button
                      type="button"
                      class="plain"
                      aria-label={`Remove ${change}`}
                      onClick={() => remove(step.changes.length - 1)}
                    >
                      ×
                    </button>
                  )}
                </th>
              </tr>
              <tr>
                <StepCell step={step} first={first} of="small" />
                {view.full && <StepCell step={step} first={first} of="full" />}
              </tr>
            </tbody>
          );
        })}
      </table>
      {error !== undefined && error.code !== 'disconnected' && (
        <p class="problem">{error.message}</p>
      )}
      <label class="accesses-rule">
        <input
          type="checkbox"
          checked={view.full}
          onChange={() => accesses.update({ full: !view.full }, 'push')}
        />{' '}
        At full size, too: {fullSizes(accesses.full.value)} in <code>{view.fullCache}</code>
      </label>
      {view.full && <Reversed steps={steps} />}
    </>
  );
}

function fullSizes(symbols: readonly SymbolSetting[]): string {
  return symbols.map(({ name, value }) => `${name} = ${formatInteger(value)}`).join(', ');
}

function StepCell(props: {
  readonly step: ChainStep;
  readonly first: ChainStep | undefined;
  readonly of: 'small' | 'full';
}) {
  const told = props.step[props.of];
  const first = props.first?.[props.of];
  if (told === undefined) return <td class="zero">…</td>;
  if (typeof told === 'string') {
    return (
      <td class="problem" title={told}>
        {told}
      </td>
    );
  }
  const misses = missesOf(told);
  const before = typeof first === 'object' ? missesOf(first) : undefined;
  const change =
    props.step.changes.length === 0 || before === undefined || before === 0
      ? ''
      : ` ${signed((misses / before - 1) * 100)} %`;
  return (
    <td title={`${formatBytes(told.totals.bytes)} moved; ${told.method}`}>
      {formatInteger(misses)}
      <small class="mute">{change}</small>
      <br />
      <small class="mute">{formatBytes(told.totals.bytes)}</small>
    </td>
  );
}

function signed(percent: number): string {
  const text = Math.abs(percent) < 100 ? percent.toFixed(1) : percent.toFixed(0);
  return percent < 0 ? `−${text.slice(1)}` : `+${text}`;
}

function missesOf({ totals }: AccessesRunResult): number {
  return totals.cold + totals.capacity + totals.conflict;
}

/** Says where small and full sizes disagree about what is better. */
function Reversed({ steps }: { readonly steps: readonly ChainStep[] }) {
  const reversed = steps.flatMap((step, index) => {
    const before = steps[index - 1];
    if (before === undefined) return [];
    const pairs = [
      [before.small, step.small],
      [before.full, step.full],
    ].map(([old, now]) =>
      typeof old === 'object' && typeof now === 'object'
        ? Math.sign(missesOf(now) - missesOf(old))
        : 0,
    );
    return pairs[0]! * pairs[1]! < 0 ? [step.changes.length] : [];
  });
  if (reversed.length === 0) return null;
  return (
    <p class="accesses-reversed" role="note">
      <b>Small and full sizes disagree</b> about{' '}
      {reversed.length === 1 ? `change ${reversed[0]}` : `changes ${reversed.join(', ')}`}: what
      misses less here misses more there, or the other way round. Full size is what runs.
    </p>
  );
}
