import { shortenName } from '../../text/names.ts';
import { formatShare, formatThings, formatValue } from '../../text/units.ts';
import { type BesideFunction, type BesidePane, shareOfSelf } from './loading.ts';
import { ONLY } from './Pane.tsx';

/** Functions that are listed. */
const MOST = 40;
/** Letters of a name. */
const MOST_OF_NAME = 48;

/** The functions that one profile only has. */
export function OnlyIn(props: {
  readonly pane: BesidePane;
  readonly functions: readonly BesideFunction[];
  readonly lit: string | undefined;
  onHover(name: string | undefined): void;
  onPick(name: string): void;
}) {
  const { pane, functions, lit } = props;
  const share = formatShare(shareOfSelf(functions, pane));
  const left = functions.length - MOST;
  return (
    <details class="only-in">
      <summary>
        <span aria-hidden="true">{ONLY}</span> only in <b>{shortenName(pane.title, 32)}</b>:{' '}
        {formatThings(functions.length, 'function')}
        {functions.length > 0 && `, self ${share}`}
      </summary>
      <ul>
        {functions.slice(0, MOST).map(({ name, key, self }) => (
          <li key={key}>
            <button
              type="button"
              class={name === lit ? 'plain on' : 'plain'}
              title={name}
              onClick={() => props.onPick(name)}
              onPointerEnter={() => props.onHover(name)}
              onPointerLeave={() => props.onHover(undefined)}
            >
              <code>{shortenName(name, MOST_OF_NAME)}</code> {formatValue(self, pane.metric)}
            </button>
          </li>
        ))}
        {left > 0 && <li class="mute">{formatThings(left, 'function')} more</li>}
      </ul>
    </details>
  );
}
