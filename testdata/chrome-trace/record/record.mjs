// Records `page.js` in Chromium through the DevTools protocol.
//
//     node record.mjs FOLDER
import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const folder = process.argv[2]
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})

// No server: the pages are made up here.
async function open() {
  const page = await browser.newPage()
  await page.context().route('http://kitchen.example/**', (route) =>
    route.request().url().endsWith('page.js')
      ? route.fulfill({ contentType: 'text/javascript', body: readFileSync('page.js', 'utf8') })
      : route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Kitchen</title><script src="page.js"></script>' }),
  )
  await page.goto('http://kitchen.example/')
  return { page, session: await page.context().newCDPSession(page) }
}

async function trace(rounds, transferMode, categories) {
  const { page, session } = await open()
  const events = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value))
  await session.send('Tracing.start', {
    transferMode,
    traceConfig: { includedCategories: categories, excludedCategories: ['*'] },
  })
  await page.evaluate((rounds) => window.run(rounds), rounds)
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done))
  await session.send('Tracing.end')
  const { stream } = await complete
  let text = ''
  while (stream) {
    const { data, eof } = await session.send('IO.read', { handle: stream })
    text += data
    if (eof) break
  }
  await page.close()
  return stream ? JSON.parse(text) : events
}

const own = (event) => {
  const name = event.args?.name ?? ''
  return event.name === 'Profile' || event.name === 'ProfileChunk' || event.ph === 'M' || event.args?.data !== undefined || event.dur > 200 || name !== ''
}
const lines = (events) => '[\n' + events.map((event) => JSON.stringify(event)).join(',\n') + '\n]'

const profiler = ['disabled-by-default-v8.cpu_profiler', 'v8.execute', 'devtools.timeline', 'blink.user_timing', '__metadata']
const object = await trace(60, 'ReturnAsStream', profiler)
// The metadata tells of the machine and its command line.
writeFileSync(`${folder}/object.trace.json`, `{"traceEvents": ${lines(object.traceEvents.filter(own))},\n"metadata": {"source": "DevTools", "dataOrigin": "TraceEvents"}}\n`)

const array = await trace(50, 'ReportEvents', ['disabled-by-default-v8.cpu_profiler', '__metadata'])
writeFileSync(`${folder}/array.trace.json`, lines(array.filter(own)) + '\n')

const { page, session } = await open()
await session.send('Profiler.enable')
await session.send('Profiler.setSamplingInterval', { interval: 500 })
await session.send('Profiler.start')
await page.evaluate((rounds) => window.run(rounds), 60)
writeFileSync(`${folder}/browser.cpuprofile`, JSON.stringify((await session.send('Profiler.stop')).profile))

await session.send('HeapProfiler.enable')
await session.send('HeapProfiler.startSampling', { samplingInterval: 4096, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true })
await page.evaluate((rounds) => window.run(rounds), 60)
writeFileSync(`${folder}/browser.heapprofile`, JSON.stringify((await session.send('HeapProfiler.stopSampling')).profile))

await browser.close()
