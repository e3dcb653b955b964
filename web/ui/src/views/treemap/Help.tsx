import { Dialog } from '../../widgets/Dialog.tsx';

/** What the treemap shows, and how its figures are defined. */
export function Help(props: { readonly estimated: boolean; onClose(): void }) {
  return (
    <Dialog title="Treemap" onClose={props.onClose}>
      <dl class="chart-help">
        <dt>Shape</dt>
        <dd>
          <i>Top-down</i> has callees in their callers, <i>bottom-up</i> callers in their callees,
          and <i>flat</i> functions in files in modules.
        </dd>
        <dt>Areas</dt>
        <dd>
          In a flat treemap self; else the total, which is the sum of a frame’s own self and of what
          is in it. Boxes in one box compare exactly. Rims take room on every level, so boxes in
          different ones compare by their figures.
          {props.estimated && ' Call paths of this profile are estimated, and so are the totals.'}
        </dd>
        <dt>What is left plain in a box</dt>
        <dd>Its own self; in bottom-up, what nothing that is shown called.</dd>
        <dt>Names with ›</dt>
        <dd>Boxes that hold one box and nothing else: all of the first is in the second.</dd>
        <dt>Smaller</dt>
        <dd>
          What is less than the chosen share of the root, or too small to be seen, is one grey box
          together, with the sum; where it is small, + and how many. A box without room for a name
          and parts is closed. Zoom in to see what is in them.
        </dd>
        <dt>Colours</dt>
        <dd>
          Depth counts levels from the root. Share is of the whole program, by its square root: a
          quarter is in the middle. Change is that of a comparison, with its sign at the name.
        </dd>
      </dl>
    </Dialog>
  );
}
