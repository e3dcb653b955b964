import { useApp } from '../../state/services.ts';
import { boundedName } from '../../text/names.ts';
import { formatThings } from '../../text/units.ts';
import { Advice } from './Advice.tsx';

/** Rows that stand in the panel. */
const MOST_ROWS = 8;

/** What notes and rules say of the program and all its functions, and the way to each. */
export function ProgramAdvice() {
  const app = useApp();
  const { advice, advisesLater, wantsAdvice } = app.profile;
  if (advisesLater.value) {
    return (
      <>
        <h3>Advice</h3>
        <button
          type="button"
          class="plain"
          onClick={() => {
            wantsAdvice.value = true;
          }}
        >
          Look for advice
        </button>
      </>
    );
  }
  const known = advice.value;
  if (known === undefined || (known.rows.length === 0 && known.left_out.length === 0)) return null;
  const more = known.rows.length - MOST_ROWS + known.more;
  return (
    <>
      <h3>Advice</h3>
      <ul class="advice">
        {known.rows.slice(0, MOST_ROWS).map((row, index) => (
          <li key={index}>
            {row.key === null ? (
              <span class="name">{boundedName(row.name)}</span>
            ) : (
              <button type="button" class="name" onClick={() => app.profile.reveal(row.name)}>
                {boundedName(row.name)}
              </button>
            )}
            <Advice of={row} />
          </li>
        ))}
      </ul>
      {more > 0 && <p class="mute">{formatThings(more, 'more piece')} of advice.</p>}
      {known.left_out.map((sentence) => (
        <p key={sentence} class="mute">
          Rule without effect: {sentence}
        </p>
      ))}
    </>
  );
}
