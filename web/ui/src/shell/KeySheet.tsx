import { BINDINGS, chordLabel, SCOPE_TITLES, type Scope } from '../state/keys.ts';
import { Dialog } from '../widgets/Dialog.tsx';

const SCOPES: readonly Scope[] = ['everywhere', 'flame', 'table'];

/** All keys, printed from the table that dispatches them. */
export function KeySheet(props: { onClose(): void }) {
  return (
    <Dialog title="Keys" onClose={props.onClose}>
      <div class="keys">
        {SCOPES.map((scope) => (
          <section key={scope}>
            <h3>{SCOPE_TITLES[scope]}</h3>
            <dl>
              {BINDINGS.filter((binding) => binding.scope === scope).map((binding) => (
                <div key={binding.command}>
                  <dt>{binding.title}</dt>
                  <dd>
                    {binding.keys.map((chord) => (
                      <span key={chord} class="key">
                        {chordLabel(chord)}
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>With the mouse</h3>
          <dl>
            {MOUSE.map(([what, how]) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd class="mute">{how}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}

const MOUSE: readonly (readonly [string, string])[] = [
  ['Select a frame', 'click'],
  ['Zoom to it', 'click again'],
  ['Scroll, or zoom where all fits', 'wheel'],
  ['Zoom', 'Ctrl + wheel, pinch'],
  ['Pan', 'drag, Shift + wheel'],
  ['Menu of a frame', 'right click'],
];
