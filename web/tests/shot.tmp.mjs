import { chromium } from 'playwright-core';

const b = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
const base = process.env.URL0 ?? 'http://127.0.0.1:4711/?token=x';
const shots = JSON.parse(process.argv[2]);
for (const [name, hash, w, h, scheme, steps] of shots) {
  const c = await b.newContext({ viewport: { width: w, height: h }, colorScheme: scheme });
  const p = await c.newPage();
  p.on('console', (m) => {
    if (m.type() === 'error' || m.type() === 'warning') console.log(name, m.text());
  });
  p.on('pageerror', (e) =>
    console.log(name, 'PAGEERROR', e.message, e.stack?.split('\n').slice(0, 4).join('\n')),
  );
  await p.goto(base + hash);
  await p.waitForTimeout(900);
  for (const st of steps ?? []) {
    const [k, ...a] = st;
    if (k === 'click') await p.mouse.click(...a);
    else if (k === 'move') await p.mouse.move(...a);
    else if (k === 'key') await p.keyboard.press(a[0]);
    else if (k === 'type') await p.keyboard.type(a[0]);
    else if (k === 'wheel') await p.mouse.wheel(...a);
    else if (k === 'ctrlwheel') {
      await p.keyboard.down('Control');
      await p.mouse.wheel(...a);
      await p.keyboard.up('Control');
    }
    await p.waitForTimeout(450);
  }
  await p.screenshot({ path: `/tmp/shots/${name}.png` });
  console.log(name, p.url().slice(0, 200));
  await c.close();
}
await b.close();
