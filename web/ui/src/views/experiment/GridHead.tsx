import type { Grid } from './grid.ts';

/** Names of factors, and the levels that are columns. */
export function GridHead({ grid, title }: { readonly grid: Grid; readonly title: string }) {
  return (
    <thead>
      {grid.columnFactor !== undefined && (
        <tr>
          <th scope="col" rowSpan={2} class="factor">
            {grid.rowFactor ?? ''}
          </th>
          <th scope="colgroup" colSpan={grid.columns.length} class="factor">
            {grid.columnFactor}
          </th>
        </tr>
      )}
      <tr>
        {grid.columnFactor === undefined && (
          <th scope="col" class="factor">
            {grid.rowFactor ?? ''}
          </th>
        )}
        {grid.columns.map((name) => (
          <th scope="col" key={name}>
            {grid.columnFactor === undefined ? title : name || '(empty)'}
          </th>
        ))}
      </tr>
    </thead>
  );
}
