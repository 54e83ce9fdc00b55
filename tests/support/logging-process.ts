import { createLog } from '#server/logging/log.ts'

/**
 * Writes a hundred thousand lines to standard output, then one each 20 ms. Tells its parent when the
 * hundred thousand are handed over, and again after fifty more.
 */
const { log } = await createLog({ level: 'info' })
for (let n = 0; n < 100_000; n += 1) {
  log.info({ n, filler: 'x'.repeat(100) }, 'flood')
  if (n % 1000 === 0) await new Promise((resolve) => setImmediate(resolve))
}
process.send?.('flooded')
let later = 0
setInterval(() => {
  log.info('later')
  later += 1
  if (later === 50) process.send?.('still there')
}, 20)
