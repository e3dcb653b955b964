import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { MenuItem } from '../../state/commands.ts';
import { useApp } from '../../state/services.ts';
import { boundedName } from '../../text/names.ts';
import { exactPattern } from '../../text/patterns.ts';
import { Dialog } from '../../widgets/Dialog.tsx';
import { MenuButton } from '../../widgets/Menu.tsx';
import type { TimelineController } from './controller.ts';

/** What of several recordings stands together in time. */
export function AlignTools({ controller }: { readonly controller: TimelineController }) {
  const app = useApp();
  const byHand = useSignal(false);
  const summary = app.profile.summary.value;
  if (summary === undefined || (summary.members < 2 && summary.comparison === null)) return null;
  const { align } = app.view.value;
  const choose = (by: string | undefined) => app.update({ align: by }, 'push');
  const item = (label: string, by: string | undefined): MenuItem => ({
    label,
    checked: align === by,
    run: () => choose(by),
  });
  const selected = controller.selected.value.value;
  const name = selected?.length === undefined ? undefined : selected.name;
  const of = name === undefined ? '' : exactPattern(name);
  const known = [undefined, 'start', 'clock', 'recorded', 'progress', `at:${of}`, `progress:${of}`];
  const items: readonly MenuItem[] = [
    item('As opened', undefined),
    item('Start of each', 'start'),
    ...(summary.is_aligned || align === 'recorded' ? [item('As recorded', 'recorded')] : []),
    item('When they were measured', 'clock'),
    item('Progress: the same spans on each other, stretched', 'progress'),
    ...(name === undefined
      ? []
      : [
          item(`The first “${boundedName(name)}” of each`, `at:${of}`),
          item(`Progress of “${boundedName(name)}”, one by one`, `progress:${of}`),
        ]),
    ...(known.includes(align) ? [] : [item(align ?? '', align)]),
    {
      label: 'By hand…',
      run() {
        byHand.value = true;
      },
    },
  ];
  const isNamed = align !== undefined && /^(start$|clock$|at:|progress)/.test(align);
  const told =
    align === undefined
      ? summary.is_aligned
        ? 'aligned'
        : 'align'
      : isNamed
        ? `by ${align.split(':', 1)[0] ?? ''}`
        : 'by hand';
  return (
    <>
      <MenuButton
        label={`${told}: what of the recordings stands together`}
        title="What of the recordings stands together in time"
        items={items}
      >
        {told}{' '}
        <span class="caret" aria-hidden="true">
          ▾
        </span>
      </MenuButton>
      {byHand.value && (
        <ByHand
          known={align ?? ''}
          choose={choose}
          onClose={() => {
            byHand.value = false;
          }}
        />
      )}
    </>
  );
}

/** Asks by how much recordings move. */
function ByHand(props: {
  readonly known: string;
  choose(by: string | undefined): void;
  onClose(): void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <Dialog title="Align by hand" onClose={props.onClose}>
      <form
        class="formula"
        onSubmit={(event) => {
          event.preventDefault();
          const text = input.current?.value.trim() ?? '';
          props.onClose();
          props.choose(text === '' ? undefined : text);
        }}
      >
        <input
          ref={input}
          class="control"
          aria-label="How recordings move"
          placeholder="#2=1.5s"
          spellcheck={false}
          autocomplete="off"
          value={props.known}
        />
        <button type="submit" class="primary">
          Align
        </button>
        <dl class="meta">
          <dt>Move</dt>
          <dd>
            <code>#2=1.5s</code> shows the second recording one and a half seconds later than it was
            recorded, <code>#2=-20ms</code> earlier; several with commas between them. A recording
            may also be named: <code>after.json=1.5s</code>.
          </dd>
          <dt>Together</dt>
          <dd>
            <code>at:render</code> is the first span or mark that matches,{' '}
            <code>progress:render</code> puts all spans that match on each other.
          </dd>
        </dl>
      </form>
    </Dialog>
  );
}
