import type { MigrationsResult } from '@hotframe/engine';
import { formatInteger } from '../../text/units.ts';
import { setTitle } from './sets.ts';

const LEVELS: Readonly<Record<string, string>> = {
  core: 'within a core',
  cache: 'to another core of a last-level cache',
  node: 'to another cache of a node of memory',
  socket: 'to another node of a socket',
  machine: 'to another socket',
  unknown: 'between processors at unknown places',
};

/** How often threads went on on another processor, by what both share. */
export function MigrationFigures(props: {
  readonly migrations: MigrationsResult;
  readonly isCompared: boolean;
}) {
  const { sets } = props.migrations;
  if (sets.every(({ count }) => count === 0)) return null;
  const levels = Object.keys(LEVELS).filter((level) =>
    sets.some((set) => set.levels.some(({ shares }) => shares === level)),
  );
  const figure = (count: number, set: number) => {
    const { told_by, runs } = sets[set]!;
    const mean = runs > 1 ? (count / runs).toFixed(1) : formatInteger(count);
    return `${told_by === 'samples' ? '≥ ' : ''}${mean}`;
  };
  const isMean = sets.some(({ runs }) => runs > 1);
  const { isCompared } = props;
  const runSets = { names: sets.map(({ name }) => name), runs: [], isCompared };
  const titles = sets.length > 1 ? sets.map((_, set) => setTitle(runSets, set, true)) : ['Count'];
  const isSeen = sets.every(({ told_by }) => told_by === 'samples');
  const seen = sets.reduce((all, { told_by, seen }) => all + (told_by === 'events' ? seen : 0), 0);
  return (
    <table class="migrations">
      <caption>
        {isSeen
          ? 'Threads that were seen on another processor than in the sample before'
          : 'Threads that continued on another processor'}
        {isMean ? ', mean of the runs' : ''}
        {sets.some(({ told_by }) => told_by === 'samples') && (
          <span class="mute">
            {' '}
            · ≥: seen between samples; the scheduler's events (sched:sched_switch) show all
          </span>
        )}
        {sets.some(({ told_by }) => told_by === 'events') && (
          <span class="mute">
            {' '}
            · from sched:sched_migrate_task, which is recorded for whoever moves a thread; the
            samples show at least {formatInteger(seen)}, and sched:sched_switch shows all
          </span>
        )}
      </caption>
      <thead>
        <tr>
          <th scope="col">{isSeen ? 'Seen between samples' : 'Migrations'}</th>
          {sets.map((_, set) => (
            <th scope="col" key={set}>
              {titles[set]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">in all</th>
          {sets.map(({ count }, set) => (
            <td key={set}>{figure(count, set)}</td>
          ))}
        </tr>
        {levels.map((level) => (
          <tr key={level}>
            <th scope="row">{LEVELS[level]}</th>
            {sets.map((set, number) => (
              <td key={number}>
                {figure(set.levels.find(({ shares }) => shares === level)?.count ?? 0, number)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
