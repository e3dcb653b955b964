import type { MigrationsResult } from '@hotframe/engine';
import { formatInteger } from '../../text/units.ts';

const LEVELS: Readonly<Record<string, string>> = {
  core: 'within a core',
  cache: 'to another core of a last-level cache',
  node: 'to another cache of a node of memory',
  socket: 'to another node of a socket',
  machine: 'to another socket',
  unknown: 'between processors of which no file tells where they are',
};

/** How often threads went on on another processor, by what both share. */
export function MigrationFigures(props: {
  readonly migrations: MigrationsResult;
  readonly isCompared: boolean;
}) {
  const { sides } = props.migrations;
  if (sides.every(({ count }) => count === 0)) return null;
  const levels = Object.keys(LEVELS).filter((level) =>
    sides.some((side) => side.levels.some(({ shares }) => shares === level)),
  );
  const figure = (count: number, side: number) => {
    const { is_exact, runs } = sides[side]!;
    const mean = runs > 1 ? (count / runs).toFixed(1) : formatInteger(count);
    return `${is_exact ? '' : '≥ '}${mean}`;
  };
  const isMean = sides.some(({ runs }) => runs > 1);
  const titles = props.isCompared ? ['Base', 'New'] : ['Count'];
  return (
    <table class="migrations">
      <caption>
        Threads that went on on another processor{isMean ? ', mean of the runs' : ''}
        {sides.some(({ is_exact }) => !is_exact) && (
          <span class="mute">
            {' '}
            · ≥: seen between samples; the scheduler's events (sched:sched_switch) tell all
          </span>
        )}
      </caption>
      <thead>
        <tr>
          <th scope="col">Migrations</th>
          {sides.map((_, side) => (
            <th scope="col" key={side}>
              {titles[side]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">in all</th>
          {sides.map(({ count }, side) => (
            <td key={side}>{figure(count, side)}</td>
          ))}
        </tr>
        {levels.map((level) => (
          <tr key={level}>
            <th scope="row">{LEVELS[level]}</th>
            {sides.map((side, number) => (
              <td key={number}>
                {figure(side.levels.find(({ shares }) => shares === level)?.count ?? 0, number)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
