import { existsSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { readConfig } from './config.ts'
import { withTimeout } from './concurrency/timeout.ts'
import { dist } from './dist.ts'
import { closeExisting, keepPrivate } from './state/private-files.ts'
import { StartError } from './start-error.ts'

/** Milliseconds after the start before background work begins, so the first pages are not slowed down. */
const calmMs = 500
/** Milliseconds that a slow content service may delay the start. */
const contentTimeout = 1_500
/** Milliseconds that requests in flight get after SIGTERM. */
const graceMs = 10_000
/** Milliseconds after which a stop that hangs is given up. */
const stopTimeout = 14_000

/**
 * Reads the .env next to package.json, as `npm start` does by an option of Node. In watch mode that
 * option makes Node 24 crash when it's stopped where there is no such file, which leaves the server
 * running.
 */
function readSettings() {
  const settings = join(import.meta.dirname, '../.env')
  if (existsSync(settings)) process.loadEnvFile(settings)
}

async function main() {
  const development = process.argv.includes('--dev')
  if (development) readSettings()
  process.env.NODE_ENV ??= development ? 'development' : 'production'
  const config = readConfig(process.env)
  keepPrivate(config.dataDir)
  const [{ createApp }, { openContext }, { listen }, { builtRenderer, developmentRenderer }] =
    await Promise.all([
      import('./app.ts'),
      import('./context.ts'),
      import('./http/connections/listen.ts'),
      import('./renderer.ts'),
    ])
  const context = await openContext(config, {
    // There are hundreds. In development, and in a test, a mistake in one has to show.
    preparing: development ? 'at once' : 'when used',
    // The log would only be written after the wait.
    onOtherServer: () =>
      console.error(`Another server is running on ${config.dataDir}: waiting for it to stop…`),
  })
  const { log } = context
  const renderer = development
    ? await developmentRenderer(join(import.meta.dirname, '..'))
    : await builtRenderer(dist)
  const { listener, pages, assets, pictures } = await createApp(context, renderer)
  // A page doesn't wait for its parts, and the first one would show a stand-in for the agency's name.
  await withTimeout(context.content.readRows(), contentTimeout).catch(() => {})
  // The process may be killed, and would write the cache of compiled modules only as it ends. After a
  // change of code this blocks for a moment, so it is done before the server listens.
  flushCompileCache()
  const listening = await listen(listener, config)
  const origin = config.siteUrlIsSet ? config.siteUrl : `http://localhost:${listening.port}`
  context
    .recordServer({ origin, configured: config.siteUrlIsSet })
    .catch((err: unknown) => log.error({ err }, 'settings not recorded'))
  context.siteClock.start()
  context.outbox.start()
  log.info(
    { port: listening.port, content: config.content?.url ?? 'embedded' },
    `Pitlane running at ${origin}`,
  )
  const background = setTimeout(() => {
    context.jobs.start()
    void import('./libraries.ts').then(({ loadLibraries }) => loadLibraries())
    void pages.warm(['/']).then(pictures.start)
    void assets.readAll()
    context.contributions().start()
    context.content.prefetch()
    void closeExisting(config.dataDir).then(
      (count) => count > 0 && log.info({ count }, 'state files closed to other users'),
      (err: unknown) => log.warn({ err }, 'state files may be open to other users'),
    )
  }, calmMs)

  const stop = async () => {
    clearTimeout(background)
    setTimeout(() => process.exit(1), stopTimeout).unref()
    context.contributions().release()
    // Emails end first: who kills us before the last request is done, as Docker does after ten seconds,
    // must not meet one that has been sent and isn't marked yet.
    await Promise.all([pictures.close(), listening.close(graceMs), context.outbox.stop()])
    await renderer.close()
    await context.close()
  }
  let stopping: Promise<void> | null = null
  // A service manager signals every process, npm passes its signal on, and people press Ctrl-C
  // twice: whatever comes after the first must not take requests in flight with it. SIGHUP comes when
  // the terminal is closed in which the server runs.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      log.info({ signal }, stopping ? 'already shutting down' : 'shutting down')
      stopping ??= stop().catch((err: unknown) => {
        log.fatal({ err }, 'shutdown failed')
        process.exitCode = 1
      })
    })
  }
  // Rotators of log files send these. Left alone, the one ends the process in the middle of its requests,
  // and the other lets every user of the machine debug it, which is to read and do all that it can.
  if (!development) {
    for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) {
      process.on(signal, () =>
        log.info({ signal }, 'nothing to do: log files rotate by themselves'),
      )
    }
  }
  // The log files must say why the process has ended: what it prints at its end is often kept nowhere.
  process.on('uncaughtException', (thrown: unknown) => {
    log.fatal({ err: thrown }, 'ended by an error that nothing caught')
    void context.flushLog().finally(() => process.exit(1))
  })
  // A rejection that is not handled must not end the process.
  process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled rejection'))
}

main().catch((error: unknown) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
})
