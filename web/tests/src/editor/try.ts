import { Workbench } from './harness.ts';
const w = await Workbench.start('/tmp/proj');
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms));
try {
  w.page.setDefaultTimeout(15000);
  await w.explorer('base.pb.gz').dblclick();
  await w.flame();
  await w.explorer('cpu.pb.gz').dblclick();
  await pause(3000);
  const flame = await w.flame();
  const box = await flame.boundingBox();
  await w.page.mouse.click(box!.x + 60, box!.y + 20 + 3 * 20);
  await pause(3000);
  await w.page.locator('.tab[data-resource-name="base.pb.gz"]').click();
  await w.page.locator('.tab[data-resource-name="main.go"]').click();
  await w.goTo(42);
  await w.page.locator('.tab[data-resource-name="cpu.pb.gz"]').click();
  await pause(1000);
  await w.page.locator('.tab[data-resource-name="main.go"]').click();
  await pause(1000);
  console.log('hover', await w.hover(42));
  await pause(500);
  await w.shoot('try6');
  await w.page.keyboard.press('Escape');
  await w.page.locator('.tab[data-resource-name="base.pb.gz"]').click();
  await pause(1000);
  await w.page.locator('.tab[data-resource-name="main.go"]').click();
  await w.page.locator('.codelens-decoration a').first().click();
  await pause(3000);
  await w.shoot('try7');
} catch (e) {
  console.log(e);
  await w.shoot('try-fail');
} finally {
  await w.close().catch((e) => console.log(String(e).slice(0, 300)));
}
