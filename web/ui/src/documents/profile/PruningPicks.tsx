import { useApp } from '../../state/services.ts';
import { HIDE_BELOW, LEVELS, levelsChoice, percentChoice } from '../../state/pruning.ts';
import type { Choice } from '../../state/view-state.ts';
import { Pick } from '../../widgets/Pick.tsx';

/** What of a tree is left out: frames that are small, and those that are deep. */
export function PruningPicks() {
  const app = useApp();
  const { hideBelow, levels } = app.view.value;
  const { adds_up: addsUp, name } = app.profile.metricInfo.value;
  const least = String(hideBelow);
  const deepest = String(levels ?? '');
  return (
    <>
      <Pick
        label="Min. share"
        choices={withChoice(HIDE_BELOW, least, percentChoice)}
        value={least}
        onChange={(value) => app.update({ hideBelow: Number(value) }, 'push')}
      />
      {!addsUp && hideBelow > 0 && (
        <span title={`Values of ${name} do not add up, so that they are not shares of the program`}>
          nothing hidden in this metric
        </span>
      )}
      <Pick
        label="Max. depth"
        choices={withChoice(LEVELS, deepest, levelsChoice)}
        value={deepest}
        onChange={(value) =>
          app.update({ levels: value === '' ? undefined : Number(value) }, 'push')
        }
      />
    </>
  );
}

/** The choices with one that an address has. */
function withChoice(
  choices: readonly Choice<string>[],
  value: string,
  make: (value: string) => Choice<string>,
): readonly Choice<string>[] {
  if (choices.some((choice) => choice.value === value)) return choices;
  return [...choices, make(value)].sort((a, b) => Number(a.value) - Number(b.value));
}
