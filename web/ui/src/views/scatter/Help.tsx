import { Dialog } from '../../widgets/Dialog.tsx';

/** What the scatter shows, and how its figures are defined. */
export function Help(props: { readonly primitiveUnknown: string | undefined; onClose(): void }) {
  return (
    <Dialog title="Scatter of functions" onClose={props.onClose}>
      <dl class="chart-help">
        <dt>Calls</dt>
        <dd>
          All calls of a function, recursive ones too: the sum of the metric <i>calls</i>. A call of
          a function that a filter hides is nobody’s.
        </dd>
        <dt>Primitive calls</dt>
        <dd>
          Those that began while the function was not on the stack yet, as pstats counts them.
          {props.primitiveUnknown !== undefined && ` ${props.primitiveUnknown}.`}
        </dd>
        <dt>Self a call</dt>
        <dd>Self divided by all calls.</dd>
        <dt>Total a primitive call</dt>
        <dd>Total, which counts once under recursion, divided by primitive calls.</dd>
        <dt>Diagonals</dt>
        <dd>
          On each of them calls times what one takes is the same: self in all, or total in all. Both
          axes are logarithmic.
        </dd>
        <dt>Areas</dt>
        <dd>Total. The smallest marks are drawn larger than they are.</dd>
        <dt>Recursion</dt>
        <dd>The share of calls that are not primitive.</dd>
        <dt>Beside and below the plot</dt>
        <dd>
          Functions without calls, such as those that began before the chosen time, and those whose
          calls took nothing that was measured.
        </dd>
      </dl>
    </Dialog>
  );
}
