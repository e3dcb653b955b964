import { type Answers, type FakePage, openPage } from './page.fixture.tsx';
import { traceEngine } from './trace.fixture.ts';

/** The tracks as a screen reader has them. */
export const tracks = (page: FakePage) => page.texts('[data-scope=timeline] [role=treeitem]');
export const names = (page: FakePage) => tracks(page).map((text) => text.split(',')[0]);
/** What is said of the range in sight, or of the selected span. */
export const said = (page: FakePage) => page.texts('.timeline output')[0];

/** A page with the keyboard in its timeline. */
export async function openTimeline(hash = '', answers: Answers = {}): Promise<FakePage> {
  const page = await openPage(traceEngine(answers), { hash: `#view=timeline${hash}` });
  await page.until(() => page.asked.some(({ method }) => method === 'lanes'));
  page.find('tree', 'Timeline').focus();
  return page;
}
