import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openContext } from '#server/context.ts'
import { listen } from '#server/http/connections/listen.ts'
import { noPages } from './site.ts'

/** The real server with its jobs, by a clock that is CLOCK_SHIFT milliseconds off. */
const shift = Number(process.env.CLOCK_SHIFT)
const config = readConfig(process.env)
const context = await openContext(config, {
  clock: () => Date.now() + shift,
  log: { level: 'warn', write() {} },
})
const { listener } = await createApp(context, noPages)
const { port } = await listen(listener, config)
await context.recordServer({ origin: `http://localhost:${port}`, configured: false })
context.siteClock.start()
context.outbox.start()
context.jobs.start()
console.log(JSON.stringify({ port }))
