import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, type App } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { Timing } from '#server/content/directus/timing.ts'
import { openContext, type Context, type ContextOptions } from '#server/context.ts'
import { databaseFile, openDatabase } from '#server/db/open.ts'
import { listen } from '#server/http/connections/listen.ts'
import type { Renderer } from '#server/renderer.ts'
import { sharedThread } from './shared-thread.ts'
import { csrfHeaders, send, type Reply } from './send.ts'

/** A clock that stands still until it is moved. */
export type Clock = {
  (): number
  /** Lets time go by while the site runs, in milliseconds. */
  advance(ms: number): void
  /** Sets the clock to another time, which only it believes in. */
  jump(ms: number): void
  /** Milliseconds that have gone by, however the clock was set. */
  steady(): number
}

/** The real app on its own port, with state of its own. */
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
  /** Added to the headers; an empty value clears the field. */
  headers?: Record<string, string>
  /** Local address to come from, any of 127.0.0.0/8. */
  from?: string
}

/** For tests that need no pages: every page is a bare 200. */
export const noPages: Renderer = {
  development: false,
  inlineScripts: [],
  queryOf: () => null,
  acceptsForm: () => false,
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
  let passed = 0
  const jump = (ms: number) => void (now += ms)
  const advance = (ms: number) => {
    now += ms
    passed += ms
  }
  return Object.assign(() => now, { advance, jump, steady: () => passed })
}

/** Databases that sites of this process begin with, by what is in them. */
const beginnings = new Map<'empty' | 'sample', Promise<string>>()

/**
 * A database of this version, made once for all sites of a process: migrations take a second, and the
 * sample catalogue was a third of the work of each start.
 * @param content `sample` for what a first start at {@link start} with the sample content leaves,
 *   `empty` for what migrations leave
 */
function beginning(content: 'empty' | 'sample'): Promise<string> {
  const made = beginnings.get(content) ?? makeBeginning(content)
  beginnings.set(content, made)
  return made
}

async function makeBeginning(content: 'empty' | 'sample'): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'pitlane-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  if (content === 'empty') {
    await openDatabase(directory).close()
  } else {
    copyFileSync(await beginning('empty'), databaseFile(directory))
    const config = readConfig({ SITE_URL: 'http://127.0.0.1', DATA_DIR: directory })
    const clock = createClock()
    const context = await openContext(config, {
      clock,
      steadyClock: clock.steady,
      confirmClock: async () => null,
      preparing: 'when used',
      createThread: sharedThread,
      log: { level: 'fatal', write() {} },
    })
    await context.close()
  }
  return databaseFile(directory)
}

/**
 * Boots the real app. Use it with `await using`, so it is taken down with its state.
 * @param options environment variables on top of an empty environment; `renderer` for pages,
 *   {@link noPages} where not said; `dataDir` to go on with the state of another site, which is
 *   then kept; `sending: false` leaves the outbox and the jobs asleep; `features` are added to those
 *   of the site; `confirmClock` is who vouches for the clock, no one where left out;
 *   `contentTiming` hurries the reading of a Directus; `logFiles` keeps log files, too; `pictures` is a
 *   folder for resized pictures that sites share, since each takes a tenth of a second to make;
 *   `createThread` makes its threads, which sites share where left out
 */
export async function startSite({
  env = {},
  clock: given = createClock(),
  renderer = noPages,
  dataDir,
  sending = true,
  contentTiming,
  logFiles = false,
  features = [],
  pictures,
  confirmClock = async () => null,
  createThread = sharedThread,
}: {
  env?: Record<string, string>
  clock?: (() => number) & Pick<Clock, 'advance'> & Partial<Clock>
  renderer?: Renderer
  dataDir?: string
  sending?: boolean
  contentTiming?: Partial<Timing>
  logFiles?: boolean
  features?: ContextOptions['features']
  pictures?: string
  confirmClock?: ContextOptions['confirmClock']
  createThread?: ContextOptions['createThread']
} = {}): Promise<Site> {
  // One that is moved by other means goes on as steadily as it says.
  const { steady = () => given(), jump = given.advance } = given
  const clock: Clock = Object.assign(given, { steady, jump })
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'pitlane-'))
  if (!existsSync(databaseFile(directory))) {
    const isUsual = !env.CONTENT_DIR && !env.CONTENT_URL && clock() === start
    copyFileSync(await beginning(isUsual ? 'sample' : 'empty'), databaseFile(directory))
  }
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
    steadyClock: clock.steady,
    confirmClock,
    contentTiming,
    features,
    // As the server does; `tests/server/db/statements.test.ts` prepares all.
    preparing: 'when used',
    createThread,
    // The clock of a test is moved without telling anyone.
    jobsEvery: 100,
    log: {
      level: 'debug',
      write: (line) => void lines.push(line),
      ...(logFiles && { directory: join(directory, 'logs') }),
    },
  })
  await context.siteOrigin.record({ origin: config.siteUrl, configured: true })
  app = await createApp(context, renderer)
  context.siteClock.start()
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
      context.contributions().release()
      await listening.close(500)
      await renderer.close()
      await context.close()
      if (!dataDir) rmSync(directory, { recursive: true, force: true })
    },
  }
}
