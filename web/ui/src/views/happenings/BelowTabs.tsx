import { changeState, stateOf } from '../../state/address-part.ts';
import { useApp } from '../../state/services.ts';
import type { Choice } from '../../state/view-state.ts';
import { Segments } from '../../widgets/Segments.tsx';
import { TIMELINE_PART, type Below } from '../timeline/state.ts';

const CHOICES: readonly Choice<Below>[] = [
  { value: 'flame', label: 'Flame graph', title: 'The flame graph of what is kept' },
  { value: 'changes', label: 'Changes', title: 'Spans by name in base and new profile' },
  { value: 'spans', label: 'Spans', title: 'Spans by name: how many, and how long' },
  { value: 'longest', label: 'Longest spans', title: 'Single spans, the longest first' },
  { value: 'marks', label: 'Marks', title: 'Instants by kind' },
  { value: 'gaps', label: 'Gaps', title: 'The time between spans of a name' },
  { value: 'concurrency', label: 'Concurrency', title: 'How many there were at once' },
  { value: 'states', label: 'States', title: 'When threads ran, could run and waited' },
  { value: 'path', label: 'Critical path', title: 'What a span waited for' },
];

/** What stands below the timeline, as far as there is something to list; the flame graph alone else. */
export function belowChoices(app: ReturnType<typeof useApp>): readonly Choice<Below>[] {
  const known = app.profile.timeline.value?.tracks.value.value;
  const tracks = known?.tracks ?? [];
  const isComparison = app.profile.summary.value?.comparison != null;
  const hasSpans = tracks.some(({ spans }) => spans > 0);
  const has: Readonly<Record<Below, boolean>> = {
    flame: true,
    // Those of both sides do not add up to anything.
    changes: hasSpans && isComparison,
    spans: hasSpans && !isComparison,
    longest: hasSpans,
    marks: tracks.some(({ marks }) => marks > 0),
    gaps: hasSpans,
    concurrency: hasSpans,
    states: known?.has_states === true,
    path: hasSpans,
  };
  return CHOICES.filter(({ value }) => has[value]);
}

export function BelowTabs() {
  const app = useApp();
  const choices = belowChoices(app);
  if (choices.length < 2) return null;
  return (
    <Segments
      label="Below the timeline"
      choices={choices}
      value={stateOf(app.view.value, TIMELINE_PART).below}
      onChange={(below) => changeState(app, TIMELINE_PART, { below, sort: undefined })}
    />
  );
}
