import type { Layout, Sized } from '../../state/layout.ts';
import { useApp } from '../../state/services.ts';
import { shortenName } from '../../text/names.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import { Splitter } from '../../widgets/Splitter.tsx';
import type { Columns } from './columns.ts';

/** Widths that were chosen, in CSS pixels, undefined where none was; and which columns were. */
export interface ColumnSizes {
  readonly names: number | undefined;
  readonly values: number | undefined;
  /** Whether columns were asked for or put away; undefined where nobody chose. */
  isShown(id: string): boolean | undefined;
}

/** What was chosen of columns; the same for all lists. */
export function columnSizes(layout: Layout): ColumnSizes {
  return {
    names: layout.sizeOf('names'),
    values: layout.sizeOf('values'),
    isShown(id) {
      const size = layout.sizeOf(chosenKey(id));
      return size === undefined ? undefined : size > 0;
    },
  };
}

/** What a choice of columns is remembered by. */
function chosenKey(id: string): string {
  return `column ${id}`;
}

/** Chooses which columns there are. Those that are there when one is chosen stay, so that none gives way to it. */
export function ColumnsMenu({ columns }: { readonly columns: Columns }) {
  const { layout } = useApp();
  const groups = columns.groups.filter(({ when }) => when !== 'always');
  if (groups.length === 0) return null;
  const choose = (id: string, isShown: boolean) => {
    for (const group of groups) {
      if (group.isShown) layout.setSize(chosenKey(group.id), 1);
    }
    layout.setSize(chosenKey(id), isShown ? 1 : 0);
  };
  const isChosen = groups.some(({ id }) => layout.sizeOf(chosenKey(id)) !== undefined);
  const reset = () => {
    for (const { id } of groups) layout.setSize(chosenKey(id), undefined);
  };
  return (
    <MenuButton
      label="Columns"
      title="Choose columns"
      items={[
        ...groups.map(({ id, label, isShown }) => ({
          label: shortenName(label, 60),
          checked: isShown,
          run: () => choose(id, !isShown),
        })),
        ...(isChosen ? [{ label: 'As at first', apart: true, run: reset }] : []),
      ]}
    >
      Columns
    </MenuButton>
  );
}

/** Behind the heading of the names, or of the first values: sizes those columns. */
export function ColumnEdge(props: {
  readonly of: 'names' | 'values';
  /** Their width now. */
  readonly width: number;
}) {
  const isNames = props.of === 'names';
  const part: Sized = {
    name: props.of,
    standard: props.width,
    least: isNames ? 100 : 80,
    most: isNames ? 1200 : 400,
  };
  const label = isNames ? 'Width of names' : 'Width of values';
  return <Splitter class="column-edge" label={label} part={part} along="across" />;
}
