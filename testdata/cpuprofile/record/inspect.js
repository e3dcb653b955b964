// Profiles the kitchen from inside, through node:inspector.
//
//     node inspect.js cpu|heap OUT [INTERVAL]
'use strict'

const { Session } = require('node:inspector/promises')
const { writeFileSync } = require('node:fs')

async function main(what, out, interval) {
  const session = new Session()
  session.connect()
  if (what === 'cpu') {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval })
    await session.post('Profiler.start')
  } else {
    await session.post('HeapProfiler.enable')
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: interval,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    })
  }
  process.argv[2] = '10'
  require('./kitchen.js')
  await new Promise((done) => setTimeout(done, 400))
  const { profile } = await session.post(what === 'cpu' ? 'Profiler.stop' : 'HeapProfiler.stopSampling')
  writeFileSync(out, JSON.stringify(profile))
}

main(process.argv[2], process.argv[3], Number(process.argv[4] ?? 2000))
