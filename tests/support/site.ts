import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, type App } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { Pace } from '#server/content/pace.ts'
import { openContext, type Context, type ContextOptions } from '#server/context.ts'
import { databaseFile, openDatabase } from '#server/db/open.ts'
import { listen } from '#server/http/listen.ts'
import type { Renderer } from '#server/renderer.ts'
import { csrfHeaders, send, type Reply } from './send.ts'

/** A clock that stands still until it is moved. */
export type Clock = {
  (): number
  /** Moves the clock on, in milliseconds. */
  advance(ms: number): void
}

/** The real app on a port of its own, with state of its own. */
export type Site = AsyncDisposable & {
  readonly url: string
  readonly dataDir: string
  readonly context: Context
  readonly clock: Clock
  /** What has been logged so far, as JSON lines. */
  logLines(): string[]
  get(path: string, options?: SendOptions): Promise<Reply>
  /** Posts JSON as a browser on our own page does: with a CSRF cookie and its header. */
  post(path: string, body: unknown, options?: SendOptions): Promise<Reply>
}

type SendOptions = {
  /** Added to the headers; an empty value takes one away. */
  headers?: Record<string, string>
  /** Local address to come from, any of 127.0.0.0/8. */
  from?: string
}

/** For tests that need no pages: every page is a bare 200. */
export const noPages: Renderer = {
  development: false,
  inlineScripts: [],
  queryOf: () => null,
  takesForm: () => false,
  middleware: null,
  render: async () => ({
    redirect: null,
    status: 200,
    handle: null,
    degraded: false,
    pipe: (destination) => void destination.end('<!doctype html><title>A page</title>'),
    abort() {},
  }),
  async close() {},
}

/** 20 November 2026, 14.00 in Helsinki: a Friday. */
const start = Date.UTC(2026, 10, 20, 12)

/** Makes a clock that stands still at an instant. */
export function createClock(at: number = start): Clock {
  let now = at
  return Object.assign(() => now, { advance: (ms: number) => void (now += ms) })
}

let migrated: Promise<string> | null = null

/**
 * A database of this version without content, made once for all sites of a process: forty migrations
 * are forty waits for the disk.
 */
const migratedDatabase = (): Promise<string> =>
  (migrated ??= (async () => {
    const directory = mkdtempSync(join(tmpdir(), 'pitlane-'))
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
    await openDatabase(directory).close()
    return databaseFile(directory)
  })())

/**
 * Boots the real app. Use it with `await using`, so that it is taken down with its state.
 * @param options environment variables on top of an empty environment; `renderer` for pages,
 *   {@link noPages} where not said; `dataDir` to go on with the state of another site, which is
 *   then kept; `sending: false` leaves the outbox and the jobs asleep; `features` are added to those
 *   of the site;
 *   `contentPace` hurries the reading of a Directus; `logFiles` keeps log files, too; `pictures` is a
 *   folder for resized pictures that sites share, since each takes a tenth of a second to make
 */
export async function startSite({
  env = {},
  clock = createClock(),
  renderer = noPages,
  dataDir,
  sending = true,
  contentPace,
  logFiles = false,
  features = [],
  pictures,
}: {
  env?: Record<string, string>
  clock?: Clock
  renderer?: Renderer
  dataDir?: string
  sending?: boolean
  contentPace?: Partial<Pace>
  logFiles?: boolean
  features?: ContextOptions['features']
  pictures?: string
} = {}): Promise<Site> {
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'pitlane-'))
  if (!dataDir) copyFileSync(await migratedDatabase(), databaseFile(directory))
  if (pictures) {
    mkdirSync(join(directory, 'cache'))
    symlinkSync(pictures, join(directory, 'cache/assets'))
  }
  const lines: string[] = []
  let app: App | null = null
  const listening = await listen((request, response) => app?.listener(request, response), {
    port: 0,
    host: '127.0.0.1',
  })
  const url = `http://127.0.0.1:${listening.port}`
  const config = readConfig({ SITE_URL: url, DATA_DIR: directory, ...env })
  const context = await openContext(config, {
    clock,
    contentPace,
    features,
    // The clock of a test is moved without telling anybody.
    jobsEvery: 100,
    log: {
      level: 'debug',
      write: (line) => void lines.push(line),
      ...(logFiles && { directory: join(directory, 'logs') }),
    },
  })
  await context.siteOrigin.record({ origin: config.siteUrl, configured: true })
  app = createApp(context, renderer)
  if (sending) {
    context.outbox.start()
    context.jobs.start()
  }

  const ask = (path: string, method: string, body: unknown, { headers, from }: SendOptions) =>
    send(url + path, {
      method,
      body,
      ...(from && { from }),
      headers: Object.fromEntries(
        Object.entries({
          ...(method === 'POST' && {
            ...csrfHeaders,
            'Content-Type': 'application/json',
            Origin: url,
            'Sec-Fetch-Site': 'same-origin',
          }),
          ...headers,
        }).filter(([, value]) => value !== ''),
      ),
    })

  return {
    url,
    dataDir: directory,
    context,
    clock,
    logLines: () => lines,
    get: (path, options = {}) => ask(path, 'GET', undefined, options),
    post: (path, body, options = {}) => ask(path, 'POST', body, options),
    async [Symbol.asyncDispose]() {
      context.contributions().drain()
      await listening.close(500)
      await renderer.close()
      await context.close()
      if (!dataDir) rmSync(directory, { recursive: true, force: true })
    },
  }
}
