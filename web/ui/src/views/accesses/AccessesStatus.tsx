import { plainLines } from '../../state/accesses.ts';
import { useApp } from '../../state/services.ts';
import { formatBytes, formatInteger, formatThings } from '../../text/units.ts';
import { missesOf, totalsOf } from './histogram.ts';
import { allText, rangeText } from './words.ts';

/** How many accesses there are, what they move, and how that is known. */
export function AccessesStatus() {
  const app = useApp();
  const { accesses } = app;
  const run = accesses.run.value.value;
  if (run === undefined) return <footer class="status" />;
  const { totals, left_out: leftOut, notes, simulated } = run.result;
  const counted = totalsOf(run, undefined, plainLines(accesses.view.value));
  const ranged = rangeText(run, accesses.view.value.range, accesses.isRecorded.value);
  const open = () => {
    accesses.panel.value = 'numbers';
    app.detailsOpen.value = true;
  };
  return (
    <footer class="status">
      <span>
        {ranged !== undefined && `${allText(accesses.isRecorded.value)}: `}
        {formatThings(totals.accesses, 'access')}
      </span>
      <span>{formatThings(totals.lines, 'line')}</span>
      <span>
        {formatThings(missesOf(counted), 'miss')}, {formatBytes(counted.bytes)}
      </span>
      <span
        class="wide-only"
        title={`${formatInteger(simulated)} touches were simulated; what repeats them was counted`}
      >
        {leftOut.length > 0 ? 'at least' : 'exact'}
      </span>
      <span class="grow" />
      {leftOut.length > 0 && (
        <button type="button" onClick={open}>
          {formatThings(leftOut.length, 'part')} left out
        </button>
      )}
      {notes.length > 0 && (
        <button type="button" onClick={open}>
          {formatThings(notes.length, 'note')}
        </button>
      )}
    </footer>
  );
}
