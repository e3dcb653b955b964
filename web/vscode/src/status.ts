import * as vscode from 'vscode';
import type { EditorProfile } from '@hotframe/engine';
import type { Engine } from './engine.ts';
import { marksAreOn } from './marks.ts';
import { filesOf, meanOf } from './several.ts';
import { toggle } from './toggle.ts';

/** The status bar: which profile and metric the marks in the code are of. */
export class StatusItem implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem(
    'hotframe.profile',
    vscode.StatusBarAlignment.Left,
    10,
  );

  constructor() {
    this.#item.name = 'Hotframe';
    this.#item.command = 'hotframe.choose';
  }

  show(profiles: readonly EditorProfile[]): void {
    const active = profiles.find((profile) => profile.is_active) ?? profiles[0];
    if (active === undefined) {
      this.#item.hide();
      return;
    }
    const metric = active.metrics[active.metric];
    const base = profiles.find((profile) => profile.is_base);
    const against = base === undefined ? '' : `vs ${base.title}`;
    const isOn = marksAreOn();
    const off = isOn ? '' : 'marks are off';
    const told = [active.title, metric?.name ?? '', meanOf(metric), against, off];
    this.#item.text =
      metric === undefined
        ? `$(sync~spin) ${active.title}`
        : `$(${isOn ? 'flame' : 'eye-closed'}) ${told.filter((text) => text !== '').join(' · ')}`;
    const paths = (profile: EditorProfile) => filesOf(profile.path).join('\n');
    const mean = meanOf(metric) === '' ? '' : `, ${meanOf(metric)}`;
    this.#item.tooltip =
      `${paths(active)}\n` +
      (metric === undefined ? 'is being read' : `${metric.name}: ${metric.total}${mean}`) +
      (base === undefined ? '' : `\nagainst ${paths(base)}`) +
      (isOn ? '' : '\nIts marks in the code are switched off.') +
      '\nClick to choose another profile or metric.';
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

interface Choice extends vscode.QuickPickItem {
  run?(): Promise<unknown>;
}

/** Lets the person choose the profile, its metric and the base. */
export async function choose(engine: Engine): Promise<void> {
  const profiles = await engine.profiles();
  const ready = profiles.filter(({ state }) => state === 'ready');
  const active = ready.find((profile) => profile.is_active) ?? ready[0];
  if (active === undefined) {
    await vscode.commands.executeCommand('hotframe.open');
    return;
  }
  const heading = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const mark = (on: boolean) => (on ? '$(check) ' : '');
  const others = ready.filter((profile) => profile !== active);
  const base = ready.find((profile) => profile.is_base);
  const placesOf = ({ path }: EditorProfile) => filesOf(path).join(', ');
  const choices: Choice[] = [
    heading(`Metric of ${active.title}`),
    ...active.metrics.map(({ name, total }, index) => ({
      label: `${mark(index === active.metric)}${name}`,
      description: total,
      run: () => engine.setMetric(active.path, name),
    })),
    {
      label: '$(symbol-operator) By formula…',
      run: async () => {
        const formula = await vscode.window.showInputBox({
          title: 'A metric by formula',
          placeHolder: 'cycles / instructions',
        });
        if (formula) await engine.setMetric(active.path, formula);
      },
    },
    ...(others.length === 0 ? [] : [heading('Profile')]),
    ...others.map((profile) => ({
      label: profile.title,
      description: placesOf(profile),
      run: () => engine.open([profile.path]),
    })),
    ...(others.length === 0 ? [] : [heading(`Compare ${active.title} with`)]),
    ...others.map((profile) => ({
      label: `${mark(profile.is_base)}${profile.title}`,
      description: 'lenses show the change against it',
      run: () => engine.compare(profile.path, active.path),
    })),
    ...(base === undefined
      ? []
      : [
          {
            label: `$(arrow-swap) Swap: ${base.title} against ${active.title}`,
            run: () => engine.compare(active.path, base.path),
          },
          { label: '$(close) Compare with Nothing', run: () => engine.setBase(null) },
        ]),
    heading(''),
    marksAreOn()
      ? { label: '$(eye-closed) Hide All Marks in the Code', run: () => toggle('marks') }
      : { label: '$(eye) Show Marks in the Code', run: () => toggle('marks') },
    {
      label: '$(folder-opened) Open Profiles…',
      run: async () => vscode.commands.executeCommand('hotframe.open'),
    },
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    title: `Hotframe: ${active.title}`,
    matchOnDescription: true,
  });
  await chosen?.run?.();
}
