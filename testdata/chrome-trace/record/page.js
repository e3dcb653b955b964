// The page's work, and its worker's: recursion, layout, timers, user timings.
'use strict'

function fibonacci(n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2)
}

const stir = (spoons, depth) => (depth === 0 ? spoons : fold(spoons + 1, depth - 1))
const fold = (spoons, depth) => (depth === 0 ? fibonacci(20) : stir(spoons + 2, depth - 1))

function serve(plates) {
  performance.mark('serve')
  for (let i = 0; i < plates; i++) {
    const plate = document.createElement('p')
    plate.textContent = 'plate '.repeat(i % 9)
    document.body.append(plate)
    if (i % 50 === 0) plate.getBoundingClientRect()
  }
  performance.measure('serving', 'serve')
}

function cook(rounds) {
  let total = 0
  for (let i = 0; i < rounds; i++) total += stir(i, 13) + JSON.stringify([...Array(900).keys()]).length
  return total
}

if (typeof document === 'undefined') {
  onmessage = ({ data }) => postMessage(cook(data))
} else {
  window.run = async (rounds) => {
    const worker = new Worker('page.js', { name: 'oven' })
    const baked = new Promise((done) => (worker.onmessage = done))
    worker.postMessage(rounds)
    await new Promise((done) => setTimeout(done, 30))
    cook(rounds)
    serve(200)
    await baked
    await new Promise((done) => setTimeout(done, 30))
    cook(rounds >> 1)
  }
}
