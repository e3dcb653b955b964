import { type FormatInfo, isCancelled } from '@hotframe/engine';
import { useEffect, useState } from 'preact/hooks';
import { useApp } from './services.ts';

/** The formats that open, once the engine has told. */
export function useFormats(): readonly FormatInfo[] {
  const app = useApp();
  const [formats, setFormats] = useState<readonly FormatInfo[]>([]);
  useEffect(() => {
    app.engine.call('formats', {}).then(
      ({ result }) => setFormats(result.formats.filter(({ reads }) => reads)),
      (error: unknown) => {
        if (!isCancelled(error)) app.notices.fail(error);
      },
    );
  }, []);
  return formats;
}
