import { Dialog } from '../../widgets/Dialog.tsx';

/** What the call graph shows, and how its figures are defined. */
export function Help(props: { readonly estimated: boolean; onClose(): void }) {
  return (
    <Dialog title="Call graph" onClose={props.onClose}>
      <dl class="chart-help">
        <dt>Boxes</dt>
        <dd>
          Functions, each once however it was called. Self is what was measured in the function
          itself; the total has what it called, too, and counts a stack once however often the
          function is on it. The larger a box, the more is its self.
        </dd>
        <dt>Arrows</dt>
        <dd>
          Calls, from caller to callee. The value of a call is that of the stacks that have it, each
          counted once, as in pprof; the thicker, the more. Under recursion the values of calls add
          up to more than the total.
          {props.estimated &&
            ' Call paths of this profile are estimated, and so are the values of its calls.'}
        </dd>
        <dt>Loops</dt>
        <dd>Direct calls of a function by itself. Other recursion is a cycle of arrows.</dd>
        <dt>What is left out</dt>
        <dd>
          Functions whose total, and calls whose value is less than the chosen share of the program;
          of what is left the 80 functions with the largest totals are drawn. Filters narrow them
          down.
        </dd>
        <dt>Colours</dt>
        <dd>
          The share of the total in the whole program, by its square root: a quarter is in the
          middle. What the search does not find is pale.
        </dd>
      </dl>
    </Dialog>
  );
}
