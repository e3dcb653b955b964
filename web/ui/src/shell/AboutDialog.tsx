import { useApp } from '../state/services.ts';
import { Dialog } from '../widgets/Dialog.tsx';

/** What a report tells of itself. */
export function AboutDialog(props: { onClose(): void }) {
  const about = useApp().host.report;
  if (about === undefined) return null;
  const { note, contains, version, scripts } = about;
  return (
    <Dialog title="About this report" onClose={props.onClose}>
      <div class="report">
        {note !== '' && <p class="note">{note}</p>}
        <h3>Inside</h3>
        <ul>
          {contains.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {scripts.map(({ name, text }) => (
          <details key={name}>
            <summary>
              Script <code>{name}</code>
            </summary>
            <pre>{text}</pre>
          </details>
        ))}
        <p class="mute">
          Written by Hotframe {version}. Nothing of it is sent anywhere, and nothing is loaded.
        </p>
      </div>
    </Dialog>
  );
}
