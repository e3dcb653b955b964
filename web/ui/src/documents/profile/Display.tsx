import type { App } from '../../state/app.ts';
import { memberSplits } from '../../state/members.ts';
import { useApp } from '../../state/services.ts';
import {
  BOTTOM_UP_BY,
  type Choice,
  COLLAPSES,
  COLOURS,
  DEFAULT_VIEW,
  GRANULARITIES,
  isInnermostFirst,
  LABELS,
  labelOf,
  ORDERS,
} from '../../state/view-state.ts';
import { inLine, Pick } from '../../widgets/Pick.tsx';
import { Popover } from '../../widgets/Popover.tsx';
import { MembersPicker } from './MembersPicker.tsx';
import { PruningPicks } from './PruningPicks.tsx';

/** A setting: its name, its choices, and whether it is at its default. */
interface Setting {
  readonly label: string;
  readonly choices: readonly Choice<string>[];
  readonly value: string;
  readonly isDefault: boolean;
  set(value: string): void;
}

/** How the shown view is drawn: settings behind one button, which names those that are not at their default. */
export function Display() {
  const app = useApp();
  const settings = settingsOf(app);
  const prunes = app.profile.shownView.value.prunes(app);
  const { hideBelow, levels, members } = app.view.value;
  const splits = memberSplits(app.profile.summary.value, members);
  if (settings.length === 0 && !prunes && splits.length === 0) return null;
  const split = splits.find(({ by }) => by === members)?.title;
  const changed = [
    ...settings
      .filter(({ isDefault }) => !isDefault)
      .map(({ choices, value }) => inLine(labelOf(choices, value))),
    ...(prunes && hideBelow > 0 ? [`from ${hideBelow} %`] : []),
    ...(prunes && levels !== undefined ? [`${levels} deep`] : []),
    ...(split === undefined ? [] : [`members by ${split}`]),
  ].join(', ');
  return (
    <Popover
      label={changed === '' ? 'Display' : `Display: ${changed}`}
      title="How frames are grouped, named, coloured and cut"
      face={
        <>
          Display{changed !== '' && <b>: {changed}</b>}{' '}
          <span class="caret" aria-hidden="true">
            ▾
          </span>
        </>
      }
    >
      {settings.map(({ label, choices, value, set }) => (
        <Pick key={label} label={label} choices={choices} value={value} onChange={set} />
      ))}
      {prunes && <PruningPicks />}
      <MembersPicker />
    </Popover>
  );
}

/** The settings that the shown view has. */
function settingsOf(app: App): readonly Setting[] {
  const { granularity, order, labels, collapse, colour, shape } = app.view.value;
  const view = app.profile.shownView.value;
  const isTree = view.isTree(app);
  // Runs that were only timed have no frames.
  const hasFrames = app.profile.summary.value?.metrics.length !== 0;
  const settings: (Setting | false)[] = [
    hasFrames &&
      setting(
        'Group by',
        GRANULARITIES,
        granularity,
        granularity === DEFAULT_VIEW.granularity,
        (value) => app.profile.setGranularity(value),
      ),
    isTree &&
      isInnermostFirst(shape) &&
      setting('Functions by', BOTTOM_UP_BY, shape, shape === 'bottom_up', (value) =>
        app.profile.setShape(value),
      ),
    isTree &&
      !view.isText &&
      setting('Order', ORDERS, order, order === DEFAULT_VIEW.order, (value) =>
        app.update({ order: value }, 'push'),
      ),
    isTree &&
      !view.isText &&
      setting('Box text', LABELS, labels, labels === DEFAULT_VIEW.labels, (value) =>
        app.update({ labels: value }, 'push'),
      ),
    view.hasColours(app) &&
      setting(
        'Colour',
        COLOURS.filter(({ value }) => app.profile.tellsChanges.value || value !== 'change'),
        app.profile.colour.value,
        colour === undefined,
        (value) => app.update({ colour: value }, 'push'),
      ),
    isTree &&
      setting('Recursion', COLLAPSES, collapse, collapse === DEFAULT_VIEW.collapse, (value) =>
        app.update({ collapse: value }, 'push'),
      ),
  ];
  return settings.filter((one) => one !== false);
}

function setting<T extends string>(
  label: string,
  choices: readonly Choice<T>[],
  value: T,
  isDefault: boolean,
  set: (value: T) => void,
): Setting {
  // What comes back is one of the choices.
  return { label, choices, value, isDefault, set: set as (value: string) => void };
}
