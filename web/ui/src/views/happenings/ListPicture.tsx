import { useApp } from '../../state/services.ts';
import { formatInteger, formatThings } from '../../text/units.ts';
import { showPath } from '../timeline/path-of.ts';
import { timeLabel } from '../timeline/times.ts';
import { ChangesChart } from './ChangesChart.tsx';
import { ConcurrencyChart } from './ConcurrencyChart.tsx';
import { jumpTo } from './actions.ts';
import { fine } from './list.ts';
import type { Picture } from './picture.ts';
import { StateBars } from './StateBars.tsx';

/** What stands above the rows of a list. */
export function ListPicture(props: {
  readonly picture: Picture;
  /** The row that is looked at. */
  readonly current: string | undefined;
}) {
  const { picture } = props;
  switch (picture.kind) {
    case 'states':
      return <StateBars threads={picture.threads} all={picture.all} />;
    case 'concurrency':
      return props.current === undefined ? null : (
        <ConcurrencyChart view={picture.view} row={props.current} />
      );
    case 'changes':
      return <ChangesChart view={picture.view} metric={picture.metric} />;
    case 'path':
      return <PathHead {...picture} />;
  }
}

/** Whose critical path it is, and how it is drawn. */
function PathHead({
  span,
  isChosen,
  stretches,
  drawn,
}: Extract<Picture, { readonly kind: 'path' }>) {
  const app = useApp();
  return (
    <div class="path-head">
      <p>
        <b>{timeLabel(span.place.lasts, fine(span.place.lasts))}</b> of{' '}
        <button
          type="button"
          class="plain"
          onClick={() => jumpTo(app, '', '', span.place).run()}
          title="To this span"
        >
          <code>{span.name === '' ? 'unnamed' : span.name}</code>
        </button>{' '}
        on {span.track}{' '}
        {isChosen && (
          <button type="button" class="plain link" onClick={() => showPath(app, undefined)}>
            Path of the longest span
          </button>
        )}
      </p>
      <p class="path-legend">
        in the timeline: <i class="path-span" /> runs <i class="path-waiting" /> nothing runs{' '}
        <i class="path-flow" /> flow
        {drawn < stretches && (
          <>
            ; the first {formatInteger(drawn)} of {formatThings(stretches, 'piece')} are drawn
          </>
        )}
      </p>
    </div>
  );
}
