import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useApp } from '../../state/services.ts';
import { Dialog } from '../../widgets/Dialog.tsx';

/** Asks for the formula of a metric and shows it. */
export function FormulaDialog(props: { onClose(): void }) {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  const problem = useSignal<{ readonly message: string; readonly hint: string } | undefined>(
    undefined,
  );
  const members = app.profile.summary.value?.members ?? 0;
  useEffect(() => input.current?.focus(), []);
  const close = () => {
    app.profile.typedFormula.value = undefined;
    props.onClose();
  };
  return (
    <Dialog title="Metric by formula" onClose={close}>
      <form
        class="formula"
        onSubmit={(event) => {
          event.preventDefault();
          const text = input.current?.value.trim() ?? '';
          app.profile.setFormula(text).then((error) => {
            problem.value = error;
            if (error === undefined) close();
          }, app.notices.fail);
        }}
      >
        <input
          ref={input}
          class="control"
          aria-label="Formula"
          aria-invalid={problem.value !== undefined}
          placeholder="cycles / instructions"
          spellcheck={false}
          autocomplete="off"
          value={app.profile.typedFormula.peek() ?? app.view.peek().formula ?? ''}
          onInput={(event) => {
            // The dialog goes with the profile while that is asked for again.
            app.profile.typedFormula.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="primary">
          Show
        </button>
        {problem.value !== undefined && (
          <p class="problem" role="alert">
            {problem.value.message} {problem.value.hint}
          </p>
        )}
        <dl class="meta">
          <dt>Values</dt>
          <dd>
            <code>+ - * /</code>, comparisons, <code>min max abs</code>, <code>ratio(a, b)</code>,{' '}
            <code>per_thousand(a, b)</code>, numbers with units such as <code>5 ms</code>. Names
            with other characters go between <code>`</code>.
          </dd>
          <dt>Columns</dt>
          <dd>
            <code>self(a)</code> and <code>total(a)</code>, whichever column the formula stands in.
          </dd>
          {app.profile.summary.value?.comparison != null && (
            <>
              <dt>Of both sides</dt>
              <dd>
                A formula over what is compared, such as <code>cycles / instructions</code>, is
                worked out on either side and shows by how much it changed.
              </dd>
            </>
          )}
          {members > 1 && (
            <>
              <dt>Over the {members} profiles</dt>
              <dd>
                <code>
                  mean_of min_of max_of median_of deviation_of count_of sum_of first_of last_of
                </code>
                , <code>percentile_of(a, 95)</code>, <code>slope_of</code>, and <code>rise_of</code>
                , which is 0 where it may be chance.
              </dd>
            </>
          )}
        </dl>
      </form>
    </Dialog>
  );
}
