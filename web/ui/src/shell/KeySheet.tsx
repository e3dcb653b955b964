import { shownPage } from '../documents/pages.ts';
import { type Binding, BINDINGS, SCOPE_TITLES } from '../state/key-bindings.ts';
import { GENERAL_COMMANDS, RUN_COMMANDS } from '../state/key-commands.ts';
import { chordLabel } from '../state/keys.ts';
import { useApp } from '../state/services.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import { hasPython } from './PythonDrawer.tsx';

/** All keys, printed from the table that dispatches them. */
export function KeySheet(props: { onClose(): void }) {
  const app = useApp();
  const page = shownPage(app);
  const own = page?.commands(app) ?? {};
  const mayRun = app.runs.isAllowed.value === true;
  const isShown = ({ command, scope }: Binding) =>
    scope !== 'everywhere' ||
    GENERAL_COMMANDS.has(command) ||
    (command === 'toggle_python' && hasPython(app)) ||
    (mayRun && RUN_COMMANDS.has(command)) ||
    command in own;
  return (
    <Dialog title="Keys" onClose={props.onClose}>
      <div class="keys">
        {(['everywhere', ...(page?.scopes ?? [])] as const).map((scope) => (
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
            {(page?.mouse ?? []).map(([what, how]) => (
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
