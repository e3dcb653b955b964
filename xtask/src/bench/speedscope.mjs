// Opens a profile in speedscope and prints what it cost until it was read:
// processor seconds of all of the browser's processes, seconds since the page began
// to load, and the peak resident megabytes of the page's process.
//
//     node speedscope.mjs SPEEDSCOPE_FOLDER CHROMIUM PROFILE
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { basename, extname, join, resolve } from 'node:path'

const [folder, executablePath, profile] = process.argv.slice(2)
const require = createRequire(resolve('web/tests/package.json'))
const { chromium } = require('playwright-core')

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost')
  const file = pathname === '/profile' ? profile : join(folder, basename(pathname))
  try {
    const { size } = await stat(file)
    const type = TYPES[extname(file)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'content-length': size })
    createReadStream(file).pipe(response)
  } catch {
    response.writeHead(404).end()
  }
})
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
const origin = `http://127.0.0.1:${server.address().port}`

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-quic'] })
const page = await browser.newPage()
const ended = new Promise((done, failed) => {
  // speedscope times its import with console.time.
  page.on('console', (message) => {
    if (message.text().startsWith('import')) done()
    if (message.type() === 'error') failed(new Error(message.text()))
  })
  page.on('crash', () => failed(new Error('the tab crashed')))
})
const start = performance.now()
await page.goto(`${origin}/index.html#profileURL=${encodeURIComponent(`${origin}/profile`)}`)
await ended
const wallSeconds = (performance.now() - start) / 1000

const devtools = await browser.newBrowserCDPSession()
const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
const cpuSeconds = processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
const peaks = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => peakOf(id))
const peakMegabytes = Math.max(...(await Promise.all(peaks)))
console.log(cpuSeconds, wallSeconds, peakMegabytes)
await browser.close()
server.close()

async function peakOf(process) {
  const status = await readFile(`/proc/${process}/status`, 'utf8')
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024) / 1e6
}
