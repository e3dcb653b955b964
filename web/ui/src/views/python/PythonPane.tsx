import { useEffect } from 'preact/hooks';
import type { Sized } from '../../state/layout.ts';
import type { PythonHost } from '../../state/python/host.ts';
import { type PythonPane as Pane, paneOf } from '../../state/python/pane.ts';
import { useApp } from '../../state/services.ts';
import { Splitter, useSize } from '../../widgets/Splitter.tsx';
import { EditorBox } from './EditorBox.tsx';
import { Output } from './Output.tsx';
import { PythonBar } from './PythonBar.tsx';
import './python.css';

/** Height of the pane, in CSS pixels. */
const HEIGHT: Sized = { name: 'python', standard: 300, least: 140, most: 900 };

/** Scripts over the profile that is shown: an editor, and what the script writes. */
export function PythonPane({ host }: { readonly host: PythonHost }) {
  const pane = paneOf(useApp(), host);
  const height = useSize(HEIGHT);
  useEffect(() => {
    pane.scripts.warm();
  }, []);
  return (
    <section class="python" aria-label="Python" style={{ '--python': `${height}px` }}>
      <Splitter label="Height of the Python pane" part={HEIGHT} along="down" behind />
      <PythonBar pane={pane} />
      <Body pane={pane} />
    </section>
  );
}

function Body({ pane }: { readonly pane: Pane }) {
  const { lacking } = pane.host;
  if (lacking !== undefined) return <p class="python-lacking">{lacking}</p>;
  return (
    <div class="python-body">
      <EditorBox pane={pane} />
      <Output pane={pane} />
    </div>
  );
}
