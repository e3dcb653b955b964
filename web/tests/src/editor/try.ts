import { Workbench } from './harness.ts';
const w = await Workbench.start('/tmp/proj');
try {
  w.page.setDefaultTimeout(15000);
  await w.explorer('cpu.pb.gz').dblclick();
  await new Promise((r) => setTimeout(r, 6000));
  await w.shoot('try1');
  const flame = await w.flame();
  const box = await flame.boundingBox();
  console.log(box);
  await w.page.mouse.click(box!.x + 60, box!.y + 20 + 3 * 20);
  await new Promise((r) => setTimeout(r, 4000));
  await w.shoot('try2');
  console.log(await w.notifications(), await w.lenses(), w.engines());
} catch (e) {
  console.log(e);
  await w.shoot('try-fail');
} finally {
  await w.close().catch((e) => console.log(String(e).slice(0, 3000)));
}
