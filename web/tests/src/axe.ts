import type { AxeResults } from 'axe-core';
import type { Page } from '@playwright/test';

/** What axe finds; what is no matter of colours is the same in all looks. */
export async function findings(page: Page, only?: 'colours'): Promise<string[]> {
  const runOnly = only && { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
  const options = JSON.stringify({ resultTypes: ['violations'], runOnly });
  const found = await page.evaluate<AxeResults>(`axe.run(${options})`);
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  );
}

/** What it finds in a light and in a dark window, once it is in the page. */
export async function problems(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate(endTransitions);
  const light = await findings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(endTransitions);
  const dark = await findings(page, 'colours');
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((text) => `dark: ${text}`)];
}

/** Colours have all changed when it is done: what moves begins with a frame. */
export async function endTransitions(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let still = 0; still < 2;) {
    await frame();
    const all = document.getAnimations().filter((one) => one instanceof CSSTransition);
    still = all.length === 0 ? still + 1 : 0;
    await Promise.all(all.map((one) => one.finished.catch(() => undefined)));
  }
}
