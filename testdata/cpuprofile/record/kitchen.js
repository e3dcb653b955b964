// Chops, stirs and tastes, in the main thread and in a worker: recursion, closures,
// allocation and garbage, regular expressions, waits.
//
//     node kitchen.js ROUNDS
'use strict'

const { isMainThread, Worker, workerData } = require('node:worker_threads')

function fibonacci(n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2)
}

// `stir` and `fold` call each other.
function stir(spoons, depth) {
  return depth === 0 ? spoons : fold(spoons + 1, depth - 1)
}

function fold(spoons, depth) {
  return depth === 0 ? spoons * 2 : stir(spoons + 2, depth - 1)
}

class Pot {
  #carrots = []

  chop(count) {
    for (let i = 0; i < count; i++) this.#carrots.push({ length: i % 7, slices: new Array(i % 20).fill(i) })
    return this
  }

  get weight() {
    return this.#carrots.map((carrot) => carrot.length * carrot.slices.length).reduce((a, b) => a + b, 0)
  }
}

const taste = (text) => text.replace(/c(a)r+ots?/g, (all, a) => a.toUpperCase()).length

function cook(rounds, kept) {
  let total = 0
  for (let round = 0; round < rounds; round++) {
    const pot = new Pot().chop(1500)
    if (round % 10 === 0) kept.push(pot)
    total += pot.weight + fibonacci(18) + stir(round, 40)
    total += taste('carrot carrrots cat '.repeat(300)) + JSON.stringify({ total, list: [...Array(500).keys()] }).length
  }
  return total
}

async function main(rounds) {
  const kept = []
  for (let course = 0; course < 3; course++) {
    cook(rounds, kept)
    await new Promise((done) => setTimeout(done, 20))
  }
}

if (isMainThread) {
  const rounds = Number(process.argv[2] ?? 10)
  new Worker(__filename, { workerData: rounds, name: 'oven' }).on('exit', () => {})
  main(rounds)
} else {
  main(workerData >> 1)
}
