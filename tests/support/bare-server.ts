import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openContext } from '#server/context.ts'
import { listen } from '#server/http/connections/listen.ts'
import { noPages } from './site.ts'

// Who is killed has no end at which Node would keep what it compiled.
flushCompileCache()
if (process.env.WAITS) await once(process.stdin, 'data')

/** The real server without pages, so tests of its death need no build. */
const config = readConfig(process.env)
const context = await openContext(config, { log: { level: 'warn', write() {} } })
const { listener } = await createApp(context, noPages)
const { port } = await listen(listener, config)
context.outbox.start()
console.log(JSON.stringify({ port }))
