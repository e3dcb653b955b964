import { useSignal } from '@preact/signals';
import { useApp } from '../state/services.ts';
import { guessSides, looksCompared } from '../text/sides.ts';
import { shortenName } from '../text/names.ts';
import { formatThings } from '../text/units.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import { Segments } from '../widgets/Segments.tsx';

type Part = 'base' | 'new' | 'out';

const TITLE_COLUMNS = 60;

const PARTS = [
  { value: 'base', label: 'Base', title: 'One of the runs that the others are compared with' },
  { value: 'new', label: 'New', title: 'One of the runs that are compared with the base' },
  { value: 'out', label: 'Leave out', title: 'It stays open on its own' },
] as const;

/** Several profiles as one, or as the runs of the two sides of a comparison. */
export function TogetherDialog(props: { onClose(): void }) {
  const app = useApp();
  const list = app.documents.list.value ?? [];
  const offered = list.filter(({ document }) => app.together.value.includes(document));
  const apart = app.apart.value;
  const titles = offered.map(({ title }) => title);
  const isNew = guessSides(titles);
  const compares = looksCompared(titles);
  const chosen = useSignal<ReadonlyMap<number, Part>>(new Map());
  const partOf = (document: number): Part => {
    const at = offered.findIndex((info) => info.document === document);
    return chosen.value.get(document) ?? (isNew[at] ? 'new' : 'base');
  };
  const those = (...parts: readonly Part[]) =>
    offered.map(({ document }) => document).filter((one) => parts.includes(partOf(one)));
  const [base, now] = [those('base'), those('new')];
  const kept = [...base, ...now];
  const settle = (run: () => Promise<void>) => () => {
    props.onClose();
    run().catch(app.notices.fail);
  };
  const runs = (documents: readonly number[]) => formatThings(documents.length, 'run');
  return (
    <Dialog title={`How do these ${offered.length} profiles relate?`} onClose={props.onClose}>
      <ul class="together">
        {offered.map(({ document, title }) => (
          <li key={document}>
            <code title={title}>{shortenName(title, TITLE_COLUMNS)}</code>
            <Segments
              label={`What ${title} is`}
              choices={PARTS}
              value={partOf(document)}
              onChange={(part) => {
                chosen.value = new Map(chosen.value).set(document, part);
              }}
            />
          </li>
        ))}
      </ul>
      {apart > 0 && (
        <p class="mute">
          {formatThings(apart, 'more file')} {apart === 1 ? 'is' : 'are'} not a readable profile:
          see the list of documents.
        </p>
      )}
      <div class="together-actions">
        <button
          type="button"
          class={compares ? undefined : 'primary'}
          autofocus={!compares}
          disabled={kept.length < 2}
          onClick={settle(() => app.profile.mergeAll(kept))}
        >
          Show {formatThings(kept.length, 'profile')} as one
        </button>
        <button
          type="button"
          class={compares ? 'primary' : undefined}
          autofocus={compares}
          disabled={base.length === 0 || now.length === 0}
          title="With several runs per side, changes are tested"
          onClick={settle(() => app.profile.compareSides(base, now))}
        >
          Compare {runs(now)} against {runs(base)}
        </button>
        <button type="button" onClick={props.onClose}>
          One by one
        </button>
      </div>
    </Dialog>
  );
}
