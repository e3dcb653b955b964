import type { ListInfo } from '@hotframe/engine';
import { changeState, stateOf } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { useApp } from '../../state/services.ts';
import type { Choice } from '../../state/view-state.ts';
import { Segments } from '../../widgets/Segments.tsx';
import { type Below, TIMELINE_PART } from '../timeline/state.ts';

const FLAME: Choice<Below> = {
  value: 'flame',
  label: 'Flame graph',
  title: 'The flame graph of what is kept',
};

/** What stands below the timeline, as far as there is something to list; the flame graph alone else. */
export function belowChoices(app: App): readonly Choice<Below>[] {
  const lists = listsOf(app).filter(({ may_have_rows }) => may_have_rows);
  return [FLAME, ...lists.map(({ list, label, title }) => ({ value: list, label, title }))];
}

/**
 * The list that stands there now; none for the flame graph. An address may name one without rows, which says why it
 * is empty.
 */
export function listBelow(app: App): ListInfo | undefined {
  const { below } = stateOf(app.view.value, TIMELINE_PART);
  const lists = listsOf(app);
  return (
    lists.find(({ stands_for }) => stands_for === below) ?? lists.find(({ list }) => list === below)
  );
}

function listsOf(app: App): readonly ListInfo[] {
  return app.profile.timeline.value?.tracks.value.value?.lists ?? [];
}

export function BelowTabs() {
  const app = useApp();
  const choices = belowChoices(app);
  if (choices.length < 2) return null;
  return (
    <Segments
      label="Below the timeline"
      choices={choices}
      value={listBelow(app)?.list ?? 'flame'}
      onChange={(below) => changeState(app, TIMELINE_PART, { below, sort: undefined })}
    />
  );
}
