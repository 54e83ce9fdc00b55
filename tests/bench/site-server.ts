import { createApp } from '#server/app.ts'
import { dist } from '#server/dist.ts'
import { readConfig } from '#server/config.ts'
import { openContext } from '#server/context.ts'
import { listen } from '#server/http/connections/listen.ts'
import { builtRenderer } from '#server/renderer.ts'

/**
 * The site as `main.ts` starts it, log files and all, but for two switches: `KEEP=0` renders every
 * page again, and `UNLIMITED=1` lifts the limits, since one machine plays all visitors.
 */
// What is measured is a flood to every other limit, too.
const unlimited = process.env.UNLIMITED === '1'
const config = readConfig({ ...process.env, ...(unlimited && { SHARES: 'off' }) })
const context = await openContext(config)
const app = await createApp(context, await builtRenderer(dist), {
  keepPages: process.env.KEEP !== '0',
  limited: !unlimited,
})
await listen(app.listener, config)
if (process.env.KEEP !== '0') await app.pages.warm(['/'])
