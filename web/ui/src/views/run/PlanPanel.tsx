import { useRef } from 'preact/hooks';
import { useApp } from '../../state/services.ts';
import { formatInteger, formatThings } from '../../text/units.ts';
import { lineOf, willText } from './words.ts';

/** Most cells that are named. */
const MOST_CELLS = 12;

/** The plan as it grows, what it comes to, and what it takes to run it. */
export function PlanPanel() {
  const app = useApp();
  const { fresh } = app.runs;
  const area = useRef<HTMLTextAreaElement>(null);
  const { value: plan, error, pending } = fresh.plan.value;
  const written = fresh.written.value;
  const text = written ?? plan?.text ?? '';
  const lines = text.split('\n').length;
  const problem = error?.message ?? plan?.problem ?? '';
  const bad = lineOf(problem);
  const isReady = plan !== undefined && problem === '' && (written ?? plan.text) === plan.text;
  const needsPackages = /^\s*requirements\b|\[matrix\.requirements\]/m.test(text);
  return (
    <aside class="run-plan" aria-label="Plan">
      <header>
        <h2>Plan</h2>
        <span class="number" role="status">
          {plan !== undefined && problem === '' && (
            <>
              {formatThings(plan.cell_count, 'cell')}, {formatThings(plan.run_count, 'run')}
            </>
          )}
        </span>
        <span class="grow" />
        {written !== undefined && (
          <button
            type="button"
            class="control"
            onClick={() => {
              fresh.written.value = undefined;
            }}
          >
            Back to the form
          </button>
        )}
      </header>
      {written !== undefined && (
        <p class="mute">You write the plan yourself now; the form says what it said before.</p>
      )}
      <div class="plan-text">
        <pre class="plan-lines" aria-hidden="true">
          {Array.from({ length: lines }, (_, at) => (
            <span key={at} class={at + 1 === bad ? 'bad' : ''}>
              {at + 1}
            </span>
          ))}
        </pre>
        <textarea
          ref={area}
          class="mono"
          aria-label="Plan as TOML"
          aria-invalid={problem !== ''}
          aria-describedby="plan-problem"
          value={text}
          rows={lines}
          spellcheck={false}
          autocomplete="off"
          wrap="off"
          onInput={(event) => {
            fresh.written.value = event.currentTarget.value;
          }}
        />
      </div>
      <p id="plan-problem" class="problem" role="status">
        {problem !== '' && (
          <>
            {bad === undefined ? (
              problem
            ) : (
              <>
                <button type="button" onClick={() => goTo(bad)}>
                  line {bad}
                </button>
                {problem.replace(/^line \d+/, '')}
              </>
            )}
          </>
        )}
      </p>
      {plan !== undefined && problem === '' && plan.cell_count > 1 && (
        <ol class="plan-cells" aria-label="Cells">
          {plan.cells.slice(0, MOST_CELLS).map((cell) => (
            <li key={cell} class="mono">
              {cell}
            </li>
          ))}
          {plan.cell_count > MOST_CELLS && (
            <li class="mute">and {formatInteger(plan.cell_count - MOST_CELLS)} more</li>
          )}
        </ol>
      )}
      <div class="plan-run">
        <button
          type="button"
          class="primary"
          disabled={!isReady || pending}
          onClick={() => void fresh.start().catch(app.notices.fail)}
        >
          Run
        </button>
        <p class="mute">
          {isReady && willText(plan)}
          {isReady && needsPackages && '. Packages are fetched and installed before that'}
          {isReady && '.'}
        </p>
      </div>
    </aside>
  );

  function goTo(line: number): void {
    const before = text.split('\n').slice(0, line - 1);
    const from = before.reduce((sum, one) => sum + one.length + 1, 0);
    const length = text.slice(from).split('\n', 1)[0]?.length ?? 0;
    area.current?.focus();
    area.current?.setSelectionRange(from, from + length);
  }
}
