import type { FilterKind } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useApp } from '../../state/services.ts';
import { FILTER_KINDS, labelOf } from '../../state/view-state.ts';
import { patternLabel } from '../../text/patterns.ts';
import { formatShare } from '../../text/units.ts';

/** How patterns are written that are not names. */
const PLACEHOLDERS: Readonly<Partial<Record<FilterKind, string>>> = {
  label_focus: 'key=value',
  label_ignore: 'key=value',
  time: '1.2s..3.4s',
  around: 'GC=5ms',
};

/** What is left out, and how much stays. */
export function FilterChips() {
  const app = useApp();
  const { value } = app.profile.filters.value;
  return (
    <>
      {app.view.value.filters.map(({ kind, pattern }, index) => {
        const effect = value?.result.filters[index];
        const idle = effect !== undefined && !effect.matched;
        const kept =
          effect === undefined
            ? ''
            : idle
              ? 'matches nothing'
              : `keeps ${formatShare(effect.kept)}`;
        return (
          <span
            key={`${index}${kind}${pattern}`}
            class={idle ? 'chip idle' : 'chip'}
            title={pattern}
          >
            <span class="pattern">
              {labelOf(FILTER_KINDS, kind).toLowerCase()}: {patternLabel(pattern)}
            </span>
            <span class="number">{kept}</span>
            <button
              type="button"
              aria-label={`Remove the filter ${kind} ${pattern}`}
              onClick={() => app.profile.removeFilter(index)}
            >
              ×
            </button>
          </span>
        );
      })}
      {value !== undefined && value.result.notes.length > 0 && (
        <span class="chip-notes" role="status" title={value.result.notes.join('\n')}>
          {value.result.notes.join(' · ')}
        </span>
      )}
    </>
  );
}

/** A button that becomes the form for one filter more. */
export function AddFilter() {
  const app = useApp();
  const kind = useSignal<FilterKind>('focus');
  const input = useRef<HTMLInputElement>(null);
  const open = app.overlay.value === 'filter';
  const problem = useSignal<string | undefined>(undefined);
  const close = () => {
    problem.value = undefined;
    app.overlay.value = undefined;
  };
  useEffect(() => {
    if (open) input.current?.focus();
  }, [open]);
  if (!open) {
    return (
      <button
        type="button"
        class="plain"
        title="Keep or leave out stacks and frames (Shift+F)"
        onClick={() => {
          app.overlay.value = 'filter';
        }}
      >
        + Filter
      </button>
    );
  }
  const labels = app.profile.summary.value?.label_keys ?? [];
  const onLabel = kind.value === 'label_focus' || kind.value === 'label_ignore';
  return (
    <form
      class="add-filter"
      onSubmit={(event) => {
        event.preventDefault();
        const pattern = input.current?.value.trim() ?? '';
        if (pattern === '') close();
        else
          app.profile.tryFilter(kind.value, pattern).then((told) => {
            problem.value = told;
            if (told === undefined) close();
          }, app.notices.fail);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <select
        aria-label="Kind of filter"
        class="control"
        value={kind.value}
        onChange={(event) => {
          kind.value = event.currentTarget.value as FilterKind;
        }}
      >
        {FILTER_KINDS.map(({ value, label, title }) => (
          <option key={value} value={value} title={title}>
            {label}
          </option>
        ))}
      </select>
      <input
        ref={input}
        class="control"
        aria-label="Pattern"
        list={onLabel ? 'label-keys' : undefined}
        placeholder={PLACEHOLDERS[kind.value] ?? 'name or regular expression'}
        aria-invalid={problem.value !== undefined}
        spellcheck={false}
        autocomplete="off"
      />
      <datalist id="label-keys">
        {labels.map((key) => (
          <option key={key} value={`${key}=`} />
        ))}
      </datalist>
      {problem.value !== undefined && (
        <span class="problem" role="alert">
          {problem.value}
        </span>
      )}
      <button type="submit" class="plain on">
        Add
      </button>
      <button type="button" class="plain" onClick={close}>
        Cancel
      </button>
    </form>
  );
}
