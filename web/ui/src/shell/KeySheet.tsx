import {
  type Binding,
  BINDINGS,
  chordLabel,
  GENERAL_COMMANDS,
  SCOPE_TITLES,
  type Scope,
} from '../state/keys.ts';
import { useApp } from '../state/services.ts';
import { Dialog } from '../widgets/Dialog.tsx';

const OF_PROFILES: readonly Scope[] = ['everywhere', 'flame', 'table'];
const OF_GRAPHS: readonly Scope[] = ['everywhere', 'graph'];

/** All keys, printed from the table that dispatches them. */
export function KeySheet(props: { onClose(): void }) {
  const isGraph = useApp().status.value.kind === 'graph';
  const isShown = ({ command, scope }: Binding) =>
    !isGraph || scope !== 'everywhere' || GENERAL_COMMANDS.has(command);
  return (
    <Dialog title="Keys" onClose={props.onClose}>
      <div class="keys">
        {(isGraph ? OF_GRAPHS : OF_PROFILES).map((scope) => (
          <section key={scope}>
            <h3>{SCOPE_TITLES[scope]}</h3>
            <dl>
              {BINDINGS.filter((binding) => binding.scope === scope && isShown(binding)).map(
                (binding) => (
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
                ),
              )}
            </dl>
          </section>
        ))}
        <section>
          <h3>With the mouse</h3>
          <dl>
            {(isGraph ? MOUSE_ON_GRAPHS : MOUSE).map(([what, how]) => (
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

const MOUSE_ON_GRAPHS: readonly (readonly [string, string])[] = [
  ['Select a box or an edge', 'click'],
  ['Fold or unfold', 'double click, or the chevron'],
  ['Zoom to a container', 'double click on its ground'],
  ['Pan', 'drag, wheel'],
  ['Zoom', 'Ctrl + wheel, pinch'],
  ['Menu', 'right click'],
];
