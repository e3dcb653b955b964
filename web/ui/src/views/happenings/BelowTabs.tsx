import { changeState, stateOf } from '../../state/address-part.ts';
import { useApp } from '../../state/services.ts';
import type { Choice } from '../../state/view-state.ts';
import { Segments } from '../../widgets/Segments.tsx';
import { type Below, TIMELINE_PART } from '../timeline/state.ts';
import { LISTED, LISTS } from './lists.ts';

const FLAME: Choice<Below> = {
  value: 'flame',
  label: 'Flame graph',
  title: 'The flame graph of what is kept',
};

/** What stands below the timeline, as far as there is something to list; the flame graph alone else. */
export function belowChoices(app: ReturnType<typeof useApp>): readonly Choice<Below>[] {
  const known = app.profile.timeline.value?.tracks.value.value;
  const tracks = known?.tracks ?? [];
  const has = {
    hasSpans: tracks.some(({ spans }) => spans > 0),
    hasMarks: tracks.some(({ marks }) => marks > 0),
    hasStates: known?.has_states === true,
    isComparison: app.profile.summary.value?.comparison != null,
  };
  const lists = LISTED.filter((value) => LISTS[value].applies(has)).map((value) => {
    const { label, title } = LISTS[value];
    return { value, label, title };
  });
  return [FLAME, ...lists];
}

/** What stands there now. Spans of both sides of a comparison do not add up: their changes stand for them. */
export function shownBelow(app: ReturnType<typeof useApp>): Below {
  const { below } = stateOf(app.view.value, TIMELINE_PART);
  const isComparison = app.profile.summary.value?.comparison != null;
  return below === 'spans' && isComparison ? 'span_changes' : below;
}

export function BelowTabs() {
  const app = useApp();
  const choices = belowChoices(app);
  if (choices.length < 2) return null;
  return (
    <Segments
      label="Below the timeline"
      choices={choices}
      value={shownBelow(app)}
      onChange={(below) => changeState(app, TIMELINE_PART, { below, sort: undefined })}
    />
  );
}
